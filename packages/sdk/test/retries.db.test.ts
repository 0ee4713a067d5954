import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Reseller } from '../../server/test/support/harness.ts';
import { sharedHarness } from '../../server/test/support/vitest.ts';
import { Keyport } from '../src/keyport.ts';
import { KeyportConnectionError, KeyportError, KeyportTimeoutError } from '../src/requests/errors.ts';
import { errorAnswer, isOrder, type Sent, toKeyport, watchedFetch } from './support.ts';

const h = await sharedHarness();

const buy = (offerId: string) => ({ manual: { offerId, quantity: 1, maxPrice: '10.00' } });

async function toOrders(reseller: Reseller): Promise<number> {
  return (await reseller.get('/orders')).body.meta.totalResults;
}

type Disturbance = (send: () => Promise<Response>) => Promise<Response>;

const lost = () => Promise.reject(new TypeError('fetch failed'));
const garbled = async (send: () => Promise<Response>, change: (text: string) => string) => {
  const response = await send();
  return new Response(change(await response.text()), { status: response.status });
};

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'the request is lost': lost,
  'the response is lost': (send) => send().then(lost),
  'the response ends early': (send) => garbled(send, (text) => text.slice(0, 40)),
  'the response is garbled': (send) => garbled(send, (text) => text.replaceAll('"', '\u0000')),
  'the response has a different shape': (send) => garbled(send, () => '[]'),
  'a proxy responds 204': (send) => send().then(() => new Response(null, { status: 204 })),
  'a proxy returns 502 in HTML': (send) => send().then(() => new Response('<h1>', { status: 502 })),
  'the service returns 503': async () => errorAnswer(503, 'service-unavailable'),
  'the service returns 500': async (send) => send().then(() => errorAnswer(500, 'internal-server-error')),
  'the request took too long to arrive': async () => errorAnswer(408, 'request-timeout'),
  'there are too many requests': async () => errorAnswer(429, 'too-many-requests', { 'retry-after': '0' }),
  'a concurrent duplicate is in progress': async () =>
    errorAnswer(409, 'idempotency-key-processing', { 'retry-after': '0' }),
  'the request arrives twice': async (send) => (await Promise.all([send(), send()]))[1],
};

for (const [name, disturb] of Object.entries(DISTURBANCES)) {
  test(`one order is placed despite two faults: ${name}`, async () => {
    const { offerId } = await h.seed.listing({ stock: 2 });
    const reseller = await h.seed.reseller({ balance: '100.00' });
    let left = 2;
    const { fetch, sent } = watchedFetch((one, send) => {
      if (!isOrder(one) || left === 0) return send();
      left -= 1;
      return disturb(send);
    });
    const order = await toKeyport(h, reseller, { fetch }).orders.create(buy(offerId));
    equal(order.status, 'complete');
    equal(await toOrders(reseller), 1);
    equal(new Set(sent.filter(isOrder).map(({ headers }) => headers.get('idempotency-key'))).size, 1);
  });
}

test('204 is not a success where the contract has a body, and the error has the key (A540)', async () => {
  const { offerId } = await h.seed.listing({ stock: 1 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { fetch } = watchedFetch((one, send) =>
    one.path === '/oauth/token' ? send() : send().then(() => new Response(null, { status: 204 })),
  );
  const keyport = toKeyport(h, reseller, { fetch, maxRetries: 1 });
  const idempotencyKey = randomUUID();
  const calls = {
    order: () => keyport.orders.create(buy(offerId), { idempotencyKey }),
    account: () => keyport.account.get(),
    list: () => keyport.products.list().page(1),
    endpoint: () => keyport.webhookEndpoints.create({ url: 'https://x.example', types: ['*'] }),
    request: () => keyport.request({ method: 'POST', path: '/sandbox/v1/orders/1/hold' }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    ok(error instanceof KeyportConnectionError && /returned 204/.test(error.message), `${name}: ${error}`);
    if (name === 'order') equal(error.idempotencyKey, idempotencyKey);
  }
  // These calls succeed without a body.
  await keyport.webhookEndpoints.delete(randomUUID());
  await keyport.request({ method: 'DELETE', path: '/export/v1/webhook-endpoints/1' });
  await keyport.request({ method: 'POST', path: '/admin/v1/catalogue/restart-feeds', mayBeEmpty: true });
  const { data: order } = await toKeyport(h, reseller)
    .orders.create(buy(offerId), { idempotencyKey })
    .withResponse();
  equal(order.status, 'complete');
});

test('no retry comes before Retry-After, in seconds or as a date', async () => {
  const reseller = await h.seed.reseller();
  for (const retryAfter of ['1', new Date(Date.now() + 2000).toUTCString()]) {
    const times: number[] = [];
    const { fetch } = watchedFetch((_, send, index) => {
      times.push(Date.now());
      if (index !== 1) return send();
      return Promise.resolve(errorAnswer(503, 'service-unavailable', { 'retry-after': retryAfter }));
    });
    const notBefore = Number(retryAfter) ? Date.now() + 1000 : Date.parse(retryAfter);
    await toKeyport(h, reseller, { fetch }).account.get();
    ok((times[2] ?? 0) >= notBefore - 5);
  }
});

test('50 callers share one token request, and one more when the token is rejected', async () => {
  const reseller = await h.seed.reseller();
  const isToken = ({ path }: Sent) => path === '/oauth/token';
  let rejected = '';
  const { fetch, sent } = watchedFetch((one, send) => {
    const token = one.headers.get('authorization') ?? '';
    return token !== '' && token === rejected ? Promise.resolve(errorAnswer(401, 'unauthorized')) : send();
  });
  const keyport = toKeyport(h, reseller, { fetch });
  const callAll = () => Promise.all(Array.from({ length: 50 }, () => keyport.account.get()));
  await callAll();
  equal(sent.filter(isToken).length, 1);
  rejected = sent.at(-1)?.headers.get('authorization') ?? '';
  await callAll();
  equal(sent.filter(isToken).length, 2);
});

test('a token that is rejected again is an error, and so is a wrong secret', async () => {
  const reseller = await h.seed.reseller();
  const { fetch, sent } = watchedFetch((one, send) =>
    one.path === '/oauth/token' ? send() : Promise.resolve(errorAnswer(401, 'unauthorized')),
  );
  await rejects(toKeyport(h, reseller, { fetch }).account.get().then(), {
    code: 'unauthorized',
    status: 401,
  });
  equal(sent.length, 4);
  const wrong = toKeyport(h, { ...reseller, clientSecret: 'wrong' });
  await rejects(wrong.account.get().then(), { name: 'KeyportError', code: 'invalid_client', status: 401 });
});

test('accessToken is called for each request, and again after a 401', async () => {
  const reseller = await h.seed.reseller();
  const given = ['stale', reseller.token, reseller.token];
  const keyport = new Keyport({ baseUrl: h.url, accessToken: () => given.shift() ?? '' });
  equal((await keyport.account.get()).id, reseller.accountId);
  await keyport.account.get();
  equal(given.length, 0);
  const bad = new Keyport({ baseUrl: h.url, accessToken: async () => 'stale' });
  await rejects(bad.account.get().then(), { code: 'unauthorized' });
});

test('steps of the clock change neither the life of a token nor a deadline', async (t) => {
  // The service shares the clock of this process, so its responses are made here.
  const { fetch, sent } = watchedFetch(async ({ path }) =>
    Response.json(path === '/oauth/token' ? { access_token: 'a', expires_in: 3600 } : { data: {} }),
  );
  const keyport = new Keyport({ baseUrl: h.url, clientId: 'a', clientSecret: 'b', fetch });
  await keyport.account.get();
  const now = Date.now;
  t.onTestFinished(() => {
    Date.now = now;
  });
  for (const stepMs of [10 * 86_400_000, -10 * 86_400_000]) {
    Date.now = () => now() + stepMs;
    await keyport.account.get();
  }
  equal(sent.filter(({ path }) => path === '/oauth/token').length, 1);
});

test('a call without a response ends at its deadline, and the error has the key', async () => {
  const reseller = await h.seed.reseller();
  const { fetch } = watchedFetch((one, send) => (isOrder(one) ? new Promise(() => {}) : send()));
  const keyport = toKeyport(h, reseller, { fetch });
  const idempotencyKey = 'b5e4c9d3-53a4-4c9e-9f0f-6a4ce5f0d111';
  const error = await keyport.orders
    .create(buy('0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111'), { timeoutMs: 300, idempotencyKey })
    .catch((thrown: unknown) => thrown);
  ok(error instanceof KeyportTimeoutError && error instanceof KeyportConnectionError);
  equal(error.idempotencyKey, idempotencyKey);
});

test('requests through a proxy that cannot reach the service for a while are retried until the deadline', async () => {
  const reseller = await h.seed.reseller();
  let left = 7;
  const { fetch } = watchedFetch((one, send) => {
    if (one.path === '/oauth/token' || left === 0) return send();
    left -= 1;
    return Promise.resolve(new Response('<h1>', { status: 502, headers: { 'retry-after': '0' } }));
  });
  equal((await toKeyport(h, reseller, { fetch }).account.get()).id, reseller.accountId);
});

test('an infinite timeout sets no deadline', async () => {
  const reseller = await h.seed.reseller();
  const answers = [errorAnswer(503, 'service-unavailable')];
  const { fetch } = watchedFetch(async (one, send) =>
    one.path === '/oauth/token' ? send() : (answers.pop() ?? send()),
  );
  const timeoutMs = Number.POSITIVE_INFINITY;
  equal((await toKeyport(h, reseller, { fetch, timeoutMs }).account.get()).id, reseller.accountId);
});

test('throws the problem that lasts until the deadline', async () => {
  const reseller = await h.seed.reseller();
  const calling = (answer: () => Promise<Response>, options = {}) => {
    const { fetch, sent } = watchedFetch((one, send) => (one.path === '/oauth/token' ? send() : answer()));
    return {
      error: toKeyport(h, reseller, { fetch, ...options })
        .account.get()
        .catch((thrown: unknown) => thrown),
      sent,
    };
  };
  const unavailable = await calling(async () => errorAnswer(503, 'service-unavailable'), { timeoutMs: 700 })
    .error;
  ok(unavailable instanceof KeyportError && unavailable.is('service-unavailable'));
  const patient = async () => errorAnswer(503, 'service-unavailable', { 'retry-after': '3600' });
  const { error, sent } = calling(patient);
  ok((await error) instanceof KeyportError);
  equal(sent.length, 2);
  const broken = await calling(lost, { timeoutMs: 700 }).error;
  ok(broken instanceof KeyportConnectionError && !(broken instanceof KeyportTimeoutError));
  const twice = calling(lost, { maxRetries: 1 });
  await twice.error;
  equal(twice.sent.length, 3);
  const foreign = await calling(async () => new Response('<h1>Not here</h1>', { status: 404 })).error;
  expect(String(foreign)).toMatch(/404 .*Check baseUrl/);
});

test('a wrong baseUrl fails after a few requests, a wrong path before any', async () => {
  const reseller = await h.seed.reseller();
  const { fetch, sent } = watchedFetch();
  const misled = toKeyport(h, reseller, { fetch, baseUrl: `${h.url}/shop` });
  await rejects(misled.account.get(), /oauth\/token returned 404 .*Check baseUrl/);
  equal(sent.length, 5);
  const keyport = toKeyport(h, reseller, { fetch });
  for (const path of ['export/v1/account', '@shop.example/', '.shop.example/', 'https://shop.example/', '']) {
    await rejects(keyport.request({ method: 'GET', path }), /^TypeError: path must begin with \//);
    await rejects(keyport.fetch(path), /^TypeError: path must begin with \//);
  }
  equal(sent.length, 5);
});

test('an aborted call rejects with the reason of the signal, even while it waits, and leaves no listener', async () => {
  const reseller = await h.seed.reseller();
  const reason = new Error('not needed any more');
  const controller = new AbortController();
  const { signal } = controller;
  const { fetch } = watchedFetch(async (one, send) => {
    if (one.path === '/oauth/token') return send();
    setTimeout(() => controller.abort(reason), 20);
    return errorAnswer(503, 'service-unavailable', { 'retry-after': '10' });
  });
  await rejects(toKeyport(h, reseller, { fetch }).account.get({ signal }).then(), reason);
  deepEqual(getEventListeners(signal, 'abort'), []);
  await rejects(toKeyport(h, reseller).account.get({ signal }).then(), reason);
  const running = new AbortController();
  const keyport = toKeyport(h, reseller);
  await keyport.account.get({ signal: running.signal });
  deepEqual(getEventListeners(running.signal, 'abort'), []);
  const waiting = keyport.products.changes({ wait: 25, signal: running.signal });
  const followed = (async () => {
    for await (const _ of waiting);
  })();
  setTimeout(() => running.abort(reason), 50);
  await rejects(followed, reason);
});

test('a caller that gives up does not end the token request that others share', async () => {
  const reseller = await h.seed.reseller();
  const keyport = toKeyport(h, reseller);
  const controller = new AbortController();
  const first = keyport.account.get({ signal: controller.signal });
  const second = keyport.account.get();
  controller.abort(new Error('gone'));
  await rejects(first.then(), /gone/);
  equal((await second).id, reseller.accountId);
});

test('aborts a token request after its last caller is gone', async () => {
  const reseller = await h.seed.reseller();
  const signals: (AbortSignal | null | undefined)[] = [];
  const hung: typeof fetch = (_, init) => {
    signals.push(init?.signal);
    return new Promise(() => {});
  };
  const keyport = toKeyport(h, reseller, { fetch: hung });
  const calls = [50, 150].map((timeoutMs) =>
    keyport.account.get({ timeoutMs }).catch((error: unknown) => error),
  );
  ok((await calls[0]) instanceof KeyportTimeoutError);
  equal(signals[0]?.aborted, false);
  ok((await calls[1]) instanceof KeyportTimeoutError);
  deepEqual(
    signals.map((signal) => signal?.aborted),
    [true],
  );
});

test('a call of which only the response is used causes no unhandled rejection', async () => {
  const reseller = await h.seed.reseller();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { fetch } = watchedFetch((one, send) => (one.path === '/oauth/token' ? send() : lost()));
  const keyport = toKeyport(h, reseller, { fetch, maxRetries: 0 });
  await rejects(keyport.account.get().withResponse(), KeyportConnectionError);
  await rejects(
    keyport.orders.get('1').finally(() => {}),
    KeyportConnectionError,
  );
  await rejects(keyport.products.details(['1']).then(), KeyportConnectionError);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  deepEqual(unhandled, []);
});

test('a scenario applies to the first request only', async () => {
  const { offerId } = await h.seed.listing();
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { fetch, sent } = watchedFetch((one, send, index) => (isOrder(one) && index === 1 ? lost() : send()));
  const keyport = toKeyport(h, reseller, { fetch });
  await keyport.orders.create(buy(offerId), { scenario: 'lost-request' });
  deepEqual(
    sent.filter(isOrder).map(({ headers }) => headers.get('keyport-scenario')),
    ['lost-request', null],
  );
});
