<?php

declare(strict_types=1);

namespace Keyport;

/**
 * No usable response: the connection failed or was interrupted, or the response is not Keyport's. A write may have
 * taken effect: retry it with its `idempotencyKey`, and it takes effect once.
 */
class KeyportConnectionError extends \RuntimeException
{
    /**
     * @param string|null $idempotencyKey Set for a write.
     * @param int|null $status The HTTP status of a response that is not Keyport's.
     * @param array<string, string> $headers Its headers, in lower case.
     */
    public function __construct(
        string $message,
        public ?string $idempotencyKey = null,
        public readonly ?int $status = null,
        public readonly array $headers = [],
    ) {
        parent::__construct($message);
    }
}
