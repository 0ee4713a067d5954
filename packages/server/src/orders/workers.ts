/**
 * What orders need when nobody asks: open payments are settled, overdue ones given up, refunds told to the provider, old
 * refusals forgotten. Every node runs it; a row is claimed by one at a time. Each has a round of its own, so that a
 * provider that keeps its callers waiting delays nothing but its own payments.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { type FoundCharge, type Gateway, NotCharged } from '../payments/gateway.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { deleteOldRefusals } from './change-order.sql.ts';
import {
  claimOpenPayments,
  claimOpenRefunds,
  finishRefund,
  listOverdueOrders,
  type OpenPayment,
  type OpenRefund,
} from './payments.sql.ts';
import type { Settlement } from './settlement.ts';

/** How often the provider is asked about an open payment at first (decisions section 5, A100). */
const CHECK_INTERVAL_MS = 5000;

/** Rows claimed at once; a round goes on while there are more. */
const CLAIM_SIZE_MAX = 50;

/** A provider that holds up a round for so long is no longer waited for: the units of expired orders go back (I26). */
const OVERDUE_MS = 30_000;

/** A refund that was tried so often is logged as an error: somebody has to look. */
const REFUND_ATTEMPTS_ALARMING = 6;

/** Stored refusals are kept this long (A42). */
const REFUSAL_RETENTION_DAYS = 30;

/** Of one transaction: after a month of being down there may be millions. */
const REFUSALS_DELETED_MAX = 1000;

export type OrderWorkerOptions = {
  readonly database: Database;
  /** Undefined when no payment provider is configured. */
  readonly payments: { readonly settlement: Settlement; readonly gateway: Gateway } | undefined;
  readonly gatewayTimeoutMs: number;
  readonly log: Logger;
  /** Of a clock that only goes forward. */
  readonly nowMs: () => number;
};

type Payments = NonNullable<OrderWorkerOptions['payments']>;

export class OrderWorker {
  readonly #options: OrderWorkerOptions;
  /** Undefined without a payment provider. */
  readonly #settling: RepeatedTask | undefined;
  readonly #tasks: readonly RepeatedTask[];

  constructor(options: OrderWorkerOptions) {
    this.#options = options;
    const { payments } = options;
    const tidying = this.#task('tidy orders', (closing) => this.#tidy(closing));
    if (payments === undefined) {
      this.#tasks = [tidying];
      return;
    }
    this.#settling = this.#task('settle payments', (closing) => this.#settlePayments(payments, closing));
    const refunding = this.#task('tell refunds', (closing) => this.#tellRefunds(payments, closing));
    this.#tasks = [tidying, this.#settling, refunding];
  }

  start(): void {
    for (const task of this.#tasks) task.start('at-once');
  }

  async close(): Promise<void> {
    await Promise.all(this.#tasks.map((task) => task.close()));
  }

  /** One round of everything; a round that is under way is waited for instead. Never throws. */
  async run(): Promise<void> {
    for (const task of this.#tasks) await task.run();
  }

  #task(name: string, work: (closing: AbortSignal) => Promise<void>): RepeatedTask {
    const { log, nowMs } = this.#options;
    const onFailure = (error: unknown) =>
      log.warn({ err: error, task: name }, 'a round of a background task failed; the next one tries again');
    return new RepeatedTask({ intervalMs: CHECK_INTERVAL_MS, work, onFailure, nowMs });
  }

  async #tidy(closing: AbortSignal): Promise<void> {
    const { database, payments } = this.#options;
    if (payments !== undefined && this.#settling !== undefined && this.#settling.busyForMs >= OVERDUE_MS) {
      const overdue = await runTransaction(database, {}, (tx) =>
        listOverdueOrders(tx, { overdueMs: OVERDUE_MS, limit: CLAIM_SIZE_MAX }),
      );
      await Promise.all(overdue.map((orderId) => payments.settlement.settle(orderId, { status: 'expired' })));
    }
    const refusals = { retentionDays: REFUSAL_RETENTION_DAYS, limit: REFUSALS_DELETED_MAX };
    let deleted = REFUSALS_DELETED_MAX;
    while (deleted === REFUSALS_DELETED_MAX && !closing.aborted) {
      deleted = await runTransaction(database, {}, (tx) => deleteOldRefusals(tx, refusals));
    }
  }

  async #settlePayments(payments: Payments, closing: AbortSignal): Promise<void> {
    const { database, gatewayTimeoutMs } = this.#options;
    const againInMs = CHECK_INTERVAL_MS + gatewayTimeoutMs;
    await drain(
      () => runTransaction(database, {}, (tx) => claimOpenPayments(tx, { limit: CLAIM_SIZE_MAX, againInMs })),
      (payment) => this.#settlePayment(payments, payment, closing),
      closing,
    );
  }

  /** Never throws: one payment must not keep the others from being settled. */
  async #settlePayment({ gateway, settlement }: Payments, payment: OpenPayment, closing: AbortSignal) {
    const { log } = this.#options;
    const { orderId } = payment;
    try {
      const found = await this.#find(gateway, payment, closing);
      if (found.status === 'no-answer' && closing.aborted) return;
      if (found.status === 'paid' || found.status === 'declined' || found.status === 'mispaid') {
        await settlement.settle(orderId, found);
      } else if (payment.isExpired) {
        await settlement.settle(orderId, { status: 'expired' });
      } else if (payment.isUnanswered && found.status === 'unknown') {
        // The order id is the provider's idempotency key: asking for the same charge again charges once.
        await settlement.chargeAgain(payment, closing);
      } else if (payment.isUnanswered && found.status === 'pending') {
        await settlement.leaveOpen(orderId);
      } else if (payment.isForgotten && found.status === 'unknown') {
        await settlement.abandon(orderId);
      }
    } catch (error) {
      log.warn({ err: error, orderId }, 'a payment could not be settled; a later round tries again');
    }
  }

  /** `no-answer` is not `unknown`: what a provider that is down has charged is known only when it is back. */
  async #find(
    gateway: Gateway,
    payment: OpenPayment,
    closing: AbortSignal,
  ): Promise<FoundCharge | { status: 'no-answer' }> {
    const { log } = this.#options;
    try {
      return await gateway.find(payment, this.#limit(closing));
    } catch (error) {
      // Of a provider that is known to be down one line in the log is enough (guard.ts).
      const level = error instanceof NotCharged ? 'debug' : 'warn';
      log[level](
        { err: error, orderId: payment.orderId },
        'the payment provider did not say what it charged',
      );
      return { status: 'no-answer' };
    }
  }

  async #tellRefunds({ gateway }: Payments, closing: AbortSignal): Promise<void> {
    const { database } = this.#options;
    await drain(
      () => runTransaction(database, {}, (tx) => claimOpenRefunds(tx, CLAIM_SIZE_MAX)),
      (refund) => this.#tellRefund(gateway, refund, closing),
      closing,
    );
  }

  async #tellRefund(gateway: Gateway, refund: OpenRefund, closing: AbortSignal): Promise<void> {
    const { database, log } = this.#options;
    const { refundId, orderId, attempts } = refund;
    try {
      const answer = await gateway.refund(refund, this.#limit(closing));
      if (answer === 'done') await runTransaction(database, {}, (tx) => finishRefund(tx, refundId));
    } catch (error) {
      const level = attempts >= REFUND_ATTEMPTS_ALARMING ? 'error' : 'warn';
      log[level](
        { err: error, orderId, refundId, attempts },
        'a refund was not confirmed by the payment provider; it is told again later',
      );
    }
  }

  #limit(closing: AbortSignal): AbortSignal {
    return AbortSignal.any([closing, AbortSignal.timeout(this.#options.gatewayTimeoutMs)]);
  }
}

/** Claims and handles rows until no full claim is left. A claim puts its rows off, so none comes twice. */
async function drain<Row>(
  claim: () => Promise<readonly Row[]>,
  handle: (row: Row) => Promise<void>,
  closing: AbortSignal,
): Promise<void> {
  let claimed = CLAIM_SIZE_MAX;
  while (claimed === CLAIM_SIZE_MAX && !closing.aborted) {
    const rows = await claim();
    claimed = rows.length;
    await Promise.all(rows.map(handle));
  }
}
