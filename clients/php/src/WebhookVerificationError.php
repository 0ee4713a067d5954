<?php

declare(strict_types=1);

namespace Keyport;

/** The request is not a recent webhook from Keyport. Return 400 and do nothing else. */
final class WebhookVerificationError extends \RuntimeException
{
    /** @param 'missing-header'|'malformed-header'|'timestamp-too-old'|'timestamp-too-new'|'wrong-signature'|'malformed-body' $reason */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
