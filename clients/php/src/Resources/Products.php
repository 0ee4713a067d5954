<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\Feed;
use Keyport\Internal\ProductDetails;
use Keyport\Internal\Resource;
use Keyport\Internal\Text;
use Keyport\PagedList;

/**
 * `$keyport->products()`
 *
 * @phpstan-import-type Product from \Keyport\Types
 * @phpstan-import-type ProductWithOffers from \Keyport\Types
 * @phpstan-import-type RemovedProduct from \Keyport\Types
 */
final class Products extends Resource
{
    use ProductDetails;

    /**
     * List products with their offers. In insertion order. Poll for changes with updatedAtFrom.
     *
     * @param array{query?: string, productIds?: list<string>, updatedAtFrom?: string, updatedAtTo?: string, totalQuantity?: int, maxPrice?: string, orderable?: bool, after?: string, page?: int, itemsPerPage?: 10|20|50|100} $query
     * @return PagedList<Product>
     */
    public function list(array $query = [], ?CallOptions $options = null): PagedList
    {
        return new PagedList($this->transport, '/export/v1/product-offers', $query, $options);
    }

    /**
     * Get one product with its offers. With its three cheapest offers, cheapest first. `maxPrice` and
     * `totalQuantity` filter the offers; if none remains, the product is not found.
     *
     * @param array{totalQuantity?: int, maxPrice?: string} $query
     * @return ProductWithOffers
     */
    public function get(string $productId, array $query = [], ?CallOptions $options = null): array
    {
        /** @var ProductWithOffers $data */
        $data = $this->transport->read('/export/v1/products/' . Text::segment('productId', $productId), $query, $options);
        return $data;
    }

    /**
     * Follow changes to products and offers. Every product that has changed since the cursor, as in the list, and
     * every product that is no longer on offer, in the order of updatedAt. Without a cursor: everything on offer. A
     * product that changed several times appears once, in its current state. A cursor is valid forever, on every
     * node. An extension of the specified interface.
     *
     * @param array{cursor?: string, limit?: int, wait?: int, orderable?: bool} $query
     * @return Feed<Product|RemovedProduct>
     */
    public function changes(array $query = [], ?CallOptions $options = null): Feed
    {
        return new Feed($this->transport, '/export/v1/product-offers/changes', 'updatedAt', true, $query, $options);
    }
}
