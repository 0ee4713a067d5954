<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\Internal\Resource;
use Keyport\Internal\Text;
use Keyport\PagedList;

/**
 * `$keyport->webhookEndpoints()`
 *
 * @phpstan-import-type RotatedWebhookEndpoint from \Keyport\Types
 * @phpstan-import-type WebhookDelivery from \Keyport\Types
 * @phpstan-import-type WebhookEndpoint from \Keyport\Types
 * @phpstan-import-type WebhookEndpointWithSecret from \Keyport\Types
 * @phpstan-import-type WebhookTest from \Keyport\Types
 * @phpstan-import-type WebhooksQueued from \Keyport\Types
 * @phpstan-import-type WebhooksReplayed from \Keyport\Types
 */
final class WebhookEndpoints extends Resource
{
    /**
     * Create a webhook endpoint. From now on, events of these types are sent to the URL, signed according to
     * Standard Webhooks. The secret is shown only here and when it is rotated. An account has at most 16 endpoints.
     * Send an Idempotency-Key to make a retry safe. An extension of the specified interface.
     *
     * @param array{url: string, types: list<'*'|'order.pending_payment'|'order.processing'|'order.held'|'order.complete'|'order.canceled'|'order.closed'|'order.refunded'|'order.keys_expiring'|'account.balance_low'|'account.status_changed'|'claim.decided'|'client.changed'|'reservation.expired'|'webhook.test'>, description?: string|null} $body
     * @return WebhookEndpointWithSecret
     */
    public function create(array $body, ?CallOptions $options = null): array
    {
        /** @var WebhookEndpointWithSecret $data */
        $data = $this->transport->write('POST', '/export/v1/webhook-endpoints', $body, $options);
        return $data;
    }

    /**
     * List your webhook endpoints. All endpoints (at most 16), oldest first.
     *
     * @return list<WebhookEndpoint>
     */
    public function list(?CallOptions $options = null): array
    {
        /** @var list<WebhookEndpoint> $data */
        $data = $this->transport->read('/export/v1/webhook-endpoints', [], $options);
        return $data;
    }

    /**
     * Get a webhook endpoint. With its status and, if it is disabled, the reason. The secret is never shown.
     *
     * @return WebhookEndpoint
     */
    public function get(string $endpointId, ?CallOptions $options = null): array
    {
        /** @var WebhookEndpoint $data */
        $data = $this->transport->read('/export/v1/webhook-endpoints/' . Text::segment('endpointId', $endpointId), [], $options);
        return $data;
    }

    /**
     * Change, disable or enable a webhook endpoint. Missing members stay unchanged. Events that occur while the
     * endpoint is disabled are not sent later: replay them. Only the marketplace can enable an endpoint that it
     * disabled, or change its URL.
     *
     * @param array{url?: string, types?: list<'*'|'order.pending_payment'|'order.processing'|'order.held'|'order.complete'|'order.canceled'|'order.closed'|'order.refunded'|'order.keys_expiring'|'account.balance_low'|'account.status_changed'|'claim.decided'|'client.changed'|'reservation.expired'|'webhook.test'>, description?: string|null, status?: 'enabled'|'disabled'} $body
     * @return WebhookEndpoint
     */
    public function update(string $endpointId, array $body = [], ?CallOptions $options = null): array
    {
        /** @var WebhookEndpoint $data */
        $data = $this->transport->write('PATCH', '/export/v1/webhook-endpoints/' . Text::segment('endpointId', $endpointId), $body, $options);
        return $data;
    }

    /**
     * Delete a webhook endpoint. Also deletes its deliveries. A delivery that is being sent may still arrive. An
     * endpoint that the marketplace disabled stays.
     */
    public function delete(string $endpointId, ?CallOptions $options = null): void
    {
        $this->transport->write('DELETE', '/export/v1/webhook-endpoints/' . Text::segment('endpointId', $endpointId), null, $options);
    }

    /**
     * Rotate the secret of a webhook endpoint. Until the overlap ends, deliveries are signed with the old secret
     * too. Send an Idempotency-Key to make a retry safe: without one, a retry creates another secret.
     *
     * @param array{overlapHours?: int} $body
     * @return RotatedWebhookEndpoint
     */
    public function rotateSecret(string $endpointId, array $body = [], ?CallOptions $options = null): array
    {
        /** @var RotatedWebhookEndpoint $data */
        $data = $this->transport->write('POST', '/export/v1/webhook-endpoints/' . Text::segment('endpointId', $endpointId) . '/rotate-secret', $body, $options);
        return $data;
    }

    /**
     * Send a test event to a webhook endpoint. Sends a `webhook.test` event to this endpoint, whichever types it
     * receives.
     *
     * @return WebhookTest
     */
    public function test(string $endpointId, ?CallOptions $options = null): array
    {
        /** @var WebhookTest $data */
        $data = $this->transport->write('POST', '/export/v1/webhook-endpoints/' . Text::segment('endpointId', $endpointId) . '/test', null, $options);
        return $data;
    }

    /**
     * List the deliveries to a webhook endpoint. Newest event first, with every attempt and its outcome. Deliveries
     * are kept for 30 days.
     *
     * @param array{status?: 'pending'|'delivered'|'failed', eventId?: string, orderId?: string, after?: string, page?: int, itemsPerPage?: 10|20|50|100} $query
     * @return PagedList<WebhookDelivery>
     */
    public function deliveries(string $endpointId, array $query = [], ?CallOptions $options = null): PagedList
    {
        return new PagedList($this->transport, '/export/v1/webhook-endpoints/' . Text::segment('endpointId', $endpointId) . '/deliveries', $query, $options);
    }

    /**
     * Send a delivery again. Sends the delivery immediately, whatever its status, with the same retries as the first
     * time. The endpoint must still receive events of this type.
     *
     * @return WebhooksQueued
     */
    public function redeliver(string $endpointId, string $deliveryId, ?CallOptions $options = null): array
    {
        /** @var WebhooksQueued $data */
        $data = $this->transport->write('POST', '/export/v1/webhook-endpoints/' . Text::segment('endpointId', $endpointId) . '/deliveries/' . Text::segment('deliveryId', $deliveryId) . '/redeliver', null, $options);
        return $data;
    }

    /**
     * Replay the events of a period. Sends every event of the endpoint's types from `from` to `to`, both inclusive,
     * even if it was delivered before; at most 100,000. A `webhook.test` to the current URL must have returned 2xx,
     * and only one replay runs at a time. If `from` is earlier than the events that are kept, `eventsKeptFrom` says
     * so.
     *
     * @param array{from: string, to: string} $body
     * @return WebhooksReplayed
     */
    public function replay(string $endpointId, array $body, ?CallOptions $options = null): array
    {
        /** @var WebhooksReplayed $data */
        $data = $this->transport->write('POST', '/export/v1/webhook-endpoints/' . Text::segment('endpointId', $endpointId) . '/replay', $body, $options);
        return $data;
    }
}
