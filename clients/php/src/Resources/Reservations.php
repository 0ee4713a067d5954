<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\CursorList;
use Keyport\Internal\Resource;
use Keyport\Internal\Text;

/**
 * `$keyport->reservations()`
 *
 * @phpstan-import-type CreateOrderItem from \Keyport\Types
 * @phpstan-import-type CursorMeta from \Keyport\Types
 * @phpstan-import-type Order from \Keyport\Types
 * @phpstan-import-type Reservation from \Keyport\Types
 * @phpstan-import-type ReservationStatus from \Keyport\Types
 */
final class Reservations extends Resource
{
    /**
     * Reserve units at their current price. Sets the units of an order aside, at their current price and discount,
     * while your customer pays. Nothing is charged: order the reservation before it expires. Send a new UUID as
     * Idempotency-Key for every new reservation, and the same one when you retry. An extension of the specified
     * interface.
     *
     * @param CreateOrderItem&array{reference?: string, ttlSeconds?: int} $request
     * @return Reservation
     */
    public function create(array $request, ?CallOptions $options = null): array
    {
        /** @var Reservation $data */
        $data = $this->transport->write('POST', '/export/v1/reservations', self::withItem($request), $options);
        return $data;
    }

    /**
     * List your reservations. Newest first. An extension of the specified interface.
     *
     * @param array{status?: ReservationStatus, reference?: string, cursor?: string, limit?: int} $query
     * @return CursorList<Reservation, CursorMeta>
     */
    public function list(array $query = [], ?CallOptions $options = null): CursorList
    {
        return new CursorList($this->transport, '/export/v1/reservations', $query, $options);
    }

    /**
     * Get a reservation. With its status and, once it is ordered, its order. An extension of the specified
     * interface.
     *
     * @return Reservation
     */
    public function get(string $reservationId, ?CallOptions $options = null): array
    {
        /** @var Reservation $data */
        $data = $this->transport->read('/export/v1/reservations/' . Text::segment('reservationId', $reservationId), [], $options);
        return $data;
    }

    /**
     * Renew an active reservation. It then expires `ttlSeconds` from now, even if that is earlier than before, but
     * at most one hour after its creation. An extension of the specified interface.
     *
     * @param array{ttlSeconds: int} $body
     * @return Reservation
     */
    public function renew(string $reservationId, array $body, ?CallOptions $options = null): array
    {
        /** @var Reservation $data */
        $data = $this->transport->write('POST', '/export/v1/reservations/' . Text::segment('reservationId', $reservationId) . '/renew', $body, $options);
        return $data;
    }

    /**
     * Release a reservation. Its units return to stock. A released or expired reservation stays unchanged. An
     * extension of the specified interface.
     */
    public function release(string $reservationId, ?CallOptions $options = null): void
    {
        $this->transport->write('DELETE', '/export/v1/reservations/' . Text::segment('reservationId', $reservationId), null, $options);
    }

    /**
     * Order a reservation. Places an order for the reserved units at the reserved price and pays for it. The
     * responses are the same as for creating an order. After a rejected or declined payment, the reservation stays
     * active until it expires: order it again with a new Idempotency-Key. An extension of the specified interface.
     *
     * @return Order
     */
    public function order(string $reservationId, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->write('POST', '/export/v1/reservations/' . Text::segment('reservationId', $reservationId) . '/order', [], $options);
        return $data;
    }
}
