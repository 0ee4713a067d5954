/**
 * Metrics are per process, except those of the invariants. None names an account, client, product or order.
 * A112.
 */
import { ApiError } from '@keyport/http/replies/api-error';
import type { RequestRecord } from '@keyport/http/server/request-record';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { OperationHandler, OperationReply } from '../operations/operation.ts';
import { type MetricSources, watchSources } from './sources.ts';

export type Metrics = ReturnType<typeof createMetrics>;

type ImportedLines = {
  readonly kind: string;
  readonly written: number;
  readonly unchanged: number;
  readonly rejected: number;
};

export type GatewayCall = {
  readonly call: 'charge' | 'find' | 'refund' | 'findRefund';
  /** The provider's response, `not-charged`, or `failed` for an unknown outcome. */
  readonly outcome: string;
  readonly durationMs: number;
};

/** Payments that need attention (docs/payments.md). */
const PAYMENT_ALARMS = ['abandoned', 'refund-failed', 'refund-unconfirmed'] as const;
export type PaymentAlarm = (typeof PAYMENT_ALARMS)[number];

type WebhookAttempt = {
  readonly outcome: string;
  readonly durationMs: number;
  /** From the event to its first attempt; undefined for retries and failing endpoints. */
  readonly delayMs: number | undefined;
};

const WEBHOOK_DISABLED = ['gone', 'failing'] as const;
type WebhookDisabled = (typeof WEBHOOK_DISABLED)[number];

type NotificationAttempt = {
  readonly channel: 'mail' | 'link';
  readonly outcome: 'sent' | 'failed';
};

const BREAKER_VALUES = { closed: 0, 'half-open': 1, open: 2 };
export type BreakerState = keyof typeof BREAKER_VALUES;

const BATCH_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const GATEWAY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WEBHOOK_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const ORDER_OUTCOMES = ['placed', 'repeated', 'refused', 'service-unavailable', 'internal-server-error'];
const TOKEN_ROUTE = '/oauth/token';

export function createMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  let refresh = async () => {};
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'keyport_build_info',
    help: 'Always 1; the labels identify the running version.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  const instruments = createInstruments(registers);
  return {
    async text() {
      await refresh();
      return registry.metrics();
    },
    contentType: registry.contentType,
    onRequestEnd(request: RequestRecord) {
      const { route, method, status, durationMs, code } = request;
      instruments.requests.observe({ operation: route, method, status }, durationMs / 1000);
      if (code !== undefined) instruments.errors.inc({ operation: route, method, code });
      if (route === TOKEN_ROUTE) instruments.tokens.inc({ outcome: toTokenOutcome(request) });
    },
    countOrders:
      (handler: OperationHandler<'createOrder'>): OperationHandler<'createOrder'> =>
      async (request) => {
        try {
          const reply = await handler(request);
          instruments.orders.inc({ outcome: toOutcome(reply) });
          return reply;
        } catch (error) {
          instruments.orders.inc({
            outcome: error instanceof ApiError ? error.code : 'internal-server-error',
          });
          throw error;
        }
      },
    onBatch({ size, durationMs }: { readonly size: number; readonly durationMs: number }) {
      instruments.batchSizes.observe(size);
      instruments.batchTimes.observe(durationMs / 1000);
    },
    onImported({ kind, ...lines }: ImportedLines) {
      for (const [outcome, count] of Object.entries(lines))
        instruments.imported.inc({ kind, outcome }, count);
    },
    onGatewayCall({ call, outcome, durationMs }: GatewayCall) {
      instruments.gatewayCalls.observe({ call, outcome }, durationMs / 1000);
    },
    onBreaker: (state: BreakerState) => instruments.breaker.set(BREAKER_VALUES[state]),
    onPaymentAlarm: (alarm: PaymentAlarm) => instruments.paymentAlarms.inc({ alarm }),
    onWebhookAttempt({ outcome, durationMs, delayMs }: WebhookAttempt) {
      instruments.webhookAttempts.observe({ outcome }, durationMs / 1000);
      if (delayMs !== undefined) instruments.webhookDelays.observe(delayMs / 1000);
    },
    onWebhookDisabled: (reason: WebhookDisabled) => instruments.webhookDisabled.inc({ reason }),
    onEventUnshown: () => instruments.eventsUnshown.inc(),
    onNotification: (message: NotificationAttempt) => instruments.notifications.inc(message),
    watch(sources: MetricSources) {
      refresh = watchSources(registers, sources);
    },
  };
}

function createInstruments(registers: Registry[]) {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ) => new Histogram({ name, help, buckets, labelNames, registers });
  const instruments = {
    requests: histogram(
      'keyport_request_duration_seconds',
      'Request durations by operation path, method and status.',
      // Most reads of the catalogue take less than a millisecond.
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      'operation',
      'method',
      'status',
    ),
    errors: counter(
      'keyport_error_responses_total',
      'Error responses by operation path, method and error code.',
      'operation',
      'method',
      'code',
    ),
    tokens: counter(
      'keyport_token_requests_total',
      'Token requests by outcome: issued, or the error code.',
      'outcome',
    ),
    orders: counter(
      'keyport_orders_total',
      'Requests to create an order by outcome: placed, repeated, refused, or the error code.',
      'outcome',
    ),
    imported: counter(
      'keyport_import_lines_total',
      'Import lines, including dry runs, by kind and outcome: written, unchanged, rejected.',
      'kind',
      'outcome',
    ),
    batchSizes: histogram('keyport_order_batch_size', 'Orders placed per transaction.', BATCH_SIZES),
    batchTimes: histogram(
      'keyport_order_batch_duration_seconds',
      'Duration of transactions that place orders, including the commit.',
      BATCH_SECONDS,
    ),
    gatewayCalls: histogram(
      'keyport_gateway_call_duration_seconds',
      'Calls to the payment provider by operation and outcome.',
      GATEWAY_SECONDS,
      'call',
      'outcome',
    ),
    breaker: new Gauge({
      name: 'keyport_gateway_breaker_state',
      help: 'Circuit breaker of the payment provider: 0 closed, 1 half open, 2 open.',
      registers,
    }),
    paymentAlarms: counter(
      'keyport_payment_alarms_total',
      'Payments and refunds that need attention, by problem.',
      'alarm',
    ),
    webhookAttempts: histogram(
      'keyport_webhook_attempt_duration_seconds',
      'Webhook delivery attempts by outcome: delivered, rejected, timed-out, failed, forbidden, aborted.',
      WEBHOOK_SECONDS,
      'outcome',
    ),
    webhookDelays: histogram(
      'keyport_webhook_delay_seconds',
      'Time from an event to its first delivery attempt, except to failing endpoints.',
      WEBHOOK_SECONDS,
    ),
    eventsUnshown: counter(
      'keyport_event_unshown_total',
      'Events that could not be shown to a reader or sent to an endpoint: a fault of the service.',
    ),
    webhookDisabled: counter(
      'keyport_webhook_disabled_total',
      'Webhook endpoints that the service disabled, by reason: gone (410), failing (for 5 days).',
      'reason',
    ),
    notifications: counter(
      'keyport_notifications_total',
      'Messages to operators by channel (mail, link for sign-in) and outcome: sent, failed (and retried).',
      'channel',
      'outcome',
    ),
  };
  // So that the first failure shows as an increase.
  for (const outcome of ORDER_OUTCOMES) instruments.orders.inc({ outcome }, 0);
  for (const alarm of PAYMENT_ALARMS) instruments.paymentAlarms.inc({ alarm }, 0);
  for (const reason of WEBHOOK_DISABLED) instruments.webhookDisabled.inc({ reason }, 0);
  for (const channel of ['mail', 'link'])
    for (const outcome of ['sent', 'failed']) instruments.notifications.inc({ channel, outcome }, 0);
  return instruments;
}

function toOutcome({ status }: OperationReply): string {
  if (status === 201) return 'placed';
  return status === 200 ? 'repeated' : 'refused';
}

function toTokenOutcome({ status, code }: RequestRecord): string {
  return code ?? (status === 200 ? 'issued' : String(status));
}
