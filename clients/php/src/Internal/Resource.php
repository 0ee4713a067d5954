<?php

declare(strict_types=1);

namespace Keyport\Internal;

/**
 * A part of a client.
 *
 * @internal
 */
abstract class Resource
{
    final public function __construct(protected readonly Transport $transport)
    {
    }

    /**
     * The body of an order or a reservation, which lists its only item.
     *
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    protected static function withItem(array $request): array
    {
        $item = array_diff_key($request, ['reference' => 0, 'ttlSeconds' => 0]);
        return ['items' => [$item]] + array_filter(array_diff_key($request, $item), static fn (mixed $value): bool => $value !== null);
    }
}
