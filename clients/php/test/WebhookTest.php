<?php

declare(strict_types=1);

namespace Keyport\Test;

use Keyport\Webhook;
use Keyport\WebhookVerificationError;
use PHPUnit\Framework\TestCase;

final class WebhookTest extends TestCase
{
    private const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    private const BODY = '{"id":"evt_1","apiVersion":"v1","type":"webhook.test","createdAt":"2026-01-01T00:00:00Z","data":{"endpointId":"we_1"}}';

    public function testAGenuineWebhookIsReturned(): void
    {
        $expected = json_decode(self::BODY, true);
        $headers = self::sign();
        self::assertSame($expected, Webhook::verify(self::BODY, $headers, self::SECRET));
        self::assertSame($expected, Webhook::verify(self::BODY, $headers, ['whsec_' . base64_encode('other'), self::SECRET]));
        $server = [];
        $lists = [];
        foreach ($headers as $name => $value) {
            $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
            $lists[ucwords($name, '-')] = [$value];
        }
        self::assertSame($expected, Webhook::verify(self::BODY, $server, self::SECRET));
        self::assertSame($expected, Webhook::verify(self::BODY, $lists, self::SECRET));
        $rotated = ['webhook-signature' => 'v1,' . base64_encode('old') . ' ' . $headers['webhook-signature']] + $headers;
        self::assertSame($expected, Webhook::verify(self::BODY, $rotated, self::SECRET));
    }

    /**
     * @dataProvider forgeries
     * @param array<string, mixed> $changed
     */
    public function testAnythingElseIsRejected(string $reason, array $changed, string $body = self::BODY, int $age = 0): void
    {
        try {
            Webhook::verify($body, $changed + self::sign($age), self::SECRET);
            self::fail('it was accepted');
        } catch (WebhookVerificationError $error) {
            self::assertSame($reason, $error->reason);
        }
    }

    /** @return array<string, array<int, mixed>> */
    public static function forgeries(): array
    {
        return [
            'changed body' => ['wrong-signature', [], self::BODY . ' '],
            'other id' => ['wrong-signature', ['webhook-id' => 'msg_2']],
            'no signature' => ['missing-header', ['webhook-signature' => '']],
            'two ids' => ['missing-header', ['webhook-id' => ['a', 'b']]],
            'other scheme' => ['wrong-signature', ['webhook-signature' => 'v2,abc']],
            'no number' => ['malformed-header', ['webhook-timestamp' => '1e9']],
            'line end' => ['malformed-header', ['webhook-timestamp' => "1\n"]],
            'old' => ['timestamp-too-old', [], self::BODY, 301],
            'early' => ['timestamp-too-new', [], self::BODY, -320],
        ];
    }

    public function testASignedBodyThatIsNotJsonIsMalformed(): void
    {
        $this->expectException(WebhookVerificationError::class);
        $this->expectExceptionMessage('not JSON');
        Webhook::verify('nonsense', self::sign(0, 'nonsense'), self::SECRET);
    }

    /**
     * @dataProvider wrongSecrets
     * @param string|list<string> $secret
     */
    public function testAWrongSecretIsTheProgrammersFault(string|array $secret): void
    {
        $this->expectException(\ValueError::class);
        Webhook::verify(self::BODY, self::sign(), $secret);
    }

    /** @return list<array{string|list<string>}> */
    public static function wrongSecrets(): array
    {
        return [[''], ['whsec_'], ['whsec_***'], [[]]];
    }

    /** @return array<string, string> */
    private static function sign(int $ageSeconds = 0, string $body = self::BODY): array
    {
        $timestamp = (string) (time() - $ageSeconds);
        $key = base64_decode(substr(self::SECRET, strlen('whsec_')), true);
        $signature = base64_encode(hash_hmac('sha256', "msg_1.$timestamp.$body", (string) $key, true));
        return ['webhook-id' => 'msg_1', 'webhook-timestamp' => $timestamp, 'webhook-signature' => "v1,$signature"];
    }
}
