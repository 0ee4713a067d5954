/**
 * R12, A90. Orders pass `pending` and `processing` inside one transaction; the test puts them there
 * directly, because their rules still hold.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { manual, type Reseller, startHarness } from '../support/harness.ts';
import { wholeFile } from '../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_GATEWAY_TIMEOUT_MS: '20' });

const OPERATOR = 'test-operator';
const SERVICE = 'keyport';

/** Two units at 10.00 less 10 %: 18.00. */
const QUANTITY = 2;
const STOCK = 4;

const reseller = (account: Record<string, unknown>) =>
  h.seed.reseller({ balance: '9999.00', account: { discountPercent: '10', ...account } });
const byGateway = (gatewayCustomer: string) => ({ paymentMethod: 'gateway', gatewayCustomer });
const RESELLERS = {
  balance: await reseller({}),
  'balance, under review': await reseller({ holdOrders: true }),
  'gateway, pays': await reseller(byGateway('sim_ok')),
  'gateway, pays, under review': await reseller({ ...byGateway('sim_ok'), holdOrders: true }),
  'gateway, declined': await reseller(byGateway('sim_declined')),
  'gateway, no response': await reseller(byGateway('sim_error')),
};
const productId = await h.seed.product();
const sellerId = await h.seed.seller();

type Placed = { readonly reseller: Reseller; readonly id: string; readonly offerId: string };

async function place(who: keyof typeof RESELLERS, stock: { images?: number } = {}): Promise<Placed> {
  const { images = 0 } = stock;
  const offer = await h.seed.offer({ productId, sellerId, price: '10.00', stock: STOCK - images, images });
  const response = await RESELLERS[who].order(manual(offer.id, { quantity: QUANTITY }));
  const id: string = response.body.data?.id ?? response.body.error.data.orderId;
  return { reseller: RESELLERS[who], id, offerId: offer.id };
}

const act = ({ id }: Placed, action: string, body: Record<string, unknown> = {}) =>
  h.call('POST', `/admin/v1/orders/${id}/${action}`, {
    token: h.operatorToken,
    body: { reason: `${action}, says the test`, ...body },
    headers: { 'idempotency-key': randomUUID() },
  });

async function mustAct(placed: Placed, action: string, body: Record<string, unknown> = {}): Promise<Placed> {
  const response = await act(placed, action, body);
  equal(response.status, 200, JSON.stringify(response.body));
  return placed;
}

/** Leaves the order as if its release had been interrupted in this status. */
async function leaveIn(status: 'pending' | 'processing', placed: Placed): Promise<Placed> {
  await sql`UPDATE "order" SET status = ${status}, held_from = NULL WHERE id = ${placed.id}::bigint`.execute(
    h.database.db,
  );
  await sql`INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
    VALUES (${placed.id}::bigint, 'held', ${status}, now(), 'test', 'by hand')`.execute(h.database.db);
  await h.service.eventsWritten();
  // The transaction would have written this event; no event announces a pending order.
  await sql`INSERT INTO event (id, order_id, account_id, type, data)
    SELECT max(id) + 1, order_id, account_id, 'order.processing', '{}' FROM event
    WHERE order_id = ${placed.id}::bigint AND ${status} = 'processing' GROUP BY order_id, account_id`.execute(
    h.database.db,
  );
  return placed;
}

async function providerSays(placed: Placed, customer: string, isExpired = false): Promise<void> {
  await sql`UPDATE gateway_payment SET customer = ${customer}, next_check_at = now(),
      expires_at = CASE WHEN ${isExpired} THEN now() ELSE expires_at END
    WHERE order_id = ${placed.id}::bigint AND state = 'open'`.execute(h.database.db);
  // The first call may just wait for a round already in progress.
  await h.service.runOrderWorker();
  await h.service.runOrderWorker();
}

const unpaid = () => place('gateway, no response');
const part = ({ id }: Placed) => ({ items: [{ id: `${id}01`, quantity: 1 }] });

const STATES = {
  pending: async () => leaveIn('pending', await mustAct(await unpaid(), 'hold')),
  pending_payment: unpaid,
  'processing, balance': async () => leaveIn('processing', await place('balance, under review')),
  'processing, gateway': async () => leaveIn('processing', await place('gateway, pays, under review')),
  'held, from pending': async () =>
    mustAct(await leaveIn('pending', await mustAct(await unpaid(), 'hold')), 'hold'),
  'held, from pending_payment': async () => mustAct(await unpaid(), 'hold'),
  'held, balance': () => place('balance, under review'),
  'held, gateway': () => place('gateway, pays, under review'),
  'complete, balance': () => place('balance'),
  'complete, gateway': () => place('gateway, pays'),
  'complete, keys were read': async () => {
    const placed = await place('balance');
    equal((await placed.reseller.get(`/orders/${placed.id}/keys`)).status, 200);
    return placed;
  },
  'complete, refunded in part': async () => {
    const placed = await place('gateway, pays');
    return mustAct(placed, 'refund', part(placed));
  },
  'closed, refunded': async () => mustAct(await place('balance'), 'refund'),
  'closed, only images left': () => place('gateway, pays', { images: STOCK }),
  'canceled, by an operator': async () => mustAct(await unpaid(), 'cancel'),
  'canceled, declined': () => place('gateway, declined'),
  'canceled, time ran out': async () => {
    const placed = await unpaid();
    await providerSays(placed, 'sim_error', true);
    return placed;
  },
} as const satisfies Record<string, () => Promise<Placed>>;

type Result = { readonly rejection?: string; readonly keys?: number };

const byOperator =
  (name: string, body: (placed: Placed) => Record<string, unknown> = () => ({})) =>
  async (placed: Placed): Promise<Result> => {
    const response = await act(placed, name, body(placed));
    return response.status === 200 ? {} : { rejection: response.body.error.code };
  };

const byProvider =
  (customer: string, isExpired?: boolean) =>
  async (placed: Placed): Promise<Result> => {
    await providerSays(placed, customer, isExpired);
    return {};
  };

const ACTIONS = {
  hold: byOperator('hold'),
  release: byOperator('release'),
  cancel: byOperator('cancel'),
  refund: byOperator('refund'),
  'refund one': byOperator('refund', part),
  'refund, return': byOperator('refund', () => ({ returnToStock: true })),
  'refund, withdraw': byOperator('refund', () => ({ withdrawKeys: true })),
  'read keys': async ({ reseller: owner, id }: Placed): Promise<Result> => {
    const { status, body } = await owner.get(`/orders/${id}/keys`);
    return status === 200 ? { keys: body.data[0].keys.length } : { rejection: body.error.code };
  },
  'provider: paid': byProvider('sim_ok'),
  'provider: declined': byProvider('sim_declined'),
  'provider: no response': byProvider('sim_error'),
  'time runs out': byProvider('sim_error', true),
} satisfies Record<string, (placed: Placed) => Promise<Result>>;

type State = keyof typeof STATES;
type Action = keyof typeof ACTIONS;
/** The statuses that the order passes through | units not for sale | transfers, in cents. `-` means none. */
type Expected = Record<Action, string>;

const CONFLICT = 'conflict';
const NEVER = {
  hold: CONFLICT,
  release: CONFLICT,
  cancel: CONFLICT,
  refund: CONFLICT,
  'refund one': CONFLICT,
  'refund, return': CONFLICT,
  'refund, withdraw': CONFLICT,
  'read keys': 'order-not-complete',
  'provider: paid': '-',
  'provider: declined': '-',
  'provider: no response': '-',
  'time runs out': '-',
} as const satisfies Expected;

const waiting = (status: string): Expected => ({
  ...NEVER,
  hold: `${status} held | reserved 2 | `,
  cancel: `${status} canceled |  | `,
  'provider: paid': `${status} processing complete | sold 2 | charge 1800`,
  'provider: declined': `${status} canceled |  | `,
  'time runs out': `${status} canceled |  | `,
});

/**
 * A hold stops the clock. A payment during it is kept, and one that is declined leaves the order held (A66).
 */
const heldUnpaid = (from: string): Expected => ({
  ...NEVER,
  release: `held ${from} | reserved 2 | `,
  cancel: 'held canceled |  | ',
  'provider: paid': `held ${from} processing held | reserved 2 | charge 1800`,
});

/** Before delivery an order is refunded in full, and its units are withdrawn unless they return. */
const paid = (status: string): Expected => ({
  ...NEVER,
  refund: `${status} closed | withdrawn 2 | refund 1800`,
  'refund, return': `${status} closed |  | refund 1800`,
  'refund, withdraw': `${status} closed | withdrawn 2 | refund 1800`,
});

const PROCESSING = { ...paid('processing'), hold: 'processing held | reserved 2 | ' };
const HELD = { ...paid('held'), release: 'held processing complete | sold 2 | ' };
const COMPLETE = {
  ...NEVER,
  refund: 'complete closed | sold 2 | refund 1800',
  'refund one': 'complete complete | sold 2 | refund 900',
  'refund, return': 'complete closed |  | refund 1800',
  'refund, withdraw': 'complete closed | withdrawn 2 | refund 1800',
  'read keys': '2 keys',
};
const LATE_PAYMENT = 'charge 1800, refund 1800';

const EXPECTED: Record<State, Expected> = {
  pending: waiting('pending'),
  pending_payment: waiting('pending_payment'),
  'processing, balance': PROCESSING,
  'processing, gateway': PROCESSING,
  'held, from pending': heldUnpaid('pending'),
  'held, from pending_payment': heldUnpaid('pending_payment'),
  'held, balance': HELD,
  'held, gateway': HELD,
  'complete, balance': COMPLETE,
  'complete, gateway': COMPLETE,
  'complete, keys were read': { ...COMPLETE, 'refund, return': CONFLICT },
  'complete, refunded in part': {
    ...COMPLETE,
    refund: 'complete closed | sold 2 | refund 900',
    'refund one': 'complete closed | sold 2 | refund 900',
    'refund, return': 'complete closed | sold 1 | refund 900',
    'refund, withdraw': 'complete closed | sold 1, withdrawn 1 | refund 900',
  },
  'closed, refunded': NEVER,
  'closed, only images left': { ...NEVER, 'read keys': 'order-auto-refund-image-keys' },
  // The provider may still have charged an abandoned order; the charge is booked and refunded (A77).
  'canceled, by an operator': { ...NEVER, 'provider: paid': `- |  | ${LATE_PAYMENT}` },
  'canceled, declined': NEVER,
  'canceled, time ran out': { ...NEVER, 'provider: paid': `- |  | ${LATE_PAYMENT}` },
};

type Look = {
  readonly status: string;
  readonly log: readonly { from: string | null; to: string; actor: string; reason: string; at: string }[];
  readonly units: string;
  readonly transfers: readonly string[];
  readonly quantity: Readonly<Record<string, number>>;
};

async function look({ id, offerId }: Placed): Promise<Look> {
  const { status, statusLog, transactions } = await h.operate('GET', `/orders/${id}`);
  const { rows: units } = await sql<{ text: string }>`
    SELECT state || ' ' || count(*) AS text FROM unit
    WHERE offer_id = ${offerId}::uuid AND state <> 'available' GROUP BY state ORDER BY state`.execute(
    h.database.db,
  );
  const { rows: transfers } = await sql<{ text: string }>`
    SELECT kind || ' ' || amount_minor AS text FROM ledger_transfer WHERE order_id = ${id}::bigint ORDER BY id`.execute(
    h.database.db,
  );
  return {
    status,
    log: statusLog,
    units: units.map(({ text }) => text).join(', '),
    transfers: transfers.map(({ text }) => text),
    quantity: transactions[0].items[0].quantity,
  };
}

function describe(result: Result, before: Look, now: Look): string {
  if (result.rejection !== undefined) return result.rejection;
  if (result.keys !== undefined) return `${result.keys} keys`;
  const steps = now.log.slice(before.log.length);
  const transfers = now.transfers.slice(before.transfers.length);
  if (steps.length === 0 && transfers.length === 0) return '-';
  const path = steps.length === 0 ? '-' : [steps[0]?.from, ...steps.map(({ to }) => to)].join(' ');
  return `${path} | ${now.units} | ${transfers.join(', ')}`;
}

/** The log is a chain that only grows, ends at the order's status, and names actor and reason. */
function checkLog(action: Action, before: Look, now: Look): void {
  deepEqual(now.log.slice(0, before.log.length), before.log, 'logged entries stay');
  for (const [index, step] of now.log.entries()) equal(step.from, now.log[index - 1]?.to ?? null);
  equal(now.log.at(-1)?.to, now.status);
  const isByOperator = !action.startsWith('provider') && action !== 'time runs out';
  const name = action.split(/[ ,]/)[0];
  for (const step of now.log.slice(before.log.length)) {
    equal(step.actor, isByOperator ? OPERATOR : SERVICE);
    if (isByOperator) equal(step.reason, `${name}, says the test`);
    else match(step.reason, /pa(?:id|yment)/);
    ok(Date.parse(step.at) >= Date.parse(before.log.at(-1)?.at ?? ''), 'logged at the time of the action');
  }
}

for (const [state, expected] of Object.entries(EXPECTED)) {
  test(`${state}: every action does what the table says, and is logged`, async () => {
    for (const [name, does] of Object.entries(ACTIONS)) {
      const action = name as Action;
      const placed = await STATES[state as State]();
      const before = await look(placed);
      equal(before.status, state.split(',')[0]);
      const result = await does(placed);
      const now = await look(placed);
      equal(describe(result, before, now), expected[action], `${action} of ${state}`);
      checkLog(action, before, now);
      if (result.rejection !== undefined || result.keys !== undefined || expected[action] === '-')
        deepEqual(now, before, 'nothing changed');
    }
  });
}
