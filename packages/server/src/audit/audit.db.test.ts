import { deepEqual, equal, rejects } from 'node:assert/strict';
import { sql } from 'kysely';
import { beforeAll, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { operatorOn } from '../../test/support/operator.ts';
import { wholeFile } from '../../test/support/vitest.ts';

const database = await testDatabase(wholeFile);
const { call } = operatorOn(database);

const ORDER_ID = '9007199254740999';

beforeAll(async () => {
  await sql`INSERT INTO audit_entry (at, client_id, action, order_id, data) VALUES
    ('2026-01-01T00:00:00.000001Z', 'reseller_a', 'keys.read', ${ORDER_ID}::bigint, '{"units": 2}'),
    ('2026-01-01T00:00:00.000002Z', 'operator_b', 'order.refund', ${ORDER_ID}::bigint, '{}'),
    ('2026-01-01T00:00:00.000003Z', 'operator_b', 'keys.read', NULL, '{}')`.execute(database.kysely);
});

const A = 'reseller_a keys.read';
const B = 'operator_b order.refund';
const C = 'operator_b keys.read';

for (const [title, query, expected] of [
  ['of all clients, newest first', {}, [C, B, A]],
  ['of an order', { orderId: ORDER_ID }, [B, A]],
  ['of a client', { clientId: 'operator_b' }, [C, B]],
  ['of an action', { action: 'keys.read' }, [C, A]],
  ['from a microsecond on, inclusive', { dateFrom: '2026-01-01T00:00:00.000002Z' }, [C, B]],
  ['up to a microsecond, inclusive', { dateTo: '2026-01-01T01:00:00.000002+01:00' }, [B, A]],
  ['by several filters at once', { action: 'keys.read', clientId: 'operator_b' }, [C]],
  ['of a client without entries', { clientId: 'nobody' }, []],
] as const) {
  test(`lists entries ${title}, with the exact total`, async () => {
    const { data, meta } = await call('listAudit', { query });
    deepEqual(
      data.map(({ clientId, action }) => `${clientId} ${action}`),
      expected,
    );
    equal(meta?.totalResults, expected.length);
  });
}

test('an entry has its facts and omits those without a value', async () => {
  const { data } = await call('listAudit', { query: { clientId: 'reseller_a' } });
  const [entry] = data;
  deepEqual(entry, {
    id: entry?.id,
    at: '2026-01-01T00:00:00.000001Z',
    clientId: 'reseller_a',
    action: 'keys.read',
    orderId: ORDER_ID,
    data: { units: 2 },
  });
});

test('a range that ends before it begins is rejected', async () => {
  const query = { dateFrom: '2026-01-02T00:00:00Z', dateTo: '2026-01-01T00:00:00Z' };
  await rejects(call('listAudit', { query }), {
    code: 'validation-error',
    message: 'query.dateTo must not be before dateFrom.',
  });
});
