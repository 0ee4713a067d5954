<?php

declare(strict_types=1);

namespace Keyport\Internal;

/** @internal */
final readonly class Response
{
    /** @param array<string, string> $headers In lower case. */
    public function __construct(public int $status, public array $headers, public string $body)
    {
    }

    public function isOk(): bool
    {
        return $this->status >= 200 && $this->status < 300;
    }
}
