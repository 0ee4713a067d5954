<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\Internal\Resource;
use Keyport\Internal\Text;
use Keyport\PagedList;

/**
 * `$keyport->orders()`
 *
 * @phpstan-import-type CreateOrderItem from \Keyport\Types
 * @phpstan-import-type Order from \Keyport\Types
 * @phpstan-import-type OrderKeys from \Keyport\Types
 * @phpstan-import-type OrderStatus from \Keyport\Types
 * @phpstan-import-type OrderTimeline from \Keyport\Types
 */
final class Orders extends Resource
{
    /**
     * Create an order. Places an order and pays for it with the payment method of the account. Send a new UUID as
     * Idempotency-Key for every new order, and the same one when you retry after a timeout or a 5xx: the order is
     * then placed at most once.
     *
     * @param CreateOrderItem&array{reference?: string} $request
     * @return Order
     */
    public function create(array $request, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->write('POST', '/export/v1/orders', self::withItem($request), $options);
        return $data;
    }

    /**
     * Get the order history. The orders of the account by creation time, newest first unless `sort` is ASC. Imported
     * orders may have a different currency and more decimals.
     *
     * @param array{query?: string, status?: OrderStatus, dateFrom?: string, dateTo?: string, orderId?: string, reference?: string, idempotencyKey?: string, after?: string, page?: int, itemsPerPage?: 10|20|50|100, sort?: 'ASC'|'DESC'} $query
     * @return PagedList<Order>
     */
    public function list(array $query = [], ?CallOptions $options = null): PagedList
    {
        return new PagedList($this->transport, '/export/v1/orders', $query, $options);
    }

    /**
     * Get one order. The same order as in the history. An extension of the specified interface.
     *
     * @return Order
     */
    public function get(string $orderId, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->read('/export/v1/orders/' . Text::segment('orderId', $orderId), [], $options);
        return $data;
    }

    /**
     * Get the keys of an order. One element per order item. Every read is logged. Keys can be read for 48 hours
     * after completion.
     *
     * @return list<OrderKeys>
     */
    public function keys(string $orderId, ?CallOptions $options = null): array
    {
        /** @var list<OrderKeys> $data */
        $data = $this->transport->read('/export/v1/orders/' . Text::segment('orderId', $orderId) . '/keys', [], $options);
        return $data;
    }

    /**
     * Get what happened to an order. Its statuses and refunds, and until when its keys can be read, returned and
     * claimed. An extension of the specified interface.
     *
     * @return OrderTimeline
     */
    public function timeline(string $orderId, ?CallOptions $options = null): array
    {
        /** @var OrderTimeline $data */
        $data = $this->transport->read('/export/v1/orders/' . Text::segment('orderId', $orderId) . '/timeline', [], $options);
        return $data;
    }

    /**
     * Return units whose keys were never read. The money is refunded, and the units go back on sale. Possible while
     * the order is complete, within your account's `returnWindowHours`, if no key of the item was ever read. If keys
     * are read and returned concurrently, one of the two requests is rejected. An extension of the specified
     * interface.
     *
     * @param array{items: list<array{id: string, quantity: int}>, reason?: string} $body
     * @return Order
     */
    public function return(string $orderId, array $body, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->write('POST', '/export/v1/orders/' . Text::segment('orderId', $orderId) . '/returns', $body, $options);
        return $data;
    }
}
