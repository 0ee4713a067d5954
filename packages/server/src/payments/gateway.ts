import { connectionErrorCode, describeConnectionFailure } from '../connection-failure.ts';

/** Off-session; the order id is the provider's idempotency key. R20, docs/payments.md. */
export type Charge = { readonly orderId: string; readonly customer: string; readonly amountMinor: number };

/** `reference`: the provider's id of the payment. */
export type ChargeResult =
  | { readonly status: 'paid'; readonly reference: string }
  | { readonly status: 'declined' }
  /** Paid or declined later. */
  | { readonly status: 'pending' }
  /** The provider must refund the payment. */
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
  /** Null for payments from before references were stored. */
  readonly reference: string | null;
  readonly amountMinor: number;
  readonly currency: string;
};

/** `pending`: accepted, and queried again. */
export type RefundResult = 'done' | 'pending';

/** `failed`: the refunded money came back to the provider. */
export type FoundRefund = RefundResult | 'failed';

/** Calls reject when the provider fails or `signal` aborts. Unless NotCharged, the outcome is then unknown. */
export type Gateway = {
  charge(charge: Charge, signal: AbortSignal): Promise<ChargeResult>;
  /** Charges nothing. */
  find(charge: Charge, signal: AbortSignal): Promise<FoundCharge>;
  refund(refund: Refund, signal: AbortSignal): Promise<RefundResult>;
  findRefund(refund: Refund, signal: AbortSignal): Promise<FoundRefund>;
};

export type TakenPayment = {
  readonly orderId: string;
  readonly reference: string;
  /** In minor units of `currency`, like `refundedMinor`. */
  readonly amountMinor: number;
  readonly refundedMinor: number;
  readonly currency: string;
  /** Since 1970, by the provider's clock. */
  readonly takenAtSeconds: number;
};

/** In any order, each payment once. */
export type ListTakenPayments = (sinceSeconds: number) => AsyncIterable<TakenPayment>;

export type PaymentList = {
  readonly listTaken: ListTakenPayments;
  /** Also lists earlier payments that were refunded since then. */
  readonly hasLateRefunds: boolean;
};

/** This attempt charged nothing: the provider was not reached, or rejected the request. */
export class NotCharged extends Error {
  override readonly name = 'NotCharged';
  /** The provider works, but not for this customer. */
  readonly isCustomerFault: boolean;

  constructor(message: string, options: { readonly isCustomerFault?: boolean } = {}) {
    super(message);
    this.isCustomerFault = options.isCustomerFault ?? false;
  }
}

/** A response is missing or untrusted. Messages hold no secret or customer data. */
export class GatewayFailure extends Error {
  override readonly name = 'GatewayFailure';
}

/** Errors from before any byte of the request was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function connectionFailure(error: unknown): NotCharged | GatewayFailure {
  const reason = describeConnectionFailure(error);
  if (NOT_SENT.has(connectionErrorCode(error) ?? ''))
    return new NotCharged(`the payment provider could not be reached: ${reason}`);
  return new GatewayFailure(`the connection to the payment provider failed: ${reason}`);
}

/** `paid`, unless amount or currency differ from the charge. Throws GatewayFailure if nothing was paid. */
export function checkPaid(
  charge: Charge,
  paid: { readonly reference: string; readonly amountMinor: number; readonly currency: string },
): ChargeResult {
  const currency = paid.currency.toUpperCase();
  if (!(paid.amountMinor > 0))
    throw new GatewayFailure('the payment provider reports a paid amount of zero or less');
  return paid.amountMinor === charge.amountMinor && currency === 'EUR'
    ? { status: 'paid', reference: paid.reference }
    : { status: 'amount_mismatch', reference: paid.reference, amountMinor: paid.amountMinor, currency };
}
