<?php

declare(strict_types=1);

namespace Keyport;

use Keyport\Internal\Transport;

/**
 * Reads while you iterate, one request per page.
 *
 *     foreach ($keyport->orders()->list(['status' => 'complete']) as $order) {
 *         echo $order['id'];
 *     }
 *
 * @template-covariant Item of array{id: string}
 * @implements \IteratorAggregate<int, Item>
 * @phpstan-import-type Pagination from Types
 */
final readonly class PagedList implements \IteratorAggregate
{
    private const ITEMS_PER_PAGE = 100;

    /**
     * @internal
     * @param array<string, mixed> $query
     */
    public function __construct(private Transport $transport, private string $path, private array $query, private ?CallOptions $options)
    {
    }

    /**
     * One page; the first is 1.
     *
     * @return array{data: list<Item>, meta: Pagination}
     */
    public function page(int $page): array
    {
        return $this->read(['page' => $page] + $this->query, $this->options);
    }

    /**
     * Page by page. Each page starts after the last element of the page before, so that no element is missed or
     * repeated when others enter or leave the list; numbers and totals count from there.
     *
     * @return \Generator<int, array{data: list<Item>, meta: Pagination}>
     */
    public function pages(): \Generator
    {
        $query = $this->query + ['itemsPerPage' => self::ITEMS_PER_PAGE, 'page' => 1];
        $options = $this->options;
        for (;;) {
            $page = $this->read($query, $options);
            yield $page;
            $last = $page['data'] === [] ? null : $page['data'][count($page['data']) - 1];
            if ($last === null || !$page['meta']['hasNext']) {
                return;
            }
            $query = ['after' => $last['id'], 'page' => 1] + $query;
            $options = $options?->withoutScenario();
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
     * @return array{data: list<Item>, meta: Pagination}
     */
    private function read(array $query, ?CallOptions $options): array
    {
        /** @var array{data: list<Item>, meta: Pagination} $page */
        $page = $this->transport->envelope('GET', $this->path, $query, options: $options);
        return $page;
    }
}
