<?php

declare(strict_types=1);

namespace Keyport\Internal;

use Keyport\CallOptions;
use Keyport\ErrorCode;
use Keyport\Journal;
use Keyport\JournalError;
use Keyport\KeyportError;

/**
 * The idempotency key is in the journal before the request, so a run after a crash sends the same one.
 *
 * @internal
 */
final class Once
{
    /** These codes are final: nothing was made, and the same key returns the same response. */
    private const REJECTIONS = [
        ErrorCode::CART_VALIDATION_ERROR,
        ErrorCode::OFFER_NOT_AVAILABLE,
        ErrorCode::MAX_PRICE_EXCEEDED,
        ErrorCode::PRODUCT_EXCLUDED,
        ErrorCode::INSUFFICIENT_FUNDS,
        ErrorCode::PAYMENT_WENT_WRONG,
        ErrorCode::PAYMENT_NOT_CONFIGURED,
    ];

    /**
     * @param 'order'|'reservation' $kind
     * @param array<string, mixed> $request
     * @param \Closure(array<string, mixed>, CallOptions): array<string, mixed> $send
     * @return array<string, mixed>
     */
    public static function write(Journal $journal, string $kind, string $baseUrl, array $request, ?CallOptions $options, \Closure $send): array
    {
        $wanted = [
            'keyport' => $kind,
            'baseUrl' => $baseUrl,
            'idempotencyKey' => $options?->idempotencyKey ?? Text::uuid(),
            'request' => $request,
        ];
        $found = $journal->read();
        $isNew = $found === null && $journal->create(Text::toJson($wanted) . "\n");
        // Another process may have created it in the meantime.
        $stored = $isNew ? $wanted : self::parse($journal, $kind, $found ?? $journal->read() ?? '');
        if (self::canonical($stored['request']) !== self::canonical($request)) {
            $other = Text::toJson($stored['request']);
            throw new JournalError("{$journal->name()}: it belongs to a different purchase: $other. Use one journal for each purchase.");
        }
        if (isset($stored[$kind])) {
            /** @var array<string, mixed> $made */
            $made = $stored[$kind];
            return $made;
        }
        if ($stored['baseUrl'] !== $baseUrl) {
            throw new JournalError(
                "{$journal->name()}: the request was sent to {$stored['baseUrl']}, so only that service knows what happened. Use that baseUrl.",
            );
        }
        try {
            $made = $send($stored['request'], new CallOptions($options?->timeoutMs, $stored['idempotencyKey'], $options?->scenario));
        } catch (KeyportError $error) {
            // An earlier run may have sent an invalid request while it was valid.
            if (in_array($error->errorCode, self::REJECTIONS, true) || ($isNew && $error->is(ErrorCode::VALIDATION_ERROR))) {
                $journal->remove();
            }
            throw $error;
        }
        $journal->replace(Text::toJson($stored + [$kind => $made]) . "\n");
        return $made;
    }

    /** @return array{baseUrl: string, idempotencyKey: string, request: array<string, mixed>}&array<string, mixed> */
    private static function parse(Journal $journal, string $kind, string $text): array
    {
        $stored = Text::parseObject($text) ?? [];
        $made = $stored[$kind] ?? null;
        $isWhole = ($stored['keyport'] ?? null) === $kind
            && is_string($stored['baseUrl'] ?? null)
            && is_string($stored['idempotencyKey'] ?? null)
            && preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/Di', $stored['idempotencyKey']) === 1
            && is_array($stored['request'] ?? null)
            && ($made === null || (is_array($made) && is_string($made['id'] ?? null)));
        if (!$isWhole) {
            $suspicion = $kind === 'order'
                ? 'The order may have been placed: look for it in the history (orders()->list())'
                : 'The units may be reserved: look for them (reservations()->list())';
            throw new JournalError("{$journal->name()}: it is damaged, or not a journal of this kind. $suspicion before you remove it.");
        }
        /** @var array{baseUrl: string, idempotencyKey: string, request: array<string, mixed>}&array<string, mixed> $stored */
        return $stored;
    }

    /** Equal requests give the same text, regardless of the order of members. */
    private static function canonical(mixed $value): string
    {
        if (!is_array($value)) {
            return Text::toJson($value);
        }
        $members = array_filter($value, static fn (mixed $member): bool => $member !== null);
        if (!array_is_list($members)) {
            ksort($members);
        }
        return '{' . implode(',', array_map(
            static fn (string|int $name, mixed $member): string => "$name:" . self::canonical($member),
            array_keys($members),
            $members,
        )) . '}';
    }
}
