/**
 * The adapter to Stripe: PaymentIntents that are confirmed off-session with the customer's default payment method. The
 * order id is in the idempotency key, and in the metadata, by which a charge is found again when its answer was lost.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import Stripe from 'stripe';
import {
  type Charge,
  type ChargeAnswer,
  checkPaid,
  connectionFailure,
  type FoundCharge,
  type Gateway,
  GatewayFailure,
  NotCharged,
  type Refund,
  type RefundAnswer,
} from './gateway.ts';

export type StripeOptions = {
  readonly secretKey: string;
  /** https://api.stripe.com, or where something speaks the same. */
  readonly url: string;
};

/** Metadata of a PaymentIntent and of a refund. Searched by, so it must never be renamed. */
const ORDER_ID = 'keyport_order_id';
const REFUND_ID = 'keyport_refund_id';

/** The library waits this long at most; each call's own signal ends it earlier. */
const TIMEOUT_MS = 600_000;

/** An order has one refund per line at most; Stripe lists up to 100. */
const REFUNDS_LISTED_MAX = 100;

const BAD_REQUEST = 400;

/** Stripe read the request and will not act on it, whatever the order. */
const TURNED_AWAY = new Set(['StripeAuthenticationError', 'StripePermissionError', 'StripeRateLimitError']);

/** The library takes no signal per call, so the fetch that it is given looks it up. */
const callSignal = new AsyncLocalStorage<AbortSignal>();

export function createStripeGateway(options: StripeOptions): Gateway {
  const stripe = openClient(options);
  const call = <Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
    callSignal.run(signal, work);
  return {
    charge: (charge, signal) => call(signal, () => createPayment(stripe, charge)),
    find: (charge, signal) => call(signal, () => findCharge(stripe, charge)),
    refund: (refund, signal) => call(signal, () => createRefund(stripe, refund)),
  };
}

function openClient({ secretKey, url }: StripeOptions): Stripe {
  const { protocol, hostname, port } = new URL(url);
  return new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    // Attempts are counted where their outcomes are told apart (guard.ts); the library's own would be hidden from it.
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchWithSignal as typeof fetch),
  });
}

function fetchWithSignal(url: string, init: RequestInit): Promise<Response> {
  const signals = [init.signal, callSignal.getStore()].filter((signal) => signal instanceof AbortSignal);
  return fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
}

async function createPayment(stripe: Stripe, charge: Charge): Promise<ChargeAnswer> {
  const paymentMethod = await findPaymentMethod(stripe, charge.customer);
  // Not `declined`: an earlier attempt may have found one.
  if (paymentMethod === undefined) {
    throw new NotCharged('Stripe has no such customer, or no default payment method of it', {
      isCustomers: true,
    });
  }
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: charge.amountMinor,
        currency: 'eur',
        customer: charge.customer,
        payment_method: paymentMethod,
        off_session: true,
        confirm: true,
        // Nobody is there to be redirected.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { [ORDER_ID]: charge.orderId },
      },
      { idempotencyKey: `keyport-order-${charge.orderId}` },
    );
    return readIntent(charge, intent);
  } catch (error) {
    // card_declined, authentication_required and all other refusals of the card: 402.
    if (isStripeError(error, 'StripeCardError')) return { status: 'declined' };
    throw failureOf(error);
  }
}

/** What the customer has set for being charged; undefined when there is none, or no such customer. */
async function findPaymentMethod(stripe: Stripe, customerId: string): Promise<string | undefined> {
  try {
    const customer = await stripe.customers.retrieve(customerId);
    if (customer.deleted === true) return undefined;
    const method = customer.invoice_settings?.default_payment_method ?? customer.default_source;
    return (typeof method === 'string' ? method : method?.id) ?? undefined;
  } catch (error) {
    if (isStripeError(error, 'StripeInvalidRequestError')) return undefined;
    const failure = failureOf(error);
    throw failure instanceof NotCharged ? failure : new NotCharged(failure.message);
  }
}

/**
 * Looks the charge up by the order id. The search of Stripe lags behind by up to a minute and more in an outage, which is
 * why `unknown` never ends an order before its time and is asked again for a day (A77).
 */
async function findCharge(stripe: Stripe, charge: Charge): Promise<FoundCharge> {
  const intents = await searchIntents(stripe, charge.orderId);
  const answers = intents.map((intent) => readIntent(charge, intent));
  const byStatus = (status: ChargeAnswer['status']) => answers.find((answer) => answer.status === status);
  return (
    byStatus('paid') ??
    byStatus('mispaid') ??
    byStatus('pending') ??
    byStatus('declined') ?? { status: 'unknown' }
  );
}

async function searchIntents(stripe: Stripe, orderId: string): Promise<Stripe.PaymentIntent[]> {
  try {
    const { data } = await stripe.paymentIntents.search({ query: `metadata['${ORDER_ID}']:'${orderId}'` });
    return data;
  } catch (error) {
    throw failureOf(error);
  }
}

function readIntent(charge: Charge, intent: Stripe.PaymentIntent): ChargeAnswer {
  if (intent.metadata?.[ORDER_ID] !== charge.orderId) {
    throw new GatewayFailure('Stripe answered about another order');
  }
  switch (intent.status) {
    case 'succeeded':
      return checkPaid(charge, {
        reference: intent.id,
        amountMinor: intent.amount_received,
        currency: intent.currency,
      });
    case 'canceled':
    case 'requires_payment_method':
    case 'requires_action':
      return { status: 'declined' };
    default:
      return { status: 'pending' };
  }
}

/** Idempotency keys end after a day, so what was refunded is looked up first; a refund that failed is made again. */
async function createRefund(stripe: Stripe, refund: Refund): Promise<RefundAnswer> {
  const intentId = refund.reference ?? (await findPaidIntent(stripe, refund.orderId));
  try {
    const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: REFUNDS_LISTED_MAX });
    const earlier = data.filter(({ metadata }) => metadata?.[REFUND_ID] === refund.refundId);
    const standing = earlier.find(({ status }) => status !== 'failed' && status !== 'canceled');
    return readRefund(
      refund,
      standing ??
        (await stripe.refunds.create(
          {
            payment_intent: intentId,
            amount: refund.amountMinor,
            metadata: { [REFUND_ID]: refund.refundId, [ORDER_ID]: refund.orderId },
          },
          { idempotencyKey: `keyport-refund-${refund.orderId}-${refund.refundId}-${earlier.length}` },
        )),
    );
  } catch (error) {
    // Somebody gave the whole payment back by hand.
    if (isStripeError(error, 'StripeInvalidRequestError') && error.code === 'charge_already_refunded')
      return 'done';
    throw failureOf(error);
  }
}

function readRefund(refund: Refund, made: Stripe.Refund): RefundAnswer {
  if (made.amount !== refund.amountMinor || made.currency.toUpperCase() !== refund.currency) {
    throw new GatewayFailure('Stripe refunded another amount than it was asked for');
  }
  if (made.status === 'succeeded') return 'done';
  if (made.status === 'pending' || made.status === 'requires_action') return 'pending';
  throw new GatewayFailure(
    `Stripe could not refund (${made.failure_reason ?? made.status ?? 'no reason given'})`,
  );
}

async function findPaidIntent(stripe: Stripe, orderId: string): Promise<string> {
  const intents = await searchIntents(stripe, orderId);
  const paid = intents.find(({ status }) => status === 'succeeded');
  if (paid === undefined) throw new GatewayFailure('Stripe does not find the payment that is to be refunded');
  return paid.id;
}

/** Without the library's error: it holds answers and headers, which may name the customer's card. */
function failureOf(error: unknown): NotCharged | GatewayFailure {
  if (error instanceof GatewayFailure) return error;
  if (!isStripeError(error)) return connectionFailure(error);
  if (error.type === 'StripeConnectionError') return connectionFailure(error.detail);
  const message = `Stripe answered ${error.statusCode ?? 'something'} (${error.code ?? error.type}, request ${error.requestId ?? 'unknown'})`;
  // A method that cannot be used off-session, an amount below Stripe's minimum.
  if (error.type === 'StripeInvalidRequestError' && error.statusCode === BAD_REQUEST) {
    return new NotCharged(message, { isCustomers: true });
  }
  return TURNED_AWAY.has(error.type) ? new NotCharged(message) : new GatewayFailure(message);
}

function isStripeError(
  error: unknown,
  type?: string,
): error is InstanceType<typeof Stripe.errors.StripeError> {
  return error instanceof Stripe.errors.StripeError && (type === undefined || error.type === type);
}
