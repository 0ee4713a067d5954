/** The history is counted by the sums; a plain list of the orders is the reference. I95. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { ORDER_STATUSES, type OrderStatus } from '@keyport/core/orders/order-status';
import fc from 'fast-check';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { isSettled, takeMark } from '../../src/sums/sums.sql.ts';
import { testEngine } from '../support/database.ts';
import { type Reseller, startHarness } from '../support/harness.ts';
import { importOrders } from '../support/imported-orders.ts';
import { foldSums } from '../support/sums.ts';
import { wholeFile } from '../support/vitest.ts';

const h = await startHarness(wholeFile);

type KnownOrder = {
  readonly id: string;
  readonly reseller: Reseller;
  readonly createdAtMicros: number;
  status: OrderStatus;
};

const DAY_MICROS = 86_400_000_000;
const START_MICROS = Date.UTC(2026, 0, 1) * 1000;

/** Sorts orders like the history. The ids of these tests are exact as numbers. */
function sorted(orders: readonly KnownOrder[]): KnownOrder[] {
  return orders.toSorted(
    (left, right) => left.createdAtMicros - right.createdAtMicros || Number(left.id) - Number(right.id),
  );
}

const toIso = (micros: number) =>
  `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, '0')}Z`;

let nextId = 10_000_000_000_001;

/** Writes orders like an import, with old times in no order. */
async function insertOrders(reseller: Reseller, timesMicros: readonly number[]): Promise<KnownOrder[]> {
  const orders = timesMicros.map((createdAtMicros) => {
    nextId += randomInt(1, 5);
    const status = ORDER_STATUSES[randomInt(3) === 0 ? randomInt(ORDER_STATUSES.length) : 3] ?? 'complete';
    return { id: String(nextId), reseller, createdAtMicros, status };
  });
  await writeOrders(reseller, orders);
  return orders;
}

async function writeOrders(reseller: Reseller, orders: readonly KnownOrder[]): Promise<void> {
  await sql`
    WITH new AS (
      SELECT id, to_timestamp(0) + micros * interval '1 microsecond' AS at, status
      FROM unnest(${orders.map(({ id }) => id)}::bigint[], ${orders.map((order) => order.createdAtMicros)}::bigint[],
        ${orders.map(({ status }) => status)}::text[]) AS new (id, micros, status)
    ), new_order AS (
      INSERT INTO "order" (id, account_id, status, held_from, created_at, currency, discount_minor, total_price_minor, origin)
      SELECT id, ${reseller.accountId}::uuid, status, CASE WHEN status = 'held' THEN 'pending' END, at, 'EUR', 0, 10,
        'imported' FROM new
    ), new_item AS (
      INSERT INTO imported_item (id, order_id, offer_id, product_id, product_name, seller_id, seller_name, unit_price_minor,
        quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
      SELECT id * 100 + 1, id, ${reseller.accountId}::uuid, 10000000000001, 'From elsewhere', ${reseller.accountId}::uuid,
        'Seller', 10, 1, 0, 0, 0 FROM new
    )
    INSERT INTO order_status_log (order_id, to_status, at, actor, reason) SELECT id, status, at, 'import', 'import' FROM new`.execute(
    h.database.db,
  );
}

async function changeStatuses(orders: readonly KnownOrder[], count: number): Promise<void> {
  const chosen = new Map(
    Array.from({ length: count }, () => [orders[randomInt(orders.length)], randomInt(ORDER_STATUSES.length)]),
  );
  for (const [order, index] of chosen)
    if (order !== undefined) order.status = ORDER_STATUSES[index ?? 0] ?? 'held';
  const changed = [...chosen.keys()].filter((order) => order !== undefined);
  await sql`
    WITH new AS (
      SELECT "order".id, "order".status AS old_status, new.status
      FROM unnest(${changed.map(({ id }) => id)}::bigint[], ${changed.map(({ status }) => status)}::text[])
        AS new (id, status) JOIN "order" USING (id) FOR NO KEY UPDATE OF "order"
    ), logged AS (
      INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
      SELECT id, old_status, status, now(), 'test', 'test' FROM new
    )
    UPDATE "order" SET status = new.status, held_from = CASE WHEN new.status = 'held' THEN 'pending' END
    FROM new WHERE "order".id = new.id`.execute(h.database.db);
}

/** Many questions are at the edges: bounds equal to the time of an order, and last pages. */
function questions(orders: readonly KnownOrder[]) {
  const time = fc
    .tuple(fc.nat(orders.length - 1), fc.integer({ min: -1, max: 1 }))
    .map(([index, shift]) => (orders[index]?.createdAtMicros ?? 0) + shift);
  return fc.record({
    status: fc.option(fc.constantFrom(...ORDER_STATUSES)),
    from: fc.option(time),
    to: fc.option(time),
    sort: fc.option(fc.constantFrom('ASC' as const, 'DESC' as const)),
    itemsPerPage: fc.constantFrom(10, 20, 50, 100),
    /** The page as a share of all pages. A page above 1 is beyond the end. */
    pageShare: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1.1, noNaN: true })),
    whose: fc.constantFrom('reseller', 'operator', 'everyone'),
  });
}

type Question = ReturnType<typeof questions> extends fc.Arbitrary<infer Q> ? Q : never;

async function ask(question: Question, orders: readonly KnownOrder[], reseller: Reseller): Promise<void> {
  const [from, to] =
    question.from !== null && question.to !== null && question.from > question.to
      ? [question.to, question.from]
      : [question.from, question.to];
  const { status, itemsPerPage } = question;
  const matching = orders.filter(
    (order) =>
      (question.whose === 'everyone' || order.reseller === reseller) &&
      (status === null || order.status === status) &&
      (from === null || order.createdAtMicros >= from) &&
      (to === null || order.createdAtMicros <= to),
  );
  if (question.sort !== 'ASC') matching.reverse();
  const pageCount = Math.max(1, Math.ceil(matching.length / itemsPerPage));
  const page = Math.max(1, Math.round(question.pageShare * pageCount));
  const query = new URLSearchParams({
    page: String(page),
    itemsPerPage: String(itemsPerPage),
    ...(status === null ? {} : { status }),
    ...(from === null ? {} : { dateFrom: toIso(from) }),
    ...(to === null ? {} : { dateTo: toIso(to) }),
    ...(question.sort === null ? {} : { sort: question.sort }),
    ...(question.whose === 'operator' ? { accountId: reseller.accountId } : {}),
  });
  const response =
    question.whose === 'reseller'
      ? await reseller.get(`/orders?${query}`)
      : await h.admin('GET', `/orders?${query}`);
  const { data, meta } = response.body;
  deepEqual(
    {
      total: meta.totalResults,
      orders: data.map((order: { id: string; status: string }) => [order.id, order.status]),
    },
    {
      total: matching.length,
      orders: matching
        .slice((page - 1) * itemsPerPage, page * itemsPerPage)
        .map((order) => [order.id, order.status]),
    },
    `${question.whose} ${query}`,
  );
}

test('every page and total matches the plain list, regardless of how far the counting has come', async () => {
  const [reseller, other] = [await h.seed.reseller(), await h.seed.reseller()];
  await foldSums(h);
  const random = (count: number, days: number) =>
    Array.from({ length: count }, () => START_MICROS + randomInt(days * DAY_MICROS));
  // An import without times of day has thousands of orders with the same time.
  const sameTime = Array.from({ length: 2000 }, () => START_MICROS + 5 * DAY_MICROS);
  let orders = sorted([
    ...(await insertOrders(reseller, [...random(4000, 10), ...sameTime])),
    ...(await insertOrders(other, random(500, 10))),
  ]);
  const check = () =>
    fc.assert(
      fc.asyncProperty(questions(orders), (question) => ask(question, orders, reseller)),
      { numRuns: 60 },
    );

  // No order is in the sums at first.
  await check();
  await changeStatuses(orders, 300);
  await foldSums(h);
  await check();
  const late = [...random(300, 12), ...random(100, 1).map((micros) => micros - 3 * DAY_MICROS)];
  orders = sorted([...orders, ...(await insertOrders(reseller, late))]);
  await changeStatuses(orders, 500);
  // Some orders and changes are in the sums, and some are not.
  await check();
  await sql`DELETE FROM bucket_sum WHERE kind IN ('order', 'account-order', 'account-order-total')`.execute(
    h.database.db,
  );
  await sql`UPDATE stream_position SET position = 0 WHERE stream IN ('order', 'status')`.execute(
    h.database.db,
  );
  orders = sorted([...orders, ...(await insertOrders(other, random(4000, 20)))]);
  await check();
  await foldSums(h);
  const recently = Date.now() * 1000;
  const young = Array.from({ length: 200 }, (_, index) => recently - index * 1_000_000);
  orders = sorted([...orders, ...(await insertOrders(reseller, young))]);
  await changeStatuses(orders, 500);
  await check();
  ok((await countBuckets(reseller.accountId)) >= 5, 'there were several buckets to add up');
});

async function countBuckets(accountId: string): Promise<number> {
  const { rows } = await sql<{ buckets: number }>`
    SELECT count(DISTINCT bucket) AS buckets FROM bucket_sum
    WHERE kind = 'account-order' AND key = ${accountId}`.execute(h.database.db);
  return rows[0]?.buckets ?? 0;
}

const severalSessions = { skip: testEngine === 'embedded' };

test('the total and the page are of one snapshot while orders are inserted', severalSessions, async () => {
  const reseller = await h.seed.reseller();
  let isDone = false;
  const importing = importOrders(
    h,
    reseller.accountId,
    Array.from({ length: 90 }, () => ({})),
  ).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const { data, meta } = (await reseller.get('/orders')).body;
    equal(data.length, meta.totalResults);
  }
  await importing;
});

test(
  'nothing is counted before the transactions that ran at the mark have ended',
  severalSessions,
  async () => {
    const { db } = h.database;
    const client = await h.database.connect();
    try {
      await client.query('BEGIN; SELECT pg_current_xact_id()');
      const mark = await takeMark(db);
      equal(await isSettled(db, mark), false);
      await client.query('COMMIT');
      // Transactions of the server's other databases count too, and end soon.
      while (!(await isSettled(db, mark)));
    } finally {
      client.release();
    }
  },
);

test('orders that are inserted and changed while others are folded count once', severalSessions, async () => {
  const reseller = await h.seed.reseller();
  const orders = await insertOrders(
    reseller,
    Array.from({ length: 3000 }, (_, index) => START_MICROS + index),
  );
  const changing = Array.from({ length: 30 }, (_, part) =>
    changeStatuses(orders.slice(part * 100, part * 100 + 100), 20),
  );
  const inserting = Array.from({ length: 10 }, (_, part) =>
    insertOrders(
      reseller,
      Array.from({ length: 50 }, (_, index) => START_MICROS + index * 60 + part),
    ),
  );
  await Promise.all([h.service.foldSums(), ...changing, ...inserting]);
  await foldSums(h);
  const { body } = await reseller.get('/orders?itemsPerPage=10');
  equal(body.meta.totalResults, 3500);
});
