<?php

declare(strict_types=1);

namespace Keyport\Internal;

/** @internal */
final class Sql
{
    /**
     * Throws PDOException, even if the connection was made with another error mode.
     *
     * @param list<string|int|null> $values
     */
    public static function run(\PDO $pdo, string $statement, array $values = []): \PDOStatement
    {
        $mode = $pdo->getAttribute(\PDO::ATTR_ERRMODE);
        $pdo->setAttribute(\PDO::ATTR_ERRMODE, \PDO::ERRMODE_EXCEPTION);
        try {
            $prepared = $pdo->prepare($statement);
            $prepared->execute($values);
            return $prepared;
        } finally {
            $pdo->setAttribute(\PDO::ATTR_ERRMODE, $mode);
        }
    }

    /** Integrity constraint violations of every database begin with 23. */
    public static function isDuplicate(\PDOException $error): bool
    {
        return str_starts_with((string) $error->getCode(), '23');
    }
}
