/** Each bad client must fail its check. Good and unusual clients must fail no check. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { CheckId } from '@keyport/contract/sandbox/checks';
import type { Check } from '@keyport/contract/sandbox/sandbox';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { type ApiResponse, auto, manual, type Reseller } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const h = await sharedHarness();
const game = await h.seed.listing({ price: '1.00', stock: 900 });
const soldOut = await h.seed.listing({ price: '1.00', stock: 0 });
const other = await h.seed.listing({ price: '1.00', stock: 900 });
const shelf = await Promise.all(Array.from({ length: 25 }, () => h.seed.listing({ stock: 1 })));
const one = auto(game.productId);

type Options = {
  readonly scenario?: string;
  readonly key?: string | null;
  readonly token?: string;
  readonly reference?: string;
};

class Client {
  readonly reseller: Reseller;
  #token: string;

  constructor(reseller: Reseller) {
    this.reseller = reseller;
    this.#token = reseller.token;
  }

  async signIn(): Promise<string> {
    this.#token = await h.tokenFor(this.reseller.clientId, this.reseller.clientSecret);
    return this.#token;
  }

  send(method: string, path: string, body?: unknown, { scenario, key, token }: Options = {}) {
    return h.call(method, path, {
      token: token ?? this.#token,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(scenario === undefined ? {} : { 'keyport-scenario': scenario }),
        ...(key == null ? {} : { 'idempotency-key': key }),
      },
    });
  }

  get = (path: string, scenario?: string) =>
    this.send('GET', `/export/v1${path}`, undefined, scenario === undefined ? {} : { scenario });

  /** Sends a new key unless one is given, and no key if it is null. */
  buy = (item: unknown, scenario?: string, key: string | null = randomUUID(), token?: string) =>
    this.send(
      'POST',
      '/export/v1/orders',
      { items: [item] },
      { key, ...(scenario === undefined ? {} : { scenario }), ...(token === undefined ? {} : { token }) },
    );

  buyFor = (reference: string, { scenario, key = randomUUID() }: Options = {}, item: unknown = one) =>
    this.send(
      'POST',
      '/export/v1/orders',
      { items: [item], reference },
      { key, ...(scenario === undefined ? {} : { scenario }) },
    );

  loseFor = (reference: string, scenario: string, key: string = randomUUID()) =>
    this.buyFor(reference, { scenario, key }).then(
      () => ok(false, 'the response was to be lost'),
      () => undefined,
    );

  lose = (item: unknown, scenario = 'lost-answer', key?: string) =>
    this.buy(item, scenario, key).then(
      () => ok(false, 'the response was to be lost'),
      () => undefined,
    );

  async reserved(item: unknown = one, key: string = randomUUID(), reference?: string): Promise<string> {
    const wanted = { items: [item], ...(reference === undefined ? {} : { reference }) };
    const { body } = await this.send('POST', '/export/v1/reservations', wanted, { key });
    return body.data.id;
  }

  release = (id: string) => this.send('DELETE', `/export/v1/reservations/${id}`);

  buyReserved = (id: string, key: string | null = randomUUID(), options: Options = {}) =>
    this.send('POST', `/export/v1/reservations/${id}/order`, {}, { key, ...options });

  loseReserved = (id: string, scenario = 'lost-answer', key = randomUUID()) =>
    this.buyReserved(id, key, { scenario }).then(
      () => ok(false, 'the response was to be lost'),
      () => undefined,
    );

  async bought(item: unknown = one): Promise<string> {
    const { status, body } = await this.buy(item);
    equal(status, 201, JSON.stringify(body));
    return body.data.id;
  }

  sandbox = (method: string, path: string, body: unknown) => this.send(method, `/sandbox/v1${path}`, body);
}

async function times(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 1) await work(index);
}

function getOver(agent: Agent, token: string, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    request(`${h.url}/export/v1${path}`, { agent, headers }, (response) =>
      response.resume().on('end', resolve),
    )
      .on('error', reject)
      .end();
  });
}

async function hasOrder({ accountId }: Reseller): Promise<boolean> {
  const { rows } = await sql`SELECT FROM "order" WHERE account_id = ${accountId}::uuid`.execute(
    h.database.db,
  );
  return rows.length > 0;
}

async function countRequests({ token }: Reseller): Promise<number> {
  return (await h.call('GET', '/sandbox/v1/checkup', { token })).body.data.requests;
}

type Program = (client: Client) => Promise<unknown>;

const BAD: Readonly<Partial<Record<CheckId, Readonly<Record<string, Program>>>>> = {
  'order-retries': {
    'a new key after a lost response': async (c) => {
      await c.lose(one);
      await c.buy(one);
    },
    'a new key after a lost request': async (c) => {
      await c.lose(one, 'lost-request');
      await c.buy(one);
    },
    'a new key after its own timeout': async (c) => {
      const key = randomUUID();
      const hangUp = new AbortController();
      const headers = {
        authorization: `Bearer ${c.reseller.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
        'keyport-scenario': 'delay:20000',
      };
      const body = JSON.stringify({ items: [one] });
      const { signal } = hangUp;
      const lost = rejects(fetch(`${h.url}/export/v1/orders`, { method: 'POST', headers, body, signal }));
      await waitUntil(() => hasOrder(c.reseller), 'the order');
      const before = await countRequests(c.reseller);
      hangUp.abort();
      await lost;
      await waitUntil(async () => (await countRequests(c.reseller)) > before, 'the end of the request');
      await c.buy(one);
    },
    'a new key after 503': async (c) => {
      await c.buy(one, 'unavailable');
      await c.buy(one);
    },
    'a new key after 500': async (c) => {
      await c.buy(one, 'error:internal-server-error');
      await c.buy(one);
    },
    'a new key after 409': async (c) => {
      await c.buy(one, 'error:idempotency-key-processing');
      await c.buy(one);
    },
    'a new key and another quantity': async (c) => {
      await c.lose(one);
      await c.buy(auto(game.productId, { quantity: 2 }));
    },
    'a new key and a higher price': async (c) => {
      await c.lose(auto(game.productId, { maxPrice: '2.00' }));
      await c.buy(auto(game.productId, { maxPrice: '3.00' }));
    },
    'auto first, then manual': async (c) => {
      await c.lose(one);
      await c.buy(manual(game.offerId));
    },
    'manual first, then auto': async (c) => {
      await c.lose(manual(game.offerId), 'lost-request');
      await c.buy(one);
    },
    'a reference with a new key while the payment is open': async (c) => {
      await c.buyFor('17', { scenario: 'pending-payment' });
      await c.buyFor('17');
    },
    'a reference with another quantity while the payment is open': async (c) => {
      await c.buyFor('17', { scenario: 'pending-payment' });
      await c.buyFor('17', {}, manual(game.offerId, { quantity: 2 }));
    },
    'a reference with a new key while the order is held': async (c) => {
      await c.buyFor('17', { scenario: 'held' });
      await c.buyFor('17');
    },
    'a reference with a new key after its order was complete': (c) => times(2, () => c.buyFor('17')),
    'a reference with two keys at the same time': (c) =>
      Promise.all([c.buyFor('17', { scenario: 'delay:100' }), c.buyFor('17', { scenario: 'delay:100' })]),
    'a reference with a new key although the history showed its order': async (c) => {
      await c.loseFor('17', 'lost-answer');
      await c.get('/orders?reference=17');
      await c.buyFor('17');
    },
    'a reference with a new key although its order was read': async (c) => {
      const { body } = await c.buyFor('17', { scenario: 'held' });
      await c.get(`/orders/${body.data.id}`);
      await c.buyFor('17');
    },
    'a reference that is reserved twice': (c) => times(2, () => c.reserved(one, randomUUID(), '17')),
    'a reference that is reserved again after its reservation was ordered': async (c) => {
      await c.buyReserved(await c.reserved(one, randomUUID(), '17'));
      await c.reserved(one, randomUUID(), '17');
    },
    'a reference that is ordered beside its reservation': async (c) => {
      await c.reserved(one, randomUUID(), '17');
      await c.buyFor('17');
    },
    'the key with another payload': async (c) => {
      const key = randomUUID();
      await c.lose(one, 'lost-answer', key);
      await c.buy(auto(game.productId, { quantity: 2 }), undefined, key);
    },
    'a look at the account only': async (c) => {
      await c.lose(one);
      await c.get('/account');
      await c.buy(one);
    },
    'a look at the product only': async (c) => {
      await c.lose(one);
      await c.get(`/product-offers/${game.productId}`);
      await c.buy(one);
    },
    'a look at a different order': async (c) => {
      const id = await c.bought(auto(other.productId));
      await c.lose(one);
      await c.get(`/orders/${id}`);
      await c.buy(one);
    },
    'a look for a different order': async (c) => {
      const id = await c.bought(auto(other.productId));
      await c.lose(one);
      await c.get(`/orders?orderId=${id}`);
      await c.buy(one);
    },
    'a look at the events that are still to come': async (c) => {
      await c.lose(one);
      await c.get('/events?cursor=now');
      await c.buy(one);
    },
    'a look at events that are not about orders': async (c) => {
      await c.lose(one);
      await c.get('/events?types[]=account.balance_low');
      await c.buy(one);
    },
    'a look that fails': async (c) => {
      await c.lose(one);
      await c.get('/orders', 'unavailable');
      await c.buy(one);
    },
    'a new token and a new key': async (c) => {
      await c.lose(one);
      await c.signIn();
      await c.buy(one);
    },
    'an order beside the lost order of a reservation': async (c) => {
      await c.loseReserved(await c.reserved());
      await c.buy(one);
    },
    'a new reservation after an order of the first was lost': async (c) => {
      await c.loseReserved(await c.reserved(), 'lost-request');
      await c.buyReserved(await c.reserved());
    },
    'a read of reservations that does not show the order': async (c) => {
      await c.lose(one);
      await c.send('GET', '/export/v1/reservations');
      await c.buy(one);
    },
    'a loop of new keys until one order succeeds': async (c) => {
      await times(3, () => c.lose(one));
      await c.buy(one);
    },
  },
  'one-payload-per-key': {
    'one key for all orders': async (c) => {
      const key = randomUUID();
      await times(3, (n) => c.buy(auto(n === 1 ? other.productId : game.productId), undefined, key));
    },
    'one key for the orders of all reservations': async (c) => {
      const key = randomUUID();
      await times(2, async () => c.buyReserved(await c.reserved(), key));
    },
    'no key at all': (c) => times(3, () => c.buy(one, undefined, null)),
    'no key for the order of a reservation': async (c) => {
      const id = await c.reserved();
      await times(3, () => c.buyReserved(id, null));
    },
    'a key that is no UUID': (c) => times(3, (n) => c.buy(one, undefined, `order-${n}`)),
    'the nil UUID': (c) => times(3, () => c.buy(one, undefined, '00000000-0000-0000-0000-000000000000')),
  },
  'retry-after': {
    'a retry right after 429': async (c) => {
      await c.get('/account', 'rate-limited');
      await c.get('/account');
    },
    'an order right after 503': async (c) => {
      const key = randomUUID();
      await c.buy(one, 'unavailable', key);
      await c.buy(one, undefined, key);
    },
    'an order right after 409': async (c) => {
      const key = randomUUID();
      await c.buy(one, 'error:idempotency-key-processing', key);
      await c.buy(one, undefined, key);
    },
    'retries of a lost order without backoff': async (c) => {
      const key = randomUUID();
      await times(15, () => c.lose(one, 'lost-request', key));
    },
    'retries of a read without backoff': (c) =>
      times(15, () => c.get('/account', 'error:internal-server-error')),
  },
  'token-after-401': {
    'the rejected token again': async (c) => {
      await c.get('/account', 'error:unauthorized');
      await c.get('/account');
    },
  },
  'token-reuse': {
    'a token for each call': (c) => times(6, () => c.signIn().then(() => c.get('/account'))),
    'a token for every second call': (c) =>
      times(6, async () => {
        await c.signIn();
        await c.get('/account');
        await c.get('/product-offers');
      }),
  },
  'ids-as-text': {
    'a read of an order with its id as a number': async (c) => {
      const id = await c.bought();
      await c.get(`/orders/${Number(id)}`);
    },
    'a filter with the id of an order as a number': async (c) => {
      await c.get(`/orders?orderId=${Number(await c.bought())}`);
    },
    'a return with the id of an item as a number': async (c) => {
      const id = await c.bought();
      const items = [{ id: String(Number(`${id}01`)), quantity: 1 }];
      await c.send('POST', `/export/v1/orders/${id}/returns`, { items }, { key: randomUUID() });
    },
    'a claim with the id of an item as a number': async (c) => {
      const id = await c.bought();
      const claim = { itemId: String(Number(`${id}01`)), codes: ['A'], reason: 'invalid', message: 'Used.' };
      await c.send('POST', `/export/v1/orders/${id}/claims`, claim, { key: randomUUID() });
    },
  },
  'keys-in-time': {
    'keys that are never read': async (c) => {
      const id = await c.bought();
      await c.sandbox('POST', `/orders/${id}/advance`, { hours: 49 });
    },
    'keys that are read too late': async (c) => {
      const id = await c.bought();
      await c.sandbox('POST', `/orders/${id}/advance`, { hours: 49 });
      await c.get(`/orders/${id}/keys`);
    },
    'three orders and no keys for hours': (c) =>
      times(3, async () => {
        const id = await c.bought();
        await c.sandbox('POST', `/orders/${id}/advance`, { hours: 2 });
      }),
  },
  'keys-polling': {
    'a tight loop for the keys of a held order': async (c) => {
      const { body } = await c.buy(one, 'held');
      await times(15, () => c.get(`/orders/${body.data.id}/keys`));
    },
  },
  'catalogue-following': {
    'the whole catalogue again': (c) =>
      times(3, () => times(2, (page) => c.get(`/product-offers?page=${page + 1}`))),
    'page 1 over and over': (c) => times(12, () => c.get('/product-offers?page=1&itemsPerPage=20')),
    'the change feed from the start': (c) => times(6, () => c.get('/product-offers/changes?limit=1000')),
  },
  'details-batches': {
    'details one by one': (c) => times(20, (n) => c.get(`/products?productIds[]=${shelf[n]?.productId}`)),
  },
  'max-price': {
    'a price that rose': (c) => times(2, () => c.buy(one, 'error:max-price-exceeded')),
    'a price that rose, manual': (c) => times(3, () => c.buy(manual(game.offerId, { maxPrice: '0.50' }))),
    'a price that rose, auto': (c) => times(4, () => c.buy(auto(game.productId, { maxPrice: '0.50' }))),
    'new keys until an order is paid': (c) => times(3, () => c.buy(one, 'pending-payment')),
    'out of stock, auto': (c) => times(4, () => c.buy(auto(soldOut.productId))),
    'out of stock, manual': (c) => times(4, () => c.buy(manual(soldOut.offerId))),
    'no funds': async (c) => {
      await c.sandbox('PATCH', '/account', { balance: '0.10' });
      await times(4, () => c.buy(one));
    },
    'no funds with one key': async (c) => {
      const key = randomUUID();
      await c.sandbox('PATCH', '/account', { balance: '0.10' });
      await times(4, () => c.buy(one, undefined, key));
    },
  },
};

const GOOD: Readonly<Record<string, Program>> = {
  'retries with one key until the outcome is known': async (c) => {
    const key = randomUUID();
    await c.lose(one, 'lost-answer', key);
    const { body } = await c.buy(one, undefined, key);
    await c.get(`/orders/${body.data.id}/keys`);
    await c.buy(one);
  },
  'orders its reservation again, with the same key or another one': async (c) => {
    const [first, second] = [await c.reserved(), await c.reserved()];
    const key = randomUUID();
    await c.loseReserved(first, 'lost-answer', key);
    await c.buyReserved(first, key);
    await c.loseReserved(second);
    await c.buyReserved(second);
    await c.buy(one);
  },
  'has one key for a sale: to reserve, to order the reservation, and for an order instead': async (c) => {
    const key = randomUUID();
    const id = await c.reserved(one, key);
    await c.buyReserved(id, key);
    await c.buyReserved(id, key);
    await c.buy(auto(other.productId), undefined, key);
  },
  'orders another reservation with the key of one that has expired': async (c) => {
    const key = randomUUID();
    const [expired, next] = [await c.reserved(), await c.reserved()];
    await c.sandbox('POST', `/reservations/${expired}/advance`, { seconds: 901 });
    equal((await c.buyReserved(expired, key)).body.error.code, 'reservation-expired');
    equal((await c.buyReserved(next, key)).status, 201);
  },
  'looks at its reservation before it buys again': async (c) => {
    const id = await c.reserved();
    await c.loseReserved(id);
    await c.send('GET', `/export/v1/reservations/${id}`);
    await c.buy(one);
  },
  'looks into the history before it buys again': async (c) => {
    await c.lose(one, 'lost-request');
    await c.get('/orders');
    await c.buy(one);
  },
  'sells one product to two customers while the first order is held': async (c) => {
    await c.buy(one, 'held');
    await c.buy(one);
  },
  'sells one product to two customers while the first order is not paid': async (c) => {
    await c.buy(one, 'pending-payment');
    await c.buy(one);
  },
  'sells one product to customers with their own references': async (c) => {
    await c.buyFor('1', { scenario: 'held' });
    await c.buyFor('2', { scenario: 'pending-payment' });
    await c.loseFor('3', 'lost-answer');
    await times(4, (n) => c.buyFor(String(4 + n), { scenario: 'pending-payment' }));
  },
  'reserves and orders one product for customers with their own references': async (c) => {
    const [first, second] = [
      await c.reserved(one, randomUUID(), '1'),
      await c.reserved(one, randomUUID(), '2'),
    ];
    await c.loseReserved(first);
    await c.buyReserved(second);
  },
  'has one reference for two products': async (c) => {
    await c.buyFor('17');
    await c.buyFor('17', {}, auto(other.productId));
  },
  'retries the order of a reference with its key': async (c) => {
    const key = randomUUID();
    await c.loseFor('17', 'lost-answer', key);
    await times(2, () => c.buyFor('17', { key }));
  },
  'looks for the order of a reference, finds none and buys it': async (c) => {
    await c.loseFor('17', 'lost-request');
    await c.get('/orders?reference=17');
    await c.buyFor('17');
  },
  'buys a reference again after its order was canceled or refunded': async (c) => {
    const unpaid = await c.buyFor('17', { scenario: 'pending-payment' });
    await c.sandbox('POST', `/orders/${unpaid.body.error.data.orderId}/cancel`, { reason: 'not paid' });
    const { body } = await c.buyFor('17');
    await c.sandbox('POST', `/orders/${body.data.id}/refund`, { reason: 'not wanted' });
    await c.buyFor('17');
  },
  'reserves a product again for one reference after a rejection, a release and an expiry': async (c) => {
    const wanted = { items: [auto(other.productId, { maxPrice: '0.50' })], reference: '17' };
    await c.send('POST', '/export/v1/reservations', wanted, { key: randomUUID() });
    await c.release(await c.reserved(auto(other.productId), randomUUID(), '17'));
    const expired = await c.reserved(auto(other.productId), randomUUID(), '17');
    await c.sandbox('POST', `/reservations/${expired}/advance`, { seconds: 901 });
    await c.buyReserved(await c.reserved(auto(other.productId), randomUUID(), '17'));
  },
  'gets a late duplicate of an order that it knows': async (c) => {
    const key = randomUUID();
    await c.lose(one, 'lost-answer', key);
    await c.get('/orders');
    await c.lose(one, 'lost-answer', key);
    await c.buy(one);
  },
  'reads the first page before each purchase': (c) =>
    times(12, async () => {
      await c.get('/product-offers?page=1&itemsPerPage=10');
      await c.bought();
    }),
  'buys a different product next': async (c) => {
    await c.lose(one);
    await c.buy(auto(other.productId));
  },
  'sells to several buyers at the same time': async (c) => {
    const key = randomUUID();
    await Promise.all([c.lose(one, 'lost-answer', key), c.buy(one), c.buy(one), c.buy(manual(game.offerId))]);
    await c.buy(one, undefined, key);
  },
  'is behind a network that sends a request twice': async (c) => {
    const key = randomUUID();
    await Promise.all([c.buy(one, 'delay:300', key), c.lose(one, 'lost-request', key)]);
    await c.buy(one);
  },
  'buys the last units for several buyers': async (c) => {
    await Promise.all(Array.from({ length: 6 }, () => c.buy(auto(soldOut.productId))));
  },
  'is a person who tries things twice': async (c) => {
    await times(2, () => c.buy(one, undefined, null));
    await times(2, () => c.get('/orders/2174556001234567'));
    await times(2, () => c.buy(auto(soldOut.productId)));
    await times(2, () => c.buy(auto('1')));
    await times(2, () => c.get('/account'));
    await times(2, () => c.get('/events'));
    await times(2, () => c.get('/product-offers/changes'));
    await times(2, () => c.get('/events', 'error:cursor-expired'));
    await times(2, () => c.bought());
  },
  'reads the catalogue after it was sold out': (c) =>
    times(5, async () => {
      await c.buy(auto(soldOut.productId));
      await c.get(`/product-offers/${soldOut.productId}`);
    }),
  'looks at the account before every order': (c) =>
    times(8, async () => {
      await c.get('/account');
      const id = await c.bought();
      await c.get(`/orders/${id}/keys`);
    }),
  'reads each of many orders': async (c) => {
    const ids: string[] = [];
    await times(8, async () => void ids.push(await c.bought()));
    for (const id of ids) await c.get(`/orders/${id}`);
    for (const id of ids) await c.get(`/orders/${id}/keys`);
  },
  'reads a feed page by page, then follows it': async (c) => {
    let cursor = '';
    await times(8, async () => {
      const { body }: ApiResponse = await c.get(`/product-offers/changes?limit=5${cursor}`);
      cursor = `&cursor=${encodeURIComponent(body.meta.nextCursor)}`;
    });
  },
  'restarts after crashes, each time with a new token and the same key': async (c) => {
    const key = randomUUID();
    await times(6, async (n) => {
      await c.signIn();
      await (n < 5 ? c.lose(one, 'lost-answer', key) : c.buy(one, undefined, key));
    });
  },
  'syncs the catalogue and reads the details of all products': async (c) => {
    for (const page of [1, 2]) await c.get(`/product-offers?page=${page}`);
    await c.get(
      `/products?${shelf
        .slice(0, 20)
        .map(({ productId }) => `productIds%5B%5D=${productId}`)
        .join('&')}`,
    );
    await c.get('/product-offers?updatedAtFrom=2026-11-21T09:30:00Z');
  },
  'gets a new token for each of a few runs': (c) =>
    times(3, async () => {
      await c.signIn();
      await c.bought();
    }),
  'waits as Retry-After says': async (c) => {
    const key = randomUUID();
    const sentAtMs = Date.now();
    await c.buy(one, 'unavailable', key);
    await waitUntil(async () => Date.now() - sentAtMs > 1_100, 'Retry-After');
    await c.buy(one, undefined, key);
  },
  'is a load test': async (c) => {
    const id = await c.bought();
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    for (const path of ['/account', '/product-offers', '/product-offers/changes', `/orders/${id}/keys`]) {
      const read = () => getOver(agent, c.reseller.token, path);
      await Promise.all(Array.from({ length: 100 }, read));
    }
    await Promise.all(Array.from({ length: 40 }, () => c.buy(one)));
    agent.destroy();
  },
};

async function failedChecks(program: Program): Promise<string[]> {
  const reseller = await h.seed.reseller({ balance: '500.00' });
  await program(new Client(reseller));
  const { body } = await h.call('GET', '/sandbox/v1/checkup', { token: reseller.token });
  const failed = body.data.checks.filter(({ status }: Check) => status === 'failed');
  return failed.map(({ id }: Check) => id);
}

for (const [check, programs] of Object.entries(BAD)) {
  for (const [what, program] of Object.entries(programs)) {
    test(`the check ${check} fails for ${what}`, async () => {
      const failed = await failedChecks(program);
      ok(failed.includes(check), `failed: ${failed.join(', ') || 'none'}`);
    });
  }
}

for (const [what, program] of Object.entries(GOOD)) {
  test(`no check fails for a client that ${what}`, async () => {
    deepEqual(await failedChecks(program), []);
  });
}
