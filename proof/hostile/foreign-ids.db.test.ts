/** Ids of another account and ids of nothing get the same bytes, so no caller learns which exist. A45. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { beforeAll, test } from 'vitest';
import { auto, type Reseller } from '../../packages/server/test/support/harness.ts';
import { toReservations } from '../../packages/server/test/support/reservations.ts';
import { sharedHarness } from '../../packages/server/test/support/vitest.ts';

const FOREIGN = 300;
const ABSENT = 700;
const AT_ONCE = 20;

/** All others take an empty object. */
const BODIES: Readonly<Record<string, unknown>> = {
  updateWebhookEndpoint: { status: 'disabled' },
  updateOwnClient: { name: 'Mine' },
  renewReservation: { ttlSeconds: 60 },
  advanceSandboxReservation: { seconds: 1 },
  replayWebhooks: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
};

const h = await sharedHarness();
const owner = await h.seed.reseller({ balance: '100000.00' });
const otherReseller = await h.seed.reseller({ balance: '100.00' });
const { productId } = await h.seed.listing({ price: '1.00', stock: FOREIGN + 1 });
let orderIds: readonly string[] = [];

beforeAll(async () => {
  const orders = await inTurns(Array.from({ length: FOREIGN }), () => owner.order(auto(productId)));
  ok(orders.every(({ status }) => status === 201));
  const foreign: string[] = orders.map(({ body }) => body.data.id);
  // Near real ones, so that only their existence could distinguish them.
  const absent = Array.from({ length: ABSENT }, (_, index) =>
    nearby(foreign[index % FOREIGN] ?? '', foreign),
  );
  orderIds = [...foreign, ...absent].sort();
});

test('orders and keys of others get the responses of nonexistent ones', async () => {
  for (const suffix of ['', '/keys']) {
    const kinds = await kindsOfResponses(otherReseller, orderIds, (id) => `/export/v1/orders/${id}${suffix}`);
    equal(kinds.size, 1, [...kinds.keys()].join('\n'));
    ok([...kinds.keys()][0]?.includes('order-not-found'));
  }
});

test('events of others get the responses of nonexistent ones', async () => {
  await h.service.eventsWritten();
  const { data } = (await owner.get('/events?limit=50')).body;
  const foreign: string[] = data.map(({ id }: { id: string }) => id);
  equal(foreign.length, 50);
  const absent = foreign.map((id) => `${id.slice(0, -1)}${id.endsWith('z') ? 'y' : 'z'}`);
  const kinds = await kindsOfResponses(
    otherReseller,
    [...foreign, ...absent].sort(),
    (id) => `/export/v1/events/${id}`,
  );
  equal(kinds.size, 1, [...kinds.keys()].join('\n'));
  ok([...kinds.keys()][0]?.startsWith('404'));
});

test('the history filtered by an order of another reseller is empty, as for an order that does not exist', async () => {
  const kinds = await kindsOfResponses(otherReseller, orderIds, (id) => `/export/v1/orders?orderId=${id}`);
  equal(kinds.size, 1, [...kinds.keys()].join('\n'));
  ok([...kinds.keys()][0]?.includes('"data":[]'));
});

test('the sandbox changes no order of others, and responds as for nonexistent ones', async () => {
  const BODIES: Readonly<Record<string, object>> = { advance: { hours: 1 }, settle: {} };
  for (const { method, path, isSandboxOnly, name } of OPERATION_LIST) {
    if (isSandboxOnly !== true || !path.includes('{orderId}')) continue;
    const body = BODIES[path.split('/').at(-1) ?? ''] ?? { reason: 'a rehearsal' };
    const toPath = (id: string) => path.replace('{orderId}', id);
    const kinds = await kindsOfResponses(otherReseller, orderIds.slice(0, 100), toPath, method, body);
    equal(kinds.size, 1, `${name}: ${[...kinds.keys()].join('\n')}`);
    ok([...kinds.keys()][0]?.startsWith('404'), name);
  }
});

test('the operator interface reveals nothing to a reseller, not even its own data', async () => {
  const accountIds = [
    owner.accountId,
    otherReseller.accountId,
    ...Array.from({ length: 20 }, () => randomUUID()),
  ];
  const known: Record<string, readonly string[]> = {
    accountId: accountIds,
    clientId: [owner.clientId, otherReseller.clientId, 'nobody'],
    orderId: orderIds.slice(0, 20),
    productId: [productId, '99999999999999'],
    offerId: accountIds,
    sellerId: accountIds,
    kind: ['sellers', 'keys'],
    runId: ['1', '17'],
    approvalId: ['1', '17'],
    paymentId: orderIds.slice(0, 5).flatMap((id) => [`charge-${id}`, `refund-${id}`]),
    reservationId: [`rsv_${'0'.repeat(32)}`],
    claimId: [`clm_${'0'.repeat(32)}`],
    viewId: accountIds,
    noteId: ['1', '17'],
    subject: orderIds.slice(0, 5).map((id) => `order:${id}`),
    operatorId: [`person_${'0'.repeat(24)}`, ...(await operatorIds())],
  };
  for (const { method, path, audience, name } of OPERATION_LIST) {
    if (audience !== 'operator') continue;
    const parameter = /\{([^}]+)\}/.exec(path)?.[1];
    const ids = parameter === undefined ? [''] : (known[parameter] ?? []);
    ok(ids.length > 0, `${name} has a parameter that this test knows`);
    const kinds = await kindsOfResponses(otherReseller, ids, (id) => pathFor(path, id), method);
    equal(kinds.size, 1, `${name}: ${[...kinds.keys()].join('\n')}`);
    ok([...kinds.keys()][0]?.startsWith('403'), name);
  }
});

test('every request for a webhook endpoint of others gets the response of a nonexistent one', async () => {
  const created = await h.call('POST', '/export/v1/webhook-endpoints', {
    token: owner.token,
    body: { url: 'https://shop.example/hook', types: ['*'] },
  });
  equal(created.status, 201);
  const { id } = created.body.data;
  const ids = [id, ...Array.from({ length: 50 }, () => `whe_${randomUUID().replaceAll('-', '')}`)];
  for (const { method, path, audience, name } of OPERATION_LIST) {
    if (audience !== 'reseller' || !path.includes('{endpointId}')) continue;
    const kinds = await kindsOfResponses(
      otherReseller,
      ids,
      (one) => pathFor(path, one),
      method,
      BODIES[name],
    );
    equal(kinds.size, 1, `${name}: ${[...kinds.keys()].join('\n')}`);
    ok([...kinds.keys()][0]?.startsWith('404'), `${name}: ${[...kinds.keys()][0]}`);
  }
  const own = await owner.get(`/webhook-endpoints/${id}`);
  deepEqual([own.status, own.body.data.status], [200, 'enabled']);
});

test('clients of others get the responses of nonexistent ones', async () => {
  const ids = [owner.clientId, ...Array.from({ length: 50 }, () => `reseller_${randomUUID()}`)];
  for (const { method, path, audience, name } of OPERATION_LIST) {
    if (audience !== 'reseller' || !path.includes('{clientId}')) continue;
    const kinds = await kindsOfResponses(otherReseller, ids, (id) => pathFor(path, id), method, BODIES[name]);
    equal(kinds.size, 1, `${name}: ${[...kinds.keys()].join('\n')}`);
    ok([...kinds.keys()][0]?.startsWith('404'), name);
  }
});

test('every request for a reservation of others gets the response of a nonexistent one', async () => {
  const [{ id }, own] = [await toReservations(h, owner).reserved(auto(productId)), toReservations(h, owner)];
  const ids = [id, ...Array.from({ length: 50 }, () => `rsv_${randomUUID().replaceAll('-', '')}`)];
  for (const { method, path, audience, name } of OPERATION_LIST) {
    if (audience !== 'reseller' || !path.includes('{reservationId}')) continue;
    const toPath = (one: string) => pathFor(path, one);
    const kinds = await kindsOfResponses(otherReseller, ids, toPath, method, BODIES[name]);
    equal(kinds.size, 1, `${name}: ${[...kinds.keys()].join('\n')}`);
    ok([...kinds.keys()][0]?.startsWith('404'), `${name}: ${[...kinds.keys()][0]}`);
  }
  equal((await own.get(id)).status, 'active');
});

async function operatorIds(): Promise<string[]> {
  return (await h.operate('GET', '/operators')).map(({ id }: { id: string }) => id);
}

function pathFor(path: string, id: string): string {
  return path.replace(/\{[^}]+\}/, id).replace(/\{[^}]+\}/, 'nothing');
}

/** Without the parts that differ from request to request. */
async function kindsOfResponses(
  { token }: Reseller,
  ids: readonly string[],
  toPath: (id: string) => string,
  method = 'GET',
  body: unknown = {},
): Promise<Map<string, number>> {
  const responses = await inTurns(ids, async (id) => {
    const response = await fetch(`${h.url}${toPath(id)}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
    });
    const traceId = response.headers.get('x-trace-id') ?? '';
    const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-trace-id');
    const text = (await response.text()).replaceAll(traceId, '(trace id)');
    return `${response.status} ${JSON.stringify(headers)} ${text}`;
  });
  const kinds = new Map<string, number>();
  for (const answer of responses) kinds.set(answer, (kinds.get(answer) ?? 0) + 1);
  return kinds;
}

function nearby(id: string, taken: readonly string[]): string {
  const tail = String(randomInt(10_000_000)).padStart(7, '0');
  const near = `${id.slice(0, -7)}${tail}`;
  return taken.includes(near) ? nearby(id, taken) : near;
}

/** Results in the order of the list. */
async function inTurns<T, Result>(list: readonly T[], work: (one: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < list.length; start += AT_ONCE)
    results.push(...(await Promise.all(list.slice(start, start + AT_ONCE).map(work))));
  return results;
}
