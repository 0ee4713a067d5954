<?php

declare(strict_types=1);

namespace Keyport;

/** Options of one call. */
final readonly class CallOptions
{
    /**
     * @param int|null $timeoutMs Deadline of the whole call in milliseconds, including retries.
     * @param string|null $idempotencyKey A write's UUID, stored before sending. All calls with it take effect once.
     * @param string|null $scenario Sandbox only: forces the outcome of the first request, such as `lost-answer`. Retries omit it.
     */
    public function __construct(
        public ?int $timeoutMs = null,
        public ?string $idempotencyKey = null,
        public ?string $scenario = null,
    ) {
    }

    /** A scenario applies to one request only. */
    public function withoutScenario(): self
    {
        return new self($this->timeoutMs, $this->idempotencyKey);
    }
}
