<?php

declare(strict_types=1);

namespace Keyport;

use Keyport\Internal\Text;

final class Webhook
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * Checks the signature and the time, and returns the event. The time may differ by at most five minutes.
     *
     *     $event = Webhook::verify(file_get_contents('php://input'), $_SERVER, $secret);
     *
     * @param string $body The raw body, before parsing.
     * @param array<array-key, mixed> $headers `$_SERVER`, `getallheaders()`, or lists of values by name as in PSR-7.
     * @param string|list<string> $secret The endpoint's secret (`whsec_…`), or several, of which one must match.
     * @return array{id: string, apiVersion: string, type: string, createdAt: string, data: array<string, mixed>}
     * @throws WebhookVerificationError if the request cannot be trusted.
     */
    public static function verify(string $body, array $headers, string|array $secret): array
    {
        $keys = array_map(self::decodeSecret(...), is_array($secret) ? $secret : [$secret]);
        if ($keys === []) {
            throw new \ValueError('secret must be the secret of the endpoint, whsec_…, or a list of such secrets.');
        }
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = explode(' ', self::header($headers, 'webhook-signature'));
        self::checkTime($timestamp);
        $isSigned = false;
        foreach ($keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach ($signatures as $signature) {
                $isSigned = hash_equals($expected, $signature) || $isSigned;
            }
        }
        if (!$isSigned) {
            throw new WebhookVerificationError('wrong-signature', 'No signature matches: the secret is wrong, or the body was changed.');
        }
        /** @var array{id: string, apiVersion: string, type: string, createdAt: string, data: array<string, mixed>} $event */
        $event = Text::parseObject($body) ?? throw new WebhookVerificationError('malformed-body', 'The body is not JSON.');
        return $event;
    }

    private static function checkTime(string $timestamp): void
    {
        if (preg_match('/^\d{1,15}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationError('malformed-header', 'webhook-timestamp must be a number of seconds.');
        }
        $ahead = (int) $timestamp - time();
        if (abs($ahead) > self::TOLERANCE_SECONDS) {
            throw new WebhookVerificationError(
                $ahead < 0 ? 'timestamp-too-old' : 'timestamp-too-new',
                sprintf(
                    'webhook-timestamp is %d s %s; at most %d s are accepted. Check the clock of this machine.',
                    abs($ahead),
                    $ahead < 0 ? 'old' : 'ahead',
                    self::TOLERANCE_SECONDS,
                ),
            );
        }
    }

    /** @param array<array-key, mixed> $headers */
    private static function header(array $headers, string $name): string
    {
        $found = [];
        foreach ($headers as $key => $value) {
            $plain = strtolower(str_replace('_', '-', (string) $key));
            if ($plain === $name || $plain === "http-$name") {
                array_push($found, ...(is_array($value) ? array_values($value) : [$value]));
            }
        }
        $value = count($found) === 1 ? $found[0] : null;
        if (!is_string($value) || $value === '') {
            throw new WebhookVerificationError('missing-header', "The request has no header $name, or several.");
        }
        return $value;
    }

    private static function decodeSecret(string $secret): string
    {
        $bytes = base64_decode(preg_replace('/^whsec_/', '', $secret) ?? '', true);
        if ($bytes === false || $bytes === '') {
            throw new \ValueError('secret must be the secret of the endpoint: whsec_ followed by base64.');
        }
        return $bytes;
    }
}
