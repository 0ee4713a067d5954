import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { Keyport } from '../src/keyport.ts';

/** An element is in the list while `isMember`. Several elements have the same time, and then the id decides. */
type Element = { readonly id: string; readonly at: number; isMember: boolean };

const elements = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 4 }), isMember: fc.boolean() }), { maxLength: 40 })
  .map((all) => all.map((one, index): Element => ({ ...one, id: String(index).padStart(14, '1') })));

/** Serves one list as the contract says. `onPage` runs after each page. */
function startList(list: readonly Element[], onPage: () => void, knowsAfter = true) {
  const requests: string[] = [];
  const serve: typeof fetch = async (input) => {
    const url = new URL(String(input));
    requests.push(url.search);
    const { searchParams } = url;
    const isDescending = searchParams.get('sort') !== 'ASC';
    const compare = (one: Element, other: Element) => one.at - other.at || (one.id < other.id ? -1 : 1);
    const sorted = list.toSorted((one, other) => compare(one, other) * (isDescending ? -1 : 1));
    const after = knowsAfter ? searchParams.get('after') : null;
    const rest = sorted
      .slice(sorted.findIndex(({ id }) => id === after) + 1)
      .filter(({ isMember }) => isMember);
    const [page, itemsPerPage] = [
      Number(searchParams.get('page') ?? 1),
      Number(searchParams.get('itemsPerPage')),
    ];
    const start = (page - 1) * itemsPerPage;
    const data = rest.slice(start, start + itemsPerPage).map(({ id }) => ({ id }));
    const meta = {
      page,
      itemsPerPage,
      totalResults: rest.length,
      hasNext: start + itemsPerPage < rest.length,
      hasPrevious: after !== null || (page > 1 && rest.length > 0),
    };
    onPage();
    return Response.json({ data, meta });
  };
  const keyport = new Keyport({
    baseUrl: 'https://keyport.example',
    accessToken: () => 'token',
    fetch: serve,
  });
  return { keyport, requests };
}

test('every element that stays a member is seen once, whatever leaves and enters, in both orders', async () => {
  const walk = fc.record({
    list: elements,
    sort: fc.constantFrom('ASC' as const, 'DESC' as const),
    itemsPerPage: fc.constantFrom(1, 2, 10, 100),
    changes: fc.array(fc.array(fc.nat({ max: 39 }), { maxLength: 12 }), { maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(walk, async ({ list, sort, itemsPerPage, changes }) => {
      const before = list.filter(({ isMember }) => isMember).map(({ id }) => id);
      const left = new Set<string>();
      let pages = 0;
      const { keyport } = startList(list, () => {
        for (const place of changes[pages] ?? []) {
          const element = list[place];
          if (element === undefined) continue;
          element.isMember = !element.isMember;
          left.add(element.id);
        }
        pages += 1;
      });
      const seen: string[] = [];
      // The type has the contract's sizes only.
      const filters = { sort, itemsPerPage: itemsPerPage as 10 };
      for await (const { id } of keyport.orders.list(filters)) seen.push(id);
      equal(new Set(seen).size, seen.length);
      const throughout = before.filter((id) => !left.has(id));
      deepEqual(
        throughout.filter((id) => !seen.includes(id)),
        [],
      );
    }),
  );
});

test('a service that does not know `after` is read by page numbers', async () => {
  const list = Array.from({ length: 35 }, (_, index) => ({
    id: `100000000000${10 + index}`,
    at: index,
    isMember: true,
  }));
  const { keyport, requests } = startList(list, () => {}, false);
  const seen: string[] = [];
  for await (const { id } of keyport.orders.list({ itemsPerPage: 10 })) seen.push(id);
  deepEqual(seen, list.map(({ id }) => id).toReversed());
  ok(requests.length < 10, requests.join('\n'));
});
