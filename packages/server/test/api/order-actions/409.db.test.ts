/** R12, R23. */
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { assertNothingWritten } from '../../support/books.ts';
import { auto } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

const ACTIONS = ['hold', 'release', 'cancel', 'refund'] as const;

const gateway = (gatewayCustomer: string) => ({ paymentMethod: 'gateway', gatewayCustomer });

const STATES = [
  { status: 'complete', account: {}, steps: [], allowed: ['refund'] },
  { status: 'closed', account: {}, steps: ['refund'], allowed: [] },
  { status: 'held', account: { holdOrders: true }, steps: [], allowed: ['release', 'refund'] },
  { status: 'pending_payment', account: gateway('sim_error'), steps: [], allowed: ['hold', 'cancel'] },
  { status: 'held', account: gateway('sim_error'), steps: ['hold'], allowed: ['release', 'cancel'] },
  { status: 'canceled', account: gateway('sim_declined'), steps: [], allowed: [] },
  { status: 'canceled', account: gateway('sim_error'), steps: ['cancel'], allowed: [] },
] as const;

async function order(account: Record<string, unknown>, quantity = 2) {
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { productId, offerId } = await h.seed.listing({ price: '10.00', stock: 4 });
  const response = await reseller.order(auto(productId, { quantity }));
  const id: string = response.body.data?.id ?? response.body.error.data.orderId;
  return { reseller, offerId, id };
}

const act = (id: string, action: string, body: Record<string, unknown> = {}) =>
  h.call('POST', `/admin/v1/orders/${id}/${action}`, {
    token: h.operatorToken,
    body: { reason: 'test', ...body },
    headers: { 'idempotency-key': randomUUID() },
  });

for (const { status, account, steps, allowed } of STATES) {
  const payer = 'gatewayCustomer' in account ? [`gateway ${account.gatewayCustomer}`] : [];
  test(`${[status, ...payer, ...steps].join(', ')}: allows ${allowed.join(' and ') || 'nothing'}`, async () => {
    const { reseller, offerId, id } = await order(account);
    for (const step of steps) equal((await act(id, step)).status, 200);
    equal((await reseller.get(`/orders/${id}`)).body.data.status, status);
    for (const action of ACTIONS) {
      if (allowed.some((each) => each === action)) continue;
      const audit = await h.operate('GET', `/audit?orderId=${id}`);
      const response = await assertNothingWritten(
        h,
        { accountId: reseller.accountId, offerId, records: 0 },
        () => act(id, action),
      );
      deepEqual([response.status, response.body.error.code], [409, 'conflict'], `${action} of ${status}`);
      deepEqual(await h.operate('GET', `/audit?orderId=${id}`), audit);
      equal((await reseller.get(`/orders/${id}`)).body.data.status, status);
    }
    for (const action of allowed) {
      const fresh = await order(account);
      for (const step of steps) await act(fresh.id, step);
      equal((await act(fresh.id, action)).status, 200, `${action} of ${status}`);
    }
  });
}

test('no unit whose key was read can be returned to stock', async () => {
  const { reseller, offerId, id } = await order({}, 3);
  await reseller.get(`/orders/${id}/keys`);
  for (const items of [undefined, [{ id: `${id}01`, quantity: 1 }]]) {
    const response = await assertNothingWritten(
      h,
      { accountId: reseller.accountId, offerId, records: 0 },
      () => act(id, 'refund', { returnToStock: true, ...(items === undefined ? {} : { items }) }),
    );
    deepEqual([response.status, response.body.error.code], [409, 'conflict']);
    match(response.body.error.message, /read/);
  }
  equal((await act(id, 'refund')).status, 200, 'without returnToStock it is possible');
});

test('a key that was refunded is not refunded again', async () => {
  const { reseller, offerId, id } = await order({}, 3);
  const [, , { id: keyId }] = await h.operate('GET', `/orders/${id}/keys`);
  const items = [{ id: `${id}01`, quantity: 1, keyIds: [keyId] }];
  equal((await act(id, 'refund', { items })).status, 200);
  const response = await assertNothingWritten(h, { accountId: reseller.accountId, offerId, records: 0 }, () =>
    act(id, 'refund', { items }),
  );
  deepEqual([response.status, response.body.error.code], [409, 'conflict']);
  match(response.body.error.message, /keyIds\[0\]/);
});

test('no more units than remain can be refunded, whether in one line or in several', async () => {
  const { reseller, offerId, id } = await order({}, 3);
  const item = `${id}01`;
  equal((await act(id, 'refund', { items: [{ id: item, quantity: 1 }] })).status, 200);
  for (const items of [
    [{ id: item, quantity: 3 }],
    [
      { id: item, quantity: 1 },
      { id: item, quantity: 2 },
    ],
  ]) {
    const response = await assertNothingWritten(
      h,
      { accountId: reseller.accountId, offerId, records: 0 },
      () => act(id, 'refund', { items }),
    );
    equal(response.status, 409);
  }
  const both = {
    items: [
      { id: item, quantity: 1 },
      { id: item, quantity: 1 },
    ],
  };
  equal((await act(id, 'refund', both)).body.data.status, 'closed');
});

test('an undelivered order can be refunded only in full, without a choice of keys', async () => {
  const { reseller, offerId, id } = await order({ holdOrders: true });
  const keyIds = (await h.operate('GET', `/orders/${id}/keys`)).map((key: { id: string }) => key.id);
  for (const item of [{ quantity: 1 }, { quantity: 2, keyIds }]) {
    const scope = { accountId: reseller.accountId, offerId, records: 0 };
    const response = await assertNothingWritten(h, scope, () =>
      act(id, 'refund', { items: [{ id: `${id}01`, ...item }] }),
    );
    equal(response.status, 409);
  }
  const whole = { items: [{ id: `${id}01`, quantity: 2 }] };
  equal((await act(id, 'refund', whole)).body.data.status, 'closed');
});

test('imported orders reject every action, because another system manages them', async () => {
  const reseller = await h.seed.reseller();
  const statuses = ['complete', 'held', 'pending_payment'] as const;
  const ids = await importOrders(
    h,
    reseller.accountId,
    statuses.map((status) => ({ status })),
  );
  for (const [index, id] of ids.entries()) {
    for (const action of ACTIONS) {
      const response = await assertNothingWritten(h, { accountId: reseller.accountId, records: 0 }, () =>
        act(id, action),
      );
      equal(response.status, 409, `${action} of ${statuses[index]}`);
    }
  }
});

/** The tables that a refund with returned units writes, by payment method. */
const REFUND_WRITES = [
  [{}, ['"order"', 'order_status_log', 'stock_key', 'offer', 'product_stamp', 'audit_entry']],
  [{}, ['ledger_transfer', 'account']],
  [gateway('sim_ok'), ['ledger_transfer', 'gateway_refund']],
] as const;

for (const [account, tables] of REFUND_WRITES) {
  for (const table of tables) {
    test(`a refund that fails when it writes ${table} changes nothing (${Object.values(account)[0] ?? 'balance'})`, async () => {
      const { reseller, offerId, id } = await order(account);
      const refund = () => act(id, 'refund', { returnToStock: true });
      const name = sql.raw(table);
      await sql`CREATE OR REPLACE FUNCTION test_fails() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the test makes it fail'; END $$`.execute(h.database.db);
      await sql`CREATE TRIGGER test_fails BEFORE INSERT OR UPDATE ON ${name} FOR EACH ROW
        EXECUTE FUNCTION test_fails()`.execute(h.database.db);
      const seen = async () => [
        (await reseller.get(`/orders/${id}`)).body.data,
        await h.operate('GET', `/audit?orderId=${id}`),
        (await sql`SELECT count(*) FROM gateway_refund`.execute(h.database.db)).rows,
      ];
      try {
        const before = await seen();
        const scope = { accountId: reseller.accountId, offerId, records: 0 };
        const response = await assertNothingWritten(h, scope, refund);
        deepEqual([response.status, response.body.error.code], [500, 'internal-server-error']);
        doesNotMatch(JSON.stringify(response.body), /test makes|trigger|test_fails/i);
        deepEqual(await seen(), before);
      } finally {
        await sql`DROP TRIGGER test_fails ON ${name}`.execute(h.database.db);
      }
      equal((await refund()).status, 200, 'and without the fault the whole refund succeeds');
    });
  }
}
