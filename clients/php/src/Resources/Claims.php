<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\CursorList;
use Keyport\Internal\Resource;
use Keyport\Internal\Text;

/**
 * `$keyport->claims()`
 *
 * @phpstan-import-type Claim from \Keyport\Types
 * @phpstan-import-type CursorMeta from \Keyport\Types
 */
final class Claims extends Resource
{
    /**
     * Claim faulty keys. The marketplace replaces the keys, refunds them or rejects the claim, and the event
     * `claim.decided` follows. Possible within your account's `claimWindowHours` after completion. A key has at most
     * one open claim. The codes are compared with the delivered keys of the item, and are neither stored nor logged.
     * An extension of the specified interface.
     *
     * @param array{itemId: string, codes: list<string>, reason: 'invalid'|'already-used'|'wrong-region'|'wrong-product', message?: string} $body
     * @return Claim
     */
    public function create(string $orderId, array $body, ?CallOptions $options = null): array
    {
        /** @var Claim $data */
        $data = $this->transport->write('POST', '/export/v1/orders/' . Text::segment('orderId', $orderId) . '/claims', $body, $options);
        return $data;
    }

    /**
     * List your claims. Newest first. An extension of the specified interface.
     *
     * @param array{status?: 'open'|'decided'|'withdrawn', orderId?: string, cursor?: string, limit?: int} $query
     * @return CursorList<Claim, CursorMeta>
     */
    public function list(array $query = [], ?CallOptions $options = null): CursorList
    {
        return new CursorList($this->transport, '/export/v1/claims', $query, $options);
    }

    /**
     * Get one claim. With the outcome of each key once it is decided. An extension of the specified interface.
     *
     * @return Claim
     */
    public function get(string $claimId, ?CallOptions $options = null): array
    {
        /** @var Claim $data */
        $data = $this->transport->read('/export/v1/claims/' . Text::segment('claimId', $claimId), [], $options);
        return $data;
    }

    /**
     * Withdraw a claim. Its keys can be claimed again. A withdrawn claim stays withdrawn; a decided one returns a
     * conflict. An extension of the specified interface.
     *
     * @return Claim
     */
    public function withdraw(string $claimId, ?CallOptions $options = null): array
    {
        /** @var Claim $data */
        $data = $this->transport->write('POST', '/export/v1/claims/' . Text::segment('claimId', $claimId) . '/withdraw', null, $options);
        return $data;
    }
}
