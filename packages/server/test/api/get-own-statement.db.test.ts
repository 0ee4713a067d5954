/** A702. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { test } from 'vitest';
import { auto, type Reseller } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();
const { productId } = await h.seed.listing({ price: '3.01', stock: 900 });

const PATH = '/account/statement';
const cents = (amount: string) => Math.round(Number(amount) * 100);

type Line = {
  readonly id: string;
  readonly createdAt: string;
  readonly kind: string;
  readonly amount: string;
  readonly balance: string;
  readonly orderId?: string;
  readonly reference?: string;
};
type Page = {
  readonly data: readonly Line[];
  readonly meta: { nextCursor: string | null; hasMore: boolean; opening: string; closing: string };
};

async function page(reseller: Reseller, query: Readonly<Record<string, string>>): Promise<Page> {
  const { status, body } = await reseller.get(`${PATH}?${new URLSearchParams(query)}`);
  equal(status, 200, JSON.stringify(body));
  return body;
}

/** `between` runs after each page. */
async function read(
  reseller: Reseller,
  query: Readonly<Record<string, string>> = {},
  between: () => Promise<unknown> = async () => {},
) {
  const pages: Page[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const one = await page(reseller, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    equal(one.meta.hasMore, one.meta.nextCursor !== null);
    pages.push(one);
    cursor = one.meta.nextCursor;
    await between();
  }
  const [{ meta } = { meta: undefined }] = pages;
  for (const one of pages) deepEqual([one.meta.opening, one.meta.closing], [meta?.opening, meta?.closing]);
  const lines = pages.flatMap(({ data }) => data);
  const sum = lines.reduce((minor, { amount }) => minor + cents(amount), 0);
  equal(cents(meta?.opening ?? '') + sum, cents(meta?.closing ?? ''), 'the lines add up');
  return { lines, opening: meta?.opening, closing: meta?.closing };
}

async function readCsv(reseller: Reseller, query: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${h.url}/export/v1${PATH}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${reseller.token}`, accept: 'text/csv' },
  });
  match(response.headers.get('content-type') ?? '', /^text\/csv/);
  const records: Record<string, string>[] = parse(await response.text(), { columns: true });
  const [opening, ...lines] = records;
  const closing = lines.pop();
  deepEqual([opening?.['kind'], closing?.['kind']], ['opening', 'closing']);
  const filled = lines.map((line) =>
    Object.fromEntries(Object.entries(line).filter(([, text]) => text !== '')),
  );
  return { lines: filled, opening: opening?.['balance'], closing: closing?.['balance'] };
}

const order = async (reseller: Reseller, reference?: string) => {
  const { body } = await h.call('POST', '/export/v1/orders', {
    token: reseller.token,
    body: { items: [auto(productId)], reference },
    headers: { 'idempotency-key': randomUUID() },
  });
  return body.data;
};

test('lines show the bookings with the references of orders and deposits, and nothing internal', async () => {
  const reseller = await h.seed.reseller();
  const { accountId } = reseller;
  await h.operate('POST', `/accounts/${accountId}/deposits`, { amount: '20.00', reference: 'bank-7' });
  const { id } = await order(reseller, 'A-1');
  await order(reseller);
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'a secret of operators' });
  const adjustment = {
    direction: 'credit',
    amount: '1.00',
    reference: 'case-1',
    reason: 'a secret of operators',
  };
  await h.operate('POST', `/accounts/${accountId}/adjustments`, adjustment);
  const { data, meta } = await page(reseller, {});
  deepEqual(
    data.map(({ id: _id, createdAt: _at, orderId, ...line }) => ({ ...line, isOfOrder: orderId === id })),
    [
      { kind: 'deposit', amount: '20.00', balance: '20.00', reference: 'bank-7', isOfOrder: false },
      { kind: 'charge', amount: '-3.01', balance: '16.99', reference: 'A-1', isOfOrder: true },
      { kind: 'charge', amount: '-3.01', balance: '13.98', isOfOrder: false },
      { kind: 'refund', amount: '3.01', balance: '16.99', reference: 'A-1', isOfOrder: true },
      { kind: 'adjustment', amount: '1.00', balance: '17.99', reference: 'case-1', isOfOrder: false },
    ],
  );
  deepEqual(meta, { nextCursor: null, hasMore: false, opening: '0.00', closing: '17.99' });
  const operators = await h.operate('GET', `/accounts/${accountId}/statement`);
  deepEqual(
    operators.map(({ reference }: Line) => reference),
    ['bank-7', 'A-1', undefined, 'A-1', 'case-1'],
  );
  deepEqual(await readCsv(reseller), { lines: [...data], opening: '0.00', closing: '17.99' });
});

test('the lines of any range add up to closing minus opening balance, even if transfers are booked between two page requests', async () => {
  const step = fc.constantFrom('deposit', 'order', 'refund');
  const place = fc.nat({ max: 1_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      place,
      place,
      async (steps, limit, one, other) => {
        const reseller = await h.seed.reseller({ balance: '9.00' });
        const open: string[] = [];
        const take = async (what: string) => {
          if (what === 'deposit') return h.seed.deposit(reseller.accountId, '2.50');
          const [last] = open;
          if (what === 'order') open.push((await order(reseller))?.id ?? '');
          else if (last) await h.operate('POST', `/orders/${open.shift()}/refund`, { reason: 'returned' });
        };
        for (const each of steps) await take(each);
        const whole = await read(reseller);
        const times = whole.lines.map(({ createdAt }) => createdAt);
        const [from, to] = [times[one % (times.length + 1)], times[other % (times.length + 1)]].toSorted();
        const query = { ...(from && { from }), ...(to && { to }) };
        const isInside = ({ createdAt }: Line) =>
          (from === undefined || createdAt >= from) && (to === undefined || createdAt < to);
        const inside = whole.lines.filter(isInside);
        const more = ['deposit', 'order', 'refund'].values();
        const range = await read(reseller, { ...query, limit: String(limit) }, () =>
          take(more.next().value ?? 'deposit'),
        );
        deepEqual(range.lines, inside, JSON.stringify(query));
        if (to !== undefined) {
          const csv = await readCsv(reseller, query);
          deepEqual(csv, { lines: inside, opening: range.opening, closing: range.closing });
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('an empty range has the same opening and closing balance', async () => {
  const reseller = await h.seed.reseller({ balance: '5.00' });
  const at = '2030-01-01T00:00:00Z';
  for (const query of [{ from: at }, { from: at, to: at }]) {
    deepEqual(await read(reseller, query), { lines: [], opening: '5.00', closing: '5.00' });
  }
  deepEqual(await read(reseller, { to: '2000-01-01T00:00:00Z' }), {
    lines: [],
    opening: '0.00',
    closing: '0.00',
  });
});

test('a cursor belongs to its account and its range', async () => {
  const [reseller, stranger] = [
    await h.seed.reseller({ balance: '5.00' }),
    await h.seed.reseller({ balance: '5.00' }),
  ];
  await order(reseller);
  const { meta } = await page(reseller, { limit: '1' });
  const cursor = meta.nextCursor ?? '';
  for (const [who, query, field] of [
    [stranger, `cursor=${cursor}`, 'query.cursor'],
    [reseller, `cursor=${cursor}&from=2020-01-01T00:00:00Z`, 'query.cursor'],
  ] as const) {
    const { status, body } = await who.get(`${PATH}?${query}`);
    deepEqual([status, body.error?.errors[0].field], [400, field], query);
  }
});
