<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\CursorList;
use Keyport\Internal\Resource;

/**
 * `$keyport->account()`
 *
 * @phpstan-import-type Account from \Keyport\Types
 * @phpstan-import-type DayOfSpend from \Keyport\Types
 * @phpstan-import-type StatementLine from \Keyport\Types
 * @phpstan-import-type StatementMeta from \Keyport\Types
 */
final class Account extends Resource
{
    /**
     * Get your account. Balance, payment method, discount and limits. An extension of the specified interface.
     *
     * @return Account
     */
    public function get(?CallOptions $options = null): array
    {
        /** @var Account $data */
        $data = $this->transport->read('/export/v1/account', [], $options);
        return $data;
    }

    /**
     * Get what you spent by day. The days of the last 30 UTC days, including today, on which something was paid or
     * refunded, oldest first. An extension of the specified interface.
     *
     * @return list<DayOfSpend>
     */
    public function spend(?CallOptions $options = null): array
    {
        /** @var list<DayOfSpend> $data */
        $data = $this->transport->read('/export/v1/account/spend', [], $options);
        return $data;
    }

    /**
     * Get the statement of your account. Every movement of the prepaid balance, oldest first, with the balance after
     * it. `opening` and the amounts of all lines add up to `closing`. `Accept: text/csv` returns the whole range as
     * a CSV file: the first record is the opening balance, the last one the closing balance. An extension of the
     * specified interface.
     *
     * @param array{from?: string, to?: string, cursor?: string, limit?: int, format?: 'spreadsheet'} $query
     * @return CursorList<StatementLine, StatementMeta>
     */
    public function statement(array $query = [], ?CallOptions $options = null): CursorList
    {
        return new CursorList($this->transport, '/export/v1/account/statement', $query, $options);
    }
}
