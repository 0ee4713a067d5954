/**
 * Payment of gateway orders: the provider is asked outside any transaction, after the order was committed as
 * pending_payment, and its answer is settled in a transaction of its own. Decisions section 5. Whatever happens in
 * between, the order id is the provider's idempotency key, so nothing is charged twice.
 */
import { decidePaid, decideUnpaid, type OrderChange } from '@keyport/core/change-order';
import type { OrderStatus } from '@keyport/core/order-status';
import type { Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { HouseAccounts } from '../db/house-accounts.sql.ts';
import type { Schema } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { ApiError } from '../http/api-error.ts';
import { buildErrorBody } from '../http/error-body.ts';
import type { Charge, ChargeAnswer, Gateway } from '../payments/gateway.ts';
import { closeGatewayPayment, finishRecord, type LockedOrder, lockOrder } from './change-order.sql.ts';
import { applyChange } from './change-order.ts';
import { buildOrder } from './order-response.ts';
import { CREATED, type StoredAnswer } from './place-batch.ts';
import { findOrder } from './read-orders.sql.ts';

/** Who the status log names for what the service does by itself. */
export const SERVICE_ACTOR = 'keyport';

export type SettlementOptions = {
  readonly database: Database;
  readonly houseAccounts: HouseAccounts;
  readonly gateway: Gateway;
  /** How long the create-order request waits for the provider, milliseconds. */
  readonly gatewayTimeoutMs: number;
  readonly publicUrl: () => string;
  readonly onCatalogueChanged: () => void;
};

export type Settlement = ReturnType<typeof createSettlement>;

type Verdict = ChargeAnswer | 'expired';

export function createSettlement(options: SettlementOptions) {
  const { database, gateway, gatewayTimeoutMs, onCatalogueChanged } = options;

  async function settle(orderId: string, verdict: Verdict): Promise<StoredAnswer> {
    const settled = await runTransaction(database, {}, async (tx) => {
      const order = await lockOrder(tx, orderId);
      if (order === undefined) throw new Error(`order ${orderId} of a payment is gone`);
      return settleLocked(tx, order, verdict, options);
    });
    if (settled.isCatalogueChanged) onCatalogueChanged();
    return settled.answer;
  }

  return {
    settle,
    /** Stops asking about an order that was given up long ago and that the provider knows nothing of. */
    abandon: (orderId: string) =>
      runTransaction(database, {}, (tx) => closeGatewayPayment(tx, orderId, 'abandoned')),
    /** Asks the provider for a freshly committed order and returns the answer of its create-order request. */
    async charge(charge: Charge): Promise<StoredAnswer> {
      let answer: ChargeAnswer;
      try {
        answer = await gateway.charge(charge, AbortSignal.timeout(gatewayTimeoutMs));
      } catch {
        // Failed or silent: nothing is known. The order stays pending_payment and the worker asks.
        return runTransaction(database, {}, (tx) =>
          answerUnpaid(tx, charge.orderId, 'order-not-paid', options),
        );
      }
      return settle(charge.orderId, answer);
    },
  };
}

async function settleLocked(
  tx: Transaction<Schema>,
  order: LockedOrder,
  verdict: Verdict,
  options: SettlementOptions,
) {
  const change = verdict === 'paid' ? decidePaid(order) : unpaidChange(order, verdict);
  const isCatalogueChanged =
    change === undefined
      ? false
      : await applyChange(tx, order, change, {
          houseAccounts: options.houseAccounts,
          actor: SERVICE_ACTOR,
          reason: reasonOf(verdict, order, change),
        });
  // Time running out is not the provider's last word: it may still turn out to have charged.
  if (verdict !== 'expired') await closeGatewayPayment(tx, order.id, verdict);
  const status: OrderStatus = change?.status ?? order.status;
  const answer =
    status === 'canceled'
      ? await answerUnpaid(tx, order.id, 'payment-went-wrong', options)
      : await answerCreated(tx, order.id);
  return { answer, isCatalogueChanged };
}

/** A held order keeps its units when its time runs out: an operator decides. */
function unpaidChange(order: LockedOrder, verdict: Verdict): OrderChange | undefined {
  return verdict === 'expired' && order.status === 'held' ? undefined : decideUnpaid(order);
}

function reasonOf(verdict: Verdict, order: LockedOrder, change: OrderChange): string {
  if (verdict === 'declined') return 'the payment provider declined';
  if (verdict === 'expired') return 'no payment within the time limit';
  if (change.isImageRefunded) return 'refunded in full: only image keys were left';
  if (change.status === 'held') return `paid through the provider; held: ${whyHeld(order)}`;
  return 'paid through the provider and delivered';
}

/** An operator's hold is older than the payment; a review of the account may have begun after the order was placed. */
function whyHeld(order: LockedOrder): string {
  if (order.status === 'held') return 'an operator holds it';
  return order.holdReason ?? 'the account is under review';
}

async function answerCreated(tx: Transaction<Schema>, orderId: string): Promise<StoredAnswer> {
  const order = await findOrder(tx, orderId, undefined);
  if (order === undefined) throw new Error(`order ${orderId} is gone`);
  return finishRecord(tx, orderId, { status: CREATED, body: JSON.stringify({ data: buildOrder(order) }) });
}

async function answerUnpaid(
  tx: Transaction<Schema>,
  orderId: string,
  code: 'order-not-paid' | 'payment-went-wrong',
  options: SettlementOptions,
): Promise<StoredAnswer> {
  return finishRecord(tx, orderId, buildUnpaidAnswer(orderId, code, options.publicUrl()));
}

/** What the create-order request of an order is answered that was not paid. */
export function buildUnpaidAnswer(
  orderId: string,
  code: 'order-not-paid' | 'payment-went-wrong',
  publicUrl: string,
): StoredAnswer {
  const body = buildErrorBody(new ApiError(code, { data: { orderId } }), publicUrl);
  return { status: body.error.status, body: JSON.stringify(body) };
}
