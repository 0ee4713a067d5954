/** A274. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { LIST_COLUMNS, type ListColumn, valuesAt } from '@keyport/contract/list-columns';
import { LIST_FILTERS, type ListFilter } from '@keyport/contract/list-filters';
import { OPERATIONS } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { formatMinor } from '@keyport/core/money';
import fc from 'fast-check';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto, startHarness } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { readList } from '../../support/lists.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_APPROVAL_ABOVE: '5.00' });
const acme = await h.seed.reseller({ balance: '500.00', account: { name: 'Acme' } });
const doubted = await h.seed.reseller({ balance: '500.00', account: { name: 'Doubted', holdOrders: true } });
const { productId } = await h.seed.listing({ price: '3.00', stock: 20 });
const place = async (reseller: typeof acme, quantity: number): Promise<string> =>
  (await reseller.order(auto(productId, { quantity }))).body.data.id;
const refunded = await place(acme, 1);
const dear = await place(acme, 4);
for (const quantity of [1, 2, 3]) await place(doubted, quantity);
await h.operate('POST', `/orders/${refunded}/refund`, { reason: 'Bad key' });
for (const amount of ['20.00', '30.01'])
  await h.operate('POST', `/accounts/${acme.accountId}/adjustments`, {
    amount,
    direction: 'credit',
    reference: amount,
    reason: 'Gift',
  });
await acme.order(auto(productId, { quantity: 50 }));
await importOrders(h, acme.accountId, [
  { createdAt: '2026-01-02T00:00:00Z', currency: 'USD', decimals: 4, unitPriceMinor: 123_401 },
  { createdAt: '2026-01-03T00:00:00Z', currency: 'USD', decimals: 2, unitPriceMinor: 1_99 },
  { status: 'held' },
]);

const LISTS = Object.entries<OperationSpec>(OPERATIONS).flatMap(([name, operation]) =>
  operation.query?.properties['count'] !== undefined && operation.params === undefined
    ? [{ name, path: operation.path.replace('/admin/v1', ''), query: operation.query.properties }]
    : [],
);

const VALUES: Readonly<Record<string, readonly string[]>> = {
  query: ['acme', 'a', dear, acme.accountId],
  accountId: [acme.accountId, doubted.accountId],
  totalFrom: ['6.00'],
  currency: ['USD', 'EUR'],
};

/** Any of a list's filters, each with one of its values. */
function someQuery({ name, query }: (typeof LISTS)[number]) {
  const filters =
    (LIST_FILTERS as Readonly<Record<string, Readonly<Record<string, ListFilter>>>>)[name] ?? {};
  const names = [...new Set([...Object.keys(filters), ...Object.keys(VALUES)])].filter((one) => one in query);
  const values = names.map((one) => {
    const labels = Object.keys(filters[one]?.labels ?? {}).filter((label) => label !== 'all');
    const all = VALUES[one] ?? labels;
    return [
      one,
      all.length === 0 ? fc.constant(undefined) : fc.option(fc.constantFrom(...all), { nil: undefined }),
    ];
  });
  return fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<string | undefined>>);
}

function toPath(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(pairs as [string, string][])}`;
}

/** The sums of the elements' amounts by currency, each with the most decimals that one of them has. */
function addUp(name: string, rows: readonly { readonly currency?: string }[]) {
  const columns =
    (LIST_COLUMNS as Readonly<Record<string, Readonly<Record<string, ListColumn>>>>)[name] ?? {};
  const [summed] = Object.entries(columns).find(([, { isSummed }]) => isSummed) ?? [];
  if (summed === undefined) return [];
  const groups = Map.groupBy(rows, ({ currency = 'EUR' }) => currency);
  return [...groups].toSorted().map(([currency, some]) => {
    const amounts = some.map((row) => String(valuesAt(row, [summed])[0]).split('.') as [string, string]);
    const decimals = Math.max(...amounts.map(([, cents]) => cents.length));
    const minor = amounts.reduce(
      (sum, [whole, cents]) => sum + BigInt(whole + cents.padEnd(decimals, '0')),
      0n,
    );
    return { currency, amount: formatMinor(minor, decimals) };
  });
}

test.each(LISTS)('200: $name counts and sums what it lists, whatever its filters are', async (list) => {
  await fc.assert(
    fc.asyncProperty(someQuery(list), async (query) => {
      const path = toPath(list.path, query);
      const { status, body } = await h.admin(
        'GET',
        `${toPath(list.path, { ...query, count: 'true', limit: '1' })}`,
      );
      // A search may name another account than the filter.
      if (status === 400) return equal(body.error.errors[0].field, 'query.query');
      equal(status, 200, JSON.stringify(body));
      const rows = await readList(h, path, 100);
      deepEqual(
        body.meta.matches,
        { count: rows.length, isAtLeast: false, sums: addUp(list.name, rows) },
        path,
      );
    }),
    { numRuns: 12 },
  );
});

test('200: a count changes neither the page nor its cursor', async () => {
  const [{ body: counted }, { body: plain }] = [
    await h.admin('GET', '/orders?limit=2&count=true'),
    await h.admin('GET', '/orders?limit=2'),
  ];
  deepEqual(counted.data, plain.data);
  equal(counted.meta.nextCursor, plain.meta.nextCursor);
  equal(plain.meta.matches, undefined);
  equal((await h.admin('GET', `/orders?limit=2&cursor=${counted.meta.nextCursor}`)).status, 200);
});

test('200: counting ends after 10,000 rows, and says so', async () => {
  await sql`INSERT INTO seller (id, name) SELECT gen_random_uuid(), 'Many ' || n FROM generate_series(1, 10001) AS n`.execute(
    h.database.db,
  );
  const { matches } = (await h.admin('GET', '/sellers?count=true&limit=1')).body.meta;
  deepEqual(matches, { count: 10_000, isAtLeast: true, sums: [] });
  const some = (await h.admin('GET', '/sellers?count=true&limit=1&query=many+77')).body.meta.matches;
  ok(!some.isAtLeast, 'an index finds them');
  equal(some.count, 111);
});
