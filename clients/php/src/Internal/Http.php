<?php

declare(strict_types=1);

namespace Keyport\Internal;

use Keyport\KeyportConnectionError;

/**
 * Sends a request over one kept connection. Redirects are not followed, because they would send the token elsewhere.
 *
 * @internal
 */
final class Http
{
    private \CurlHandle $handle;

    /**
     * @param (\Closure(array{method: string, url: string, attempt: int}): mixed)|null $onRequest
     * @param (\Closure(array{method: string, url: string, attempt: int, status: int|null, durationMs: int, error: string|null}): mixed)|null $onResponse
     */
    public function __construct(private readonly ?\Closure $onRequest, private readonly ?\Closure $onResponse)
    {
        $this->handle = curl_init();
    }

    /**
     * @param list<string> $headers
     * @throws KeyportConnectionError without a response
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutMs, int $attempt): Response
    {
        $received = [];
        curl_reset($this->handle);
        curl_setopt_array($this->handle, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            // Without `Expect`, curl does not wait for a 100 before a large body.
            CURLOPT_HTTPHEADER => [...$headers, 'expect:'],
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_ENCODING => '',
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) $timeoutMs),
            CURLOPT_CONNECTTIMEOUT_MS => max(1, (int) min($timeoutMs, 10_000)),
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $handle, string $line) use (&$received): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $received = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $received[strtolower(trim($name))] = trim($value);
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($this->handle, CURLOPT_POSTFIELDS, $body);
        }
        $request = ['method' => $method, 'url' => $url, 'attempt' => $attempt];
        self::tell($this->onRequest, $request);
        $sentAtNs = hrtime(true);
        $text = curl_exec($this->handle);
        $error = is_string($text) ? null : curl_error($this->handle);
        $status = (int) curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE);
        $durationMs = (int) ((hrtime(true) - $sentAtNs) / 1e6);
        self::tell($this->onResponse, $request + ['status' => $error === null ? $status : null, 'durationMs' => $durationMs, 'error' => $error]);
        if (!is_string($text)) {
            throw new KeyportConnectionError("$method $url: no response ($error).");
        }
        /** @var array<string, string> $received */
        return new Response($status, $received, $text);
    }

    /** @param array<string, mixed> $said */
    private static function tell(?\Closure $hook, array $said): void
    {
        try {
            $hook !== null && $hook($said);
        } catch (\Exception $error) {
            error_log("Keyport: a hook failed: {$error->getMessage()}");
        }
    }
}
