/** Sources are read only when the metrics are scraped. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../db/engines/database.ts';
import type { DatabaseStatistics } from '../db/engines/database-watch.ts';

type Labelled = Readonly<Record<string, number>>;

export type MetricSources = {
  readonly queueDepth: () => number;
  /** Requests that wait for catalogue changes or events. */
  readonly heldRequests: () => number;
  readonly openConnections: () => Promise<number>;
  readonly catalogue: { readonly listedCount: number; readonly productCount: number };
  readonly catalogueLagSeconds: () => number;
  readonly catalogueBehindSeconds: () => Promise<number>;
  readonly eventLagSeconds: () => Promise<number>;
  readonly lastComparison: () => Comparison | undefined;
  readonly rejectedRequests: () => Labelled;
  readonly poolUse: () => { readonly inUse: number; readonly idle: number; readonly waiting: number };
  readonly databaseCounts: Omit<Database['counts'], 'transactionsOutOfResources'>;
  /** Undefined before the first read, and with the embedded engine. */
  readonly databaseState: () => DatabaseStatistics | undefined;
  readonly webhooksInFlight: () => number;
  readonly webhookLagSeconds: () => Promise<number>;
  /** By state; failing endpoints are also enabled. */
  readonly webhookEndpoints: () => Promise<Labelled>;
  /** By outcome: written, omitted. */
  readonly loggedRequests: () => Labelled;
  readonly approvalsPending: () => Promise<number>;
  readonly activeReservations: () => Promise<number>;
  readonly openClaims: () => Promise<number>;
  readonly clockSkewSeconds: () => number;
  readonly lastVerifyRun: () => Promise<VerifyRun | undefined>;
};

type VerifyRun = {
  readonly finishedAtSeconds: number;
  readonly durationMs: number;
  readonly checked: number;
  readonly broken: Labelled;
  readonly unchecked: readonly string[];
};

export type Comparison = {
  readonly finishedAtSeconds: number;
  readonly checked: number;
  readonly broken: number;
};

/** A silent database must not hide the other metrics. */
const DATABASE_WAIT_MAX_MS = 2_000;

/** A number, or numbers by label value; undefined omits the metric. */
type Value = number | Labelled | undefined;

type RowOptions = { readonly label?: string };
type Row = RowOptions & { readonly name: string; readonly help: string };

/** Await the returned function before reading the metrics. */
export function watchSources(registers: Registry[], sources: MetricSources): () => Promise<void> {
  const watched = { registers, ...sources };
  watchCounters(watched);
  watchGauges(watched);
  const refreshes = [...watchLoaded(watched), watchVerifyRuns(watched)];
  return async () => {
    await Promise.all(refreshes.map((refresh) => refresh()));
  };
}

type Watched = MetricSources & { readonly registers: Registry[] };

function watchCounters({ registers, databaseCounts, rejectedRequests, loggedRequests }: Watched): void {
  const counter = (name: string, help: string, read: () => number | Labelled, label?: string) =>
    new Counter({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers,
      collect() {
        this.reset();
        const now = read();
        if (typeof now === 'number') this.inc(now);
        else for (const [value, count] of Object.entries(now)) this.inc({ [label ?? '']: value }, count);
      },
    });
  counter(
    'keyport_event_loop_active_seconds_total',
    'Time in which the event loop was active. Its rate is the utilization, at most 1.',
    () => performance.eventLoopUtilization().active / 1000,
  );
  counter(
    'keyport_requests_refused_total',
    'Requests that were rejected with 503 because of overload, by reason.',
    rejectedRequests,
    'reason',
  );
  counter(
    'keyport_logged_requests_total',
    "Requests to be written to the resellers' request log, by outcome: written, omitted.",
    loggedRequests,
    'outcome',
  );
  counter(
    'keyport_database_sessions_opened_total',
    'Database sessions that were opened.',
    () => databaseCounts.sessionsOpened,
  );
  counter(
    'keyport_database_session_errors_total',
    'Database sessions that were lost while idle, and failed LISTEN attempts.',
    () => databaseCounts.sessionErrors,
  );
  counter(
    'keyport_transactions_total',
    'Transactions by outcome: committed, failed, unknown (connection lost during COMMIT), retried.',
    () => ({
      committed: databaseCounts.transactionsCommitted,
      failed: databaseCounts.transactionsFailed,
      unknown: databaseCounts.transactionsUnknown,
      retried: databaseCounts.transactionsRetried,
    }),
    'outcome',
  );
}

function watchGauges(sources: Watched): void {
  const { registers, catalogue, databaseState, poolUse } = sources;
  const gauge = (name: string, help: string, read: () => Value | Promise<Value>, more?: RowOptions) => {
    const set = toSetter({ name, help, ...more }, registers, async () => set(await read()));
  };
  gauge(
    'keyport_catalogue_lag_seconds',
    'Time since the catalogue in memory was last known to match the database.',
    sources.catalogueLagSeconds,
  );
  gauge(
    'keyport_clock_skew_seconds',
    "How far this machine's clock is ahead of the database's; below 0: behind.",
    sources.clockSkewSeconds,
  );
  gauge(
    'keyport_database_transaction_ids_used_ratio',
    'Share of the transaction ids that are used; at 1, PostgreSQL accepts no more writes.',
    () => databaseState()?.transactionIdsUsedRatio,
  );
  gauge(
    'keyport_database_oldest_snapshot_seconds',
    'How long one session, slot or prepared transaction has kept old row versions from being removed.',
    () => databaseState()?.oldestSnapshotSeconds,
  );
  gauge(
    'keyport_database_archive_failing_seconds',
    'Time since a write-ahead log file was last archived, while archiving fails; otherwise 0.',
    () => databaseState()?.archiveFailsForSeconds,
  );
  gauge('keyport_order_queue_depth', 'Orders that wait for a transaction.', sources.queueDepth);
  gauge('keyport_held_requests', 'Requests that wait for catalogue changes or events.', sources.heldRequests);
  gauge('keyport_webhook_in_flight', 'Attempts to deliver webhooks in progress.', sources.webhooksInFlight);
  gauge('keyport_open_connections', 'Client connections, including idle ones.', sources.openConnections);
  gauge(
    'keyport_catalogue_products',
    'Products in memory by state: listed (on offer), known (all).',
    () => ({ listed: catalogue.listedCount, known: catalogue.productCount }),
    { label: 'state' },
  );
  gauge(
    'keyport_database_connections',
    'Pool connections that are in_use or idle, and callers waiting for a connection.',
    () => {
      const { inUse, idle, waiting } = poolUse();
      return { in_use: inUse, idle, waiting };
    },
    { label: 'state' },
  );
}

function watchLoaded(sources: Watched): (() => Promise<void>)[] {
  const loaded = (name: string, help: string, load: () => Promise<number | Labelled>, label?: string) => {
    const set = toSetter({ name, help, ...(label && { label }) }, sources.registers);
    const query = withTimeLimit(load);
    return async () => set(await query());
  };
  const age = (name: string, what: string, load: () => Promise<number>) =>
    loaded(name, `Age of the oldest ${what}, 0 if there is none; left out when unknown.`, load);
  return [
    age(
      'keyport_catalogue_behind_seconds',
      'change that the catalogue in memory lacks',
      sources.catalogueBehindSeconds,
    ),
    age('keyport_event_lag_seconds', 'change that is not in the event feed yet', sources.eventLagSeconds),
    age('keyport_webhook_lag_seconds', 'due delivery that no node sends', sources.webhookLagSeconds),
    loaded('keyport_approvals_pending', 'Writes of operators that await approval.', sources.approvalsPending),
    loaded(
      'keyport_reservations_active',
      'Reservations of resellers that hold units.',
      sources.activeReservations,
    ),
    loaded('keyport_claims_open', 'Claims that await a decision.', sources.openClaims),
    loaded(
      'keyport_webhook_endpoints',
      'Webhook endpoints of all accounts by state: enabled, failing (also enabled), disabled.',
      sources.webhookEndpoints,
      'state',
    ),
  ];
}

function watchVerifyRuns({ registers, lastVerifyRun, lastComparison }: Watched): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const broken = toSetter(
    {
      name: 'keyport_invariant_broken_rows',
      help: 'Violations by invariant, 0 if it holds. Invariants whose check took too long are left out.',
      label: 'invariant',
    },
    registers,
  );
  const finishedAt = gauge(
    'keyport_verify_last_run_timestamp_seconds',
    'When the last periodic check of the invariants ended, on any node; 0: never.',
  );
  const duration = gauge(
    'keyport_verify_last_run_duration_seconds',
    'Working time of the last periodic check of the invariants.',
  );
  const checked = gauge(
    'keyport_verify_last_run_checked_rows',
    'Rows checked by the last periodic check of the invariants.',
  );
  const unchecked = gauge(
    'keyport_verify_last_run_unchecked_invariants',
    'Invariants whose check took too long.',
  );
  const comparedAt = gauge(
    'keyport_catalogue_last_comparison_timestamp_seconds',
    'When this node last completed the comparison of its catalogue with the database (I66); 0: never.',
  );
  const compared = gauge(
    'keyport_catalogue_last_comparison_products',
    'Products in the last completed comparison of the catalogue.',
  );
  const query = withTimeLimit(lastVerifyRun);
  return async () => {
    const run = await query();
    const comparison = lastComparison();
    if (comparison !== undefined) {
      comparedAt.set(comparison.finishedAtSeconds);
      compared.set(comparison.checked);
    }
    broken({ ...run?.broken, ...(comparison && { I66: comparison.broken }) });
    if (run === undefined) return;
    finishedAt.set(run.finishedAtSeconds);
    duration.set(run.durationMs / 1000);
    checked.set(run.checked);
    unchecked.set(run.unchecked.length);
  };
}

function toSetter(
  { name, help, label }: Row,
  registers: Registry[],
  collect?: () => Promise<void>,
): (value: Value) => void {
  const labelNames = label === undefined ? [] : [label];
  const gauge = new Gauge({ name, help, labelNames, registers, ...(collect && { collect }) });
  return (value) => {
    if (label !== undefined) gauge.reset();
    else if (value === undefined) gauge.remove();
    if (typeof value === 'number') gauge.set(value);
    else for (const [name, count] of Object.entries(value ?? {})) gauge.set({ [label ?? '']: name }, count);
  };
}

/** Undefined on failure or timeout. Scrapes share a query, so that they cannot take all connections. */
function withTimeLimit<Result>(query: () => Promise<Result>): () => Promise<Result | undefined> {
  let pending: Promise<Result | undefined> | undefined;
  return () => {
    pending ??= query()
      .catch(() => undefined)
      .finally(() => {
        pending = undefined;
      });
    return Promise.race([pending, sleep(DATABASE_WAIT_MAX_MS, undefined, { ref: false })]);
  };
}
