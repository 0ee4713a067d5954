/** A46. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('every read of keys has an entry with the reader, time, keys and count, but no code', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing();
  const order = (await reseller.order(auto(productId, { quantity: 2 }))).body.data;
  const reads = [
    await reseller.get(`/orders/${order.id}/keys`),
    await reseller.get(`/orders/${order.id}/keys`),
  ];
  const response = await h.admin('GET', `/audit?orderId=${order.id}&action=keys.read`);
  equal(response.body.meta.totalResults, 2);
  const text = JSON.stringify(response.body);
  for (const code of codes) ok(!text.includes(code));
  type Entry = { clientId: string; accountId: string; orderId: string; traceId: string };
  deepEqual(
    response.body.data.map(({ clientId, accountId, orderId, traceId }: Entry) => [
      clientId,
      accountId,
      orderId,
      traceId,
    ]),
    reads.reverse().map(({ body }) => [reseller.clientId, reseller.accountId, order.id, body.traceId]),
    'newest first',
  );
});

test('every operator action has an entry without secrets and codes', async () => {
  const reseller = await h.seed.reseller({ balance: '1.00' });
  const { clientSecret } = await h.operate('POST', `/clients/${reseller.clientId}/secrets`);
  const { clientId } = await h.operate('POST', `/accounts/${reseller.accountId}/clients`, {});
  await h.operate('DELETE', `/clients/${clientId}`);
  const { codes, offerId } = await h.seed.listing();
  const entries = await h.operate('GET', '/audit?clientId=test-operator&itemsPerPage=100');
  const actions = new Set(entries.map(({ action }: { action: string }) => action));
  for (const action of [
    'account.create',
    'client.create',
    'client.secret',
    'client.disable',
    'seller.put',
    'product.put',
    'offer.put',
    'keys.add',
  ]) {
    ok(actions.has(action), action);
  }
  type Entry = { action: string; data: Record<string, unknown> };
  const added: Entry | undefined = entries.find(({ action }: Entry) => action === 'keys.add');
  deepEqual(added?.data, { offerId, added: codes.length, duplicates: 0 });
  const put: Entry | undefined = entries.find(({ action }: Entry) => action === 'offer.put');
  equal(put?.data['outcome'], 'created');
  const text = JSON.stringify(entries);
  for (const secret of [clientSecret, reseller.clientSecret, ...codes]) ok(!text.includes(secret));
});

const ORDER_ID = '9007199254740999';
const PERIOD = { dateFrom: '2020-01-01T00:00:00Z', dateTo: '2020-01-02T00:00:00Z' };

beforeAll(async () => {
  await sql`
    WITH entry AS (
      INSERT INTO audit_entry (at, client_id, action, order_id, data) VALUES
        ('2020-01-01T00:00:00.000001Z', 'reseller_a', 'keys.read', ${ORDER_ID}::bigint, '{"units": 2}'),
        ('2020-01-01T00:00:00.000002Z', 'operator_b', 'order.refund', ${ORDER_ID}::bigint, '{}'),
        ('2020-01-01T00:00:00.000003Z', 'operator_b', 'keys.read', NULL, '{}')
      RETURNING id
    )
    INSERT INTO audit_unsealed SELECT id FROM entry`.execute(h.database.db);
});

const A = 'reseller_a keys.read';
const B = 'operator_b order.refund';
const C = 'operator_b keys.read';

for (const [title, query, expected] of [
  ['of all clients, newest first', {}, [C, B, A]],
  ['of an order', { orderId: ORDER_ID }, [B, A]],
  ['of a client', { clientId: 'operator_b' }, [C, B]],
  ['of an action', { action: 'keys.read' }, [C, A]],
  ['from a microsecond on, inclusive', { dateFrom: '2020-01-01T00:00:00.000002Z' }, [C, B]],
  ['up to a microsecond, inclusive', { dateTo: '2020-01-01T01:00:00.000002+01:00' }, [B, A]],
  ['by several filters', { action: 'keys.read', clientId: 'operator_b' }, [C]],
  ['of a client without entries', { clientId: 'nobody' }, []],
] as const) {
  test(`lists entries ${title}, with the exact total`, async () => {
    const search = new URLSearchParams({ ...PERIOD, ...query });
    const { body } = await h.admin('GET', `/audit?${search}`);
    deepEqual(
      body.data.map(({ clientId, action }: { clientId: string; action: string }) => `${clientId} ${action}`),
      expected,
    );
    equal(body.meta.totalResults, expected.length);
  });
}

test('an entry omits fields without a value', async () => {
  const [entry] = await h.operate('GET', '/audit?clientId=reseller_a');
  deepEqual(entry, {
    id: entry.id,
    at: '2020-01-01T00:00:00.000001Z',
    clientId: 'reseller_a',
    action: 'keys.read',
    orderId: ORDER_ID,
    data: { units: 2 },
  });
});

test('a range that ends before it begins is rejected', async () => {
  const query = 'dateFrom=2026-01-02T00:00:00Z&dateTo=2026-01-01T00:00:00Z';
  const { status, body } = await h.admin('GET', `/audit?${query}`);
  deepEqual([status, body.error.message], [400, 'query.dateTo must not be before dateFrom.']);
});
