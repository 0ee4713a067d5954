<?php

declare(strict_types=1);

namespace Keyport\Test;

use Keyport\Internal\Text;
use Keyport\JournalError;
use Keyport\Keyport;
use Keyport\KeyportConnectionError;
use Keyport\KeyportTimeoutError;
use Keyport\PdoJournal;
use PHPUnit\Framework\TestCase;

final class KeyportTest extends TestCase
{
    /** @dataProvider baseUrls */
    public function testTheBaseUrlIsChecked(string $given, string $expected): void
    {
        try {
            $shown = (new Keyport($given, 'id', 'secret'))->baseUrl;
        } catch (\ValueError $error) {
            $shown = $error->getMessage();
        }
        self::assertStringContainsString($expected, $shown);
    }

    /** @return array<string, array{string, string}> */
    public static function baseUrls(): array
    {
        return [
            'host' => ['https://export.example.com', 'https://export.example.com'],
            'slash' => ['https://export.example.com/', 'https://export.example.com'],
            'path' => ['http://127.0.0.1:8080/keyport/', 'http://127.0.0.1:8080/keyport'],
            'ends of a copied text' => ["\u{feff} https://export.example.com\n", 'https://export.example.com'],
            'hidden character' => ["https://ex\u{200b}ample.com", 'baseUrl has U+200B at position 11'],
            'empty' => ['', 'baseUrl must be a URL such as https://export.example.com, not empty.'],
            'other scheme' => ['ftp://export.example.com', 'baseUrl must be a URL'],
            'query' => ['https://export.example.com?x=1', 'baseUrl must be a URL'],
            'credentials' => ['https://a:b@export.example.com', 'baseUrl must not have credentials'],
            'our path' => ['https://export.example.com/shop/export/v1', 'a path of Keyport: https://export.example.com/shop'],
        ];
    }

    /** @dataProvider incomplete */
    public function testCredentialsAreNeeded(?string $clientId, ?string $clientSecret): void
    {
        $this->expectExceptionMessage('Keyport needs clientId and clientSecret, or accessToken.');
        new Keyport('https://export.example.com', $clientId, $clientSecret);
    }

    /** @return list<array{string|null, string|null}> */
    public static function incomplete(): array
    {
        return [[null, null], ['id', null], ['id', ''], ['', 'secret']];
    }

    public function testAnEmptyIdNamesNoOperation(): void
    {
        $this->expectExceptionMessage('orderId must not be empty.');
        (new Keyport('https://export.example.com', accessToken: static fn (): string => 't'))->orders()->get('');
    }

    public function testListsAndFlagsOfAQueryAreWrittenAsTheServiceReadsThem(): void
    {
        self::assertSame('?productIds%5B%5D=1&productIds%5B%5D=2&orderable=true&limit=5', Text::queryString([
            'productIds' => ['1', '2'],
            'orderable' => true,
            'limit' => 5,
            'cursor' => null,
        ]));
    }

    public function testAServiceThatDoesNotRespondIsNamedAndAWriteHasItsKey(): void
    {
        $seen = [];
        $keyport = new Keyport(
            'http://127.0.0.1:1',
            accessToken: static fn (): string => 't',
            maxRetries: 2,
            onRequest: static function (array $request) use (&$seen): void {
                $seen[] = $request['attempt'];
            },
        );
        try {
            $keyport->orders()->create(['auto' => ['productId' => '1', 'quantity' => 1, 'maxPrice' => '1.00']]);
            self::fail('nothing listens there');
        } catch (KeyportConnectionError $error) {
            self::assertMatchesRegularExpression('/^[0-9a-f-]{36}$/', (string) $error->idempotencyKey);
            self::assertNotInstanceOf(KeyportTimeoutError::class, $error);
        }
        self::assertSame([1, 2, 3], $seen);
    }

    public function testAJournalInADatabaseIsNeverWrittenInATransactionOfTheShop(): void
    {
        $pdo = new \PDO('sqlite::memory:');
        $pdo->exec(PdoJournal::SCHEMA);
        $journal = new PdoJournal($pdo, 'sale-1');
        self::assertTrue($journal->create('a'));
        self::assertFalse($journal->create('b'));
        self::assertSame('a', $journal->read());
        $journal->replace('c');
        self::assertSame('c', $journal->read());
        $journal->remove();
        self::assertNull($journal->read());
        $pdo->beginTransaction();
        $this->expectException(JournalError::class);
        $journal->create('d');
    }
}
