/** A274, A411. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto, manual, startHarness } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { readList } from '../../support/lists.ts';
import { advanceDays } from '../../support/past.ts';
import { foldSums } from '../../support/sums.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);
const get = (path: string) => h.admin('GET', path);
const toIds = async (path: string, limit?: number) => (await readList(h, path, limit)).map(({ id }) => id);

async function place(
  reseller: Awaited<ReturnType<typeof h.seed.reseller>>,
  item: unknown,
  traceId?: string,
): Promise<string> {
  const { status, body } = await reseller.order(item, randomUUID(), {
    ...(traceId === undefined ? {} : { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }),
  });
  equal(status, 201, JSON.stringify(body));
  return body.data.id;
}

test('orders are found by account, product, offer, seller, order and trace', async () => {
  const acme = await h.seed.reseller({ balance: '500.00', account: { name: 'Ácme Digital' } });
  const other = await h.seed.reseller({ balance: '500.00', account: { name: 'Borealis' } });
  const one = await h.seed.listing({ stock: 3, images: 1 });
  const two = await h.seed.listing({ stock: 5, sellerId: one.sellerId });
  const three = await h.seed.offer({ productId: two.productId, stock: 5, price: '20.00' });
  const ofBoth = randomBytes(16).toString('hex');
  const orders = [
    await place(acme, auto(one.productId, { quantity: 3 }), ofBoth),
    await place(other, auto(two.productId), ofBoth),
    await place(acme, manual(three.id)),
    // Only an image is left, so the order is refunded and has no unit.
    (await acme.order(auto(one.productId))).body.data.id,
  ] as const;
  const [ofOne, ofTwo, ofThree, ofImage] = orders;
  const trace = (await acme.get(`/orders/${ofOne}/keys`)).headers.get('x-trace-id');
  for (const [query, expected] of [
    [`productId=${one.productId}`, [ofImage, ofOne]],
    [`productId=${two.productId}`, [ofThree, ofTwo]],
    [`query=${two.productId}`, [ofThree, ofTwo]],
    [`offerId=${three.id.toUpperCase()}`, [ofThree]],
    [`query=${three.id}`, [ofThree]],
    [`sellerId=${one.sellerId}`, [ofImage, ofTwo, ofOne]],
    [`query=${one.sellerId.toUpperCase()}&sort=ASC`, [ofOne, ofTwo, ofImage]],
    [`sellerId=${one.sellerId}&accountId=${acme.accountId}`, [ofImage, ofOne]],
    [`productId=${two.productId}&query=acme`, [ofThree]],
    [`productId=${one.productId}&status=closed`, [ofImage]],
    [`productId=${one.productId}&status=complete`, [ofOne]],
    [`query=${ofTwo}`, [ofTwo]],
    [`query=${ofTwo}01`, [ofTwo]],
    [`query=${ofTwo.slice(0, 15)}0`, [ofTwo]],
    [`query=${ofTwo.slice(0, 15)}000`, [ofTwo]],
    [`traceId=${trace}`, [ofOne]],
    [`query=${trace}`, [ofOne]],
    [`traceId=${ofBoth}`, [ofTwo, ofOne]],
    [`query=${ofBoth.toUpperCase()}&accountId=${acme.accountId}`, [ofOne]],
    [`traceId=${ofBoth}&productId=${two.productId}&sort=ASC`, [ofTwo]],
    ['query=digital+acm', [ofImage, ofThree, ofOne]],
    [`query=${acme.accountId}`, [ofImage, ofThree, ofOne]],
    ['query=borealis&status=held', []],
    [`query=${randomUUID()}`, []],
    ['query=2174556001234567', []],
    ['query=nobody', []],
  ] as const)
    deepEqual(await toIds(`/orders?${query}`, 1), expected, query);
  const { data, meta } = (await get(`/orders?query=acme&productId=${one.productId}`)).body;
  deepEqual(meta, { nextCursor: null, hasMore: false });
  deepEqual(data[0].accountName, 'Ácme Digital');
  deepEqual(
    data.map(({ id }: { id: string }) => id),
    (await get(`/orders?accountId=${acme.accountId}&itemsPerPage=10`)).body.data
      .map(({ id }: { id: string }) => id)
      .filter((id: string) => id !== ofThree),
  );
});

test('orders are found by names, references, and ids as lists show them or people read them out', async () => {
  const buyer = await h.seed.reseller({ balance: '500.00', account: { name: 'Quercus' } });
  const sellerId = await h.seed.seller('Löwenzahn Keys');
  const racer = await h.seed.listing({ stock: 5, sellerId, product: { name: 'Zephyr Racer' } });
  const chess = await h.seed.listing({ stock: 5, product: { name: 'Quartz Chess 7' } });
  const [ofRacer, ofChess] = [
    await place(buyer, auto(racer.productId), randomBytes(16).toString('hex')),
    (
      await h.call('POST', '/export/v1/orders', {
        token: buyer.token,
        body: { items: [auto(chess.productId)], reference: 'Shop-2026/77' },
        headers: { 'idempotency-key': randomUUID() },
      })
    ).body.data.id,
  ];
  const toTrace = async (id: string) => (await h.operate('GET', `/orders/${id}`)).traceId as string;
  const read = (await buyer.get(`/orders/${ofRacer}/keys`)).headers.get('x-trace-id') ?? '';
  const imported = await importOrders(h, buyer.accountId, [{ createdAt: '2020-01-02T00:00:00Z' }]);
  for (const [query, expected] of [
    ['zephyr', [ofRacer]],
    ['racer zeph', [ofRacer]],
    ['lowenzahn', [ofRacer]],
    ['quartz 7', [ofChess]],
    ['quercus', [ofChess, ofRacer, ...imported]],
    ['quercus zephyr', []],
    [`${ofRacer.match(/.{4}/g)?.join(' ')}`, [ofRacer]],
    [` ${ofChess.slice(0, 4)} ${ofChess.slice(4)} `, [ofChess]],
    [ofRacer.slice(0, 15), [ofRacer]],
    [ofRacer.slice(-7), [ofRacer]],
    [ofRacer.slice(-9).replace(/(?=.{4}$)/, ' '), [ofRacer]],
    [ofRacer.slice(-3), []],
    ['Shop-2026/77', [ofChess]],
    ['2026 77', [ofChess]],
    ['shop', [ofChess]],
    ['quartz shop', []],
    [imported[0]?.slice(0, -1) ?? '', imported],
    [racer.offerId.slice(0, 8), [ofRacer]],
    [sellerId.slice(0, 8).toUpperCase(), [ofRacer]],
    [buyer.accountId.slice(0, 13), [ofChess, ofRacer, ...imported]],
    [(await toTrace(ofChess)).slice(0, 8), [ofChess]],
    [read.slice(0, 8), [ofRacer]],
    [(await toTrace(ofRacer)).slice(0, 20), [ofRacer]],
  ] as const)
    deepEqual(await toIds(`/orders?query=${encodeURIComponent(query)}`, 1), expected, query);
  const start = await toIds(`/orders?query=${ofChess.slice(0, 5)}&accountId=${buyer.accountId}`);
  deepEqual(start, [ofChess, ofRacer]);
});

test('imported orders are found by the products and sellers that they name', async () => {
  const { accountId } = await h.seed.reseller();
  const [first, second] = await importOrders(h, accountId, [
    {},
    { itemSellers: ['a', 'b'], createdAt: '2026-01-02T00:00:00Z' },
  ]);
  const { rows } = await sql<{ id: string }>`
    SELECT seller_id AS id FROM imported_item WHERE order_id = ${second}::bigint AND seller_name = 'b'`.execute(
    h.database.db,
  );
  deepEqual(await toIds(`/orders?sellerId=${rows[0]?.id}`), [second]);
  deepEqual(await toIds(`/orders?productId=10000000000001&accountId=${accountId}`), [second, first]);
});

test('the queue leaves out imported orders, because no one can release them', async () => {
  const reseller = await h.seed.reseller({ balance: '50.00', account: { holdOrders: true } });
  const { productId } = await h.seed.listing();
  const own = await place(reseller, auto(productId));
  const [elsewhere] = await importOrders(h, reseller.accountId, [{ status: 'held' }]);
  const queue = `/orders?status=held&accountId=${reseller.accountId}`;
  deepEqual(await toIds(queue), [own, elsewhere]);
  deepEqual(await toIds(`${queue}&imported=false`), [own]);
  deepEqual(await toIds(`${queue}&imported=true`), [elsewhere]);
  equal((await h.operate('GET', `/orders/${elsewhere}`)).imported, true);
});

test('the queue of held orders is oldest first and has the reasons and facts about the account', async () => {
  const reseller = await h.seed.reseller({ balance: '500.00', account: { name: 'Queue' } });
  const { productId } = await h.seed.listing({ stock: 20 });
  const whole = await place(reseller, auto(productId));
  await h.operate('POST', `/orders/${whole}/refund`, { reason: 'Bad key' });
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { holdOrders: true });
  const held = [await place(reseller, auto(productId)), await place(reseller, auto(productId))];
  const queue = await readList(h, `/orders?status=held&sort=ASC&accountId=${reseller.accountId}`, 1);
  deepEqual(
    queue.map(({ id }) => id),
    held,
  );
  const { createdAt } = await h.operate('GET', `/accounts/${reseller.accountId}`);
  for (const { holdReason } of queue) equal(holdReason, 'the account is under review');
  const histories = async () =>
    (await readList(h, `/orders?status=held&accountId=${reseller.accountId}`)).map(
      (order) => order.accountHistory,
    );
  const expected = { createdAt, orders: 3, refunded: 1 };
  deepEqual(await histories(), [expected, expected]);
  await advanceDays(h, reseller.accountId, 1);
  await foldSums(h);
  held.push(await place(reseller, auto(productId)));
  const counted = { ...expected, orders: 4 };
  deepEqual(await histories(), [counted, counted, counted]);
});

test('an order that an operator holds shows the operator’s reason', async () => {
  const payer = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' },
  });
  const { productId } = await h.seed.listing({ stock: 1 });
  await payer.order(auto(productId));
  const [{ id, holdReason }] = await readList(h, `/orders?accountId=${payer.accountId}`);
  equal(holdReason, null);
  await h.operate('POST', `/orders/${id}/hold`, { reason: 'A stolen card?' });
  equal((await h.operate('GET', `/orders/${id}`)).holdReason, 'A stolen card?');
  await h.operate('POST', `/orders/${id}/release`, { reason: 'Called the customer' });
  equal((await h.operate('GET', `/orders/${id}`)).holdReason, null);
});

test('orders placed while the list is read neither move nor repeat its elements', async () => {
  const reseller = await h.seed.reseller({ balance: '500.00', account: { name: 'Moving' } });
  const { productId } = await h.seed.listing({ stock: 40 });
  const before: string[] = [];
  for (let count = 0; count < 6; count += 1) before.push(await place(reseller, auto(productId)));
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; page < 3; page += 1) {
    const { data, meta } = (await get(`/orders?query=moving&limit=2${cursor}`)).body;
    seen.push(...data.map(({ id }: { id: string }) => id));
    equal(meta.hasMore, page < 2);
    cursor = `&cursor=${meta.nextCursor}`;
    await place(reseller, auto(productId));
  }
  deepEqual(seen, before.toReversed());
});

test('rejects contradictory and invalid parameters and names one of them', async () => {
  const [one, other] = [await h.seed.listing({ stock: 1 }), await h.seed.listing({ stock: 1 })];
  for (const [query, field] of [
    [`query=${one.offerId}&offerId=${other.offerId}`, 'query'],
    ['page=2&query=x', 'page'],
    ['itemsPerPage=10&limit=10', 'itemsPerPage'],
    ['query=999999999999999901', 'query'],
  ] as const) {
    const { status, body } = await get(`/orders?${query}`);
    deepEqual([status, body.error?.errors[0].field], [400, `query.${field}`], query);
  }
});

test('audit entries are listed by cursor and filtered by account and trace, with or without reads of keys', async () => {
  const reseller = await h.seed.reseller({ balance: '500.00' });
  const { productId } = await h.seed.listing({ stock: 5 });
  const orderId = await place(reseller, auto(productId));
  const traces = [];
  for (let count = 0; count < 3; count += 1)
    traces.push((await reseller.get(`/orders/${orderId}/keys`)).headers.get('x-trace-id'));
  await h.operate('POST', `/orders/${orderId}/refund`, { reason: 'Bad key' });
  const toActions = async (query: string) =>
    (await readList(h, `/audit?${query}`)).map(({ action }) => action);
  const own = `accountId=${reseller.accountId}`;
  const reads = ['keys.read', 'keys.read', 'keys.read'];
  deepEqual(await toActions(own), [
    'order.refund',
    ...reads,
    'client.create',
    'deposit.create',
    'account.create',
  ]);
  deepEqual(await toActions(`${own}&actionsOnly=true&sort=ASC`), [
    'account.create',
    'deposit.create',
    'client.create',
    'order.refund',
  ]);
  deepEqual(await toActions(`traceId=${traces[1]}`), ['keys.read']);
  deepEqual(await toActions(`orderId=${orderId}&action=keys.read`), reads);
  deepEqual(await toActions(`orderId=${orderId}&action=order.refund`), ['order.refund']);
  const all = await readList(h, '/audit', 50);
  const [newest] = all;
  ok(
    (await readList(h, `/audit?dateFrom=${newest.at}&dateTo=${newest.at}`)).some(
      ({ id }) => id === newest.id,
    ),
  );
  deepEqual(await readList(h, '/audit?sort=ASC', 50), all.toReversed());
  equal((await get('/audit?page=1&traceId=00000000000000000000000000000000')).status, 400);
});

test('orders are sorted by their totals in each currency, whatever their decimals', async () => {
  const { accountId } = await h.seed.reseller();
  const [cents, euros, dear, equal1, equal2] = await importOrders(h, accountId, [
    { unitPriceMinor: 99_9999, decimals: 4, currency: 'USD' },
    { unitPriceMinor: 10_00 },
    { unitPriceMinor: 1_000_000_00, currency: 'PLN' },
    { unitPriceMinor: 50_00 },
    { unitPriceMinor: 50_0000_0000_0000, decimals: 12 },
  ]);
  const middle = [equal1, equal2].toSorted((one, other) => Number(one) - Number(other));
  const rising = [euros, ...middle, dear, cents];
  for (const limit of [1, 100]) {
    deepEqual(await toIds(`/orders?accountId=${accountId}&sort=total`, limit), rising);
    deepEqual(await toIds(`/orders?accountId=${accountId}&sort=-total`, limit), rising.toReversed());
  }
  const some = await toIds(`/orders?accountId=${accountId}&sort=total&currency=EUR&totalTo=50`);
  deepEqual(some, rising.slice(0, 3));
});

test('400: too many orders match to sort them by total', async () => {
  const { accountId } = await h.seed.reseller();
  await sql`INSERT INTO "order" (id, account_id, status, created_at, currency, decimals, discount_minor, total_price_minor, origin)
    SELECT 9000000000000000 + n, ${accountId}::uuid, 'canceled', '2019-01-01'::timestamptz + n * interval '1 second', 'EUR', 2, 0, n, 'imported'
    FROM generate_series(1, 10001) AS n`.execute(h.database.db);
  await sql`WITH log AS (
      INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
      SELECT id, NULL, status, created_at, 'import', 'imported' FROM "order" WHERE account_id = ${accountId}::uuid)
    INSERT INTO imported_item (id, order_id, offer_id, product_id, product_name, seller_id, seller_name,
        unit_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
      SELECT id * 100 + 1, id, gen_random_uuid(), 10000000000001, 'From elsewhere', gen_random_uuid(), 'seller', total_price_minor, 1, 0, 0, 0
      FROM "order" WHERE account_id = ${accountId}::uuid`.execute(h.database.db);
  for (const query of ['', `accountId=${accountId}&`, 'status=canceled&', 'query=nobody&currency=EUR&']) {
    const { status, body } = await get(`/orders?${query}sort=-total&limit=1`);
    if (query.startsWith('query')) equal(status, 200);
    else deepEqual([status, body.error.errors[0].field], [400, 'query.sort'], query);
  }
  const days = `accountId=${accountId}&dateFrom=2019-01-01T02:46:39Z&dateTo=2019-01-02T00:00:00Z`;
  const { data, meta } = (await get(`/orders?${days}&sort=-total&limit=1&count=true`)).body;
  deepEqual([data[0].totalPrice, meta.matches.count], ['100.01', 3]);
});
