/**
 * The port to a payment provider that charges off-session. The order id is the provider's idempotency key: charging the
 * same order twice charges once. R20; docs/payments.md says what an adapter has to keep to.
 */
export type Charge = {
  readonly orderId: string;
  /** The paying customer, by the provider's id of the reseller. */
  readonly customer: string;
  readonly amountMinor: number;
};

/** The provider's record of a payment. It counts only if amount and currency are the requested ones. */
export type ChargeResult =
  /** `reference` is the provider's own id of the payment. */
  | { readonly status: 'paid'; readonly reference: string }
  | { readonly status: 'declined' }
  /** The provider works on it; it will be paid or declined later. */
  | { readonly status: 'pending' }
  /** The provider took a different amount or currency than requested, and must refund it. */
  | {
      readonly status: 'amount_mismatch';
      readonly reference: string;
      readonly amountMinor: number;
      readonly currency: string;
    };

/** `unknown`: the provider has no trace of the charge. */
export type FoundCharge = ChargeResult | { readonly status: 'unknown' };

export type Refund = {
  readonly refundId: string;
  readonly orderId: string;
  /** The provider's own id of the payment; null when it was paid before ids were kept. */
  readonly reference: string | null;
  readonly amountMinor: number;
  readonly currency: string;
};

/** `pending`: accepted, but the money is not back yet; the same refund is queried again. */
export type RefundResult = 'done' | 'pending';

/** `failed`: the provider had given the money back, and it came back to it. */
export type GivenRefund = RefundResult | 'failed';

/** Every call rejects when the provider fails or `signal` aborts; what happened is then not known, but for NotCharged. */
export type Gateway = {
  charge(charge: Charge, signal: AbortSignal): Promise<ChargeResult>;
  /** What happened to the order's charge, without charging anything. */
  find(charge: Charge, signal: AbortSignal): Promise<FoundCharge>;
  refund(refund: Refund, signal: AbortSignal): Promise<RefundResult>;
  /** What happened to a refund that was done once. */
  findRefund(refund: Refund, signal: AbortSignal): Promise<GivenRefund>;
};

export type TakenPayment = {
  readonly orderId: string;
  readonly reference: string;
  /** Minor units of `currency`, as is what was refunded of it. */
  readonly amountMinor: number;
  readonly refundedMinor: number;
  readonly currency: string;
  /** Seconds since 1970, by the provider's clock. */
  readonly takenAtSeconds: number;
};

/**
 * The provider's payments since then, in any order and each once. Rejects when the provider cannot list them.
 */
export type ListTakenPayments = (sinceSeconds: number) => AsyncIterable<TakenPayment>;

export type PaymentList = {
  readonly listTaken: ListTakenPayments;
  /** Payments taken before then are listed too if a part of them was refunded since. */
  readonly hasLateRefunds: boolean;
};

/** This attempt has charged nothing for certain: the provider was not reached, or turned the request away. */
export class NotCharged extends Error {
  override readonly name = 'NotCharged';
  /** The provider works, but not for this customer. */
  readonly isCustomerFault: boolean;

  constructor(message: string, options: { readonly isCustomerFault?: boolean } = {}) {
    super(message);
    this.isCustomerFault = options.isCustomerFault ?? false;
  }
}

/** The provider failed or gave a response that cannot be believed. Messages hold no secret and nothing of a customer. */
export class GatewayFailure extends Error {
  override readonly name = 'GatewayFailure';
}

/** Codes of errors that end a request before a byte of it has left. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The failure of a request that got no response; `error` is what fetch threw. */
export function connectionFailure(error: unknown): NotCharged | GatewayFailure {
  const code = codeOf(error);
  if (code !== undefined && NOT_SENT.has(code)) {
    return new NotCharged(`the payment provider could not be reached (${code})`);
  }
  return new GatewayFailure(`the connection to the payment provider failed (${code ?? nameOf(error)})`);
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** `paid`, unless it differs from the request. Throws GatewayFailure if nothing was paid. */
export function checkPaid(
  charge: Charge,
  paid: { readonly reference: string; readonly amountMinor: number; readonly currency: string },
): ChargeResult {
  const currency = paid.currency.toUpperCase();
  if (!(paid.amountMinor > 0)) throw new GatewayFailure('the payment provider says paid, and took nothing');
  return paid.amountMinor === charge.amountMinor && currency === 'EUR'
    ? { status: 'paid', reference: paid.reference }
    : { status: 'amount_mismatch', reference: paid.reference, amountMinor: paid.amountMinor, currency };
}
