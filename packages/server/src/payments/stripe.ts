/** The metadata holds the order id, which finds a charge whose response was lost. */
import { placedAtSeconds } from '@keyport/core/ids';
import Stripe from 'stripe';
import {
  type Charge,
  type ChargeResult,
  checkPaid,
  connectionFailure,
  type FoundCharge,
  type FoundRefund,
  type Gateway,
  GatewayFailure,
  NotCharged,
  type PaymentList,
  type Refund,
  type RefundResult,
  type TakenPayment,
} from './gateway.ts';

export type StripeOptions = { readonly secretKey: string; readonly url: string };

/** Must never be renamed: charges and refunds are searched by these names. */
const ORDER_ID = 'keyport_order_id';
const REFUND_ID = 'keyport_refund_id';
/** The signal of a call aborts it earlier. */
const TIMEOUT_MS = 600_000;
/** Stripe lists no more per page. */
const PAGE_SIZE_MAX = 100;
/** The newest of a customer's payments since the order. Listing more takes too long. */
const INTENTS_LISTED_MAX = 1000;
const CLOCK_SKEW_SECONDS_MAX = 300;
const BAD_REQUEST = 400;
/** Stripe did nothing, for a reason unrelated to the order. */
const NOT_PROCESSED = new Set(['StripeAuthenticationError', 'StripePermissionError', 'StripeRateLimitError']);

export function createStripeGateway(options: StripeOptions): Gateway {
  return {
    charge: (charge, signal) => createPayment(openClient(options, signal), charge),
    find: (charge, signal) => findCharge(openClient(options, signal), charge),
    refund: (refund, signal) => createRefund(openClient(options, signal), refund),
    findRefund: (refund, signal) => findRefund(openClient(options, signal), refund),
  };
}

export function createStripePaymentList(options: StripeOptions): PaymentList {
  const stripe = openClient(options);
  return { listTaken: (sinceSeconds) => listTaken(stripe, sinceSeconds), hasLateRefunds: true };
}

/** The library takes no signal for a call, so each call has its own client; connections are the process's. */
function openClient({ secretKey, url }: StripeOptions, signal?: AbortSignal): Stripe {
  const { protocol, hostname, port } = new URL(url);
  const fetchOnce = (to: string, init: RequestInit) => {
    const signals = [init.signal, signal].filter((one) => one instanceof AbortSignal);
    return fetch(to, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
  };
  return new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    // The guard does not see the library's retries.
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchOnce as typeof fetch),
  });
}

async function createPayment(stripe: Stripe, charge: Charge): Promise<ChargeResult> {
  const paymentMethod = await findPaymentMethod(stripe, charge.customer);
  // Not `declined`: an earlier attempt may have charged a payment method.
  if (paymentMethod === undefined)
    throw new NotCharged('Stripe has no such customer, or the customer has no default payment method', {
      isCustomerFault: true,
    });
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: charge.amountMinor,
        currency: 'eur',
        customer: charge.customer,
        payment_method: paymentMethod,
        off_session: true,
        confirm: true,
        // There is no browser to redirect.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { [ORDER_ID]: charge.orderId },
      },
      { idempotencyKey: `keyport-order-${charge.orderId}` },
    );
    return readIntent(charge, intent);
  } catch (error) {
    // 402: the card was declined.
    if (isStripeError(error, 'StripeCardError')) return { status: 'declined' };
    throw toFailure(error);
  }
}

async function findPaymentMethod(stripe: Stripe, customerId: string): Promise<string | undefined> {
  try {
    const customer = await stripe.customers.retrieve(customerId);
    if (customer.deleted === true) return undefined;
    const method = customer.invoice_settings?.default_payment_method ?? customer.default_source;
    return (typeof method === 'string' ? method : method?.id) ?? undefined;
  } catch (error) {
    if (isStripeError(error, 'StripeInvalidRequestError')) return undefined;
    const failure = toFailure(error);
    throw failure instanceof NotCharged ? failure : new NotCharged(failure.message);
  }
}

const STATUSES_BEST_FIRST = ['paid', 'amount_mismatch', 'pending', 'declined'] as const;

/** The customer's list is current; a search lags by a minute or more. A77. */
async function findCharge(stripe: Stripe, charge: Charge): Promise<FoundCharge> {
  const listed = await listIntentsOf(stripe, charge);
  const intents = listed.length > 0 ? listed : await searchIntents(stripe, charge.orderId);
  const responses = intents.map((intent) => readIntent(charge, intent));
  const [best] = STATUSES_BEST_FIRST.flatMap((status) => responses.filter((one) => one.status === status));
  return best ?? { status: 'unknown' };
}

async function listIntentsOf(stripe: Stripe, charge: Charge): Promise<Stripe.PaymentIntent[]> {
  const found: Stripe.PaymentIntent[] = [];
  const list = stripe.paymentIntents.list({
    customer: charge.customer,
    created: { gte: placedAtSeconds(charge.orderId) - CLOCK_SKEW_SECONDS_MAX },
    limit: PAGE_SIZE_MAX,
  });
  let seen = 0;
  try {
    for await (const intent of list) {
      if (intent.metadata[ORDER_ID] === charge.orderId) found.push(intent);
      seen += 1;
      if (seen === INTENTS_LISTED_MAX) break;
    }
  } catch (error) {
    // A search finds charges from before the customer was deleted.
    if (!isStripeError(error, 'StripeInvalidRequestError')) throw toFailure(error);
  }
  return found;
}

/** Lists payments that were taken or refunded since then. */
async function* listTaken(stripe: Stripe, sinceSeconds: number): AsyncGenerator<TakenPayment> {
  const since = { created: { gte: sinceSeconds }, limit: PAGE_SIZE_MAX };
  const intents = stripe.paymentIntents.list({ ...since, expand: ['data.latest_charge'] });
  const refunds = stripe.refunds.list({ ...since, expand: ['data.payment_intent.latest_charge'] });
  const older = new Set<string>();
  try {
    for await (const intent of intents) yield* readTaken(intent);
    for await (const { payment_intent: intent } of refunds) {
      if (intent === null || typeof intent !== 'object') continue;
      if (intent.created >= sinceSeconds || older.has(intent.id)) continue;
      older.add(intent.id);
      yield* readTaken(intent);
    }
  } catch (error) {
    throw toFailure(error);
  }
}

/** `latest_charge` must be expanded. */
function* readTaken(intent: Stripe.PaymentIntent): Generator<TakenPayment> {
  const { id, status, metadata, amount_received, currency, created, latest_charge } = intent;
  const orderId = metadata[ORDER_ID];
  if (orderId === undefined || status !== 'succeeded') return;
  yield {
    orderId,
    reference: id,
    amountMinor: amount_received,
    refundedMinor: typeof latest_charge === 'object' ? (latest_charge?.amount_refunded ?? 0) : 0,
    currency: currency.toUpperCase(),
    takenAtSeconds: created,
  };
}

async function searchIntents(stripe: Stripe, orderId: string): Promise<Stripe.PaymentIntent[]> {
  try {
    const { data } = await stripe.paymentIntents.search({ query: `metadata['${ORDER_ID}']:'${orderId}'` });
    return data;
  } catch (error) {
    throw toFailure(error);
  }
}

function readIntent(charge: Charge, intent: Stripe.PaymentIntent): ChargeResult {
  if (intent.metadata?.[ORDER_ID] !== charge.orderId)
    throw new GatewayFailure("Stripe's response is about a different order");
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

/** Looks up earlier refunds, since Stripe keeps idempotency keys for only a day; retries a failed refund. */
async function createRefund(stripe: Stripe, refund: Refund): Promise<RefundResult> {
  const intentId = refund.reference ?? (await findPaidIntent(stripe, refund.orderId));
  try {
    const { earlier, standing } = await listRefunds(stripe, refund, intentId);
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
    // Refunded manually at the provider.
    if (isStripeError(error, 'StripeInvalidRequestError') && error.code === 'charge_already_refunded')
      return 'done';
    throw toFailure(error);
  }
}

async function findRefund(stripe: Stripe, refund: Refund): Promise<FoundRefund> {
  const intentId = refund.reference ?? (await findPaidIntent(stripe, refund.orderId));
  try {
    const { earlier, standing, refundedMinor } = await listRefunds(stripe, refund, intentId);
    if (standing !== undefined) return readRefund(refund, standing);
    // Refunded manually at the provider.
    if (earlier.length === 0) return 'done';
    // Perhaps refunded manually after the refund failed. A partial amount may be another refund of the order.
    const { amount_received } = await stripe.paymentIntents.retrieve(intentId);
    return refundedMinor >= amount_received ? 'done' : 'failed';
  } catch (error) {
    throw toFailure(error);
  }
}

/** `standing`: the refund that has not failed. The sum covers all such refunds of the payment. */
async function listRefunds(stripe: Stripe, refund: Refund, intentId: string) {
  const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: PAGE_SIZE_MAX });
  const earlier = data.filter(({ metadata }) => metadata?.[REFUND_ID] === refund.refundId);
  const isStanding = ({ status }: Stripe.Refund) => status !== 'failed' && status !== 'canceled';
  const refundedMinor = data.filter(isStanding).reduce((sum, { amount }) => sum + amount, 0);
  return { earlier, standing: earlier.find(isStanding), refundedMinor };
}

function readRefund(refund: Refund, made: Stripe.Refund): RefundResult {
  if (made.amount !== refund.amountMinor || made.currency.toUpperCase() !== refund.currency)
    throw new GatewayFailure('Stripe refunded a different amount than requested');
  if (made.status === 'succeeded') return 'done';
  if (made.status === 'pending' || made.status === 'requires_action') return 'pending';
  throw new GatewayFailure(
    `Stripe could not refund (${made.failure_reason ?? made.status ?? 'no reason given'})`,
  );
}

async function findPaidIntent(stripe: Stripe, orderId: string): Promise<string> {
  const intents = await searchIntents(stripe, orderId);
  const paid = intents.find(({ status }) => status === 'succeeded');
  if (paid === undefined) throw new GatewayFailure('Stripe cannot find the payment to refund');
  return paid.id;
}

/** The library's error may name the customer's card. */
function toFailure(error: unknown): NotCharged | GatewayFailure {
  if (error instanceof GatewayFailure) return error;
  if (!isStripeError(error)) return connectionFailure(error);
  if (error.type === 'StripeConnectionError') return connectionFailure(error.detail);
  const message = `Stripe returned ${error.statusCode ?? 'no status'} (${error.code ?? error.type}, request ${error.requestId ?? 'unknown'})`;
  // Such as an amount below Stripe's minimum.
  if (error.type === 'StripeInvalidRequestError' && error.statusCode === BAD_REQUEST)
    return new NotCharged(message, { isCustomerFault: true });
  return NOT_PROCESSED.has(error.type) ? new NotCharged(message) : new GatewayFailure(message);
}

function isStripeError(
  error: unknown,
  type?: string,
): error is InstanceType<typeof Stripe.errors.StripeError> {
  return error instanceof Stripe.errors.StripeError && (type === undefined || error.type === type);
}
