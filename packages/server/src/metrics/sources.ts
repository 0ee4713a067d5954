/** Metrics that are collected only when they are scraped. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';

export type MetricSources = {
  readonly queueDepth: () => number;
  /** Requests that wait for news of the catalogue, or for events. */
  readonly heldRequests: () => number;
  readonly openConnections: () => Promise<number>;
  readonly catalogue: { readonly listedCount: number; readonly productCount: number };
  /** Seconds since the catalogue in memory was last known to be in step. */
  readonly catalogueLagSeconds: () => number;
  /** Age of the oldest change that the catalogue in memory lacks; 0 when it lacks none. */
  readonly catalogueBehindSeconds: () => Promise<number>;
  /** Age of the oldest change that is no event yet; 0 when there is none. */
  readonly eventLagSeconds: () => Promise<number>;
  /** Of the catalogue with the database; undefined before the first one. */
  readonly lastComparison: () => Comparison | undefined;
  /** Requests that were rejected because there were too many, by reason. */
  readonly refusedRequests: () => Readonly<Record<string, number>>;
  readonly poolUse: () => { readonly inUse: number; readonly idle: number; readonly waiting: number };
  /** Since the start. */
  readonly databaseCounts: Readonly<Record<DatabaseCount, number>>;
  /** Undefined before the first look at it, and with the embedded engine. */
  readonly databaseState: () =>
    | {
        readonly transactionIdsUsedRatio: number;
        readonly oldestSnapshotSeconds: number;
        readonly archiveFailsForSeconds: number;
      }
    | undefined;
  /** Attempts to deliver webhooks that are under way. */
  readonly webhooksInFlight: () => number;
  /** Age of the oldest event without deliveries; 0 when all have theirs. */
  readonly webhookLagSeconds: () => Promise<number>;
  /** Endpoints by state: enabled, failing (enabled too), disabled. */
  readonly webhookEndpoints: () => Promise<Readonly<Record<string, number>>>;
  /** Writes that wait for a second person. */
  readonly approvalsPending: () => Promise<number>;
  /** Steps of the database's clock since the start. */
  readonly clockSteps: () => Readonly<Record<'forward' | 'back', number>>;
  readonly clockShiftSeconds: () => number;
  readonly clockSkewSeconds: () => number;
  /** Undefined before the first one. */
  readonly lastVerifyRun: () => Promise<VerifyRun | undefined>;
};

type DatabaseCount =
  | 'sessionsOpened'
  | 'sessionErrors'
  | 'transactionsCommitted'
  | 'transactionsFailed'
  | 'transactionsUnknown'
  | 'transactionsRetried';

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

/** A database that says nothing must not hide the other metrics, which are needed just then. */
const DATABASE_WAIT_MAX_MS = 2_000;

/** Registers all of them. What it returns is awaited before they are read. */
export function watchSources(registers: Registry[], sources: MetricSources): () => Promise<void> {
  watchProcess(registers);
  watchDatabase(registers, sources);
  watchDatabaseState(registers, sources);
  const gauge = (name: string, help: string, aggregator: 'sum' | 'max', read: () => number) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('keyport_order_queue_depth', 'Orders that wait for a transaction.', 'sum', sources.queueDepth);
  gauge(
    'keyport_held_requests',
    'Requests that wait for news of the catalogue, or for events.',
    'sum',
    sources.heldRequests,
  );
  gauge(
    'keyport_catalogue_lag_seconds',
    'Time since the catalogue in memory was last known to be in step with the database.',
    'max',
    sources.catalogueLagSeconds,
  );
  gauge(
    'keyport_database_clock_shift_seconds',
    "How far the database's clock is ahead of where it would be without its steps of the last 7 days; below 0: behind.",
    'max',
    sources.clockShiftSeconds,
  );
  gauge(
    'keyport_clock_skew_seconds',
    "How far this machine's clock is ahead of the database's; below 0: behind.",
    'max',
    sources.clockSkewSeconds,
  );
  const steps = {
    name: 'keyport_database_clock_steps_total',
    help: "Steps of the database's clock by more than a minute, by direction: forward, back.",
    label: 'direction',
  };
  follow(registers, steps, sources.clockSteps);
  watchCatalogue(registers, sources);
  new Gauge({
    name: 'keyport_open_connections',
    help: 'Connections of callers, idle ones too.',
    registers,
    async collect() {
      this.set(await sources.openConnections());
    },
  });
  const refused = {
    name: 'keyport_requests_refused_total',
    help: 'Requests that were refused with 503 because there were too many, by reason.',
    label: 'reason',
  };
  follow(registers, refused, sources.refusedRequests);
  gauge(
    'keyport_webhook_in_flight',
    'Attempts to deliver webhooks that are under way.',
    'sum',
    sources.webhooksInFlight,
  );
  const refreshes = [
    watchVerifyRuns(registers, sources),
    ...watchBacklogs(registers, sources),
    watchWebhooks(registers, sources),
  ];
  return async () => {
    await Promise.all(refreshes.map((refresh) => refresh()));
  };
}

function watchCatalogue(registers: Registry[], { catalogue }: MetricSources): void {
  new Gauge({
    name: 'keyport_catalogue_products',
    help: 'Products in memory: listed are those on offer, known are all.',
    labelNames: ['state'],
    aggregator: 'max',
    registers,
    collect() {
      this.set({ state: 'listed' }, catalogue.listedCount);
      this.set({ state: 'known' }, catalogue.productCount);
    },
  });
}

/** What has not been done yet. */
function watchBacklogs(registers: Registry[], sources: MetricSources) {
  const behind = {
    name: 'keyport_catalogue_behind_seconds',
    help: 'Age of the oldest change that the catalogue in memory lacks, 0 when it lacks none; left out when unknown.',
  };
  const late = {
    name: 'keyport_event_lag_seconds',
    help: 'Age of the oldest change that is not in the event feed yet, 0 when there is none; left out when unknown.',
  };
  const unsent = {
    name: 'keyport_webhook_lag_seconds',
    help: 'Age of the oldest event that no deliveries were made of, 0 without one; left out when unknown.',
  };
  const pending = {
    name: 'keyport_approvals_pending',
    help: 'Writes of operators that wait for a second person.',
  };
  return [
    watchLoaded(registers, behind, sources.catalogueBehindSeconds),
    watchLoaded(registers, late, sources.eventLagSeconds),
    watchLoaded(registers, unsent, sources.webhookLagSeconds),
    watchLoaded(registers, pending, sources.approvalsPending),
  ];
}

/** A counter of something that counts by itself. */
function follow(
  registers: Registry[],
  { name, help, label = 'outcome' }: { name: string; help: string; label?: string },
  read: () => number | Readonly<Record<string, number>>,
): void {
  const labelled = typeof read() !== 'number';
  new Counter({
    name,
    help,
    labelNames: labelled ? [label] : [],
    registers,
    collect() {
      this.reset();
      const now = read();
      if (typeof now === 'number') this.inc(now);
      else for (const [value, count] of Object.entries(now)) this.inc({ [label]: value }, count);
    },
  });
}

/** As counters, so that any number of readers can take the rate over any time. */
function watchProcess(registers: Registry[]): void {
  const active = {
    name: 'keyport_event_loop_active_seconds_total',
    help: 'Time in which the event loop had work. Its rate is the utilization: 1 is all that there is.',
  };
  follow(registers, active, () => performance.eventLoopUtilization().active / 1000);
}

function watchDatabase(registers: Registry[], { poolUse, databaseCounts }: MetricSources): void {
  new Gauge({
    name: 'keyport_database_connections',
    help: 'Connections of the pool that are in_use and idle, and callers that are waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, idle, waiting } = poolUse();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  const opened = {
    name: 'keyport_database_sessions_opened_total',
    help: 'Sessions that were opened with the database.',
  };
  follow(registers, opened, () => databaseCounts.sessionsOpened);
  const errors = {
    name: 'keyport_database_session_errors_total',
    help: 'Sessions that broke while they were idle, and attempts to listen that failed.',
  };
  follow(registers, errors, () => databaseCounts.sessionErrors);
  const transactions = {
    name: 'keyport_transactions_total',
    help: 'Transactions by outcome: committed, failed, unknown (the connection was lost during COMMIT), retried.',
  };
  follow(registers, transactions, () => ({
    committed: databaseCounts.transactionsCommitted,
    failed: databaseCounts.transactionsFailed,
    unknown: databaseCounts.transactionsUnknown,
    retried: databaseCounts.transactionsRetried,
  }));
}

function watchDatabaseState(registers: Registry[], { databaseState }: MetricSources): void {
  const gauge = (name: string, help: string, member: keyof NonNullable<ReturnType<typeof databaseState>>) =>
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers,
      collect() {
        const state = databaseState();
        if (state === undefined) this.remove();
        else this.set(state[member]);
      },
    });
  gauge(
    'keyport_database_transaction_ids_used_ratio',
    'Of the transaction ids that PostgreSQL gives out before it takes no more writes, the part that is used.',
    'transactionIdsUsedRatio',
  );
  gauge(
    'keyport_database_oldest_snapshot_seconds',
    'For how long old row versions have been kept from being cleared away by one session, slot or prepared transaction.',
    'oldestSnapshotSeconds',
  );
  gauge(
    'keyport_database_archive_failing_seconds',
    'Time since a file of the write-ahead log was last archived, while archiving fails; 0 while it does not.',
    'archiveFailsForSeconds',
  );
}

/** A number that the database is asked for. */
function watchLoaded(
  registers: Registry[],
  metric: { readonly name: string; readonly help: string },
  load: () => Promise<number>,
): () => Promise<void> {
  const gauge = new Gauge({ ...metric, aggregator: 'max', registers });
  const ask = withTimeLimit(load);
  return async () => {
    const value = await ask();
    if (value === undefined) gauge.remove();
    else gauge.set(value);
  };
}

function watchWebhooks(registers: Registry[], { webhookEndpoints }: MetricSources): () => Promise<void> {
  const endpoints = new Gauge({
    name: 'keyport_webhook_endpoints',
    help: 'Webhook endpoints of all accounts by state: enabled, failing (of the enabled ones), disabled.',
    labelNames: ['state'],
    aggregator: 'max',
    registers,
  });
  const ask = withTimeLimit(webhookEndpoints);
  return async () => {
    const counts = await ask();
    endpoints.reset();
    for (const [state, count] of Object.entries(counts ?? {})) endpoints.set({ state }, count);
  };
}

/** Returns what brings these metrics up to date; they are read together, so that they are of one run. */
function watchVerifyRuns(
  registers: Registry[],
  { lastVerifyRun, lastComparison }: MetricSources,
): () => Promise<void> {
  const gauge = (name: string, help: string, aggregator: 'max' | 'min') =>
    new Gauge({ name, help, aggregator, registers });
  const broken = new Gauge({
    name: 'keyport_invariant_broken_rows',
    help: 'Broken rows by invariant, 0 where it holds; those that took too long are left out.',
    labelNames: ['invariant'],
    aggregator: 'max',
    registers,
  });
  const finishedAt = gauge(
    'keyport_verify_last_run_timestamp_seconds',
    'When the last periodic check of the invariants ended, on whichever node; 0: there was none yet.',
    'max',
  );
  const duration = gauge('keyport_verify_last_run_duration_seconds', 'Time at work of that check.', 'max');
  const checked = gauge('keyport_verify_last_run_checked_rows', 'Rows that it looked at.', 'max');
  const unchecked = gauge(
    'keyport_verify_last_run_unchecked_invariants',
    'Invariants that took too long.',
    'max',
  );
  const comparedAt = gauge(
    'keyport_catalogue_last_comparison_timestamp_seconds',
    'When this node last compared its catalogue with the database (I66) to the end; 0: not yet.',
    'min',
  );
  const compared = gauge('keyport_catalogue_last_comparison_products', 'Products that it compared.', 'min');
  const ask = withTimeLimit(lastVerifyRun);
  return async () => {
    const run = await ask();
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

/**
 * Undefined when the question fails or takes too long. While a response is outstanding the question is not asked again:
 * scrapes must not take all connections.
 */
function withTimeLimit<Value>(question: () => Promise<Value>): () => Promise<Value | undefined> {
  let asked: Promise<Value | undefined> | undefined;
  return () => {
    asked ??= question()
      .catch(() => undefined)
      .finally(() => {
        asked = undefined;
      });
    return Promise.race([asked, sleep(DATABASE_WAIT_MAX_MS, undefined, { ref: false })]);
  };
}
