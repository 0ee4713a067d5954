<?php

declare(strict_types=1);

namespace Keyport\Internal;

use Keyport\CallOptions;
use Keyport\ErrorCode;
use Keyport\KeyportConnectionError;
use Keyport\KeyportError;
use Keyport\KeyportTimeoutError;
use Keyport\Version;

/**
 * Retries reads, and writes with an Idempotency-Key, until the outcome is known.
 *
 * @internal
 */
final class Transport
{
    /** An attempt may use a quarter of the deadline, but not less than this. */
    private const ATTEMPT_MS_MIN = 5_000;
    private const PAUSE_MS_MIN = 200;
    private const PAUSE_MS_MAX = 10_000;
    /** If more arrive, a proxy keeps failing or the base URL is wrong. */
    private const FOREIGN_ERRORS_MAX = 5;
    /** The service did not carry out the request. */
    private const SAFE_STATUSES = [408, 429];
    private const NOT_IMPLEMENTED = 501;

    /** @param Tokens|\Closure(): string $tokens */
    public function __construct(
        public readonly string $baseUrl,
        private readonly Http $http,
        private readonly Tokens|\Closure $tokens,
        private readonly int $timeoutMs,
        private readonly ?int $maxRetries,
    ) {
    }

    public function adoptSecret(string $clientId, string $clientSecret): void
    {
        if ($this->tokens instanceof Tokens) {
            $this->tokens->adopt($clientId, $clientSecret);
        }
    }

    /**
     * The `data` of a read's response.
     *
     * @param array<string, mixed> $query
     */
    public function read(string $path, array $query, ?CallOptions $options): mixed
    {
        return $this->envelope('GET', $path, $query, null, $options)['data'];
    }

    /**
     * The `data` of a write's response. All attempts share one idempotency key.
     *
     * @param array<string, mixed>|null $body
     */
    public function write(string $method, string $path, ?array $body, ?CallOptions $options): mixed
    {
        $key = $options?->idempotencyKey ?? Text::uuid();
        return $this->envelope($method, $path, [], $body, $options, $key)['data'] ?? null;
    }

    /**
     * The whole body of a response.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    public function envelope(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        ?CallOptions $options = null,
        ?string $key = null,
    ): array {
        if (!str_starts_with($path, '/')) {
            throw new \ValueError("path must begin with /, such as /export/v1/account, but is $path.");
        }
        $url = $this->baseUrl . $path . Text::queryString($query);
        $wait = $query['wait'] ?? 0;
        $waitMs = is_numeric($wait) ? (int) $wait * 1000 : 0;
        $timeoutMs = self::checkedNumber('timeoutMs', $options?->timeoutMs ?? $this->timeoutMs) + $waitMs;
        $endsAtMs = self::nowMs() + $timeoutMs;
        $attemptMs = max($timeoutMs / 4, self::ATTEMPT_MS_MIN) + $waitMs;
        $json = $body === null ? null : Text::toJson($body === [] ? new \stdClass() : $body);
        $rejectedToken = null;
        $foreignErrors = 0;
        for ($retries = 0;;) {
            $token = null;
            $leftMs = $endsAtMs - self::nowMs();
            try {
                if ($leftMs <= 0) {
                    throw new KeyportTimeoutError("$method $path: no response in time (deadline $timeoutMs ms).");
                }
                $token = $this->token($rejectedToken, min($attemptMs, $leftMs));
                $isForced = $retries === 0 && !($rejectedToken !== null && str_contains($options->scenario ?? '', 'unauthorized'));
                $headers = self::headers($token, $json !== null, $key, $isForced ? $options?->scenario : null);
                $leftMs = max(1, $endsAtMs - self::nowMs());
                $response = $this->http->send($method, $url, $headers, $json, min($attemptMs, $leftMs), $retries + 1);
                return self::open($method, $url, $response);
            } catch (KeyportError | KeyportConnectionError $error) {
                $error->idempotencyKey = $key;
                if (self::needsNewToken($error) && $rejectedToken === null && $token !== null) {
                    $rejectedToken = $token;
                    continue;
                }
                if ($error instanceof KeyportConnectionError && $error->status !== null && !self::isTemporary($error->status)) {
                    $foreignErrors += 1;
                }
                $isFinal = !self::isRetried($error, $method, $key) || $foreignErrors === self::FOREIGN_ERRORS_MAX;
                $pauseMs = self::pauseMs($error, $retries);
                if ($isFinal || ($this->maxRetries !== null && $retries >= $this->maxRetries)) {
                    throw $error;
                }
                if (self::nowMs() + $pauseMs >= $endsAtMs) {
                    throw $error instanceof KeyportError || self::nowMs() < $endsAtMs ? $error : new KeyportTimeoutError(
                        "$method $path: no response in time (deadline $timeoutMs ms). {$error->getMessage()}",
                        $key,
                    );
                }
                $retries += 1;
                usleep((int) ($pauseMs * 1000));
            }
        }
    }

    /** A proxy sent it, not the service. */
    public static function foreign(string $what, Response $response): KeyportConnectionError
    {
        return new KeyportConnectionError(
            "$what returned {$response->status} with a body that is not Keyport's. Check baseUrl and the proxies in between.",
            status: $response->status,
            headers: $response->headers,
        );
    }

    /** Unlike the wall clock, it never steps. */
    public static function nowMs(): float
    {
        return hrtime(true) / 1e6;
    }

    public static function checkedNumber(string $name, int $value): int
    {
        return $value >= 0 ? $value : throw new \ValueError("$name must be 0 or a positive number, not $value.");
    }

    private function token(?string $rejected, float $timeoutMs): string
    {
        return $this->tokens instanceof Tokens ? $this->tokens->get($rejected, $timeoutMs) : ($this->tokens)();
    }

    /** @return list<string> */
    private static function headers(string $token, bool $hasBody, ?string $key, ?string $scenario): array
    {
        return [
            "authorization: Bearer $token",
            'accept: application/json',
            'user-agent: keyport-php/' . Version::NUMBER,
            ...($hasBody ? ['content-type: application/json'] : []),
            ...($key === null ? [] : ["idempotency-key: $key"]),
            ...($scenario === null ? [] : ["keyport-scenario: $scenario"]),
        ];
    }

    /** @return array<string, mixed> */
    private static function open(string $method, string $url, Response $response): array
    {
        if ($response->status === 204) {
            return $method === 'DELETE' ? [] : throw self::foreign("$method $url", $response);
        }
        $envelope = Text::parseObject($response->body);
        if ($response->isOk()) {
            return $envelope !== null && array_key_exists('data', $envelope) ? $envelope : throw new KeyportConnectionError(
                "$method $url returned {$response->status} with a body that is not Keyport's. It may have been damaged on the way.",
            );
        }
        $error = $envelope['error'] ?? null;
        $code = is_array($error) ? $error['code'] ?? null : null;
        $message = is_array($error) ? $error['message'] ?? null : null;
        if (!is_array($error) || !is_string($code) || !is_string($message)) {
            throw self::foreign("$method $url", $response);
        }
        /** @var array<string, mixed> $data */
        $data = is_array($error['data'] ?? null) ? $error['data'] : [];
        /** @var list<array{code: string, field?: string, message: string}> $errors */
        $errors = is_array($error['errors'] ?? null) ? $error['errors'] : [];
        $traceId = $envelope['traceId'] ?? null;
        $docUrl = $error['doc_url'] ?? null;
        throw new KeyportError(
            $response->status,
            $code,
            $message,
            $data,
            $errors,
            is_string($traceId) ? $traceId : null,
            is_string($docUrl) ? $docUrl : null,
            $response->headers,
        );
    }

    /** A client may change itself only with a new token. */
    private static function needsNewToken(KeyportError|KeyportConnectionError $error): bool
    {
        return $error instanceof KeyportError
            && ($error->status === 401 || ($error->status === 403 && ($error->data['reason'] ?? null) === 'token-too-old'));
    }

    private static function isRetried(KeyportError|KeyportConnectionError $error, string $method, ?string $key): bool
    {
        $isRepeatable = $key !== null || $method === 'GET';
        if ($error instanceof KeyportConnectionError) {
            return $isRepeatable;
        }
        if ($error->is(ErrorCode::IDEMPOTENCY_KEY_PROCESSING)) {
            return true;
        }
        return $isRepeatable ? self::isTemporary($error->status) : in_array($error->status, self::SAFE_STATUSES, true);
    }

    private static function isTemporary(int $status): bool
    {
        return in_array($status, self::SAFE_STATUSES, true) || ($status >= 500 && $status !== self::NOT_IMPLEMENTED);
    }

    /** Adds a random part, so that callers do not retry together. */
    private static function pauseMs(KeyportError|KeyportConnectionError $error, int $retries): float
    {
        $growingMs = min(self::PAUSE_MS_MIN * 2 ** min($retries, 10), self::PAUSE_MS_MAX);
        $random = mt_rand() / mt_getrandmax();
        $asked = $error->headers['retry-after'] ?? '';
        $askedMs = preg_match('/^\d{1,9}$/', $asked) === 1 ? (int) $asked * 1000 : null;
        $at = $asked === '' || $askedMs !== null ? false : strtotime($asked);
        $askedMs ??= $at === false ? null : max($at - time(), 0) * 1000;
        return $askedMs === null ? $growingMs * (0.5 + $random / 2) : $askedMs + $random * min($growingMs, 1000);
    }
}
