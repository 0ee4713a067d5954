/** A125, A127. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { decodeCursor, encodeCursor } from '@keyport/catalogue/change-cursor';
import { test } from 'vitest';
import { readListedProducts, type ShownProduct } from '../../support/changing-shop.ts';
import { type ChangesBody, type FeedQuery, readChanges } from '../../support/feed-reader.ts';
import { auto, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);
const reseller = await h.seed.reseller({ balance: '1000.00' });

const read = (query: FeedQuery = {}) => readChanges(reseller, query);

async function listing(fields: { price?: string; stock?: number } = {}) {
  const { productId, offerId, sellerId } = await h.seed.listing(fields);
  const put = async (price: string, status: string) => {
    await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status });
    await h.seed.inStep();
  };
  return {
    productId,
    setPrice: (price: string) => put(price, 'active'),
    pause: () => put('10.00', 'paused'),
  };
}

async function cursorOfNow(): Promise<string> {
  await h.seed.inStep();
  for (let cursor: string | undefined; ; ) {
    const { meta } = await read({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    if (!meta.hasMore) return meta.nextCursor;
    cursor = meta.nextCursor;
  }
}

function inOrderOfChange(products: readonly ShownProduct[]): ShownProduct[] {
  return products.toSorted((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1));
}

const reported = ({ data }: ChangesBody) => data.map(({ id, removed }) => (removed === true ? `-${id}` : id));

test('the feed without a cursor has every listed product in the order of updatedAt, and no removals', async () => {
  const first = await listing();
  const gone = await listing();
  await listing();
  await gone.pause();
  await first.setPrice('11.00');
  const { data, meta } = await read({ limit: 1000 });
  deepEqual(data, inOrderOfChange(await readListedProducts(h.database)));
  deepEqual([meta.hasMore, meta.restarted], [false, false]);
  equal(data.at(-1)?.id, first.productId);
});

test('each changed product is returned once, in its current state, and then only the cursor', async () => {
  const [one, other] = [await listing(), await listing()];
  const cursor = await cursorOfNow();
  const nothing = await read({ cursor });
  deepEqual([nothing.data, nothing.meta.hasMore, nothing.meta.restarted], [[], false, false]);
  await one.setPrice('11.00');
  await other.setPrice('12.00');
  await one.setPrice('13.00');
  const changed = await read({ cursor: nothing.meta.nextCursor });
  deepEqual(reported(changed), [other.productId, one.productId]);
  equal(changed.data[1]?.removed === undefined && changed.data[1]?.minPrice, '13.00');
  deepEqual(reported(await read({ cursor: changed.meta.nextCursor })), []);
});

test('a product that sells out, is paused or comes back is reported', async () => {
  const sold = await listing({ stock: 1 });
  const paused = await listing();
  const cursor = await cursorOfNow();
  equal((await reseller.order(auto(sold.productId))).status, 201);
  await paused.pause();
  const gone = await read({ cursor });
  deepEqual(reported(gone), [`-${sold.productId}`, `-${paused.productId}`]);
  const [first] = gone.data;
  deepEqual(first, { id: sold.productId, removed: true, updatedAt: first?.updatedAt });
  await paused.setPrice('10.00');
  deepEqual(reported(await read({ cursor: gone.meta.nextCursor })), [paused.productId]);
  deepEqual(reported(await read({ cursor })), [`-${sold.productId}`, paused.productId], 'both at once');
});

test('a removal reaches every reader that began before it, regardless of how far it has read', async () => {
  const [early, late] = [await listing(), await listing()];
  const beginning = await read({ limit: 1 });
  await late.pause();
  const rest = await read({ cursor: beginning.meta.nextCursor, limit: 1000 });
  equal(reported(rest).at(-1), `-${late.productId}`);
  ok(reported(rest).includes(early.productId));
  ok(
    !reported(await read({ limit: 1000 })).includes(`-${late.productId}`),
    'a new reader never saw the product',
  );
});

test('any limit returns the same changes, and a repeated cursor returns the same page', async () => {
  const made = [];
  for (let count = 0; count < 7; count += 1) made.push(await listing());
  await made[3]?.pause();
  const all = await read({ limit: 1000 });
  for (const limit of [1, 2, 3, 100]) {
    const changes: string[] = [];
    let cursor: string | undefined;
    for (let hasMore = true; hasMore; ) {
      const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
      const response = await read(query);
      deepEqual(
        [(await read(query)).data, response.data.length <= limit],
        [response.data, true],
        'the request is repeated after a lost response',
      );
      changes.push(...reported(response));
      ({ hasMore, nextCursor: cursor } = response.meta);
    }
    deepEqual(changes, reported(all), `limit ${limit}`);
  }
});

test('every earlier cursor starts over after restart-feeds, and the audit log has the reason', async () => {
  const { productId } = await listing();
  const cursor = await cursorOfNow();
  await h.operate('POST', '/catalogue/restart-feeds', { reason: 'Backup of 03:00' });
  const again = await read({ cursor, limit: 1000 });
  equal(again.meta.restarted, true);
  deepEqual(again.data, inOrderOfChange(await readListedProducts(h.database)));
  ok(reported(again).includes(productId));
  equal((await read({ cursor, limit: 1 })).meta.restarted, true, 'repeated after a lost response');
  const next = await read({ cursor: again.meta.nextCursor });
  deepEqual([next.data, next.meta.restarted], [[], false]);
  const { data } = (await h.admin('GET', '/audit?action=catalogue.restart-feeds')).body;
  deepEqual([data.length, data[0].data.reason], [1, 'Backup of 03:00']);
});

test('a cursor from after the point to which a backup was restored starts the feed over', async () => {
  const known = decodeCursor(await cursorOfNow());
  ok(known !== undefined);
  const hour = 3_600_000_000;
  const cursors = [
    { ...known, afterMicros: known.afterMicros + hour },
    { ...known, startedMicros: known.afterMicros + hour },
  ];
  for (const cursor of cursors) {
    const { data, meta } = await read({ cursor: encodeCursor(cursor), limit: 1000 });
    equal(meta.restarted, true);
    deepEqual(data, inOrderOfChange(await readListedProducts(h.database)));
  }
});

test('a response has an ETag, and is compressed on request', async () => {
  await listing();
  const url = `${h.url}/export/v1/product-offers/changes?limit=1000`;
  const authorization = `Bearer ${reseller.token}`;
  const response = await fetch(url, { headers: { authorization, 'accept-encoding': 'gzip' } });
  const etag = response.headers.get('etag') ?? '';
  deepEqual([response.status, response.headers.get('content-encoding')], [200, 'gzip']);
  deepEqual((await response.json()).data, (await read({ limit: 1000 })).data);
  const again = () => fetch(url, { headers: { authorization, 'if-none-match': etag } });
  equal((await again()).status, 304);
  await listing();
  equal((await again()).status, 200);
});
