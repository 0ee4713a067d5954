<?php

declare(strict_types=1);

namespace Keyport\Internal;

use Keyport\KeyportConnectionError;
use Keyport\KeyportError;

/**
 * One access token for all calls, and with a file for all processes of a shop: a token for each page view would be
 * a request more, and the check-up counts it as a fault.
 *
 * @internal
 */
final class Tokens
{
    private const TIMEOUT_MS = 15_000;
    /** A token is renewed this long before it expires, or a tenth of its life if that is shorter. */
    private const RENEW_BEFORE_SECONDS = 60;

    /** @var array{value: string, endsAt: float}|null */
    private ?array $held = null;

    /** @param string|\Closure(): string $clientSecret */
    public function __construct(
        private readonly Http $http,
        private readonly string $baseUrl,
        public readonly string $clientId,
        private string|\Closure $clientSecret,
        private readonly ?string $file,
    ) {
    }

    /** @param string|null $rejected The token that the service rejected, which is not used again. */
    public function get(?string $rejected, float $timeoutMs): string
    {
        if (self::isUsable($this->held, $rejected)) {
            return $this->held['value'];
        }
        $secret = is_string($this->clientSecret) ? $this->clientSecret : Text::checked('clientSecret', ($this->clientSecret)());
        $this->held = $this->read($secret);
        if (!self::isUsable($this->held, $rejected)) {
            $this->held = $this->fetch($secret, $timeoutMs);
            $this->write($secret, $this->held);
        }
        return $this->held['value'];
    }

    /**
     * @param array{value: string, endsAt: float}|null $token
     * @phpstan-assert-if-true array{value: string, endsAt: float} $token
     */
    private static function isUsable(?array $token, ?string $rejected): bool
    {
        return $token !== null && $token['value'] !== $rejected && microtime(true) < $token['endsAt'];
    }

    /** Uses a new secret of this client, unless a function returns the secret. */
    public function adopt(string $clientId, string $clientSecret): void
    {
        if ($clientId === $this->clientId && is_string($this->clientSecret)) {
            $this->clientSecret = $clientSecret;
        }
    }

    /** @return array{value: string, endsAt: float} */
    private function fetch(string $secret, float $timeoutMs): array
    {
        $sentAt = microtime(true);
        $url = "{$this->baseUrl}/oauth/token";
        $form = http_build_query(['grant_type' => 'client_credentials', 'client_id' => $this->clientId, 'client_secret' => $secret]);
        $headers = ['content-type: application/x-www-form-urlencoded', 'accept: application/json'];
        $response = $this->http->send('POST', $url, $headers, $form, min($timeoutMs, self::TIMEOUT_MS), 1);
        $members = Text::parseObject($response->body) ?? [];
        $value = $members['access_token'] ?? null;
        $seconds = $members['expires_in'] ?? null;
        if ($response->isOk() && is_string($value) && is_int($seconds) && $seconds > 0) {
            return ['value' => $value, 'endsAt' => $sentAt + $seconds - min(self::RENEW_BEFORE_SECONDS, $seconds / 10)];
        }
        $code = $members['error'] ?? null;
        if ($response->isOk() || !is_string($code)) {
            throw Transport::foreign("POST $url", $response);
        }
        $description = $members['error_description'] ?? null;
        throw new KeyportError(
            $response->status,
            $code,
            is_string($description) ? $description : "No token: $code.",
            traceId: $response->headers['x-trace-id'] ?? null,
            headers: $response->headers,
        );
    }

    /** Without the secret, no one can tell from the file which secret it belongs to. */
    private function mark(string $secret): string
    {
        return hash_hmac('sha256', "{$this->baseUrl} {$this->clientId}", $secret);
    }

    /** @return array{value: string, endsAt: float}|null */
    private function read(string $secret): ?array
    {
        $text = $this->file === null || !is_file($this->file) ? false : @file_get_contents($this->file);
        $stored = is_string($text) ? Text::parseObject($text) ?? [] : [];
        $value = $stored['value'] ?? null;
        $endsAt = $stored['endsAt'] ?? null;
        $isOwn = ($stored['mark'] ?? null) === $this->mark($secret);
        return $isOwn && is_string($value) && is_numeric($endsAt) ? ['value' => $value, 'endsAt' => (float) $endsAt] : null;
    }

    /** @param array{value: string, endsAt: float} $held */
    private function write(string $secret, array $held): void
    {
        if ($this->file === null) {
            return;
        }
        try {
            Files::replace($this->file, Text::toJson($held + ['mark' => $this->mark($secret)]));
        } catch (\RuntimeException $error) {
            // The call can go on, but each process then fetches a token of its own.
            error_log("Keyport: the token could not be stored: {$error->getMessage()}");
        }
    }
}
