/** A310 to A316. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { type TestContext, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto, type Reseller } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';
import { type ReceivedWebhook, startReceiver, waitUntil } from '../../support/webhook-receiver.ts';

const h = await sharedHarness();
const listing = await h.seed.listing({ stock: 200, price: '1.00' });

async function start(t: TestContext, body: Record<string, unknown> = {}) {
  const receiver = await startReceiver(t);
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const call = (method: string, path: string, requestBody?: unknown) =>
    h.call(method, `/export/v1/webhook-endpoints${path}`, {
      token: reseller.token,
      ...(requestBody === undefined ? {} : { body: requestBody }),
    });
  const create = async (fields: Record<string, unknown> = {}) => {
    const response = await call('POST', '', { url: receiver.url, types: ['*'], ...fields });
    equal(response.status, 201, JSON.stringify(response.body));
    // No delivery may continue after the test's receiver closes.
    t.onTestFinished(async () => void (await call('DELETE', `/${response.body.data.id}`)));
    return response.body.data;
  };
  const endpoint = await create(body);
  const path = `/${endpoint.id}`;
  const deliveries = async (query = '') => (await call('GET', `${path}/deliveries${query}`)).body;
  const waitForStatus = (status: string, count = 1) =>
    waitUntil(async () => {
      const page = await deliveries(`?status=${status}`);
      return page.data.length >= count && page.data;
    }, `${count} deliveries with status ${status}`);
  /** Makes all pending deliveries due now, or only those with `tries` attempts. */
  const makeDue = ({ tries }: { tries?: number } = {}) =>
    sql`UPDATE webhook_delivery SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL AND endpoint =
      (SELECT number FROM webhook_endpoint WHERE id = ${endpoint.id}) AND tries = coalesce(${tries ?? null}::int, tries)`.execute(
      h.database.db,
    );
  return { receiver, reseller, call, create, endpoint, path, deliveries, waitForStatus, makeDue };
}

async function placeOrder(reseller: Reseller): Promise<string> {
  const response = await reseller.order(auto(listing.productId));
  equal(response.status, 201);
  return response.body.data.id;
}

const isOf = (orderId: string) => (webhook: ReceivedWebhook) => webhook.event.data.order?.id === orderId;

test('an order event is delivered once, signed, as the event feed shows it', async (t) => {
  const { receiver, reseller, endpoint, waitForStatus } = await start(t);
  const orderId = await placeOrder(reseller);
  const { text, headers, event } = await receiver.waitFor(isOf(orderId), 'the order');
  deepEqual(new Webhook(endpoint.secret).verify(text, headers as Record<string, string>), event);
  equal(headers['webhook-id'], event.id);
  equal(headers['content-type'], 'application/json');
  equal(event.type, 'order.complete');
  deepEqual((await reseller.get(`/events/${event.id}`)).body.data, event);
  const [delivery] = await waitForStatus('delivered');
  const { attempts, ...rest } = delivery;
  const id = `whd_${endpoint.id.slice(4)}_${event.id.slice(4)}`;
  deepEqual(rest, { id, eventId: event.id, type: 'order.complete', orderId, status: 'delivered' });
  deepEqual([attempts.length, attempts[0].statusCode, attempts[0].error], [1, 204, undefined]);
  equal(receiver.received.length, 1);
});

test('retries follow the endpoint as it is now: its URL, and only types that it still receives', async (t) => {
  const { receiver, reseller, call, path, deliveries, waitForStatus, makeDue } = await start(t);
  receiver.respond((response) => response.writeHead(500).end());
  const orderId = await placeOrder(reseller);
  await receiver.waitFor(isOf(orderId), 'the order');
  await h.operate('POST', `/orders/${orderId}/refund`, { reason: 'Trial' });
  await waitUntil(async () => {
    const { data } = await deliveries('?status=pending');
    return data.length === 3 && data.every(({ attempts }: { attempts: unknown[] }) => attempts.length > 0);
  }, 'a first attempt of each event');
  receiver.respond((response) => response.writeHead(204).end());
  await call('PATCH', path, { types: ['order.refunded'], url: `${receiver.url}/new` });
  await makeDue();
  const dropped = await waitForStatus('failed', 2);
  deepEqual(dropped.map(({ type }: { type: string }) => type).toSorted(), ['order.closed', 'order.complete']);
  for (const { attempts } of dropped)
    equal(attempts.at(-1).error, 'The endpoint no longer receives events of this type; nothing was sent.');
  const [delivered] = await waitForStatus('delivered');
  equal(delivered.type, 'order.refunded');
  deepEqual(
    receiver.received.filter(({ path: at }) => at === '/hook/new').map(({ event }) => event.type),
    ['order.refunded'],
  );
  // Sending a dropped one again needs its type.
  const again = `${path}/deliveries/${dropped[0].id}/redeliver`;
  const { status, body } = await call('POST', again);
  deepEqual([status, body.error.code], [409, 'conflict']);
  match(body.error.message, new RegExp(dropped[0].type));
  equal((await deliveries('?status=pending')).data.length, 0);
  await call('PATCH', path, { types: ['*'] });
  equal((await call('POST', again)).status, 202);
  await receiver.waitFor(
    ({ event, path: at }) => at === '/hook/new' && event.type === dropped[0].type,
    'the event',
  );
});

test('every delivery is listed once while others come and go', async (t) => {
  const { reseller, receiver, call, endpoint, path, deliveries } = await start(t);
  receiver.respond((response) => response.writeHead(500).end());
  for (let count = 0; count < 24; count += 1) await placeOrder(reseller);
  const pending = async (query: string) =>
    (await deliveries(`?status=pending&itemsPerPage=10${query}`)) as {
      data: { id: string }[];
      meta: { hasNext: boolean; totalResults: number };
    };
  await waitUntil(async () => (await pending('')).meta.totalResults === 24, 'all deliveries');
  // No retry may change the list.
  await sql`UPDATE webhook_delivery SET next_attempt_at = now() + interval '1 day' WHERE next_attempt_at IS NOT NULL AND
    endpoint = (SELECT number FROM webhook_endpoint WHERE id = ${endpoint.id})`.execute(h.database.db);
  const first = await pending('');
  const seen = first.data.map(({ id }) => id);
  // Deliveries of the first page leave the list, also the last of them.
  receiver.respond((response) => response.writeHead(204).end());
  for (const id of [...seen.slice(0, 3), ...seen.slice(-1)])
    equal((await call('POST', `${path}/deliveries/${id}/redeliver`)).status, 202);
  await waitUntil(async () => (await pending('')).meta.totalResults === 20, 'the deliveries');
  const second = await pending(`&after=${seen.at(-1)}`);
  deepEqual([second.meta.totalResults, second.meta.hasNext], [14, true]);
  const third = await pending(`&after=${second.data.at(-1)?.id}`);
  seen.push(...second.data.map(({ id }) => id), ...third.data.map(({ id }) => id));
  deepEqual([new Set(seen).size, third.meta.hasNext], [24, false]);
  const { status, body } = await call('GET', `${path}/deliveries?after=whd_unknown_1`);
  deepEqual([status, body.error.errors[0].field], [400, 'query.after']);
});

test('a redelivery requested during an attempt is sent once after the attempt', async (t) => {
  const { receiver, reseller, call, path, waitForStatus, deliveries } = await start(t);
  const { promise: isRequeued, resolve: answer } = Promise.withResolvers<void>();
  receiver.respond((response) => void isRequeued.then(() => response.writeHead(204).end()));
  const orderId = await placeOrder(reseller);
  const { event } = await receiver.waitFor(isOf(orderId), 'the order');
  const [underWay] = (await deliveries()).data;
  equal((await call('POST', `${path}/deliveries/${underWay.id}/redeliver`)).status, 202);
  answer();
  const again = () => receiver.received.filter((webhook) => webhook.event.id === event.id).length === 2;
  await waitUntil(async () => again(), 'the second attempt');
  const [delivered] = await waitForStatus('delivered');
  equal(delivered.attempts.length, 2);
});

test('only later events of the endpoint’s types and account are delivered', async (t) => {
  const { receiver, reseller, call, path, waitForStatus, deliveries } = await start(t, {
    types: ['order.held'],
  });
  await placeOrder(reseller);
  const other = await h.seed.reseller({ balance: '10.00', account: { holdOrders: true } });
  equal((await other.order(auto(listing.productId))).status, 201);
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { holdOrders: true });
  const held = await placeOrder(reseller);
  await receiver.waitFor(isOf(held), 'the held order');
  await waitForStatus('delivered');
  deepEqual(
    receiver.received.map(({ event }) => event.type),
    ['order.held'],
  );
  await call('PATCH', path, { types: ['order.closed'] });
  await h.operate('POST', `/orders/${held}/refund`, { reason: 'returned' });
  await receiver.waitFor(({ event }) => event.type === 'order.closed', 'the closed order');
  equal((await waitForStatus('delivered', 2)).length, 2);
  equal((await deliveries()).meta.totalResults, 2);
});

test('a failed delivery is retried on schedule, records each attempt, and ends after the tenth', async (t) => {
  const { receiver, reseller, endpoint, waitForStatus, makeDue, deliveries, call, path } = await start(t);
  receiver.respond((response) => response.writeHead(500).end('out of order'));
  await placeOrder(reseller);
  const [first] = await waitUntil(async () => {
    const { data } = await deliveries('?status=pending');
    return data[0]?.attempts.length === 1 && data;
  }, 'the first attempt');
  const { at, durationMs, ...attempt } = first.attempts[0];
  const error = 'The response was 500, not 2xx.';
  deepEqual(attempt, { statusCode: 500, error, responseExcerpt: 'out of order' });
  const delayMs = Date.parse(first.nextAttemptAt) - Date.parse(at) - durationMs;
  ok(delayMs >= 2_400 && delayMs <= 12_000, `the first retry is in ${delayMs} ms`);
  ok((await call('GET', path)).body.data.failingSince !== undefined);
  for (let attempts = 2; attempts <= 10; attempts += 1) {
    await makeDue();
    await waitUntil(
      async () => (await deliveries()).data[0].attempts.length >= attempts,
      `attempt ${attempts}`,
    );
  }
  const [failed] = await waitForStatus('failed');
  deepEqual([failed.attempts.length, failed.nextAttemptAt], [10, undefined]);
  equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  equal(new Set(receiver.received.map(({ text }) => text)).size, 1);
  receiver.respond((response) => response.writeHead(200).end());
  const redelivered = await call('POST', `${path}/deliveries/${failed.id}/redeliver`);
  deepEqual([redelivered.status, redelivered.body.data], [202, { deliveries: 1 }]);
  const [delivered] = await waitForStatus('delivered');
  equal(delivered.attempts.length, 11);
  const shown = await h.operate(
    'GET',
    `/accounts/${reseller.accountId}/webhook-endpoints/${endpoint.id}/deliveries`,
  );
  deepEqual(shown, [delivered]);
  equal((await call('GET', path)).body.data.failingSince, undefined);
});

test('at most four old secrets sign until their overlap ends, and then only the new one signs', async (t) => {
  const { receiver, reseller, endpoint, call, path } = await start(t);
  const rotate = async (body?: object) =>
    (await call('POST', `${path}/rotate-secret`, body)).body.data.secret as string;
  const signing = async (secrets: readonly string[]) => {
    const { text, headers } = await receiver.waitFor(isOf(await placeOrder(reseller)), 'an order');
    return secrets.filter((secret) => {
      try {
        return new Webhook(secret).verify(text, headers as Record<string, string>);
      } catch {
        return false;
      }
    });
  };
  const secrets = [endpoint.secret, await rotate({ overlapHours: 1 })];
  deepEqual(await signing(secrets), secrets);
  // The receiver keeps the first secret, as if the response had been lost.
  secrets.push(await rotate());
  deepEqual(await signing(secrets), secrets);
  for (let count = 0; count < 2; count += 1) secrets.push(await rotate({ overlapHours: 168 }));
  deepEqual(await signing(secrets), secrets);
  secrets.push(await rotate({ overlapHours: 168 }));
  equal((await signing(secrets)).length, 5);
  secrets.push(await rotate({ overlapHours: 0 }));
  deepEqual(await signing(secrets), secrets.slice(-1));
});

test('202: a test is sent only to its endpoint, regardless of the types', async (t) => {
  const { receiver, call, create, path, endpoint } = await start(t, { types: ['order.closed'] });
  const other = await create();
  const response = await call('POST', `${path}/test`);
  equal(response.status, 202);
  const { eventId } = response.body.data;
  const { event } = await receiver.waitFor(({ event }) => event.id === eventId, 'the test');
  deepEqual([event.type, event.data], ['webhook.test', { endpointId: endpoint.id }]);
  equal((await call('GET', `/${other.id}/deliveries`)).body.meta.totalResults, 0);
});

test('410 fails the delivery and disables the endpoint, which gets its pending deliveries when it is enabled again', async (t) => {
  const { receiver, reseller, call, path, waitForStatus, deliveries } = await start(t);
  receiver.respond((response) => response.writeHead(410).end());
  await placeOrder(reseller);
  const [failed] = await waitForStatus('failed');
  const { status, disabledReason } = (await call('GET', path)).body.data;
  deepEqual([failed.attempts.length, status, disabledReason], [1, 'disabled', 'It returned 410 Gone.']);
  for (const [suffix, body] of [
    ['/test'],
    [`/deliveries/${failed.id}/redeliver`],
    ['/replay', { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
  ] as const) {
    const conflict = await call('POST', `${path}${suffix}`, body);
    deepEqual([conflict.status, conflict.body.error.code], [409, 'conflict'], suffix);
  }
  await placeOrder(reseller);
  receiver.respond((response) => response.writeHead(204).end());
  await call('PATCH', path, { status: 'enabled' });
  const third = await placeOrder(reseller);
  await receiver.waitFor(isOf(third), 'the order after it was enabled');
  await waitForStatus('delivered');
  equal((await deliveries()).meta.totalResults, 2);
});

test('5 days of failures disable the endpoint with the last error, and a success restarts the days', async (t) => {
  const { receiver, reseller, endpoint, call, path, makeDue, deliveries, waitForStatus } = await start(t);
  receiver.respond((response) => response.writeHead(503).end());
  const longAgo = (days: number) =>
    sql`UPDATE webhook_endpoint SET failing_since = now() - ${days} * interval '1 day'
      WHERE id = ${endpoint.id}`.execute(h.database.db);
  const waitForAttempts = (count: number) =>
    waitUntil(async () => (await deliveries()).data[0]?.attempts.length >= count, `${count} attempts`);
  await placeOrder(reseller);
  await waitForAttempts(1);
  await longAgo(4.9);
  await makeDue();
  await waitForAttempts(2);
  equal((await call('GET', path)).body.data.status, 'enabled');
  await longAgo(5.1);
  await placeOrder(reseller);
  await waitUntil(async () => {
    const { data } = await deliveries();
    return data.length === 2 && data[0].attempts.length >= 1;
  }, 'the other delivery');
  await makeDue({ tries: 1 });
  await waitForAttempts(2);
  const disabled = (await call('GET', path)).body.data;
  equal(disabled.disabledReason, 'Every attempt failed for 5 days; the last: The response was 503, not 2xx.');
  receiver.respond((response) => response.writeHead(200).end());
  await call('PATCH', path, { status: 'enabled' });
  await makeDue();
  await waitForStatus('delivered');
  equal((await call('GET', path)).body.data.failingSince, undefined);
});

test('409: a replay needs a test to the current URL that returned 2xx, and only one runs at a time', async (t) => {
  const { receiver, reseller, call, path, waitForStatus } = await start(t);
  await placeOrder(reseller);
  const [{ eventId }] = await waitForStatus('delivered');
  const { createdAt } = (await reseller.get(`/events/${eventId}`)).body.data;
  const replay = () => call('POST', `${path}/replay`, { from: createdAt, to: createdAt });
  const assertConflict = async (message: RegExp) => {
    const { status, body } = await replay();
    deepEqual([status, body.error.code], [409, 'conflict']);
    match(body.error.message, message);
  };
  const sendTest = async (answered: number, status: string) => {
    receiver.respond((response) => response.writeHead(answered).end());
    const { eventId: testId } = (await call('POST', `${path}/test`)).body.data;
    await waitUntil(async () => {
      const [test] = (await call('GET', `${path}/deliveries?eventId=${testId}`)).body.data;
      return test?.status === status && test.attempts.length > 0;
    }, `a test that is ${status}`);
  };
  await assertConflict(/webhook\.test/);
  await sendTest(500, 'pending');
  await assertConflict(/webhook\.test/);
  await sendTest(204, 'delivered');
  const { promise: isAllowed, resolve: allow } = Promise.withResolvers<void>();
  receiver.respond((response) => void isAllowed.then(() => response.writeHead(204).end()));
  equal((await replay()).status, 202);
  await assertConflict(/replay/);
  allow();
  await waitUntil(async () => (await replay()).status === 202, 'the end of the replay');
  for (const url of [`${receiver.url}/other`, receiver.url]) {
    await call('PATCH', path, { url });
    await assertConflict(/webhook\.test/);
  }
});

test('Retry-After of 429 and 503 postpones the retry, at most to the time of the next retry', async (t) => {
  const { receiver, reseller, deliveries, call, path } = await start(t);
  const rows: [status: number, retryAfter: string, fromSeconds: number, toSeconds: number][] = [
    [503, '60', 60, 61],
    [429, new Date(Date.now() + 100_000).toUTCString(), 60, 101],
    [503, '86400', 300, 301],
    [503, '0', 2.5, 11],
    [429, 'soon', 2.5, 11],
    [500, '60', 2.5, 11],
  ];
  for (const [status, retryAfter, fromSeconds, toSeconds] of rows) {
    receiver.respond((response) => response.writeHead(status, { 'retry-after': retryAfter }).end());
    await placeOrder(reseller);
    const [{ id, attempts, nextAttemptAt }] = await waitUntil(async () => {
      const { data } = await deliveries('?status=pending');
      return data[0]?.attempts.length === 1 && data;
    }, 'the attempt');
    const [{ at, durationMs }] = attempts;
    const delaySeconds = (Date.parse(nextAttemptAt) - Date.parse(at) - durationMs) / 1000;
    const isRight = delaySeconds >= fromSeconds - 0.1 && delaySeconds <= toSeconds + 1;
    ok(isRight, `${status} with Retry-After ${retryAfter}: ${delaySeconds} s`);
    receiver.respond((response) => response.writeHead(204).end());
    await call('POST', `${path}/deliveries/${id}/redeliver`);
    await waitUntil(async () => (await deliveries('?status=pending')).data.length === 0, 'the delivery');
  }
});

test('202: a replay resends every event of the period and the types', async (t) => {
  const { receiver, reseller, create, call } = await start(t, { types: ['account.balance_low'] });
  const orders = [await placeOrder(reseller), await placeOrder(reseller), await placeOrder(reseller)];
  const events = await waitUntil(async () => {
    const { data } = (await reseller.get('/events')).body;
    return data.length >= 3 && data;
  }, 'three events');
  const late = await create({ types: ['order.complete'] });
  await call('POST', `/${late.id}/test`);
  const lateDelivered = (count: number) =>
    waitUntil(async () => {
      const { meta } = (await call('GET', `/${late.id}/deliveries?status=delivered`)).body;
      return meta.totalResults === count;
    }, `${count} deliveries`);
  await lateDelivered(1);
  const replay = (body: unknown) => call('POST', `/${late.id}/replay`, body);
  const replayed = await replay({ from: events[1].createdAt, to: events[2].createdAt });
  deepEqual([replayed.status, replayed.body.data], [202, { deliveries: 2 }]);
  for (const orderId of orders.slice(1)) await receiver.waitFor(isOf(orderId), 'a replayed order');
  await lateDelivered(3);
  ok(!receiver.received.some(isOf(orders[0] ?? '')));
  const ofOldTimes = (await replay({ from: '2020-01-01T00:00:00Z', to: events[0].createdAt })).body.data;
  equal(ofOldTimes.deliveries, 1);
  const keptDays = (Date.parse(events[0].createdAt) - Date.parse(ofOldTimes.eventsKeptFrom)) / 86_400_000;
  ok(keptDays > 29.9 && keptDays < 30.1, `events of ${keptDays} days`);
  for (const [body, field] of [
    [{ from: events[1].createdAt, to: events[0].createdAt }, 'body.to'],
  ] as const) {
    const { status, body: answer } = await replay(body);
    deepEqual([status, answer.error.errors[0].field], [400, field]);
  }
});

test('deliveries are listed newest first in pages, and filtered by status, event and order', async (t) => {
  const { reseller, waitForStatus, deliveries, call, path } = await start(t);
  for (let count = 0; count < 12; count += 1) await placeOrder(reseller);
  await waitForStatus('delivered', 12);
  const all = await deliveries();
  const ids = all.data.map((one: { eventId: string }) => one.eventId);
  deepEqual(ids, ids.toSorted().reverse());
  const second = await deliveries('?itemsPerPage=10&page=2');
  deepEqual(second.data, all.data.slice(10));
  deepEqual([second.meta.totalResults, second.meta.hasNext, second.meta.hasPrevious], [12, false, true]);
  deepEqual((await deliveries(`?eventId=${ids[3]}`)).data, [all.data[3]]);
  const { orderId } = all.data[3];
  deepEqual((await deliveries(`?orderId=${orderId}`)).data, [all.data[3]]);
  await h.operate('POST', `/orders/${orderId}/refund`, { reason: 'Trial' });
  await waitForStatus('delivered', 14);
  deepEqual(
    (await deliveries(`?orderId=${orderId}`)).data.map(({ type }: { type: string }) => type).toSorted(),
    ['order.closed', 'order.complete', 'order.refunded'],
  );
  const stranger = await start(t);
  const theirs = await placeOrder(stranger.reseller);
  await stranger.waitForStatus('delivered', 1);
  for (const query of ['?eventId=evt_unknown', '?status=failed', '?status=pending', `?orderId=${theirs}`])
    equal((await deliveries(query)).meta.totalResults, 0, query);
  equal((await call('GET', `${path}/deliveries?status=lost`)).status, 400);
});

test('an endpoint that hangs delays no other endpoint', async (t) => {
  const { receiver, reseller } = await start(t);
  const hanging = await start(t);
  hanging.receiver.respond(() => {});
  for (let count = 0; count < 5; count += 1) await placeOrder(hanging.reseller);
  await hanging.receiver.waitFor(() => true, 'a request that hangs');
  await receiver.waitFor(isOf(await placeOrder(reseller)), 'the other order');
  equal((await hanging.deliveries('?status=pending')).meta.totalResults, 5);
});

test('an event that cannot be rendered delays no other event, and is delivered when it can be', async (t) => {
  const { receiver, reseller, call, path, waitForStatus, deliveries } = await start(t);
  const broken = await placeOrder(reseller);
  const { event } = await receiver.waitFor(isOf(broken), 'the first order');
  const [{ id }] = await waitForStatus('delivered');
  const missing = '10000000000000';
  const moveTo = (orderId: string) =>
    sql`UPDATE event SET order_id = ${orderId}::bigint
      WHERE account_id = ${reseller.accountId}::uuid AND order_id IN (${broken}::bigint, ${missing}::bigint)`.execute(
      h.database.db,
    );
  await moveTo(missing);
  equal((await call('POST', `${path}/deliveries/${id}/redeliver`)).status, 202);
  const other = await placeOrder(reseller);
  await receiver.waitFor(isOf(other), 'the other order');
  const [delivery] = await waitUntil(async () => {
    const { data } = await deliveries(`?status=pending&eventId=${event.id}`);
    return data[0]?.attempts.length === 2 && data;
  }, 'the attempt without a request');
  match(delivery.attempts[1].error, /could not build the event/);
  equal((await call('GET', path)).body.data.failingSince, undefined);
  const orders = (await reseller.get('/events')).body.data.map(
    (one: { data: { order: { id: string } } }) => one.data.order.id,
  );
  deepEqual(orders, [other]);
  await moveTo(broken);
  await call('POST', `${path}/deliveries/${id}/redeliver`);
  await waitUntil(async () => receiver.received.filter(isOf(broken)).length === 2, 'the repaired event');
});

test('events committed before an endpoint was disabled are delivered, even if the worker is late', async (t) => {
  const early = await h.seed.reseller({ balance: '1000.00' });
  await placeOrder(early);
  const { receiver, reseller, call, path, waitForStatus, deliveries } = await start(t);
  const orders: string[] = [];
  // Another node has the worker's position, and is slow.
  const other = await h.database.connect();
  await other.query('BEGIN');
  await other.query("SELECT FROM stream_position WHERE stream = 'event' FOR NO KEY UPDATE");
  for (const status of ['disabled', 'enabled', undefined]) {
    orders.push(await placeOrder(reseller));
    if (status !== undefined) equal((await call('PATCH', path, { status })).status, 200);
  }
  equal((await deliveries()).meta.totalResults, 0);
  await other.query('ROLLBACK').finally(() => other.release());
  const [before = '', , after = ''] = orders;
  await waitForStatus('delivered', 2);
  equal((await deliveries()).meta.totalResults, 2);
  deepEqual(receiver.received.map(({ event }) => event.data.order.id).toSorted(), [before, after].toSorted());
});

test('a receiver that was down for a day gets all deliveries, no more concurrently than its responses allow', async (t) => {
  const ORDERS = 60;
  const { receiver, reseller, endpoint, deliveries } = await start(t);
  const { productId } = await h.seed.listing({ stock: ORDERS, price: '1.00' });
  receiver.respond((response) => response.destroy());
  const orders: string[] = [];
  for (let count = 0; count < ORDERS; count += 1)
    orders.push((await reseller.order(auto(productId))).body.data.id);
  // While it fails, it gets one delivery a second.
  await receiver.waitFor(() => receiver.received.length >= 4, 'four attempts that fail');
  const before = receiver.received.length;
  let [underWay, answered] = [0, 0];
  const excess: string[] = [];
  receiver.respond((response) => {
    underWay += 1;
    const allowed = Math.min(32, 1 + answered);
    if (underWay > allowed) excess.push(`${underWay} in progress after ${answered} responses`);
    response.on('finish', () => {
      underWay -= 1;
      answered += 1;
    });
    // Responses take longer than requests need to arrive.
    setTimeout(() => response.writeHead(204).end(), 50);
  });
  const aDay = sql`interval '1 day'`;
  await sql`UPDATE webhook_delivery SET next_attempt_at = next_attempt_at - ${aDay}
    WHERE endpoint = (SELECT number FROM webhook_endpoint WHERE id = ${endpoint.id})`.execute(h.database.db);
  const isAllDelivered = async () => (await deliveries('?status=delivered')).meta.totalResults === ORDERS;
  await waitUntil(isAllDelivered, 'all deliveries');
  deepEqual(excess, []);
  const arrived = receiver.received.slice(before).map(({ event }) => event.data.order.id);
  deepEqual(new Set(arrived), new Set(orders));
});
