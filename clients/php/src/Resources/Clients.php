<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\Internal\Resource;
use Keyport\Internal\Text;

/**
 * `$keyport->clients()`
 *
 * @phpstan-import-type OwnClient from \Keyport\Types
 * @phpstan-import-type RotatedClient from \Keyport\Types
 */
final class Clients extends Resource
{
    /**
     * List your clients. The credentials of the account, oldest first. Secrets are never shown.
     *
     * @return list<OwnClient>
     */
    public function list(?CallOptions $options = null): array
    {
        /** @var list<OwnClient> $data */
        $data = $this->transport->read('/export/v1/clients', [], $options);
        return $data;
    }

    /**
     * Rotate the secret of the calling client. The new secret is shown only here. The previous one works until the
     * overlap ends. A client has at most two secrets, so an older one stops working immediately. The tokens of a
     * secret end with it. A client rotates only its own secret, and only with a token that is at most 5 minutes old
     * (otherwise 403 with `data.reason` `token-too-old`); a member rotates that of any client of the account. Send
     * an Idempotency-Key to make a retry safe: without one, a retry creates another secret.
     *
     * @param array{overlapHours?: int} $body
     * @return RotatedClient
     */
    public function rotateSecret(string $clientId, array $body = [], ?CallOptions $options = null): array
    {
        /** @var RotatedClient $data */
        $data = $this->transport->write('POST', '/export/v1/clients/' . Text::segment('clientId', $clientId) . '/rotate-secret', $body, $options);
        $this->transport->adoptSecret($data['clientId'], $data['clientSecret']);
        return $data;
    }

    /**
     * Rename or limit the calling client. Missing members stay unchanged. A client changes only itself, with a token
     * that is at most 5 minutes old (otherwise 403 with `data.reason` `token-too-old`); a member changes any client
     * of the account. A client must keep its own address in `allowedAddresses` (otherwise 403), and at least one
     * enabled client must keep full access (otherwise 409). A change takes effect on every node within 5 s. Only the
     * marketplace creates, disables and enables clients.
     *
     * @param array{name?: string, allowedAddresses?: list<string>|null, access?: 'full'|'read-only'} $body
     * @return OwnClient
     */
    public function update(string $clientId, array $body = [], ?CallOptions $options = null): array
    {
        /** @var OwnClient $data */
        $data = $this->transport->write('PATCH', '/export/v1/clients/' . Text::segment('clientId', $clientId), $body, $options);
        return $data;
    }
}
