<?php

declare(strict_types=1);

namespace Keyport;

use Keyport\Internal\Sql;
use Keyport\Internal\Text;

/**
 * A copy of the catalogue in a table of your database (SQLite, MySQL, PostgreSQL), updated from the change feed. A crash
 * leaves a complete copy, from before or after a page of changes. Run `sync` in one process at a time.
 *
 *     $mirror = new CatalogueMirror($keyport, $pdo, orderable: true);
 *     $mirror->createTables();
 *     for (;;) {
 *         $mirror->sync(wait: 25);
 *     }
 *
 * @phpstan-import-type Product from Types
 */
final readonly class CatalogueMirror
{
    private const LIMIT = 1000;

    /** @param bool $orderable `true` leaves out products that cannot be ordered. A copy of the other value is read again from the beginning. */
    public function __construct(private Keyport $keyport, private \PDO $pdo, private bool $orderable = false)
    {
    }

    /** Creates the tables `keyport_product` and `keyport_mirror` if they do not exist. */
    public function createTables(): void
    {
        Sql::run($this->pdo, 'CREATE TABLE IF NOT EXISTS keyport_product (id VARCHAR(32) NOT NULL PRIMARY KEY, pass BIGINT NOT NULL, product TEXT NOT NULL)');
        Sql::run($this->pdo, 'CREATE TABLE IF NOT EXISTS keyport_mirror (id INTEGER NOT NULL PRIMARY KEY, next_cursor TEXT NOT NULL, pass BIGINT NOT NULL, is_whole INTEGER NOT NULL)');
    }

    /**
     * Applies all changes. The first call reads the whole catalogue. Until that is done, and while the feed starts again,
     * the products of before are kept.
     *
     * @param int $wait Seconds to wait for the first change, at most 30.
     */
    public function sync(int $wait = 0, ?CallOptions $options = null): void
    {
        if ($this->pdo->inTransaction()) {
            throw new \LogicException('sync() needs transactions of its own: end yours first.');
        }
        $state = $this->state();
        $isFirst = true;
        do {
            $query = ['limit' => self::LIMIT] + ($this->orderable ? ['orderable' => true] : []) + ($state['cursor'] === '' ? [] : ['cursor' => $state['cursor']]) + ($isFirst && $wait > 0 ? ['wait' => $wait] : []);
            ['data' => $changes, 'meta' => $meta] = $this->keyport->products()->changes($query, $options)->pages()->current();
            if (($meta['restarted'] ?? false) || $state['cursor'] === '') {
                $state = ['pass' => $state['pass'] + 1, 'isWhole' => false] + $state;
            }
            $isEnd = !$meta['hasMore'];
            $next = ['cursor' => $meta['nextCursor'], 'pass' => $state['pass'], 'isWhole' => $state['isWhole'] || $isEnd];
            if ($changes !== [] || $next !== $state) {
                $this->apply($changes, $next, $isEnd && !$state['isWhole']);
            }
            $state = $next;
            $isFirst = false;
            $options = $options?->withoutScenario();
        } while (!$isEnd);
    }

    /**
     * A product on offer, as of the last `sync`.
     *
     * @return Product|null
     */
    public function get(string $productId): ?array
    {
        $text = Sql::run($this->pdo, 'SELECT product FROM keyport_product WHERE id = ?', [$productId])->fetchColumn();
        /** @var Product|null $product */
        $product = is_string($text) ? Text::parseObject($text) : null;
        return $product;
    }

    /**
     * The products on offer, as of the last `sync`, by id.
     *
     * @return \Generator<string, Product>
     */
    public function products(): \Generator
    {
        $rows = Sql::run($this->pdo, 'SELECT id, product FROM keyport_product ORDER BY id');
        while (is_array($row = $rows->fetch(\PDO::FETCH_NUM))) {
            [$id, $text] = $row;
            /** @var Product $product */
            $product = Text::parseObject(is_string($text) ? $text : '') ?? [];
            yield (string) (is_scalar($id) ? $id : '') => $product;
        }
    }

    public function count(): int
    {
        $count = Sql::run($this->pdo, 'SELECT count(*) FROM keyport_product')->fetchColumn();
        return is_numeric($count) ? (int) $count : 0;
    }

    /** @return array{cursor: string, pass: int, isWhole: bool} */
    private function state(): array
    {
        $row = Sql::run($this->pdo, 'SELECT next_cursor, pass, is_whole FROM keyport_mirror WHERE id = 1')->fetch(\PDO::FETCH_NUM);
        if (!is_array($row)) {
            return ['cursor' => '', 'pass' => 0, 'isWhole' => false];
        }
        [$cursor, $pass, $isWhole] = $row;
        return ['cursor' => is_string($cursor) ? $cursor : '', 'pass' => is_numeric($pass) ? (int) $pass : 0, 'isWhole' => (bool) $isWhole];
    }

    /**
     * A page of changes and the cursor after it, in one transaction.
     *
     * @param list<array<string, mixed>> $changes
     * @param array{cursor: string, pass: int, isWhole: bool} $state
     */
    private function apply(array $changes, array $state, bool $isEndOfPass): void
    {
        $this->pdo->beginTransaction();
        try {
            foreach ($changes as $change) {
                $id = is_string($change['id'] ?? null) ? $change['id'] : '';
                Sql::run($this->pdo, 'DELETE FROM keyport_product WHERE id = ?', [$id]);
                if (!isset($change['removed'])) {
                    Sql::run($this->pdo, 'INSERT INTO keyport_product (id, pass, product) VALUES (?, ?, ?)', [$id, $state['pass'], Text::toJson($change)]);
                }
            }
            if ($isEndOfPass) {
                Sql::run($this->pdo, 'DELETE FROM keyport_product WHERE pass < ?', [$state['pass']]);
            }
            Sql::run($this->pdo, 'DELETE FROM keyport_mirror WHERE id = 1');
            Sql::run($this->pdo, 'INSERT INTO keyport_mirror (id, next_cursor, pass, is_whole) VALUES (1, ?, ?, ?)', [$state['cursor'], $state['pass'], (int) $state['isWhole']]);
            $this->pdo->commit();
        } catch (\Throwable $error) {
            $this->pdo->rollBack();
            throw $error;
        }
    }
}
