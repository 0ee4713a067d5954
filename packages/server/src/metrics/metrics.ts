/**
 * Figures for monitoring in Prometheus' text format. Each node counts for itself; what the check of the invariants found
 * is the same on all of them, but for I66, which is about the node. No figure names an account, a client or an order
 * (A112).
 */
import { type Aggregator, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { OnAnswered } from '../http/answered.ts';
import { ApiError } from '../http/api-error.ts';
import type { OperationHandler, OperationReply } from '../http/operation.ts';

/** What is asked only when somebody reads the figures. */
export type MetricSources = {
  readonly queueDepth: () => number;
  /** Seconds since the catalogue in memory was last known to be in step. */
  readonly catalogueLagSeconds: () => number;
  /** Age of the oldest change that the catalogue in memory lacks; 0 when it lacks none. */
  readonly catalogueBehindSeconds: () => Promise<number>;
  /** Of the catalogue with the database; undefined before the first one. */
  readonly lastComparison: () => Comparison | undefined;
  /** Requests that were refused because there were too many, by reason. */
  readonly refusedRequests: () => Readonly<Record<string, number>>;
  readonly poolUse: () => { readonly inUse: number; readonly idle: number; readonly waiting: number };
  /** Undefined before the first one. */
  readonly lastVerifyRun: () => Promise<VerifyRun | undefined>;
};

type VerifyRun = {
  readonly finishedAtSeconds: number;
  readonly durationMs: number;
  readonly checked: number;
  readonly broken: Readonly<Record<string, number>>;
  readonly unchecked: readonly string[];
};

type Comparison = {
  readonly finishedAtSeconds: number;
  readonly checked: number;
  readonly broken: number;
};

export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export type Metrics = {
  /** The whole text; what cannot be read is left out. */
  text(): Promise<string>;
  readonly contentType: string;
  /** The same for whoever adds up the figures of several processes. */
  values(): Promise<MetricValues>;
  readonly onAnswered: OnAnswered;
  /** The same handler, with what becomes of each order counted. */
  countOrders(handler: OperationHandler<'createOrder'>): OperationHandler<'createOrder'>;
  onBatch(batch: { readonly size: number; readonly durationMs: number }): void;
  /** From then on these are part of the text. */
  watch(sources: MetricSources): void;
};

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let refresh = async () => {};
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'keyport_request_duration_seconds',
    help: 'Answered requests by path of the operation, method and status.',
    labelNames: ['operation', 'method', 'status'],
    buckets: SECONDS,
    registers,
  });
  const orders = new Counter({
    name: 'keyport_orders_total',
    help: 'Requests for an order by outcome: placed, repeated, refused, or the code of the error.',
    labelNames: ['outcome'],
    registers,
  });
  const batchSizes = new Histogram({
    name: 'keyport_order_batch_size',
    help: 'Orders that one transaction placed.',
    buckets: BATCH_SIZES,
    registers,
  });
  const batchTimes = new Histogram({
    name: 'keyport_order_batch_duration_seconds',
    help: 'Time of a transaction that places orders, its commit included.',
    buckets: SECONDS,
    registers,
  });
  return {
    async text() {
      await refresh();
      return registry.metrics();
    },
    contentType: registry.contentType,
    async values() {
      await refresh();
      return registry.getMetricsAsJSON();
    },
    onAnswered({ route, method, status, durationMs }) {
      requests.observe({ operation: route, method, status }, durationMs / 1000);
    },
    countOrders: (handler) => async (request) => {
      try {
        const reply = await handler(request);
        orders.inc({ outcome: outcomeOf(reply) });
        return reply;
      } catch (error) {
        orders.inc({ outcome: error instanceof ApiError ? error.code : 'internal-server-error' });
        throw error;
      }
    },
    onBatch({ size, durationMs }) {
      batchSizes.observe(size);
      batchTimes.observe(durationMs / 1000);
    },
    watch(sources) {
      refresh = watch(registers, sources);
    },
  };
}

function watch(registers: Registry[], sources: MetricSources): () => Promise<void> {
  const gauge = (name: string, help: string, read: () => number, aggregator: Aggregator = 'sum') =>
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read());
      },
    });
  gauge('keyport_order_queue_depth', 'Orders that wait for a transaction.', sources.queueDepth);
  gauge(
    'keyport_catalogue_lag_seconds',
    'Time since the catalogue in memory was last known to be in step with the database.',
    sources.catalogueLagSeconds,
    'max',
  );
  new Gauge({
    name: 'keyport_database_connections',
    help: 'Connections of the pool that are in_use and idle, and callers that are waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, idle, waiting } = sources.poolUse();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Counter({
    name: 'keyport_requests_refused_total',
    help: 'Requests that were refused with 503 because there were too many, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(sources.refusedRequests())) this.inc({ reason }, count);
    },
  });
  const refreshes = [watchVerifyRuns(registers, sources), watchBehind(registers, sources)];
  return async () => {
    await Promise.all(refreshes.map((refresh) => refresh()));
  };
}

function watchBehind(registers: Registry[], { catalogueBehindSeconds }: MetricSources): () => Promise<void> {
  const behind = new Gauge({
    name: 'keyport_catalogue_behind_seconds',
    help: 'Age of the oldest change that the catalogue in memory lacks, 0 when it lacks none; left out when unknown.',
    registers,
    aggregator: 'max',
  });
  return async () => {
    const seconds = await catalogueBehindSeconds().catch(() => undefined);
    if (seconds === undefined) behind.remove();
    else behind.set(seconds);
  };
}

/** Returns what brings these figures up to date; they are read together, so that they are of one run. */
function watchVerifyRuns(
  registers: Registry[],
  { lastVerifyRun, lastComparison }: MetricSources,
): () => Promise<void> {
  // The same on all workers of a machine, but for the comparison of each one's catalogue.
  const gauge = (name: string, help: string, aggregator: Aggregator = 'max') =>
    new Gauge({ name, help, registers, aggregator });
  const broken = new Gauge({
    name: 'keyport_invariant_broken_rows',
    help: 'Broken rows by invariant, 0 where it holds; those that took too long are left out.',
    labelNames: ['invariant'],
    registers,
    aggregator: 'max',
  });
  const finishedAt = gauge(
    'keyport_verify_last_run_timestamp_seconds',
    'When the last periodic check of the invariants ended, on whichever node; 0: there was none yet.',
  );
  const duration = gauge('keyport_verify_last_run_duration_seconds', 'Time at work of that check.');
  const checked = gauge('keyport_verify_last_run_checked_rows', 'Rows that it looked at.');
  const unchecked = gauge('keyport_verify_last_run_unchecked_invariants', 'Invariants that took too long.');
  const comparedAt = gauge(
    'keyport_catalogue_last_comparison_timestamp_seconds',
    'When this node last compared its catalogue with the database (I66) to the end; 0: not yet.',
    'min',
  );
  const compared = gauge('keyport_catalogue_last_comparison_products', 'Products that it compared.', 'min');
  return async () => {
    // A database that cannot be reached must not hide the other figures.
    const run = await lastVerifyRun().catch(() => undefined);
    broken.reset();
    const comparison = lastComparison();
    if (comparison !== undefined) {
      broken.set({ invariant: 'I66' }, comparison.broken);
      comparedAt.set(comparison.finishedAtSeconds);
      compared.set(comparison.checked);
    }
    if (run === undefined) return;
    for (const [invariant, rows] of Object.entries(run.broken)) broken.set({ invariant }, rows);
    finishedAt.set(run.finishedAtSeconds);
    duration.set(run.durationMs / 1000);
    checked.set(run.checked);
    unchecked.set(run.unchecked.length);
  };
}

function outcomeOf({ status }: OperationReply): string {
  if (status === 201) return 'placed';
  return status === 200 ? 'repeated' : 'refused';
}
