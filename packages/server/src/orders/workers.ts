/** Every node runs this worker. A slow payment provider delays only payments. */
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import type { PaymentAlarm } from '../metrics/metrics.ts';
import { type FoundCharge, type Gateway, NotCharged } from '../payments/gateway.ts';
import { RepeatedTask, whileFull } from '../repeated-task.ts';
import { summarizeTraces } from './history/order-lists.sql.ts';
import { deleteOldRecords, RECORD_TABLES } from './old-records.sql.ts';
import {
  claimOpenPayments,
  claimRefunds,
  type DueRefund,
  finishRefund,
  listOverdueOrders,
  noteAttempt,
  type OpenPayment,
  type PaymentKind,
  reopenRefund,
  retryCheckSoon,
} from './payments/payments.sql.ts';
import type { Settlement } from './payments/settlement.ts';
import { EXPIRED_AT_ONCE_MAX, expireReservations } from './reservations/reservations.ts';

/** R20, A100. */
const CHECK_INTERVAL_MS = 5000;
/** The units of a reservation return within 5 s (A602). */
const EXPIRY_INTERVAL_MS = 1000;
const CLAIM_SIZE_MAX = 50;
/** After this long without a response, the units of expired orders go back on sale (I26). */
const OVERDUE_MS = 30_000;
const GIVE_UP_SIZE_MAX = 1000;
/** From this attempt on, the log line is an error. */
const REFUND_ATTEMPTS_ALARMING = 6;
/** After a month of downtime there may be millions of rows. */
const DELETED_MAX = 1000;

export type OrderWorkerOptions = {
  readonly database: Database;
  readonly payments: { readonly settlement: Settlement; readonly gateway: Gateway } | undefined;
  readonly gatewayTimeoutMs: number;
  readonly log: Logger;
  readonly onCatalogueChanged: () => void;
  readonly nowMs: () => number;
  /** An operator must act; the log names the order. */
  readonly onAlarm?: ((alarm: PaymentAlarm) => void) | undefined;
};

type Payments = NonNullable<OrderWorkerOptions['payments']>;

export class OrderWorker {
  readonly #options: OrderWorkerOptions;
  readonly #settling: RepeatedTask | undefined;
  readonly #refunding: RepeatedTask | undefined;
  readonly #tasks: readonly RepeatedTask[];

  constructor(options: OrderWorkerOptions) {
    this.#options = options;
    const { database, payments, onCatalogueChanged } = options;
    const expire = () => expireReservations(database, onCatalogueChanged);
    const deletion = this.#task('tidy orders', (closing) => this.#tidy(closing));
    const expiry = this.#task(
      'expire reservations',
      (closing) => whileFull(EXPIRED_AT_ONCE_MAX, expire, closing),
      EXPIRY_INTERVAL_MS,
    );
    if (payments === undefined) {
      this.#tasks = [deletion, expiry];
      return;
    }
    this.#settling = this.#task('settle payments', (closing) => this.#settlePayments(payments, closing));
    this.#refunding = this.#task('report refunds', (closing) => this.#reportRefunds(payments, closing));
    this.#tasks = [deletion, expiry, this.#settling, this.#refunding];
  }

  start(): void {
    for (const task of this.#tasks) task.start('at-once');
  }

  async close(): Promise<void> {
    await Promise.all(this.#tasks.map((task) => task.close()));
  }

  settleNow(): void {
    void this.#settling?.run();
    void this.#refunding?.run();
  }

  async run(): Promise<void> {
    for (const task of this.#tasks) await task.run();
  }

  #task(
    name: string,
    round: (closing: AbortSignal) => Promise<void>,
    intervalMs = CHECK_INTERVAL_MS,
  ): RepeatedTask {
    const { log, nowMs } = this.#options;
    const onFailure = (error: unknown) =>
      log.warn({ err: error, task: name }, 'background task failed; retrying in the next round');
    return new RepeatedTask({ intervalMs, work: round, onFailure, nowMs });
  }

  async #tidy(closing: AbortSignal): Promise<void> {
    const { database, payments } = this.#options;
    if (database.kind === 'embedded') await summarizeTraces(database.db);
    if (payments !== undefined && this.#settling !== undefined && this.#settling.busyForMs >= OVERDUE_MS)
      await this.#giveUpOverdue(payments, closing);
    for (const table of RECORD_TABLES) {
      const step = () =>
        runTransaction(database, { keepsPlans: true }, (tx) => deleteOldRecords(tx, table, DELETED_MAX));
      await whileFull(DELETED_MAX, step, closing);
    }
  }

  async #giveUpOverdue({ settlement }: Payments, closing: AbortSignal): Promise<void> {
    const due = { overdueMs: OVERDUE_MS, limit: GIVE_UP_SIZE_MAX };
    const claim = () => runTransaction(this.#options.database, {}, (tx) => listOverdueOrders(tx, due));
    const giveUp = (orderId: string) => settlement.settle(orderId, { status: 'expired' });
    // A failure ends the round, since the order would be listed again immediately.
    await whileFull(GIVE_UP_SIZE_MAX, () => handleAll(claim, giveUp), closing);
  }

  async #settlePayments(payments: Payments, closing: AbortSignal): Promise<void> {
    const { database, gatewayTimeoutMs } = this.#options;
    const due = { limit: CLAIM_SIZE_MAX, againInMs: CHECK_INTERVAL_MS + gatewayTimeoutMs };
    const claim = () => runTransaction(database, {}, (tx) => claimOpenPayments(tx, due));
    const settle = (payment: OpenPayment) => this.#settlePayment(payments, payment, closing);
    await whileFull(CLAIM_SIZE_MAX, () => handleAll(claim, settle), closing);
  }

  /** Never throws, so that the other payments are settled. */
  async #settlePayment({ gateway, settlement }: Payments, payment: OpenPayment, closing: AbortSignal) {
    const { log } = this.#options;
    const { orderId } = payment;
    try {
      const found = await this.#find(gateway, payment, closing);
      if (found.status === 'no-answer' && closing.aborted) return;
      await this.#note('charge', orderId, found);
      if (found.status === 'paid' || found.status === 'declined' || found.status === 'amount_mismatch') {
        await settlement.settle(orderId, found);
      } else if (payment.isExpired) {
        await settlement.settle(orderId, { status: 'expired' });
      } else if (payment.isUnanswered && found.status === 'unknown') {
        // The order id is the provider's idempotency key, so the charge happens once.
        await settlement.chargeAgain(payment, closing);
      } else if (payment.isUnanswered && found.status === 'pending') {
        await settlement.leaveOpen(orderId);
      } else if (payment.isForgotten && found.status === 'unknown') {
        await settlement.abandon(orderId);
        log.error(
          { orderId },
          'payment provider has no trace of a charge a day after its order was given up; no longer querying it',
        );
        this.#options.onAlarm?.('abandoned');
      }
    } catch (error) {
      log.warn({ err: error, orderId }, 'payment settlement failed; retrying in a later round');
    }
  }

  /** `no-answer` is not `unknown`: a provider that is down may have charged. */
  async #find(gateway: Gateway, payment: OpenPayment, closing: AbortSignal): Promise<FoundCharge | NoAnswer> {
    const { log } = this.#options;
    try {
      return await gateway.find(payment, this.#limit(closing));
    } catch (error) {
      // The breaker logs once that a provider is down.
      const level = error instanceof NotCharged ? 'debug' : 'warn';
      log[level](
        { err: error, orderId: payment.orderId },
        'payment provider did not respond to a query about a charge',
      );
      return { status: 'no-answer', error };
    }
  }

  async #note(kind: PaymentKind, id: string, seen: { readonly status: string; readonly error?: unknown }) {
    const { status: providerState, error } = seen;
    if (!OPEN_STATES.has(providerState)) return;
    const lastError = error === undefined ? null : describeError(error);
    await noteAttempt(this.#options.database.db, kind, id, { providerState, lastError });
  }

  async #reportRefunds({ gateway }: Payments, closing: AbortSignal): Promise<void> {
    const { database } = this.#options;
    const claim = (state: 'open' | 'done') =>
      runTransaction(database, {}, (tx) => claimRefunds(tx, { state, limit: CLAIM_SIZE_MAX }));
    const report = (refund: DueRefund) => this.#reportRefund(gateway, refund, closing);
    await whileFull(CLAIM_SIZE_MAX, () => handleAll(() => claim('open'), report), closing);
    if (closing.aborted) return;
    // One claim per round, so that new refunds do not wait for all checks.
    const done = await claim('done');
    await Promise.all(done.map((refund) => this.#checkRefund(gateway, refund, closing)));
  }

  async #reportRefund(gateway: Gateway, refund: DueRefund, closing: AbortSignal): Promise<void> {
    const { database, log } = this.#options;
    const { refundId, orderId, attempts } = refund;
    try {
      const response = await gateway.refund(refund, this.#limit(closing));
      if (response === 'done') await runTransaction(database, {}, (tx) => finishRefund(tx, refundId));
      else await this.#note('refund', refundId, { status: response });
    } catch (error) {
      await this.#note('refund', refundId, { status: 'no-answer', error }).catch(() => {});
      const isAlarming = attempts >= REFUND_ATTEMPTS_ALARMING;
      if (isAlarming) this.#options.onAlarm?.('refund-unconfirmed');
      log[isAlarming ? 'error' : 'warn'](
        { err: error, orderId, refundId, attempts },
        'payment provider did not confirm a refund; reporting it again later',
      );
    }
  }

  /** A bank may return a refund days later; the money is then owed again. */
  async #checkRefund(gateway: Gateway, refund: DueRefund, closing: AbortSignal): Promise<void> {
    const { database, log, onAlarm } = this.#options;
    const { refundId, orderId } = refund;
    try {
      const response = await gateway.findRefund(refund, this.#limit(closing));
      if (response !== 'failed') return;
      await runTransaction(database, {}, (tx) => reopenRefund(tx, refundId));
      log.error({ orderId, refundId }, 'refund failed after it was confirmed; reporting it again');
      onAlarm?.('refund-failed');
    } catch (error) {
      if (error instanceof NotCharged && !error.isCustomerFault) return this.#retryCheck(refund, error);
      log.warn({ err: error, orderId, refundId }, 'refund check failed; retrying tomorrow');
    }
  }

  /** Never throws. */
  async #retryCheck({ refundId, orderId }: DueRefund, reason: NotCharged): Promise<void> {
    const { database, log } = this.#options;
    log.debug({ err: reason, orderId, refundId }, 'refund not checked; retrying in a few minutes');
    try {
      await runTransaction(database, {}, (tx) => retryCheckSoon(tx, refundId));
    } catch (error) {
      log.warn({ err: error, orderId, refundId }, 'refund check not rescheduled; retrying tomorrow');
    }
  }

  #limit(closing: AbortSignal): AbortSignal {
    return AbortSignal.any([closing, AbortSignal.timeout(this.#options.gatewayTimeoutMs)]);
  }
}

type NoAnswer = { readonly status: 'no-answer'; readonly error: unknown };

const OPEN_STATES: ReadonlySet<string> = new Set(['pending', 'unknown', 'no-answer']);

const ERROR_LENGTH_MAX = 300;

/** Messages from gateways contain no secrets or customer data. */
function describeError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH_MAX);
}

/** Returns how many rows it claimed. */
async function handleAll<Row>(
  claim: () => Promise<readonly Row[]>,
  handle: (row: Row) => Promise<unknown>,
): Promise<number> {
  const rows = await claim();
  await Promise.all(rows.map(handle));
  return rows.length;
}
