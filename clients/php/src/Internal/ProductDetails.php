<?php

declare(strict_types=1);

namespace Keyport\Internal;

use Keyport\CallOptions;

/**
 * @internal
 * @phpstan-import-type ProductDetail from \Keyport\Types
 */
trait ProductDetails
{
    /**
     * Texts, pictures and requirements of any number of products, 20 per request, in the order of the ids. Skips
     * duplicates and products that are not on offer.
     *
     * @param list<string> $ids
     * @return list<ProductDetail>
     */
    public function details(array $ids, ?CallOptions $options = null): array
    {
        $details = [];
        foreach (array_chunk(array_values(array_unique($ids)), 20) as $some) {
            /** @var list<ProductDetail> $found */
            $found = $this->transport->read('/export/v1/products', ['productIds' => $some], $options);
            array_push($details, ...$found);
            $options = $options?->withoutScenario();
        }
        return $details;
    }
}
