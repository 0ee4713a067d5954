/** A46. */
import { deepEqual, equal } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

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

test.each([
  ['9007 1992 5474 0999', [B, A]],
  ['900719925474099901', [B, A]],
  ['operator_b', [C, B]],
  ['4bf92f3577b34da6a3ce929d0e0e4736', []],
  ['0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111', []],
])('a search for %s finds its entries', async (query, expected) => {
  const { body } = await h.admin('GET', `/audit?${new URLSearchParams({ ...PERIOD, query })}`);
  deepEqual(
    body.data.map(({ clientId, action }: { clientId: string; action: string }) => `${clientId} ${action}`),
    expected,
  );
});

test('400: the search names another client than the filter', async () => {
  const { status, body } = await h.admin('GET', '/audit?query=operator_b&clientId=operator_c');
  deepEqual([status, body.error.errors[0].field], [400, 'query.query']);
});

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
