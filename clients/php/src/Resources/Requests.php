<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\CursorList;
use Keyport\Internal\Resource;

/**
 * `$keyport->requests()`
 *
 * @phpstan-import-type LoggedRequest from \Keyport\Types
 * @phpstan-import-type LoggedRequestsMeta from \Keyport\Types
 * @phpstan-import-type RequestCount from \Keyport\Types
 */
final class Requests extends Resource
{
    /**
     * List your logged requests. Every write and every rejected or failed request of the account, newest first, for
     * 7 days; each appears about a second after it ended. Successful reads are only counted. Each node logs at most
     * 100 requests a second; `meta.omitted` is the number of requests that were left out. Requests without a valid
     * token belong to no account.
     *
     * @param array{from?: string, to?: string, status?: int, code?: string, clientId?: string, traceId?: string, orderId?: string, cursor?: string, limit?: int} $query
     * @return CursorList<LoggedRequest, LoggedRequestsMeta>
     */
    public function list(array $query = [], ?CallOptions $options = null): CursorList
    {
        return new CursorList($this->transport, '/export/v1/requests', $query, $options);
    }

    /**
     * Count your successful reads. By minute and operation, oldest first, for 7 days.
     *
     * @param array{from?: string, to?: string} $query
     * @return list<RequestCount>
     */
    public function counts(array $query = [], ?CallOptions $options = null): array
    {
        /** @var list<RequestCount> $data */
        $data = $this->transport->read('/export/v1/requests/counts', $query, $options);
        return $data;
    }
}
