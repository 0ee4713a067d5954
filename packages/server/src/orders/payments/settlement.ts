/** The provider is called outside any transaction, with the order id as its idempotency key. R20. */
import { must } from '@keyport/core/assert';
import { eventsOfChange } from '@keyport/core/events';
import { decidePaid, decideUnpaid, type OrderChange } from '@keyport/core/orders/decide-change';
import { UNDER_REVIEW } from '@keyport/core/orders/place-order';
import { ApiError } from '@keyport/http/replies/api-error';
import { buildErrorBody } from '@keyport/http/replies/errors';
import { bulkhead, TaskCancelledError } from 'cockatiel';
import type { Logger } from 'pino';
import { logChanges } from '../../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../../db/engines/database.ts';
import { isUnreachable } from '../../db/errors.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { HouseAccounts } from '../../ledger/house-accounts.sql.ts';
import { type Charge, type ChargeResult, type Gateway, NotCharged } from '../../payments/gateway.ts';
import { applyChange } from '../changes/apply-change.ts';
import {
  cancelOrders,
  finishRecord,
  finishRecords,
  type LockedOrder,
  lockOrder,
  lockOrders,
} from '../changes/order-updates.sql.ts';
import { findOrder, SERVICE_ACTOR } from '../history/read-orders.sql.ts';
import { CREATED, createdBody, type StoredResponse } from '../order-response.ts';
import { reinstateReservations } from '../reservations/reservations.sql.ts';
import { abandonUncharged, closeGatewayPayment, insertGatewayRefund } from './payments.sql.ts';

/** Leaves connections for placing orders when a slow provider fails hundreds of charges. */
const TRANSACTIONS_MAX = 4;
const GIVEN_UP_AT_ONCE_MAX = 200;
/** Limits the wait, because the response is sent within 20 s (R27). The worker settles the remaining orders. */
const WAIT_MAX_MS = 10_000;
const LIMITS = { statementTimeoutMs: 3_000, lockTimeoutMs: 2_000, deadlineMs: 4_000 };

export type SettlementOptions = {
  readonly database: Database;
  readonly houseAccounts: HouseAccounts;
  readonly gateway: Gateway;
  readonly gatewayTimeoutMs: number;
  readonly publicUrl: () => string;
  readonly log: Logger;
  readonly onCatalogueChanged: () => void;
};

export type Settlement = ReturnType<typeof createSettlement>;

export type Verdict =
  | Exclude<ChargeResult, { readonly status: 'pending' }>
  /** The provider was not called, or rejected the call. */
  | { readonly status: 'not-charged' }
  | { readonly status: 'expired' };

/** The provider gave no final response. */
type NoPayment = Extract<Verdict, { readonly status: 'not-charged' | 'expired' }>;

type GivenUp = {
  readonly orderId: string;
  readonly verdict: NoPayment;
  readonly sinceMs: number;
  readonly resolve: (response: StoredResponse) => void;
  readonly reject: (error: unknown) => void;
};

export function createSettlement(options: SettlementOptions) {
  const { database, gateway, gatewayTimeoutMs, log, onCatalogueChanged } = options;
  const places = bulkhead(TRANSACTIONS_MAX, Number.POSITIVE_INFINITY);
  const transact = <Result>(work: (tx: Tx) => Promise<Result>, waitMaxMs = WAIT_MAX_MS): Promise<Result> =>
    places
      .execute(() => runTransaction(database, LIMITS, work), AbortSignal.timeout(waitMaxMs))
      .catch((error: unknown) => {
        throw error instanceof TaskCancelledError ? notRecorded(error) : error;
      });
  const giveUp = createGivingUp({ ...options, transact, settleAlone });

  const settle = (orderId: string, verdict: Verdict): Promise<StoredResponse> =>
    verdict.status === 'not-charged' || verdict.status === 'expired'
      ? giveUp(orderId, verdict)
      : settleAlone(orderId, verdict);

  async function settleAlone(orderId: string, verdict: Verdict): Promise<StoredResponse> {
    if (verdict.status === 'amount_mismatch') {
      const { amountMinor, currency } = verdict;
      const message = 'payment provider charged a different amount; refunding it';
      log.error({ orderId, amountMinor, currency }, message);
    }
    const settled = await transact(async (tx) => {
      const order = must(await lockOrder(tx, orderId), `the order ${orderId} of a payment`);
      return settleLocked(tx, order, verdict, options);
    });
    if (settled.isCatalogueChanged) onCatalogueChanged();
    return settled.response;
  }

  /** The worker queries the provider later. */
  const leaveOpen = (orderId: string): Promise<StoredResponse> =>
    transact((tx) => unpaidResponse(tx, orderId, 'order-not-paid', options));

  async function attempt(charge: Charge, signals: readonly AbortSignal[]): Promise<Verdict | undefined> {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(gatewayTimeoutMs), ...signals]);
      const response = await gateway.charge(charge, signal);
      return response.status === 'pending' ? undefined : response;
    } catch (error) {
      log.warn({ err: error, orderId: charge.orderId }, 'payment provider did not respond to a charge');
      return error instanceof NotCharged ? { status: 'not-charged' } : undefined;
    }
  }

  return {
    settle,
    /** The order must be locked. Returns whether the catalogue changed. */
    settleIn: async (tx: Tx, order: LockedOrder, verdict: Verdict): Promise<boolean> =>
      (await settleLocked(tx, order, verdict, options)).isCatalogueChanged,
    leaveOpen,
    /** For an order that is unknown to the provider. */
    abandon: (orderId: string) => transact((tx) => closeGatewayPayment(tx, orderId, { status: 'abandoned' })),
    /** Returns the response to the create-order request. */
    async charge(charge: Charge): Promise<StoredResponse> {
      const verdict = await attempt(charge, []);
      return verdict === undefined ? leaveOpen(charge.orderId) : settle(charge.orderId, verdict);
    },
    /** For an order whose process ended early. The first attempt may have charged. */
    async chargeAgain(charge: Charge, signal: AbortSignal): Promise<void> {
      const verdict = await attempt(charge, [signal]);
      if (verdict !== undefined && verdict.status !== 'not-charged') await settle(charge.orderId, verdict);
      else if (!signal.aborted) await leaveOpen(charge.orderId);
    },
  };
}

type Transact = <Result>(work: (tx: Tx) => Promise<Result>, waitMaxMs?: number) => Promise<Result>;

/** Orders that are given up share transactions. */
function createGivingUp(
  deps: SettlementOptions & {
    readonly transact: Transact;
    readonly settleAlone: (orderId: string, verdict: Verdict) => Promise<StoredResponse>;
  },
) {
  const { transact, settleAlone, onCatalogueChanged } = deps;
  const waiting: GivenUp[] = [];
  let isRunning = false;

  async function giveUpTogether(batch: readonly GivenUp[]): Promise<void> {
    const since = Math.min(...batch.map(({ sinceMs }) => sinceMs));
    const waitMaxMs = Math.ceil(Math.max(0, since + WAIT_MAX_MS - performance.now()));
    const settled = await transact((tx) => giveUpLocked(tx, batch, deps), waitMaxMs);
    if (settled.isCatalogueChanged) onCatalogueChanged();
    for (const { orderId, resolve } of batch)
      resolve(must(settled.responses.get(orderId), 'a response for every order'));
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = takeDistinct(waiting, GIVEN_UP_AT_ONCE_MAX);
      try {
        await giveUpTogether(batch);
      } catch (error) {
        // One order, or a lock that it waits for, must not block the others.
        const isAlone = batch.length === 1 || error instanceof ApiError || isUnreachable(error);
        for (const { orderId, verdict, sinceMs, resolve, reject } of batch) {
          if (isAlone || performance.now() - sinceMs > WAIT_MAX_MS) reject(error);
          else await settleAlone(orderId, verdict).then(resolve, reject);
        }
      }
    }
    isRunning = false;
  }

  return (orderId: string, verdict: NoPayment): Promise<StoredResponse> =>
    new Promise((resolve, reject) => {
      waiting.push({ orderId, verdict, sinceMs: performance.now(), resolve, reject });
      if (!isRunning) void run();
    });
}

function takeDistinct(queue: GivenUp[], sizeMax: number): GivenUp[] {
  const taken = new Map<string, GivenUp>();
  const left: GivenUp[] = [];
  for (const one of queue.splice(0)) {
    if (taken.size < sizeMax && !taken.has(one.orderId)) taken.set(one.orderId, one);
    else left.push(one);
  }
  queue.push(...left);
  return [...taken.values()];
}

function notRecorded(cause: unknown): ApiError {
  return new ApiError('service-unavailable', {
    message:
      'The payment could not be recorded in time. Send the same request with the same Idempotency-Key again in a second.',
    headers: { 'retry-after': '1' },
    cause,
  });
}

/** `settleLocked` for many orders. */
async function giveUpLocked(tx: Tx, batch: readonly GivenUp[], options: SettlementOptions) {
  const verdicts = new Map(batch.map(({ orderId, verdict }) => [orderId, verdict]));
  const orders = await lockOrders(tx, [...verdicts.keys()]);
  const cancellations: { order: LockedOrder; change: OrderChange; reason: string }[] = [];
  const settledBefore: LockedOrder[] = [];
  for (const order of orders) {
    const verdict = must(verdicts.get(order.id), 'only orders of the batch are locked');
    const change = unpaidChange(order, verdict);
    if (change === undefined) settledBefore.push(order);
    else cancellations.push({ order, change, reason: toReason(verdict, order, change) });
  }
  const canceledIds = cancellations.map(({ order }) => order.id);
  await cancelOrders(tx, cancellations, SERVICE_ACTOR);
  const uncharged = canceledIds.filter((orderId) => verdicts.get(orderId)?.status === 'not-charged');
  await abandonUncharged(tx, uncharged);
  const publicUrl = options.publicUrl();
  const rejections = canceledIds.map(
    (orderId) => [orderId, buildUnpaidResponse(orderId, 'payment-went-wrong', publicUrl)] as const,
  );
  const responses = new Map(await finishRecords(tx, new Map(rejections)));
  for (const order of settledBefore)
    responses.set(order.id, await settledResponse(tx, order, undefined, options));
  const restocked = cancellations.flatMap(({ order }) => (order.hasUnits ? order.productIds : []));
  const events = cancellations.flatMap(({ order, change }) => eventsOfChange(order, change));
  await reinstateDeclined(tx, responses);
  await logChanges(tx, { productIds: restocked, events });
  return { responses, isCatalogueChanged: restocked.length > 0 };
}

/** After order-not-paid nothing is reinstated: the reseller waits for the order's outcome (A606). */
async function reinstateDeclined(tx: Tx, responses: ReadonlyMap<string, StoredResponse>): Promise<void> {
  const declined = [...responses].filter(([, { body }]) => body.includes('"payment-went-wrong"'));
  const orderIds = declined.map(([orderId]) => orderId);
  if (orderIds.length > 0) await reinstateReservations(tx, orderIds);
}

async function settleLocked(tx: Tx, order: LockedOrder, verdict: Verdict, options: SettlementOptions) {
  const { houseAccounts } = options;
  const change = verdict.status === 'paid' ? decidePaid(order) : unpaidChange(order, verdict);
  const context = (reason: string) => ({ houseAccounts, actor: SERVICE_ACTOR, reason });
  const changes = change && (await applyChange(tx, order, change, context(toReason(verdict, order, change))));
  await closePayment(tx, order, verdict, change);
  const response = await settledResponse(tx, order, change, options);
  if (change?.status === 'canceled') await reinstateDeclined(tx, new Map([[order.id, response]]));
  if (changes !== undefined) await logChanges(tx, changes);
  return { response, isCatalogueChanged: (changes?.productIds.length ?? 0) > 0 };
}

/** An operator decides about a held order (A66), unless the provider charged a wrong amount (A77). */
function unpaidChange(order: LockedOrder, verdict: Verdict): OrderChange | undefined {
  return verdict.status === 'amount_mismatch' || order.status !== 'held' ? decideUnpaid(order) : undefined;
}

async function closePayment(
  tx: Tx,
  order: LockedOrder,
  verdict: Verdict,
  change: OrderChange | undefined,
): Promise<void> {
  switch (verdict.status) {
    case 'expired':
      // The provider may have charged.
      return;
    case 'not-charged':
      if (change !== undefined) await abandonUncharged(tx, [order.id]);
      return;
    case 'amount_mismatch': {
      const isNew = await closeGatewayPayment(tx, order.id, verdict);
      const { amountMinor, currency } = verdict;
      if (isNew) await insertGatewayRefund(tx, { orderId: order.id, amountMinor, currency, isBooked: false });
      return;
    }
    case 'declined':
      // A held order's payment stays open until its release.
      if (change !== undefined || order.status !== 'held') await closeGatewayPayment(tx, order.id, verdict);
      return;
    case 'paid':
      await closeGatewayPayment(tx, order.id, verdict);
  }
}

const UNPAID_REASONS = {
  declined: 'the payment provider declined',
  expired: 'no payment within the time limit',
  'not-charged': 'the payment provider could not be called',
  amount_mismatch: 'the payment provider charged a different amount, which is refunded',
} as const;

function toReason({ status }: Verdict, order: LockedOrder, change: OrderChange): string {
  if (status !== 'paid') return UNPAID_REASONS[status];
  if (change.isImageRefunded) return 'refunded in full: only image keys were left';
  if (change.status !== 'held') return 'paid through the provider and delivered';
  // Only an operator can hold an order before its payment.
  const why = order.status === 'held' ? 'an operator holds it' : (order.holdReason ?? UNDER_REVIEW);
  return `paid through the provider; held: ${why}`;
}

/** Describes the current state, because the worker may have settled the payment in the meantime. */
async function settledResponse(
  tx: Tx,
  order: LockedOrder,
  change: OrderChange | undefined,
  options: SettlementOptions,
): Promise<StoredResponse> {
  const { status, items } = change ?? order;
  if (status === 'canceled') return unpaidResponse(tx, order.id, 'payment-went-wrong', options);
  if (items.every((item) => item.invoiced === 0))
    return unpaidResponse(tx, order.id, 'order-not-paid', options);
  const body = createdBody(must(await findOrder(tx, order.id, undefined), `the order ${order.id}`));
  return finishRecord(tx, order.id, { status: CREATED, body });
}

function unpaidResponse(
  tx: Tx,
  orderId: string,
  code: UnpaidCode,
  options: SettlementOptions,
): Promise<StoredResponse> {
  return finishRecord(tx, orderId, buildUnpaidResponse(orderId, code, options.publicUrl()));
}

type UnpaidCode = 'order-not-paid' | 'payment-went-wrong';

export function buildUnpaidResponse(orderId: string, code: UnpaidCode, publicUrl: string): StoredResponse {
  const body = buildErrorBody(new ApiError(code, { data: { orderId } }), publicUrl);
  return { status: body.error.status, body: JSON.stringify(body) };
}
