<?php

declare(strict_types=1);

namespace Keyport;

use Keyport\Internal\Transport;

/**
 * Reads while you iterate, one request per page.
 *
 *     foreach ($keyport->account()->statement(['from' => $from, 'to' => $to]) as $line) {
 *         echo $line['kind'], ' ', $line['amount'];
 *     }
 *
 * @template-covariant Item of array<string, mixed>
 * @template-covariant Meta of array{nextCursor: string|null, hasMore: bool}
 * @implements \IteratorAggregate<int, Item>
 */
final readonly class CursorList implements \IteratorAggregate
{
    /**
     * @internal
     * @param array<string, mixed> $query
     */
    public function __construct(private Transport $transport, private string $path, private array $query, private ?CallOptions $options)
    {
    }

    /**
     * The first page, or the one at the `cursor` of the filters.
     *
     * @return array{data: list<Item>, meta: Meta}
     */
    public function page(): array
    {
        return $this->read($this->query, $this->options);
    }

    /** @return \Generator<int, array{data: list<Item>, meta: Meta}> */
    public function pages(): \Generator
    {
        $page = $this->page();
        yield $page;
        while ($page['meta']['nextCursor'] !== null) {
            $page = $this->read(['cursor' => $page['meta']['nextCursor']] + $this->query, $this->options?->withoutScenario());
            yield $page;
        }
    }

    /** @return \Generator<int, Item> */
    public function getIterator(): \Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page['data'] as $item) {
                yield $item;
            }
        }
    }

    /**
     * @param array<string, mixed> $query
     * @return array{data: list<Item>, meta: Meta}
     */
    private function read(array $query, ?CallOptions $options): array
    {
        /** @var array{data: list<Item>, meta: Meta} $page */
        $page = $this->transport->envelope('GET', $this->path, $query, options: $options);
        return $page;
    }
}
