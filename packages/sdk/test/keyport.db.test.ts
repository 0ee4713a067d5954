import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '@keyport/sdk/package.json' with { type: 'json' };
import { expect, test, vi } from 'vitest';
import { sharedHarness } from '../../server/test/support/vitest.ts';
import { Keyport } from '../src/keyport.ts';
import { KeyportError } from '../src/requests/errors.ts';
import { type Sent, toKeyport, watchedFetch } from './support.ts';

const h = await sharedHarness();

test('lists products over all pages, and pages and filters match the contract', async () => {
  const productIds: string[] = [];
  for (let count = 0; count < 12; count += 1) productIds.push((await h.seed.listing()).productId);
  const keyport = toKeyport(h, await h.seed.reseller());
  const listed: string[] = [];
  for await (const product of keyport.products.list({ productIds, itemsPerPage: 10 }))
    listed.push(product.id);
  deepEqual(listed, productIds);
  const page = await keyport.products.list({ productIds, itemsPerPage: 10 }).page(2);
  deepEqual(
    page.data.map(({ id }) => id),
    productIds.slice(10),
  );
  deepEqual(page.meta, { page: 2, itemsPerPage: 10, totalResults: 12, hasNext: false, hasPrevious: true });
  for await (const { id } of keyport.products.list()) {
    ok(id);
    break;
  }
});

test('an order is found by its reference, and the statement is iterated over its pages', async () => {
  const { productId } = await h.seed.listing({ price: '1.00' });
  const { fetch, sent } = watchedFetch();
  const keyport = toKeyport(h, await h.seed.reseller({ balance: '10.00' }), { fetch });
  const line = { productId, quantity: 1, maxPrice: '1.00' };
  const { id } = await keyport.orders.create({ auto: line, reference: 'A-1001' });
  await keyport.orders.create({ auto: line });
  const found = [];
  for await (const order of keyport.orders.list({ reference: 'A-1001' })) found.push(order.id);
  deepEqual(found, [id]);
  const lines = [];
  for await (const { kind, amount, reference, orderId } of keyport.account.statement({ limit: 2 }))
    lines.push([kind, amount, orderId && reference]);
  deepEqual(lines, [
    ['deposit', '10.00', undefined],
    ['charge', '-1.00', 'A-1001'],
    ['charge', '-1.00', undefined],
  ]);
  equal(sent.filter(({ path }) => path.includes('/account/statement')).length, 2);
  const { meta } = await keyport.account.statement().page();
  deepEqual([meta.opening, meta.closing], ['0.00', '8.00']);
});

test('a reservation is made, renewed, found, ordered or released, and errors name its order', async () => {
  const { productId } = await h.seed.listing({ price: '1.00', stock: 2 });
  const { reservations, orders } = toKeyport(h, await h.seed.reseller({ balance: '10.00' }));
  const auto = { productId, quantity: 1, maxPrice: '1.00' };
  const first = await reservations.create({ auto, ttlSeconds: 60, reference: 'A-1002' });
  const renewed = await reservations.renew(first.id, { ttlSeconds: 900 });
  ok(renewed.expiresAt > first.expiresAt);
  const order = await reservations.order(first.id);
  deepEqual([order.status, order.reference], ['complete', 'A-1002']);
  equal((await orders.keys(order.id)).length, 1);
  const second = await reservations.create({ auto });
  await reservations.release(second.id);
  await rejects(
    async () => reservations.release(first.id),
    (error) =>
      error instanceof KeyportError && error.is('reservation-used') && error.data.orderId === order.id,
  );
  const listed = [];
  for await (const { id, status } of reservations.list({ limit: 1 })) listed.push([id, status]);
  deepEqual(listed, [
    [second.id, 'released'],
    [first.id, 'ordered'],
  ]);
  equal((await reservations.get(first.id)).orderId, order.id);
});

/** Reads a list of 30, and changes it after the first page of 10. Returns the ids that were seen. */
async function readWhile(
  list: AsyncIterable<{ readonly id: string }>,
  change: (seen: string[]) => Promise<void>,
) {
  const seen: string[] = [];
  for await (const { id } of list) if (seen.push(id) === 10) await change([...seen]);
  equal(new Set(seen).size, seen.length);
  return seen;
}

test.each(['ASC', 'DESC'] as const)(
  'no other order is missed (%s) when orders leave and enter',
  async (sort) => {
    const { offerId } = await h.seed.listing({ price: '1.00', stock: 40 });
    const { orders, sandbox } = toKeyport(h, await h.seed.reseller({ balance: '100.00' }));
    const buy = () => orders.create({ manual: { offerId, quantity: 1, maxPrice: '1.00' } });
    const bought: string[] = [];
    for (let count = 0; count < 30; count += 1) bought.push((await buy()).id);
    let gone: string[] = [];
    const list = orders.list({ status: 'complete', sort, itemsPerPage: 10 });
    const seen = await readWhile(list, async (first) => {
      gone = [...first.slice(0, 5), ...first.slice(-1)];
      for (const id of gone) await sandbox.refundOrder(id, { reason: 'trial' });
      for (let count = 0; count < 6; count += 1) await buy();
    });
    const stayed = bought.filter((id) => !gone.includes(id));
    deepEqual(
      stayed.filter((id) => !seen.includes(id)),
      [],
    );
  },
);

test.each([['every product'], ['a filter'], ['ids']])(
  'no other product is missed (%s) when some sell out and return',
  async (kind) => {
    const offers: { productId: string; offerId: string }[] = [];
    for (let count = 0; count < 20; count += 1)
      offers.push(await h.seed.listing({ stock: 1, price: '1.00' }));
    const keyport = toKeyport(h, await h.seed.reseller({ balance: '100.00' }));
    const productIds = offers.map(({ productId }) => productId);
    const own = new Set(productIds);
    const narrow = { 'every product': {}, 'a filter': { maxPrice: '1.00' }, ids: { productIds } }[kind];
    let change = async () => {
      for (const { offerId } of offers.slice(0, 5))
        await keyport.orders.create({ manual: { offerId, quantity: 1, maxPrice: '10.00' } });
      await h.seed.inStep();
      change = async () => {};
    };
    const listed: string[] = [];
    for await (const { id } of keyport.products.list({ ...narrow, itemsPerPage: 10 })) {
      if (own.has(id) && listed.push(id) === 6) await change();
    }
    deepEqual(
      listed.filter((id) => !productIds.slice(0, 5).includes(id)),
      productIds.slice(5),
    );
  },
);

test('reads one product with filters, and the details of any number of products, 20 per request', async () => {
  const productIds: string[] = [];
  for (let count = 0; count < 23; count += 1) productIds.push((await h.seed.listing()).productId);
  const { fetch, sent } = watchedFetch();
  const keyport = toKeyport(h, await h.seed.reseller(), { fetch });
  const [first = ''] = productIds;
  equal((await keyport.products.get(first)).id, first);
  await rejects(keyport.products.get(first, { maxPrice: '0.01' }).then(), {
    code: 'product-not-found',
    status: 400,
  });
  sent.length = 0;
  const wanted = [...productIds.toReversed(), first, '99999999999999'];
  const details = await keyport.products.details(wanted);
  deepEqual(
    details.map(({ id }) => id),
    productIds.toReversed(),
  );
  equal(sent.length, 2);
  deepEqual(await keyport.products.details([]), []);
  equal(sent.length, 2);
});

test('details of many products share one deadline, and a scenario applies to the first request', async () => {
  const productIds = Array.from({ length: 21 }, (_, index) => String(10_000_000_000_001 + index));
  const isDetails = ({ path }: Sent) => path.startsWith('/export/v1/products?');
  const { fetch, sent } = watchedFetch(async (one, send) => {
    // Each request alone meets the deadline.
    if (isDetails(one)) await sleep(300);
    return send();
  });
  const keyport = toKeyport(h, await h.seed.reseller(), { fetch });
  await rejects(keyport.products.details(productIds, { timeoutMs: 500 }).then(), {
    name: 'KeyportTimeoutError',
  });
  sent.length = 0;
  await keyport.products.details(productIds, { scenario: 'delay:1' });
  deepEqual(
    sent.filter(isDetails).map(({ headers }) => headers.get('keyport-scenario')),
    ['delay:1', null],
  );
});

test('an order is placed, read, found in the history, and its keys are fetched', async () => {
  const { offerId, codes } = await h.seed.listing({ price: '9.90', stock: 1 });
  const reseller = await h.seed.reseller({ balance: '20.00' });
  const keyport = toKeyport(h, reseller);
  const idempotencyKey = randomUUID();
  const item = { manual: { offerId, quantity: 1, maxPrice: '10.00' } };
  const { data: order, response } = await keyport.orders.create(item, { idempotencyKey }).withResponse();
  deepEqual([response.status, order.status, order.totalPrice], [201, 'complete', '9.90']);
  const again = await keyport.orders.create(item, { idempotencyKey }).withResponse();
  deepEqual([again.response.status, again.response.headers.get('idempotent-replayed')], [200, 'true']);
  deepEqual(again.data, order);
  deepEqual(await keyport.orders.get(order.id), order);
  const [keys] = await keyport.orders.keys(order.id);
  deepEqual(keys?.keys, [{ code: codes[0] }]);
  const history = [];
  for await (const one of keyport.orders.list({ status: 'complete' })) history.push(one);
  deepEqual(history, [order]);
  equal((await keyport.account.get()).balance, '10.10');
});

test('a rejection has its code, its facts, the fields, a trace id and a page, and is not retried', async () => {
  const { offerId } = await h.seed.listing({ price: '9.90' });
  const { fetch, sent } = watchedFetch();
  const keyport = toKeyport(h, await h.seed.reseller({ balance: '20.00' }), { fetch });
  const idempotencyKey = randomUUID();
  const dear = keyport.orders.create(
    { manual: { offerId, quantity: 1, maxPrice: '5.00' } },
    { idempotencyKey },
  );
  const error = await dear.catch((thrown: unknown) => thrown);
  ok(error instanceof KeyportError && error.is('max-price-exceeded'));
  deepEqual(error.data, { offerPrice: '9.90', maxPrice: '5.00' });
  equal(error.status, 400);
  equal(error.idempotencyKey, idempotencyKey);
  expect(error.traceId).toMatch(/^[0-9a-f]{32}$/);
  equal(error.docUrl, `${h.url}/docs/errors/max-price-exceeded`);
  equal(error.response?.headers.get('x-trace-id'), error.traceId);
  ok(!error.is('validation-error'));
  const wrong = await keyport.orders
    .create({ manual: { offerId, quantity: 99, maxPrice: '5.00' } })
    .catch((thrown: unknown) => thrown);
  ok(wrong instanceof KeyportError);
  deepEqual(
    wrong.errors.map(({ field }) => field),
    ['body.items[0].manual.quantity'],
  );
  equal(sent.filter(({ method, path }) => method === 'POST' && path !== '/oauth/token').length, 2);
});

test('an id that is not a string is rejected before anything is sent', () => {
  const { fetch, sent } = watchedFetch();
  const { orders, products, events, claims, reservations, webhookEndpoints, sandbox } = new Keyport({
    baseUrl: h.url,
    accessToken: () => 'unused',
    fetch,
  });
  const id = 2_174_556_001_234_567 as unknown as string;
  const calls: readonly (readonly [RegExp, () => unknown])[] = [
    [/^orderId must be a string.*number/, () => orders.get(id)],
    [/^orderId must be a string.*empty/, () => orders.keys('')],
    [/^orderId must be a string.*undefined/, () => orders.timeline(undefined as unknown as string)],
    [/^productId/, () => products.get(id)],
    [/^eventId/, () => events.get(id)],
    [/^claimId/, () => claims.get(id)],
    [/^reservationId/, () => reservations.get(id)],
    [/^endpointId/, () => webhookEndpoints.get(id)],
    [/^orderId/, () => sandbox.holdOrder(id, { reason: 'unused' })],
  ];
  for (const [message, call] of calls) throws(call, { name: 'TypeError', message });
  deepEqual(sent, []);
});

test('a fetch that rejects a foreign `this`, as those of browsers do, is called without one', async () => {
  const reseller = await h.seed.reseller();
  const strict = function (this: unknown, ...args: Parameters<typeof fetch>) {
    if (this !== undefined) throw new TypeError('Illegal invocation');
    return fetch(...args);
  };
  const keyport = toKeyport(h, reseller, { fetch: strict, maxRetries: 0 });
  equal((await keyport.account.get()).id, reseller.accountId);
  equal((await keyport.fetch('/export/v1/account')).status, 200);
});

test('a base URL may have a path and a trailing slash; an impossible one is rejected immediately', async () => {
  const reseller = await h.seed.reseller();
  const paths: string[] = [];
  const forward: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    paths.push(url.pathname);
    return fetch(h.url + url.pathname.replace('/keyport', '') + url.search, init);
  };
  const keyport = toKeyport(h, reseller, { baseUrl: `${h.url}/keyport/`, fetch: forward });
  equal((await keyport.account.get()).id, reseller.accountId);
  deepEqual(paths, ['/keyport/oauth/token', '/keyport/export/v1/account']);
  const { clientId, clientSecret } = reseller;
  for (const baseUrl of ['', 'shop', 'ftp://x', 'http://x/?a=1', 'http://x/#a']) {
    expect(() => new Keyport({ baseUrl, clientId, clientSecret })).toThrow(/baseUrl/);
  }
  // The service's own paths are rejected, regardless of their prefix (A540).
  for (const path of [
    ...[
      '/export/v1',
      '/export/v1/',
      '/export/v1/orders',
      '/admin/v1',
      '/sandbox/v1',
      '/oauth/token',
      '/docs',
      '/docs/guide',
    ],
    ...[
      '/console',
      '/console/',
      '/openapi.json',
      '/admin/openapi.json',
      '/.well-known/jwks.json',
      '/health/ready',
      '//docs',
    ],
  ]) {
    for (const prefix of ['', '/shop', '/a/b']) {
      const baseUrl = `https://x.example${prefix}${path}`;
      expect(() => new Keyport({ baseUrl, clientId, clientSecret }), baseUrl).toThrow(
        new RegExp(`a path of Keyport: https://x\\.example${prefix}$`),
      );
    }
  }
  for (const prefix of [
    '',
    '/',
    '/export',
    '/v1',
    '/export/v10',
    '/exports/v1',
    '/documents',
    '/my-console',
    '/keyport/',
  ]) {
    ok(new Keyport({ baseUrl: `https://x.example${prefix}`, clientId, clientSecret }));
  }
  expect(() => new Keyport({ baseUrl: 'https://a:b@x', clientId, clientSecret })).toThrow(/credentials/);
  expect(() => new Keyport({ baseUrl: h.url, clientId })).toThrow(/clientSecret/);
  expect(() => new Keyport({ baseUrl: h.url, clientId, clientSecret, timeoutMs: -1 })).toThrow(/timeoutMs/);
});

test('every request names the version, and hooks see each attempt but never the secret, the token or a body (A540)', async () => {
  const { offerId, codes } = await h.seed.listing({ stock: 1 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  let toLose = 1;
  const { fetch, sent } = watchedFetch((one, send) => {
    if (one.path !== '/export/v1/orders' || toLose === 0) return send();
    toLose -= 1;
    return Promise.reject(new TypeError('fetch failed'));
  });
  const seen: string[] = [];
  const shown: unknown[] = [];
  const keyport = toKeyport(h, reseller, {
    fetch,
    onRequest: (request) => {
      seen.push(`${request.attempt} ${request.method} ${new URL(request.url).pathname}`);
      shown.push(request, ...request.headers);
      request.headers.set('idempotency-key', 'not this one');
    },
    onResponse: ({ status, request, durationMs, error, headers }) => {
      seen.push(`${request.attempt} ${status ?? error}`);
      shown.push(...headers);
      ok(durationMs >= 0);
      headers.delete('content-type');
    },
  });
  const item = { manual: { offerId, quantity: 1, maxPrice: '10.00' } };
  const order = await keyport.orders.create(item);
  await keyport.orders.keys(order.id);
  await keyport.fetch('/export/v1/account');
  deepEqual(seen, [
    ...['1 POST /oauth/token', '1 200'],
    ...['1 POST /export/v1/orders', '1 TypeError: fetch failed', '2 POST /export/v1/orders', '2 201'],
    ...[`1 GET /export/v1/orders/${order.id}/keys`, '1 200', '1 GET /export/v1/account', '1 200'],
  ]);
  const version = `keyport-sdk/${manifest.version}`;
  deepEqual(new Set(sent.map(({ headers }) => headers.get('user-agent'))), new Set([version]));
  const text = JSON.stringify(shown);
  match(text, /user-agent.*idempotency-key/);
  const tokens = sent.flatMap(({ headers }) => headers.get('authorization')?.slice('Bearer '.length) ?? []);
  equal(tokens.length, 4);
  for (const secret of [reseller.clientSecret, ...tokens, ...codes]) ok(!text.includes(secret));
  deepEqual(new Set(sent.flatMap(({ headers }) => headers.get('idempotency-key') ?? [])).size, 1);

  const own = await keyport.fetch('/export/v1/account', { headers: { 'User-Agent': 'shop/1' } });
  equal(own.status, 200);
  equal(sent.at(-1)?.headers.get('user-agent'), 'shop/1');
});

test('a hook that fails is logged and changes nothing', async (t) => {
  const logged: unknown[] = [];
  t.onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(console, 'error').mockImplementation((...args) => void logged.push(args[1]));
  const reseller = await h.seed.reseller();
  const keyport = toKeyport(h, reseller, {
    onRequest: () => {
      throw new Error('onRequest');
    },
    onResponse: async () => {
      throw new Error('onResponse');
    },
  });
  equal((await keyport.account.get()).id, reseller.accountId);
  deepEqual(new Set(logged.map(String)), new Set(['Error: onRequest', 'Error: onResponse']));
});
