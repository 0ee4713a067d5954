import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { operatorOn } from '../../test/support/operator.ts';
import { wholeFile } from '../../test/support/vitest.ts';

const database = await testDatabase(wholeFile);
const { call, notifications, clientId } = operatorOn(database);

const MINIMAL = { name: 'Shop', paymentMethod: null };
const SETTLED = {
  name: 'Shop Ltd',
  paymentMethod: 'gateway',
  gatewayCustomer: 'sim_ok',
  discountPercent: '2.50',
  holdOrders: true,
  sellerId: randomUUID(),
  limits: { orderValueMax: '100', dailySpendMax: '250.5', dailyUnitsMax: 40 },
} as const;

test('a created account has its ledger account', async () => {
  const { status, data } = await call('createAccount', { body: MINIMAL });
  equal(status, 201);
  const { rows } = await sql`SELECT kind, currency FROM ledger_account WHERE account_id = ${data.id}`.execute(
    database.kysely,
  );
  deepEqual(rows, [{ kind: 'prepaid', currency: 'EUR' }]);
});

test('an account is shown and listed as created, oldest first, with two decimals', async () => {
  const { data: created } = await call('createAccount', { body: SETTLED });
  deepEqual(created.limits, {
    orderValueMax: '100.00',
    dailySpendMax: '250.50',
    dailyUnitsMax: 40,
    reservedUnitsMax: 50,
  });
  equal(created.discountPercent, '2.50');
  deepEqual((await call('getAccount', { params: { accountId: created.id.toUpperCase() } })).data, created);
  const { data, meta } = await call('listAccounts', { query: { itemsPerPage: 10 } });
  deepEqual(data.at(-1), created);
  equal(meta?.totalResults, data.length);
});

test('an update changes only the given fields, null removes a value, and limits are merged', async () => {
  const { data: created } = await call('createAccount', { body: SETTLED });
  const params = { accountId: created.id };
  notifications.length = 0;
  const limits = { orderValueMax: null, dailyUnitsMax: 0 };
  const { status, data } = await call('updateAccount', {
    params,
    body: {
      discountPercent: '5.00',
      gatewayCustomer: null,
      status: 'suspended',
      limits,
      balanceLowThreshold: '20',
    },
  });
  equal(status, 200);
  const expected = {
    ...created,
    discountPercent: '5',
    gatewayCustomer: null,
    status: 'suspended',
    limits: { orderValueMax: null, dailySpendMax: '250.50', dailyUnitsMax: 0, reservedUnitsMax: 50 },
    balanceLowThreshold: '20.00',
    returnWindowHours: 0,
    claimWindowHours: 720,
  };
  deepEqual(data, expected);
  deepEqual((await call('getAccount', { params })).data, expected);
  deepEqual(notifications, [`account ${created.id}`]);
});

test('the audit log has the old and the new values of a change, and no entry without a change', async () => {
  const { data: created } = await call('createAccount', { body: MINIMAL });
  const params = { accountId: created.id };
  await call('updateAccount', { params, body: { name: 'Shop', limits: { dailySpendMax: '10' } } });
  await call('updateAccount', { params, body: { limits: { dailySpendMax: '10.00' } } });
  const { data: entries } = await call('listAudit', { query: { clientId } });
  const own = entries.filter((entry) => entry.accountId === created.id);
  deepEqual(
    own.map(({ action, data }) => ({ action, data })),
    [
      { action: 'account.update', data: {} },
      { action: 'account.update', data: { 'limits.dailySpendMax': { from: null, to: '10.00' } } },
      { action: 'account.create', data: { name: { from: '', to: 'Shop' } } },
    ],
  );
});

test('closing is final, and closing again is not an error', async () => {
  const { data: created } = await call('createAccount', { body: MINIMAL });
  const params = { accountId: created.id };
  equal((await call('updateAccount', { params, body: { status: 'closed' } })).data.status, 'closed');
  equal((await call('updateAccount', { params, body: { status: 'closed' } })).status, 200);
  for (const body of [{ status: 'active' as const }, { name: 'Other' }]) {
    await rejects(call('updateAccount', { params, body }), { code: 'conflict' });
  }
  deepEqual((await call('getAccount', { params })).data.name, 'Shop');
});

test('an account that holds money or has an open order is not closed', async () => {
  const { data: rich } = await call('createAccount', { body: MINIMAL });
  await call('createDeposit', { params: { accountId: rich.id }, body: { amount: '0.01', reference: 'r' } });
  await rejects(call('updateAccount', { params: { accountId: rich.id }, body: { status: 'closed' } }), {
    code: 'conflict',
    data: { balance: '0.01' },
  });
  const { data: busy } = await call('createAccount', { body: MINIMAL });
  await sql`INSERT INTO "order" (id, account_id, status, held_from, created_at, currency, discount_minor,
      total_price_minor, origin)
    VALUES (1000000000000001, ${busy.id}, 'held', 'processing', now(), 'EUR', 0, 100, 'imported')`.execute(
    database.kysely,
  );
  await rejects(call('updateAccount', { params: { accountId: busy.id }, body: { status: 'closed' } }), {
    code: 'conflict',
  });
});

test('every operation on an unknown account returns not-found', async () => {
  const params = { accountId: randomUUID() };
  const notFound = { code: 'not-found' };
  await rejects(call('getAccount', { params }), notFound);
  await rejects(call('updateAccount', { params, body: { name: 'x' } }), notFound);
  await rejects(call('getStatement', { params }), notFound);
  await rejects(call('createDeposit', { params, body: { amount: '1', reference: 'r' } }), notFound);
  await rejects(call('createClient', { params, body: {} }), notFound);
  await rejects(call('listClients', { params }), notFound);
});
