/**
 * What orders need when nobody asks: open payments are settled, expired ones given up, refunds told to the provider,
 * old refusals forgotten. Every node runs it; a row is claimed by one at a time.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { runTransaction } from '../db/transaction.ts';
import type { Gateway } from '../payments/gateway.ts';
import {
  claimOpenPayments,
  claimOpenRefunds,
  deleteOldRefusals,
  finishRefund,
  type OpenPayment,
} from './change-order.sql.ts';
import type { Settlement } from './settlement.ts';

/** How often the provider is asked about an open payment (decisions section 5). */
const CHECK_INTERVAL_MS = 5000;

/** Payments and refunds handled by one round. */
const ROUND_SIZE_MAX = 50;

/** Stored refusals are kept this long (A42). */
const REFUSAL_RETENTION_DAYS = 30;

export type OrderWorkerOptions = {
  readonly database: Database;
  /** Undefined when no payment provider is configured. */
  readonly payments: { readonly settlement: Settlement; readonly gateway: Gateway } | undefined;
  readonly gatewayTimeoutMs: number;
  readonly log: Logger;
};

type Payments = NonNullable<OrderWorkerOptions['payments']>;

export class OrderWorker {
  readonly #options: OrderWorkerOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(options: OrderWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), CHECK_INTERVAL_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  /** One round; a call while one is under way waits for that one. Never throws. */
  run(): Promise<void> {
    this.#round ??= this.#runOnce().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #runOnce(): Promise<void> {
    const { database, payments, log } = this.#options;
    try {
      if (payments !== undefined) {
        await this.#settlePayments(payments);
        await this.#tellRefunds(payments);
      }
      await runTransaction(database, {}, (tx) => deleteOldRefusals(tx, REFUSAL_RETENTION_DAYS));
    } catch (error) {
      log.warn({ err: error }, 'a round of the order worker failed; the next one tries again');
    }
  }

  async #settlePayments(payments: Payments): Promise<void> {
    const { database, gatewayTimeoutMs } = this.#options;
    const againInMs = CHECK_INTERVAL_MS + gatewayTimeoutMs;
    const open = await runTransaction(database, {}, (tx) =>
      claimOpenPayments(tx, { limit: ROUND_SIZE_MAX, againInMs }),
    );
    await Promise.all(open.map((payment) => this.#settlePayment(payments, payment)));
  }

  async #settlePayment({ gateway, settlement }: Payments, payment: OpenPayment): Promise<void> {
    const { gatewayTimeoutMs, log } = this.#options;
    try {
      const answer = await gateway
        .find(payment, AbortSignal.timeout(gatewayTimeoutMs))
        .catch(() => 'unknown' as const);
      if (answer !== 'unknown') await settlement.settle(payment.orderId, answer);
      // The order id is the provider's idempotency key: asking for the same charge again charges once.
      else if (payment.isUnanswered) await settlement.charge(payment);
      else if (payment.isExpired) await settlement.settle(payment.orderId, 'expired');
      else if (payment.isForgotten) await settlement.abandon(payment.orderId);
    } catch (error) {
      log.warn(
        { err: error, orderId: payment.orderId },
        'a payment could not be settled; the next round tries again',
      );
    }
  }

  async #tellRefunds({ gateway }: Payments): Promise<void> {
    const { database, gatewayTimeoutMs, log } = this.#options;
    const refunds = await runTransaction(database, {}, (tx) => claimOpenRefunds(tx, ROUND_SIZE_MAX));
    for (const refund of refunds) {
      try {
        const { id: refundId, orderId, amountMinor } = refund;
        await gateway.refund({ refundId, orderId, amountMinor }, AbortSignal.timeout(gatewayTimeoutMs));
        await runTransaction(database, {}, (tx) => finishRefund(tx, refund.id));
      } catch (error) {
        log.warn(
          { err: error, orderId: refund.orderId },
          'a refund could not be told to the provider; trying again',
        );
      }
    }
  }
}
