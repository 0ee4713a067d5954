import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Catalogue, type CataloguePage, type CatalogueQuery } from '@keyport/catalogue/catalogue';
import fc from 'fast-check';
import { pino } from 'pino';
import { test } from 'vitest';
import { onEnd, testDatabase } from '../../test/support/database.ts';
import { wholeFile } from '../../test/support/vitest.ts';
import { sql } from '../db/sql.ts';
import { toTimestamp } from '../db/timestamps.ts';
import { runPipelinedTransaction, runTransaction } from '../db/transaction.ts';
import { untraced } from '../in-span.ts';
import { foldStamps, logChanges, type OrdersOnlyChange, sendPlacedOrders } from './catalogue-clock.sql.ts';
import { compareCatalogue } from './compare-catalogue.ts';
import { CatalogueFeed } from './feed.ts';
import { loadCatalogue } from './load-catalogue.ts';

const database = await testDatabase(wholeFile);
const db = database.db;
const SELLER = randomUUID();
await sql`INSERT INTO seller (id, name) VALUES (${SELLER}, 'Seller')`.execute(db);

const EVERYTHING: CatalogueQuery = {
  productIds: undefined,
  orderableOnly: false,
  updatedFromMicros: undefined,
  updatedToMicros: undefined,
  maxPriceMinor: undefined,
  totalQuantityMin: undefined,
  offset: 0,
  limit: 100,
};

let lastProductId = 20_000_000_000_000;

function freshProductIds(count: number): number[] {
  lastProductId += count;
  return Array.from({ length: count }, (_, index) => lastProductId - ((index * 7) % count)).filter(isFirst);
}

const isFirst = <T>(value: T, index: number, all: readonly T[]) => all.indexOf(value) === index;

async function openNode(isReachable: () => Promise<void> = async () => {}) {
  const catalogue = new Catalogue();
  const connect = () => isReachable().then(() => database.connect());
  const feed = new CatalogueFeed({
    inSpan: untraced.inSpan,
    database: { ...database, connect },
    catalogue,
    log: pino({ level: 'silent' }),
  });
  catalogue.takeOver(await loadCatalogue(database));
  return { catalogue, feed };
}

type OfferChange = {
  readonly productId: number;
  readonly offerId: string;
  readonly priceMinor: number;
  readonly units: number;
  readonly isActive: boolean;
};

async function change(changes: readonly OfferChange[], name = 'Product'): Promise<void> {
  // The last change to an offer wins.
  const offers = [...new Map(changes.map((each) => [each.offerId, each])).values()];
  const productIds = changes.map(({ productId }) => productId).filter(isFirst);
  await runTransaction(database, {}, async (tx) => {
    await sql`
      INSERT INTO product (id, name, checkout_class, details)
      SELECT id, ${name} || ' ' || id, 'standard', '{}' FROM unnest(${productIds}::bigint[]) AS input (id)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name`.execute(tx);
    const input = sql`unnest(
        ${offers.map(({ offerId }) => offerId)}::uuid[], ${offers.map(({ productId }) => productId)}::bigint[],
        ${offers.map(({ priceMinor }) => priceMinor)}::bigint[], ${offers.map(({ units }) => units)}::integer[],
        ${offers.map(({ isActive }) => (isActive ? 'active' : 'paused'))}::text[]
      ) AS input (id, product_id, price, units, status)`;
    await sql`
      INSERT INTO offer (id, product_id, seller_id, price_minor, status)
      SELECT id, product_id, ${SELLER}, price, status FROM ${input}
      ON CONFLICT (id) DO NOTHING`.execute(tx);
    await sql`
      UPDATE offer SET price_minor = price, status = input.status, end_unit = input.units + 1
      FROM ${input} WHERE offer.id = input.id`.execute(tx);
    await logChanges(tx, { productIds });
  });
}

/** Queries with plain SQL; `order` is the insertion order. */
async function ask(query: CatalogueQuery, order: readonly number[]) {
  const { rows } = await sql<{ total: number; product: unknown }>`
    SELECT count(*) OVER () AS total, json_build_object(
        'id', product.id::text, 'name', product.name,
        'totalQuantity', least(sum(on_sale), 1000000),
        'updatedAt', to_char(stamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'currency', 'EUR',
        'minPrice', to_char(min(price_minor) / 100.0, 'FM9999990.00'),
        'offers', json_agg(json_build_object('id', remaining.id, 'price', to_char(price_minor / 100.0, 'FM9999990.00'),
          'quantity', on_sale) ORDER BY place) FILTER (WHERE place <= 3)) AS product
    FROM (
      SELECT offer.*, available_text + available_image AS on_sale, row_number() OVER (
          PARTITION BY product_id ORDER BY price_minor, available_text + available_image DESC, offer.id) AS place
      FROM offer WHERE status = 'active' AND available_text + available_image > 0
        AND price_minor <= ${query.maxPriceMinor ?? 99_999_999}
    ) AS remaining
    JOIN product ON product.id = product_id JOIN stamped_product ON stamped_product.product_id = product.id
    WHERE stamp >= ${toTimestamp(query.updatedFromMicros ?? 0)}
      AND stamp <= ${toTimestamp(query.updatedToMicros ?? 4_000_000_000_000_000)}
      AND (${query.productIds ?? null}::bigint[] IS NULL OR product.id = ANY (${query.productIds ?? null}::bigint[]))
    GROUP BY product.id, stamp
    HAVING sum(on_sale) >= ${query.totalQuantityMin ?? 1}
    ORDER BY array_position(${order}::bigint[], product.id)
    `.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    products: rows.slice(query.offset, query.offset + query.limit).map(({ product }) => product),
  };
}

function toBytes({ parts }: CataloguePage): string {
  return `[${Buffer.concat(parts)}]`;
}

async function toStamps(productIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ stamp: number }>`
    SELECT (extract(epoch FROM stamp) * 1000000)::bigint AS stamp FROM stamped_product
    WHERE product_id = ANY (${productIds}::bigint[]) ORDER BY stamp`.execute(db);
  return rows.map(({ stamp }) => stamp);
}

const transactions = fc.array(
  fc.record({
    changes: fc.array(
      fc.record({
        product: fc.integer({ min: 0, max: 7 }),
        offer: fc.integer({ min: 0, max: 4 }),
        euros: fc.integer({ min: 1, max: 6 }),
        units: fc.constantFrom(0, 0, 1, 2, 3, 700_000),
        isActive: fc.constantFrom(true, true, true, false),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    isPulled: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

/** A bound is the n-th of all stamps, plus or minus a microsecond. */
const bound = fc.option(
  fc.record({ part: fc.double({ min: 0, max: 1, noNaN: true }), more: fc.constantFrom(-1, 0, 0, 1) }),
);

const questions = fc.array(
  fc.record({
    products: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 4 }), {
      freq: 2,
    }),
    from: bound,
    to: bound,
    maxEuros: fc.option(fc.integer({ min: 1, max: 6 })),
    totalQuantityMin: fc.option(fc.constantFrom(1, 2, 4, 700_001, 1_000_000)),
    offset: fc.integer({ min: 0, max: 6 }),
    limit: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 4, maxLength: 12 },
);

test('pages, totals and tags match plain SQL after random changes, on a running node and on a new one', async () => {
  const run = async (
    steps: typeof transactions extends fc.Arbitrary<infer Steps> ? Steps : never,
    asked: typeof questions extends fc.Arbitrary<infer Asked> ? Asked : never,
  ) => {
    // Products without a stamp are not in the catalogue.
    await runTransaction(database, {}, (tx) => foldStamps(tx, 1000));
    await sql`DELETE FROM product_stamp`.execute(db);
    const ids = freshProductIds(9);
    const offerIds = ids.map(() => Array.from({ length: 5 }, () => randomUUID()));
    const order: number[] = [];
    const node = await openNode();
    await node.feed.start();
    try {
      for (const { changes, isPulled } of steps) {
        await change(
          changes.map(({ product, offer, euros, units, isActive }) => ({
            productId: ids[product] ?? 0,
            offerId: offerIds[product]?.[offer] ?? '',
            priceMinor: euros * 100,
            units,
            isActive,
          })),
          isPulled ? 'Jeu "très" long' : 'Product',
        );
        order.push(...changes.map(({ product }) => ids[product] ?? 0));
        if (isPulled) await node.feed.pull();
      }
      await node.feed.pull();
      const started = await openNode();
      await started.feed.start();
      await started.feed.close();
      const stamps = await toStamps(ids);
      const boundAt = (at: { part: number; more: number } | null) =>
        at === null ? undefined : (stamps[Math.floor(at.part * (stamps.length - 1))] ?? 0) + at.more;
      for (const { products, from, to, maxEuros, ...rest } of asked) {
        const query: CatalogueQuery = {
          productIds: products?.map((number) => String(ids[number])),
          orderableOnly: false,
          updatedFromMicros: boundAt(from),
          updatedToMicros: boundAt(to),
          maxPriceMinor: maxEuros === null ? undefined : maxEuros * 100,
          totalQuantityMin: rest.totalQuantityMin ?? undefined,
          offset: rest.offset,
          limit: rest.limit,
        };
        const page = node.catalogue.page(query);
        const expected = await ask(query, order.filter(isFirst));
        deepEqual([page.totalResults, JSON.parse(toBytes(page))], [expected.total, expected.products]);
        const other = started.catalogue.page(query);
        deepEqual([other.tag, toBytes(other)], [page.tag, toBytes(page)]);
      }
    } finally {
      await node.feed.close();
    }
  };
  await fc.assert(fc.asyncProperty(transactions, questions, run), { numRuns: 40 });
});

/**
 * Batches of products with one offer each: all products of a batch have the quantity of its last transaction.
 */
function openBatches(sizes: readonly number[]) {
  const batches = sizes.map((size) =>
    freshProductIds(size).map((productId) => ({
      productId,
      offerId: randomUUID(),
      priceMinor: 100,
      isActive: true,
    })),
  );
  const put = (batch: number, units: number) =>
    change((batches[batch] ?? []).map((each) => ({ ...each, units })));
  return { batches, put };
}

test('a lagging node shows whole transactions only, and new products in insertion order', async () => {
  const reach = { promise: Promise.resolve() };
  const node = await openNode(() => reach.promise);
  onEnd(wholeFile, () => node.feed.close());
  await node.feed.start();
  const { promise, resolve: reconnect } = Promise.withResolvers<void>();
  reach.promise = promise;
  const sizes = [1500, 1, 5000, 300, 1, 900, 700, 1200, 2, 2500];
  const { batches, put } = openBatches(sizes);
  const known = node.catalogue.productCount;
  for (const batch of batches.keys()) await put(batch, 1);
  // The oldest products change last, so their stamps are the newest.
  for (const batch of [4, 1, 0]) await put(batch, 2);
  let appliedCount = 0;
  const toShown = (page: CataloguePage): { id: string; totalQuantity: number }[] => JSON.parse(toBytes(page));
  const computeUnits = (productIds: readonly number[]) =>
    toShown(node.catalogue.page({ ...EVERYTHING, productIds: productIds.map(String), limit: 5000 })).map(
      ({ totalQuantity }) => totalQuantity,
    );
  node.catalogue.onApplied(() => {
    appliedCount += 1;
    for (const batch of batches) {
      const units = computeUnits(batch.map(({ productId }) => productId));
      ok(units.length === 0 || units.length === batch.length, 'all of a batch or none');
      ok(new Set(units).size <= 1, 'all as the same transaction left them');
    }
  });
  reconnect();
  await node.feed.pull();
  ok(appliedCount > 1, 'other work runs between transactions');
  const expected = batches.flat().map(({ productId }) => String(productId));
  const page = node.catalogue.page({ ...EVERYTHING, limit: 100_000 });
  deepEqual(
    toShown(page)
      .map(({ id }) => id)
      .slice(-expected.length),
    expected,
  );
  equal(node.catalogue.productCount, known + expected.length);
});

test('a node that fell too far behind reloads everything once, even if many changes are written during the load', async () => {
  const BACKLOG_SIZE_MAX = 3000;
  let onConnect: () => Promise<void> = async () => {};
  const catalogue = new Catalogue();
  const logged: string[] = [];
  const feed = new CatalogueFeed({
    inSpan: untraced.inSpan,
    database: { ...database, connect: () => onConnect().then(() => database.connect()) },
    catalogue,
    log: pino({}, { write: (line) => logged.push(JSON.parse(line).msg) }),
    backlogSizeMax: BACKLOG_SIZE_MAX,
  });
  onEnd(wholeFile, () => feed.close());
  const { batches, put } = openBatches(new Array(15).fill(2500));
  const unitsShown = () =>
    batches.map((batch) => {
      const productIds = batch.map(({ productId }) => String(productId));
      const page = catalogue.page({ ...EVERYTHING, productIds, limit: 5000 });
      const shown: { totalQuantity: number }[] = page.totalResults === 0 ? [] : JSON.parse(toBytes(page));
      const units = shown.map(({ totalQuantity }) => totalQuantity).filter(isFirst);
      ok(units.length <= 1, 'all as the same transaction left them');
      ok(shown.length === 0 || shown.length === batch.length, 'all of a batch or none');
      return units[0] ?? 0;
    });
  await put(0, 1);
  await feed.start();
  const shownBefore = unitsShown();
  deepEqual(shownBefore, [1, ...Array.from({ length: 14 }, () => 0)]);

  const { promise: isReachable, resolve: reconnect } = Promise.withResolvers<void>();
  let connectCount = 0;
  onConnect = async () => {
    await isReachable;
    connectCount += 1;
    if (connectCount > 4) return;
    deepEqual(unitsShown(), shownBefore);
    // The first batch changes last, so it is beyond the end of the read that begins now.
    if (connectCount === 3) for (const batch of [5, 6, 7, 8, 9, 10, 11, 12, 5]) await put(batch, 1);
    // Beyond the end of the previous read: products of transactions that were read in part.
    if (connectCount === 4) for (const batch of [13, 11, 14, 0]) await put(batch, 3);
  };
  for (const batch of [1, 2, 3, 4]) await put(batch, 1);
  await put(0, 2);
  let appliedCount = 0;
  catalogue.onApplied(() => {
    appliedCount += 1;
    unitsShown();
  });
  reconnect();
  await feed.pull();
  equal(logged.filter((message) => message.includes('reloading')).length, 1);
  equal(appliedCount, 1, 'shown only when complete');
  deepEqual(unitsShown(), [3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 3, 3]);
  await runTransaction(database, {}, (tx) => foldStamps(tx, 1000));
  const found = await compareCatalogue({
    database,
    catalogue,
    pull: () => feed.pull(),
    rest: async () => {},
  });
  deepEqual([found.examples, found.broken], [[], 0]);
  ok(found.checked >= batches.flat().length);
});

/** Sells one unit of each offer in one transaction, as a batch of orders does. */
async function sell(
  offers: readonly { readonly productId: number; readonly offerId: string }[],
): Promise<OrdersOnlyChange> {
  const ids = offers.map(({ offerId }) => offerId);
  const sale = await runPipelinedTransaction(
    database,
    {},
    {
      async load(session) {
        const { rows } = await session.query<{ id: string; productId: string; quantity: number }>(
          `UPDATE offer SET next_unit = next_unit + 1 WHERE id = ANY ($1::uuid[])
            RETURNING id, product_id::text AS "productId", available_text AS quantity`,
          [ids],
        );
        return rows;
      },
      save(session, sold) {
        const sale = sendPlacedOrders(session, { offers: sold, completeOrders: [], events: [] });
        return { value: { sale }, sent: [sale] };
      },
    },
  );
  return sale.sale;
}

async function openSellingNode(units: readonly number[]) {
  const reach = { isBroken: false };
  const node = await openNode(async () => {
    if (reach.isBroken) throw new Error('unreachable');
  });
  await node.feed.start();
  const offers = freshProductIds(units.length).map((productId, index) => {
    return { productId, offerId: randomUUID(), priceMinor: 100, units: units[index] ?? 0, isActive: true };
  });
  await change(offers);
  await node.feed.pull();
  const until = async (stampMicros: number) => {
    while (node.catalogue.throughMicros < stampMicros) {
      await new Promise<void>((resolve) => {
        const stop = node.catalogue.onApplied(() => {
          stop();
          setImmediate(resolve);
        });
      });
    }
  };
  const quantities = () => {
    const productIds = offers.map(({ productId }) => String(productId));
    const page = node.catalogue.page({ ...EVERYTHING, productIds });
    const shown: { id: string; totalQuantity: number }[] =
      page.totalResults === 0 ? [] : JSON.parse(toBytes(page));
    return productIds.map((id) => shown.find((product) => product.id === id)?.totalQuantity ?? 0);
  };
  return { ...node, reach, offers, until, quantities };
}

test('a node shows its own sales without querying the database', async () => {
  const { feed, reach, offers, until, quantities } = await openSellingNode([3, 2, 1]);
  onEnd(wholeFile, () => feed.close());
  const first = await sell(offers);
  const second = await sell(offers.slice(0, 1));
  reach.isBroken = true;
  feed.announce(first);
  feed.announce(second);
  await until(second.stampMicros);
  deepEqual(quantities(), [1, 1, 0]);
});

test('a node’s own sales do not hide earlier changes by other nodes', async () => {
  const { feed, reach, offers, until, quantities } = await openSellingNode([3, 2, 1]);
  onEnd(wholeFile, () => feed.close());
  reach.isBroken = true;
  await sell(offers.slice(1));
  const own = await sell(offers.slice(0, 1));
  feed.announce(own);
  reach.isBroken = false;
  await until(own.stampMicros);
  deepEqual(quantities(), [2, 1, 0]);
});

const step = fc.record({
  by: fc.constantFrom('this node', 'this node', 'this node', 'another node', 'an operator'),
  products: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 }),
  isAwaited: fc.boolean(),
});

test('memory and database agree after sales by this node, sales by others and other changes, in any order', async () => {
  const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
    const left = [9, 9, 9, 9, 2, 1];
    const { catalogue, feed, offers, until } = await openSellingNode(left);
    const sellSome = (places: readonly number[]) => {
      const onSale = places.filter((place) => (left[place] ?? 0) > 0);
      for (const place of onSale) left[place] = (left[place] ?? 0) - 1;
      return onSale.length === 0 ? undefined : sell(onSale.flatMap((place) => offers[place] ?? []));
    };
    try {
      for (const { by, products, isAwaited } of steps) {
        if (by === 'an operator') {
          const productIds = products.flatMap((place) => offers[place]?.productId ?? []);
          await runTransaction(database, {}, (tx) => logChanges(tx, { productIds }));
          continue;
        }
        const sale = await sellSome(products);
        if (sale !== undefined && by === 'this node') feed.announce(sale);
        if (sale !== undefined && isAwaited) await until(sale.stampMicros);
      }
      const last = await sellSome([0]);
      feed.announce(last);
      await until(last?.stampMicros ?? 0);
      const productIds = offers.map(({ productId }) => String(productId));
      const page = catalogue.page({ ...EVERYTHING, productIds });
      const order = offers.map(({ productId }) => productId);
      const expected = await ask({ ...EVERYTHING, productIds }, order);
      deepEqual(JSON.parse(toBytes(page)), expected.products);
    } finally {
      await feed.close();
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), run), { numRuns: 15 });
});
