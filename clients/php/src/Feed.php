<?php

declare(strict_types=1);

namespace Keyport;

use Keyport\Internal\Transport;

/**
 * Reads while you iterate. Without `wait` it ends with the latest element; with `wait` it never ends: leave the loop.
 *
 *     foreach ($keyport->events()->list(['cursor' => $cursor, 'wait' => 25]) as $event) {
 *         handle($event);
 *         $cursor = $event['cursor']; // Store it together with what you did.
 *     }
 *
 * @template-covariant Item of array<string, mixed>
 * @implements \IteratorAggregate<int, Item>
 */
final readonly class Feed implements \IteratorAggregate
{
    /** A pause after an empty response that arrived without waiting. */
    private const EMPTY_PAUSE_MS = 1_000;

    /**
     * @internal
     * @param string $mark The member that names an element within its page.
     * @param bool $isOrdered Whether marks increase.
     * @param array<string, mixed> $query
     */
    public function __construct(
        private Transport $transport,
        private string $path,
        private string $mark,
        private bool $isOrdered,
        private array $query,
        private ?CallOptions $options,
    ) {
    }

    /**
     * The pages, each with its metadata: `nextCursor`, `hasMore`, and in the change feed `restarted`. When a pass that
     * restarted has reached `hasMore` false, drop the products that it did not repeat.
     *
     * @return \Generator<int, array{data: list<Item>, meta: array{nextCursor: string, hasMore: bool, restarted?: bool}}>
     */
    public function pages(): \Generator
    {
        return $this->read($this->split()[0]);
    }

    /**
     * The elements in order, each with the `cursor` after it, and `restarted` where the change feed starts again.
     *
     * @return \Generator<int, Item&array{cursor: string, restarted?: true}>
     */
    public function getIterator(): \Generator
    {
        [$cursor, $mark] = $this->split();
        $isRestarted = false;
        foreach ($this->read($cursor) as ['data' => $data, 'meta' => $meta]) {
            $isRestarted = $isRestarted || ($meta['restarted'] ?? false);
            $rest = $isRestarted ? $data : $this->after($data, $mark);
            if ($isRestarted || $rest !== [] || !$this->isOrdered) {
                $mark = '';
            }
            foreach ($rest as $index => $item) {
                $next = $index === count($rest) - 1 ? $meta['nextCursor'] : "$cursor~" . $this->markOf($item);
                /** @var Item&array{cursor: string, restarted?: true} $marked */
                $marked = $item + ($isRestarted ? ['restarted' => true] : []) + ['cursor' => $next];
                yield $marked;
                $isRestarted = false;
            }
            $cursor = $meta['nextCursor'];
        }
    }

    /** @return \Generator<int, array{data: list<Item>, meta: array{nextCursor: string, hasMore: bool, restarted?: bool}}> */
    private function read(string $cursor): \Generator
    {
        $wait = $this->query['wait'] ?? 0;
        $options = $this->options;
        for (;;) {
            $sentAtMs = Transport::nowMs();
            // A first page of one element makes the whole next page resumable.
            $query = ($cursor === '' ? ['limit' => 1] : ['cursor' => $cursor]) + array_diff_key($this->query, ['cursor' => 0]);
            /** @var array{data: list<Item>, meta: array{nextCursor: string, hasMore: bool, restarted?: bool}} $page */
            $page = $this->transport->envelope('GET', $this->path, $query, options: $options);
            $options = $options?->withoutScenario();
            $cursor = $page['meta']['nextCursor'];
            yield $page;
            if ($page['meta']['hasMore']) {
                continue;
            }
            if ($wait === 0) {
                return;
            }
            $pauseMs = $sentAtMs + self::EMPTY_PAUSE_MS - Transport::nowMs();
            if ($page['data'] === [] && $pauseMs > 0) {
                usleep((int) ($pauseMs * 1000));
            }
        }
    }

    /**
     * @param list<Item> $data
     * @return list<Item>
     */
    private function after(array $data, string $mark): array
    {
        if ($mark === '') {
            return $data;
        }
        if ($this->isOrdered) {
            return array_values(array_filter($data, fn (array $item): bool => $this->markOf($item) > $mark));
        }
        $place = array_search($mark, array_map($this->markOf(...), $data), true);
        return array_slice($data, $place === false ? 0 : (int) $place + 1);
    }

    /** @param array<string, mixed> $item */
    private function markOf(array $item): string
    {
        $mark = $item[$this->mark] ?? '';
        return is_string($mark) ? $mark : '';
    }

    /** @return array{string, string} The cursor of a page, and the last element of it that was handled. */
    private function split(): array
    {
        $cursor = $this->query['cursor'] ?? '';
        $parts = explode('~', is_string($cursor) ? $cursor : '', 2);
        return [$parts[0], $parts[1] ?? ''];
    }
}
