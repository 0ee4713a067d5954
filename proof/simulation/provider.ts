/**
 * A payment provider with its own books, against which the service's are checked. The customer's name selects
 * its behavior: the sandbox's five (payments/simulator.ts), and one whose charge succeeds long after the
 * order was abandoned.
 */
import type { Charge, ChargeResult, Gateway } from '../../packages/server/src/payments/gateway.ts';

export const CUSTOMERS = [
  'sim_ok',
  'sim_declined',
  'sim_error',
  'sim_timeout',
  'sim_late',
  'sim_very_late',
] as const;

/** Later than the 30 minutes of a reservation. */
const VERY_LATE_MICROS = 45 * 60 * 1_000_000;

type Seen = { readonly charge: Charge; readonly atMicros: number };

export class Provider {
  readonly #nowMicros: () => number;
  readonly #seen = new Map<string, Seen>();
  readonly refunds = new Map<string, { readonly orderId: string; readonly amountMinor: number }>();
  isRefusingRefunds = false;

  constructor(nowMicros: () => number) {
    this.#nowMicros = nowMicros;
  }

  verdict(orderId: string): 'paid' | 'declined' | 'unknown' {
    const seen = this.#seen.get(orderId);
    switch (seen?.charge.customer) {
      case 'sim_ok':
      case 'sim_late':
        return 'paid';
      case 'sim_very_late':
        return this.#nowMicros() - seen.atMicros >= VERY_LATE_MICROS ? 'paid' : 'unknown';
      case 'sim_declined':
        return 'declined';
      default:
        return 'unknown';
    }
  }

  /** The cents charged for each order. */
  charged(): Map<string, number> {
    const paid = [...this.#seen].filter(([orderId]) => this.verdict(orderId) === 'paid');
    return new Map(paid.map(([orderId, { charge }]) => [orderId, charge.amountMinor]));
  }

  /** A dead process sends nothing. */
  gateway(isAlive: () => boolean): Gateway {
    const mustBeAlive = () => {
      if (!isAlive()) throw new Error('the requesting process is dead');
    };
    return {
      charge: async (charge) => {
        mustBeAlive();
        const before = this.#seen.get(charge.orderId);
        if (before !== undefined && before.charge.amountMinor !== charge.amountMinor) {
          throw new Error(`order ${charge.orderId} was charged with a different amount before`);
        }
        if (before === undefined) this.#seen.set(charge.orderId, { charge, atMicros: this.#nowMicros() });
        const isAnswered = charge.customer === 'sim_ok' || charge.customer === 'sim_declined';
        const verdict = this.verdict(charge.orderId);
        if (!isAnswered || verdict === 'unknown') throw new Error('the simulated provider did not respond');
        return toResponse(charge.orderId, verdict);
      },
      find: async ({ orderId, customer }) => {
        mustBeAlive();
        if (customer === 'sim_error') throw new Error('the simulated provider returns 500');
        const verdict = this.verdict(orderId);
        return verdict === 'unknown' ? { status: verdict } : toResponse(orderId, verdict);
      },
      refund: async ({ refundId, orderId, amountMinor }) => {
        mustBeAlive();
        if (this.isRefusingRefunds) throw new Error('the simulated provider rejects refunds');
        const before = this.refunds.get(refundId);
        if (before !== undefined && before.amountMinor !== amountMinor) {
          throw new Error(`refund ${refundId} was reported with a different amount before`);
        }
        this.refunds.set(refundId, { orderId, amountMinor });
        return 'done';
      },
      findRefund: async () => {
        mustBeAlive();
        return 'done';
      },
    };
  }
}

function toResponse(orderId: string, status: 'paid' | 'declined'): ChargeResult {
  return status === 'paid' ? { status, reference: `charge of ${orderId}` } : { status };
}
