/** A440. */
import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { readBooks } from '../../support/books.ts';
import { manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

type Body = Readonly<Record<string, unknown>>;

const send = (path: string, body: Body, headers: Readonly<Record<string, string>> = {}) =>
  h.call('POST', `/admin/v1${path}`, {
    token: h.operatorToken,
    body,
    headers: { 'idempotency-key': randomUUID(), ...headers },
  });
const dryRun = (path: string, body: Body) => h.admin('POST', path, { ...body, dryRun: true });

async function place(account: Record<string, unknown> = {}, quantity = 3) {
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { offerId, codes } = await h.seed.listing({ price: '10.01', stock: 6 });
  const response = await reseller.order(manual(offerId, { quantity }));
  const id: string = response.body.data?.id ?? response.body.error.data.orderId;
  const keyIds = async (): Promise<string[]> =>
    (await h.operate('GET', `/orders/${id}/keys`))
      .filter(
        ({ refundedAt, replacedAt }: Record<string, unknown>) => refundedAt === null && replacedAt === null,
      )
      .map(({ id: keyId }: { id: string }) => keyId);
  return { reseller, accountId: reseller.accountId, offerId, codes, id, keyIds };
}

/** Everything that a write could change, and the stamp of the last change. */
async function footprint() {
  const { rows } = await sql`
    SELECT (SELECT count(*) FROM audit_entry WHERE action <> 'keys.find') AS audits, (SELECT count(*) FROM ledger_transfer) AS transfers,
      (SELECT count(*) FROM write_record) AS records, (SELECT count(*) FROM order_status_log) AS log,
      (SELECT count(*) FROM gateway_refund) AS refunds, (SELECT count(*) FROM key_replacement) AS replacements,
      (SELECT max(stamp) FROM change_log) AS stamp, (SELECT sum(balance_minor) FROM account) AS balances,
      (SELECT md5(string_agg(id || ' ' || coalesce(number, 0) || is_withdrawn || coalesce(refunded_at::text, ''), ',' ORDER BY id))
        FROM stock_key) AS units,
      (SELECT md5(string_agg("order"::text, ',' ORDER BY id)) FROM "order") AS orders`.execute(h.database.db);
  return rows[0];
}

const minor = (amount: string) => Math.round(Number(amount) * 100);

const UNDER_REVIEW = { holdOrders: true };
const UNPAID = { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' };
const PAID_BY_CARD = { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' };

type World = Awaited<ReturnType<typeof place>>;
/** Writes that move money or stock, each with the account that places the order. */
const WRITES: Record<string, { account?: Record<string, unknown>; write: (world: World) => [string, Body] }> =
  {
    hold: { account: UNPAID, write: ({ id }) => [`/orders/${id}/hold`, { reason: 'x' }] },
    release: { account: UNDER_REVIEW, write: ({ id }) => [`/orders/${id}/release`, { reason: 'x' }] },
    cancel: { account: UNPAID, write: ({ id }) => [`/orders/${id}/cancel`, { reason: 'x' }] },
    'refund of a held order': {
      account: UNDER_REVIEW,
      write: ({ id }) => [`/orders/${id}/refund`, { reason: 'x' }],
    },
    'refund to stock': {
      write: ({ id }) => [
        `/orders/${id}/refund`,
        { reason: 'x', returnToStock: true, items: [{ id: `${id}01`, quantity: 2 }] },
      ],
    },
    'refund by card': {
      account: PAID_BY_CARD,
      write: ({ id }) => [`/orders/${id}/refund`, { reason: 'x', withdrawKeys: true }],
    },
    deposit: {
      write: ({ accountId }) => [`/accounts/${accountId}/deposits`, { amount: '7.5', reference: 'd' }],
    },
    'adjustment down': {
      write: ({ accountId }) => [
        `/accounts/${accountId}/adjustments`,
        { direction: 'debit', amount: '7.50', reference: 'a', reason: 'x' },
      ],
    },
    payout: {
      write: ({ accountId }) => [`/accounts/${accountId}/payouts`, { amount: '7.50', reference: 'p' }],
    },
    'withdrawal by quantity': {
      write: ({ offerId }) => [`/offers/${offerId}/keys/withdraw`, { reason: 'x', quantity: 2 }],
    },
    'withdrawal by code': {
      write: ({ offerId, codes }) => [
        `/offers/${offerId}/keys/withdraw`,
        { reason: 'x', codes: [codes[0], codes[5], 'no'] },
      ],
    },
    'changes to an offer': {
      write: ({ offerId }) => [
        '/offers/changes',
        {
          changes: [
            {
              offerId,
              price: '12',
              withdrawKeys: { reason: 'x', quantity: 1 },
              addKeys: [{ code: randomUUID() }],
            },
          ],
        },
      ],
    },
    'new keys': {
      write: ({ offerId, codes }) => [
        `/offers/${offerId}/keys`,
        { keys: [{ code: randomUUID() }, { code: randomUUID() }, { code: codes[0] }] },
      ],
    },
    'replacement of a key': {
      write: ({ id, codes }) => [`/orders/${id}/replace-key`, { reason: 'x', code: codes[1] }],
    },
  };

/** Sends a dry run, then the write in the same state, and compares the preview with the result. */
async function compare(world: World, path: string, body: Body): Promise<void> {
  const scope = { accountId: world.accountId, offerId: world.offerId };
  const before = await footprint();
  const books = await readBooks(h, scope);
  const preview = await dryRun(path, body);
  equal(preview.status, 200, JSON.stringify(preview.body));
  deepEqual(await footprint(), before, 'a dry run writes nothing');
  const shown = preview.body.data;
  equal(shown.dryRun, true);
  const etag = preview.headers.get('etag') ?? fail('a preview has an ETag');

  const written = await send(path, body, { 'if-match': etag });
  ok(written.status < 300, JSON.stringify(written.body));
  const after = await readBooks(h, scope);
  equal(after.transfers - books.transfers, shown.bookings.length);
  const gained = after.balanceMinor - books.balanceMinor;
  if (shown.balance === null) equal(gained, 0);
  else {
    deepEqual(
      [minor(shown.balance.before), minor(shown.balance.after)],
      [books.balanceMinor, after.balanceMinor],
    );
    equal(minor(shown.amount), gained);
  }
  const booked = shown.bookings.reduce(
    (sum: number, { amount }: { amount: string }) => sum + minor(amount),
    0,
  );
  equal(Math.abs(minor(shown.amount)), booked);
  const order = (await world.reseller.get(`/orders/${world.id}`)).body.data;
  if (shown.order !== null) deepEqual(shown.order.after, order);
  const count = (state: string) => (after.units[state] ?? 0) - (books.units[state] ?? 0);
  equal(count('withdrawn'), shown.units.withdrawn);
  equal(count('available'), (shown.stock[0]?.after ?? 0) - (shown.stock[0]?.before ?? 0));
  if (shown.stock.length > 0) equal(shown.stock[0].after, after.units['available'] ?? 0);
}

for (const [name, { account, write }] of Object.entries(WRITES)) {
  test(`${name}: the preview shows what the write then does, and writes nothing`, async () => {
    const world = await place(account);
    await compare(world, ...write(world));
  });
}

test('the preview of a refund matches its bookings and units, regardless of earlier refunds', async () => {
  const refund = fc.record({
    quantity: fc.integer({ min: 1, max: 2 }),
    units: fc.constantFrom({}, { returnToStock: true }, { withdrawKeys: true }),
    isChosen: fc.boolean(),
  });
  const discounts = fc.constantFrom('0', '3.33', '50');
  await fc.assert(
    fc.asyncProperty(
      discounts,
      fc.array(refund, { minLength: 1, maxLength: 3 }),
      async (discountPercent, refunds) => {
        const world = await place({ discountPercent }, 4);
        let left = 4;
        for (const { quantity, units, isChosen } of refunds) {
          const taken = Math.min(quantity, left);
          if (taken === 0) return;
          left -= taken;
          // A refund without a choice would take different keys.
          const keyIds = isChosen ? { keyIds: (await world.keyIds()).slice(0, taken) } : {};
          const items = [{ id: `${world.id}01`, quantity: taken, ...keyIds }];
          await compare(world, `/orders/${world.id}/refund`, { reason: 'x', items, ...units });
        }
      },
    ),
    { numRuns: 6 },
  );
});

test('an impossible write is rejected in a dry run as in a real one', async () => {
  const { id, accountId } = await place();
  for (const [path, body] of [
    [`/orders/${id}/cancel`, { reason: 'x' }],
    [`/orders/${id}/refund`, { reason: 'x', items: [{ id: `${id}01`, quantity: 4 }] }],
    [`/accounts/${accountId}/payouts`, { amount: '1000', reference: 'r' }],
    ['/orders/1000000000000000/cancel', { reason: 'x' }],
  ] as const) {
    const [dry, real] = [await dryRun(path, body), await send(path, body)];
    deepEqual([dry.status, dry.body.error.message], [real.status, real.body.error.message]);
    ok(dry.status >= 400);
  }
});

test('the second of two people who refund a key in the same state gets 412 with the current preview', async () => {
  const { id, reseller } = await place();
  const body = { reason: 'x', items: [{ id: `${id}01`, quantity: 1 }] };
  const path = `/orders/${id}/refund`;
  const seen = (await dryRun(path, body)).headers.get('etag') ?? '';
  equal((await dryRun(path, body)).headers.get('etag'), seen);
  const responses = await Promise.all([1, 2].map(() => send(path, body, { 'if-match': seen })));
  deepEqual(responses.map(({ status }) => status).sort(), [200, 412]);
  const late = responses.find(({ status }) => status === 412) ?? fail();
  const { error } = late.body;
  equal(error.code, 'state-changed');
  const { quantity } = error.data.order.before.transactions[0].items[0];
  equal(quantity.refunded, 1);
  equal(error.data.order.after.transactions[0].items[0].quantity.refunded, 2);
  equal((await reseller.get(`/orders/${id}`)).body.data.transactions[0].items[0].quantity.refunded, 1);

  const again = await send(path, body, { 'if-match': `"other", ${late.headers.get('etag')}` });
  equal(again.status, 200, JSON.stringify(again.body));
});

test('the preview of a refund names its keys, and the refund is 412 if one was replaced since', async () => {
  const { id } = await place();
  const path = `/orders/${id}/refund`;
  const body = { reason: 'x', items: [{ id: `${id}01`, quantity: 1 }] };
  const keyId = (await h.operate('GET', `/orders/${id}/keys`)).at(-1).id;
  const seen = await dryRun(path, body);
  deepEqual(seen.body.data.keyIds, [keyId]);
  const { newKeyId } = await h.operate('POST', `/orders/${id}/replace-key`, { reason: 'x', keyId });
  const late = await send(path, body, { 'if-match': seen.headers.get('etag') ?? '' });
  deepEqual([late.status, late.body.error.data.keyIds], [412, [newKeyId]]);
  const done = await send(path, body, { 'if-match': late.headers.get('etag') ?? '' });
  equal(done.status, 200, JSON.stringify(done.body));
  const refunded = (await h.operate('GET', `/orders/${id}/keys`)).filter(
    (key: { refundedAt: string | null }) => key.refundedAt !== null,
  );
  deepEqual(
    refunded.map((key: { id: string }) => key.id),
    [newKeyId],
  );
});

test('412 does not use up an Idempotency-Key, and a replay does not check the state', async () => {
  const { id } = await place();
  const body = { reason: 'x', items: [{ id: `${id}01`, quantity: 1 }] };
  const path = `/orders/${id}/refund`;
  const headers = { 'idempotency-key': randomUUID() };
  equal((await send(path, body, { ...headers, 'if-match': '"other"' })).status, 412);
  const etag = (await dryRun(path, body)).headers.get('etag') ?? '';
  equal((await send(path, body, { ...headers, 'if-match': etag })).status, 200);
  const replay = await send(path, body, { ...headers, 'if-match': etag });
  deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [200, 'true']);
});

test('a later order of the account changes the state of a payout, not that of a refund', async () => {
  const { id, reseller, offerId, accountId } = await place();
  const refund = { reason: 'x', items: [{ id: `${id}01`, quantity: 1 }] };
  const payout = { amount: '1', reference: 'r' };
  const tags = [
    (await dryRun(`/orders/${id}/refund`, refund)).headers.get('etag') ?? '',
    (await dryRun(`/accounts/${accountId}/payouts`, payout)).headers.get('etag') ?? '',
  ] as const;
  equal((await reseller.order(manual(offerId))).status, 201);
  equal((await send(`/accounts/${accountId}/payouts`, payout, { 'if-match': tags[1] })).status, 412);
  equal((await send(`/orders/${id}/refund`, refund, { 'if-match': tags[0] })).status, 200);
});

test('If-Match matches *, but no weak tag, and rejects anything that is not a list of tags', async () => {
  const { id } = await place(UNDER_REVIEW);
  const path = `/orders/${id}/release`;
  const etag = (await dryRun(path, { reason: 'x' })).headers.get('etag') ?? '';
  const toStatus = async (match: string) => (await send(path, { reason: 'x' }, { 'if-match': match })).status;
  equal(await toStatus(`W/${etag}`), 412);
  for (const match of ['x', '', `${etag} ${etag}`, '"a", b']) {
    const { status, body } = await send(path, { reason: 'x' }, { 'if-match': match });
    deepEqual([status, body.error.errors[0].field], [400, 'headers.if-match'], match);
  }
  equal(await toStatus('*'), 200);
});

test('the preview of bulk changes has the new prices, and a price that changes later is a different state', async () => {
  const { offerId } = await place();
  const body = { changes: [{ offerId, price: '12', status: 'paused' }] };
  const preview = await dryRun('/offers/changes', body);
  deepEqual(preview.body.data.offers, [
    { offerId, before: { price: '10.01', status: 'active' }, after: { price: '12.00', status: 'paused' } },
  ]);
  await h.operate('PATCH', `/offers/${offerId}`, { price: '11' });
  const late = await send('/offers/changes', body, { 'if-match': preview.headers.get('etag') ?? '' });
  deepEqual([late.status, late.body.error.data.offers[0].before.price], [412, '11.00']);
});

test('dryRun: false is a write', async () => {
  const { accountId } = await place();
  const deposit = { amount: '1', reference: 'r', dryRun: false };
  equal((await send(`/accounts/${accountId}/deposits`, deposit)).status, 201);
});
