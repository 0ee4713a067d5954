<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\Internal\Resource;
use Keyport\Internal\Text;

/**
 * `$keyport->sandbox()`
 *
 * @phpstan-import-type Checkup from \Keyport\Types
 * @phpstan-import-type Claim from \Keyport\Types
 * @phpstan-import-type Order from \Keyport\Types
 * @phpstan-import-type Reservation from \Keyport\Types
 * @phpstan-import-type SandboxAccount from \Keyport\Types
 * @phpstan-import-type SandboxOffer from \Keyport\Types
 */
final class Sandbox extends Resource
{
    /**
     * Hold an order, as the marketplace would. Possible while the order is pending, pending_payment or processing.
     *
     * @param array{reason: string} $body
     * @return Order
     */
    public function holdOrder(string $orderId, array $body, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->write('POST', '/sandbox/v1/orders/' . Text::segment('orderId', $orderId) . '/hold', $body, $options);
        return $data;
    }

    /**
     * Release a held order, as the marketplace would. It returns to its earlier status and continues from there.
     *
     * @param array{reason: string} $body
     * @return Order
     */
    public function releaseOrder(string $orderId, array $body, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->write('POST', '/sandbox/v1/orders/' . Text::segment('orderId', $orderId) . '/release', $body, $options);
        return $data;
    }

    /**
     * Cancel an unpaid order, as the marketplace would. Its units return to stock. A paid order is refunded instead.
     *
     * @param array{reason: string} $body
     * @return Order
     */
    public function cancelOrder(string $orderId, array $body, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->write('POST', '/sandbox/v1/orders/' . Text::segment('orderId', $orderId) . '/cancel', $body, $options);
        return $data;
    }

    /**
     * Refund an order, whole or in part, as the marketplace would. Before delivery, only the whole order can be
     * refunded.
     *
     * @param array{reason: string, items?: list<array{id: string, quantity: int}>, returnToStock?: bool, withdrawKeys?: bool} $body
     * @return Order
     */
    public function refundOrder(string $orderId, array $body, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->write('POST', '/sandbox/v1/orders/' . Text::segment('orderId', $orderId) . '/refund', $body, $options);
        return $data;
    }

    /**
     * Settle an order that is waiting for payment. As the payment provider would. Paid: the money is charged and the
     * order continues. Declined: the order is canceled.
     *
     * @param array{outcome?: 'paid'|'declined', reason?: string} $body
     * @return Order
     */
    public function settleOrder(string $orderId, array $body = [], ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->write('POST', '/sandbox/v1/orders/' . Text::segment('orderId', $orderId) . '/settle', $body, $options);
        return $data;
    }

    /**
     * Advance the time of an order. Its times move into the past, and everything that is then due happens: an unpaid
     * order is canceled, or the keys window ends.
     *
     * @param array{hours: int|float} $body
     * @return Order
     */
    public function advanceOrder(string $orderId, array $body, ?CallOptions $options = null): array
    {
        /** @var Order $data */
        $data = $this->transport->envelope('POST', '/sandbox/v1/orders/' . Text::segment('orderId', $orderId) . '/advance', [], $body, $options)['data'];
        return $data;
    }

    /**
     * Advance the time of a reservation. Its times move into the past. It expires if its `expiresAt` is then in the
     * past.
     *
     * @param array{seconds: int|float} $body
     * @return Reservation
     */
    public function advanceReservation(string $reservationId, array $body, ?CallOptions $options = null): array
    {
        /** @var Reservation $data */
        $data = $this->transport->envelope('POST', '/sandbox/v1/reservations/' . Text::segment('reservationId', $reservationId) . '/advance', [], $body, $options)['data'];
        return $data;
    }

    /**
     * Decide a claim, as the marketplace would. Each of its keys is replaced, refunded or rejected.
     *
     * @param array{decisions: list<array{keyId: string, decision: 'replace'|'refund'|'reject'}>, answer?: string} $body
     * @return Claim
     */
    public function decideClaim(string $claimId, array $body, ?CallOptions $options = null): array
    {
        /** @var Claim $data */
        $data = $this->transport->write('POST', '/sandbox/v1/claims/' . Text::segment('claimId', $claimId) . '/decide', $body, $options);
        return $data;
    }

    /**
     * Change your account. Missing members stay unchanged; null removes a value. A new balance is booked as an
     * adjustment.
     *
     * @param array{balance?: string, status?: 'active'|'suspended', paymentMethod?: 'balance'|'gateway'|null, discountPercent?: string, limits?: array{orderValueMax?: string|null, dailySpendMax?: string|null, dailyUnitsMax?: int|null, reservedUnitsMax?: int, readsPerSecondMax?: int|null, ordersPerSecondMax?: int|null}, balanceLowThreshold?: string|null, returnWindowHours?: int, claimWindowHours?: int} $body
     * @return SandboxAccount
     */
    public function updateAccount(array $body = [], ?CallOptions $options = null): array
    {
        /** @var SandboxAccount $data */
        $data = $this->transport->write('PATCH', '/sandbox/v1/account', $body, $options);
        return $data;
    }

    /**
     * Change an offer's price or status, or add keys to it. All resellers share the catalogue: every reseller of
     * this sandbox sees the change.
     *
     * @param array{price?: string, status?: 'active'|'paused', addKeys?: int} $body
     * @return SandboxOffer
     */
    public function updateOffer(string $offerId, array $body = [], ?CallOptions $options = null): array
    {
        /** @var SandboxOffer $data */
        $data = $this->transport->write('PATCH', '/sandbox/v1/offers/' . Text::segment('offerId', $offerId), $body, $options);
        return $data;
    }

    /**
     * Get the check-up of your client. Assesses the requests of a client: whether it retries orders safely, waits
     * for `Retry-After`, reuses its tokens, reads keys in time and follows the catalogue by its changes. A failed
     * check shows the requests that failed it.
     *
     * @param array{since?: string, clientId?: string} $query
     * @return Checkup
     */
    public function checkup(array $query = [], ?CallOptions $options = null): array
    {
        /** @var Checkup $data */
        $data = $this->transport->read('/sandbox/v1/checkup', $query, $options);
        return $data;
    }
}
