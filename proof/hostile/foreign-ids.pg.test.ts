/**
 * A thousand ids that belong to another account or to none: every read answers the same to all of them, byte for byte but for
 * the trace id, so that no caller learns which orders, accounts and clients there are. A45.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { beforeAll, test } from 'vitest';
import { auto, type Reseller } from '../../packages/server/test/support/harness.ts';
import { sharedHarness } from '../../packages/server/test/support/vitest.ts';

const FOREIGN = 300;
const ABSENT = 700;
const AT_ONCE = 20;

const h = await sharedHarness();
const owner = await h.seed.reseller({ balance: '100000.00' });
const otherReseller = await h.seed.reseller({ balance: '100.00' });
const { productId } = await h.seed.listing({ price: '1.00', stock: FOREIGN });
let orderIds: readonly string[] = [];

beforeAll(async () => {
  const orders = await inTurns(Array.from({ length: FOREIGN }), () => owner.order(auto(productId)));
  ok(orders.every(({ status }) => status === 201));
  const foreign: string[] = orders.map(({ body }) => body.data.id);
  // As long as real ones and near them, so that only their existence could distinguish them.
  const absent = Array.from({ length: ABSENT }, (_, index) =>
    nearby(foreign[index % FOREIGN] ?? '', foreign),
  );
  orderIds = [...foreign, ...absent].sort();
});

test('orders and keys of others are like those that never were', async () => {
  for (const suffix of ['', '/keys']) {
    const kinds = await kindsOfResponses(otherReseller, orderIds, (id) => `/export/v1/orders/${id}${suffix}`);
    equal(kinds.size, 1, [...kinds.keys()].join('\n'));
    ok([...kinds.keys()][0]?.includes('order-not-found'));
  }
});

test('the history filtered by the order of another is empty, as by one that never was', async () => {
  const kinds = await kindsOfResponses(otherReseller, orderIds, (id) => `/export/v1/orders?orderId=${id}`);
  equal(kinds.size, 1, [...kinds.keys()].join('\n'));
  ok([...kinds.keys()][0]?.includes('"data":[]'));
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
  };
  for (const { method, path, audience, name } of OPERATION_LIST) {
    if (audience !== 'operator') continue;
    const parameter = /\{([^}]+)\}/.exec(path)?.[1];
    const ids = parameter === undefined ? [''] : (known[parameter] ?? []);
    ok(ids.length > 0, `${name} has a parameter that this test knows`);
    const kinds = await kindsOfResponses(otherReseller, ids, (id) => path.replace(/\{[^}]+\}/, id), method);
    equal(kinds.size, 1, `${name}: ${[...kinds.keys()].join('\n')}`);
    ok([...kinds.keys()][0]?.startsWith('403'), name);
  }
});

test('the Idempotency-Key of another is free', async () => {
  const key = randomUUID();
  const shop = await h.seed.listing({ price: '1.00', stock: 2 });
  const item = auto(shop.productId);
  const [first, second] = [await owner.order(item, key), await otherReseller.order(item, key)];
  deepEqual([first.status, second.status], [201, 201]);
  ok(first.body.data.id !== second.body.data.id);
});

/** Answers without what differs from request to request, and how many there were of each. */
async function kindsOfResponses(
  { token }: Reseller,
  ids: readonly string[],
  pathOf: (id: string) => string,
  method = 'GET',
): Promise<Map<string, number>> {
  const responses = await inTurns(ids, async (id) => {
    const response = await fetch(`${h.url}${pathOf(id)}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
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

/** Some at once; results in the order of the list. */
async function inTurns<T, Result>(list: readonly T[], work: (one: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < list.length; start += AT_ONCE)
    results.push(...(await Promise.all(list.slice(start, start + AT_ONCE).map(work))));
  return results;
}
