/**
 * The port to a payment provider that charges off-session. The order id is the provider's idempotency key: charging the
 * same order twice charges once. Decisions section 5.
 */
export type ChargeAnswer = 'paid' | 'declined';

export type Charge = {
  /** Also the idempotency key. */
  readonly orderId: string;
  /** Who pays, as the provider knows the reseller. */
  readonly customer: string;
  /** EUR cents. */
  readonly amountMinor: number;
};

export type Gateway = {
  /** Charges the order. Rejects when the provider fails or `signal` aborts: then nothing is known. */
  charge(charge: Charge, signal: AbortSignal): Promise<ChargeAnswer>;
  /** What became of the order's charge; `unknown` when the provider cannot tell or has never seen it. */
  find(charge: Charge, signal: AbortSignal): Promise<ChargeAnswer | 'unknown'>;
  /** Gives money back; the refund id is the idempotency key. Rejects when the provider fails. */
  refund(
    refund: { refundId: string; orderId: string; amountMinor: number },
    signal: AbortSignal,
  ): Promise<void>;
};
