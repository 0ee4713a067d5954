/** The charges and refunds that a test's payment provider actually made, whatever it returned. */
import { EventEmitter } from 'node:events';

export type TakenCharge = {
  readonly orderId: string;
  readonly reference: string;
  status: 'paid' | 'declined' | 'pending';
  readonly amountMinor: number;
  readonly currency: string;
  takenAtSeconds: number;
};

export type GivenRefund = {
  readonly refundId: string;
  readonly orderId: string;
  status: 'done' | 'pending' | 'failed';
  readonly amountMinor: number;
  readonly currency: string;
};

/** Emits `asked` with the order id for every charge request. */
export class ProviderBooks extends EventEmitter<{ asked: [orderId: string] }> {
  readonly charges = new Map<string, TakenCharge>();
  readonly refunds = new Map<string, GivenRefund>();
  readonly attempts = new Map<string, number>();
  requestCount = 0;
  /** From now on no charge fails. */
  isHealed = false;
  /** The initial status of refunds requested from now on. */
  refundStatus: GivenRefund['status'] = 'done';
  readonly lagging = new Set<string>();

  countAttempt(orderId: string): number {
    const attempt = (this.attempts.get(orderId) ?? 0) + 1;
    this.attempts.set(orderId, attempt);
    this.emit('asked', orderId);
    return attempt;
  }

  /** The first call makes the charge; later ones look it up (idempotency by the order id). */
  take(charge: Omit<TakenCharge, 'reference' | 'takenAtSeconds'>): TakenCharge {
    const earlier = this.charges.get(charge.orderId);
    if (earlier !== undefined) return earlier;
    const takenAtSeconds = Math.floor(Date.now() / 1000);
    const made = { ...charge, reference: `pi_${charge.orderId}`, takenAtSeconds };
    this.charges.set(charge.orderId, made);
    return made;
  }

  /** Makes each refund once; a failed one is made again and also stays recorded. */
  giveBack(refund: Omit<GivenRefund, 'status'>): GivenRefund {
    const earlier = this.refunds.get(refund.refundId);
    if (earlier !== undefined && earlier.status !== 'failed') return earlier;
    if (earlier !== undefined) this.refunds.set(`${refund.refundId} failed ${this.refunds.size}`, earlier);
    const made = { ...refund, status: this.refundStatus };
    this.refunds.set(refund.refundId, made);
    return made;
  }

  takenMinor(orderId: string): number {
    const charge = this.charges.get(orderId);
    return charge?.status === 'paid' ? charge.amountMinor : 0;
  }

  givenBackMinor(orderId: string): number {
    const refunds = [...this.refunds.values()].filter((refund) => refund.orderId === orderId);
    return refunds.reduce((sum, refund) => sum + (refund.status === 'done' ? refund.amountMinor : 0), 0);
  }
}
