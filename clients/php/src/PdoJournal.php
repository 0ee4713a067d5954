<?php

declare(strict_types=1);

namespace Keyport;

use Keyport\Internal\Sql;

/**
 * A journal in a table of your database (SQLite, MySQL, PostgreSQL), one row for each purchase. It must not be written
 * in a transaction of yours that may be rolled back: the key has to be stored before the request is sent.
 *
 *     $pdo->exec(PdoJournal::SCHEMA);
 *     $order = $keyport->createOrderOnce(new PdoJournal($pdo, "sale-4711"), $request);
 */
final readonly class PdoJournal implements Journal
{
    public const SCHEMA = 'CREATE TABLE IF NOT EXISTS keyport_journal (purchase VARCHAR(190) NOT NULL PRIMARY KEY, entry TEXT NOT NULL)';

    /** @param string $purchase Your name of the purchase, such as the number of the sale: at most 190 characters. */
    public function __construct(private \PDO $pdo, private string $purchase)
    {
    }

    public function read(): ?string
    {
        $text = Sql::run($this->pdo, 'SELECT entry FROM keyport_journal WHERE purchase = ?', [$this->purchase])->fetchColumn();
        return is_string($text) ? $text : null;
    }

    public function create(string $text): bool
    {
        if ($this->pdo->inTransaction()) {
            throw new JournalError("{$this->purchase}: end your transaction first. If it were rolled back, the key would be lost and the purchase made twice.");
        }
        try {
            Sql::run($this->pdo, 'INSERT INTO keyport_journal (purchase, entry) VALUES (?, ?)', [$this->purchase, $text]);
        } catch (\PDOException $error) {
            if (Sql::isDuplicate($error) && $this->read() !== null) {
                return false;
            }
            throw $error;
        }
        return true;
    }

    public function replace(string $text): void
    {
        Sql::run($this->pdo, 'UPDATE keyport_journal SET entry = ? WHERE purchase = ?', [$text, $this->purchase]);
    }

    public function remove(): void
    {
        Sql::run($this->pdo, 'DELETE FROM keyport_journal WHERE purchase = ?', [$this->purchase]);
    }

    public function name(): string
    {
        return "the journal of {$this->purchase}";
    }
}
