<?php

/**
 * What a shop does with the library: php program.php WHAT JSON. Prints its result as JSON. The JSON has `baseUrl`, `clientId`,
 * `clientSecret` and what each program needs.
 */

declare(strict_types=1);

use Keyport\CallOptions;
use Keyport\CatalogueMirror;
use Keyport\FileJournal;
use Keyport\Keyport;
use Keyport\KeyportError;
use Keyport\PdoJournal;
use Keyport\Test\CrashingPdo;

require __DIR__ . '/crashes.php';
require __DIR__ . '/../autoload.php';

set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) !== 0) {
        throw new ErrorException($message, 0, $level, $file, $line);
    }
    return false;
});

[, $what, $json] = $argv;
$input = json_decode($json, true, flags: JSON_THROW_ON_ERROR);
$keyport = new Keyport(
    $input['baseUrl'],
    $input['clientId'],
    $input['clientSecret'],
    tokenFile: $input['tokenFile'] ?? null,
    timeoutMs: $input['timeoutMs'] ?? 60_000,
);
$open = static function () use ($input): PDO {
    $pdo = new CrashingPdo($input['dsn'] ?? "sqlite:{$input['database']}", $input['user'] ?? null);
    if (!isset($input['dsn'])) {
        $pdo->exec('PRAGMA busy_timeout = 10000');
    }
    return $pdo;
};

$programs = [
    'orders' => static fn (): array => array_map(
        static fn (): string => $keyport->orders()->create($input['request'])['id'],
        range(1, $input['count']),
    ),
    'order' => static fn (): array => $keyport->createOrderOnce(new FileJournal($input['file']), $input['request']),
    'order-in-database' => static function () use ($keyport, $input, $open): array {
        $pdo = $open();
        $pdo->exec(PdoJournal::SCHEMA);
        return $keyport->createOrderOnce(new PdoJournal($pdo, $input['purchase']), $input['request']);
    },
    'reservation' => static fn (): array => $keyport->createReservationOnce(new FileJournal($input['file']), $input['request']),
    'mirror' => static function () use ($keyport, $input, $open): array {
        $mirror = new CatalogueMirror($keyport, $open(), $input['orderable'] ?? false);
        $mirror->createTables();
        $mirror->sync();
        return array_values(iterator_to_array($mirror->products()));
    },
    'events' => static function () use ($keyport, $input, $open): array {
        $pdo = $open();
        $pdo->exec('CREATE TABLE IF NOT EXISTS handled (id TEXT NOT NULL, type TEXT NOT NULL, cursor TEXT NOT NULL)');
        $cursor = $pdo->query('SELECT cursor FROM handled ORDER BY rowid DESC LIMIT 1')->fetchColumn();
        foreach ($keyport->events()->list($cursor === false ? [] : ['cursor' => $cursor]) as $event) {
            // The work and the cursor are one transaction, so an event whose work failed comes again.
            $pdo->beginTransaction();
            $pdo->prepare('INSERT INTO handled (id, type, cursor) VALUES (?, ?, ?)')->execute([$event['id'], $event['type'], $event['cursor']]);
            if (random_int(1, 100) <= $input['failures']) {
                throw new PDOException('the database is gone');
            }
            $pdo->commit();
        }
        return $pdo->query('SELECT id FROM handled ORDER BY rowid')->fetchAll(PDO::FETCH_COLUMN);
    },
    'call' => static fn (): mixed => ($input['isMethod'] ?? true)
        ? [$keyport->{$input['resource']}(), $input['method']](...$input['arguments'])
        : null,
    'pages' => static fn (): array => iterator_to_array(
        [$keyport->{$input['resource']}(), $input['method']](...$input['arguments']),
        false,
    ),
    'rehearsal' => static function () use ($keyport, $input, $open): array {
        $force = static fn (string $scenario): CallOptions => new CallOptions(scenario: $scenario);
        foreach ($input['survived'] as $scenario) {
            $order = $keyport->orders()->create($input['item'], $force($scenario));
            $keyport->orders()->keys($order['id']);
        }
        $held = $keyport->orders()->create($input['item'], $force('held, lost-answer'));
        $keyport->sandbox()->releaseOrder($held['id'], ['reason' => 'reviewed']);
        [$delivered] = $keyport->orders()->keys($held['id']);
        $keyport->claims()->create($held['id'], [
            'itemId' => $delivered['item']['id'],
            'codes' => array_column($delivered['keys'], 'code'),
            'reason' => 'already-used',
        ]);
        $codes = [];
        foreach ($input['refused'] as $code => $item) {
            try {
                $keyport->orders()->create($item, $force("error:$code"));
            } catch (KeyportError $error) {
                $codes[] = $error->errorCode;
            }
        }
        $account = $keyport->account()->get($force('error:unauthorized'));
        $reservation = $keyport->reservations()->create($input['item']);
        $keyport->reservations()->release($reservation['id']);
        $keyport->createOrderOnce(new FileJournal($input['file']), $input['item'], $force('lost-answer'));
        $mirror = new CatalogueMirror($keyport, $open());
        $mirror->createTables();
        for ($count = 0; $count < 3; $count += 1) {
            $mirror->sync();
        }
        $details = $keyport->products()->details(array_keys(iterator_to_array($mirror->products())));
        $listed = iterator_to_array($keyport->products()->list(), false);
        $endpoint = $keyport->webhookEndpoints()->list()[0];
        $keyport->webhookEndpoints()->test($endpoint['id']);
        return [
            'account' => $account['id'],
            'refused' => $codes,
            'mirrored' => $mirror->count(),
            'listed' => count($listed),
            'detailed' => count($details),
        ];
    },
];

echo json_encode($programs[$what](), JSON_THROW_ON_ERROR);
