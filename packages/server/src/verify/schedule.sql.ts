/** The row that the nodes share: who checks, when the next run is due, and what the last one found. */
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { microsOf } from '../db/timestamps.ts';

export type RunSummary = {
  /** Time at work, rests left out. */
  readonly durationMs: number;
  readonly checked: number;
  /** Broken rows by the number of the invariant; 0 where it holds. */
  readonly broken: Readonly<Record<string, number>>;
  /** Numbers of the invariants whose check took too long. */
  readonly unchecked: readonly string[];
};

export type LastRun = RunSummary & {
  /** Seconds since the epoch, by the database's clock. */
  readonly finishedAtSeconds: number;
  /**
   * When a run first found what is broken since, by the number of the invariant: microseconds since the
   * epoch.
   */
  readonly brokenSinceMicros: Readonly<Record<string, number>>;
};

/** Takes the run that is due, until `leaseMs` from now. False when none is due or another node was faster. */
export async function claimRun(db: Db, node: string, leaseMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE verify_schedule SET node = ${node}, due_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE due_at <= clock_timestamp()`.execute(db);
  return numAffectedRows === 1n;
}

/** Puts off when another node may begin. False when one has begun already: this node's lease had run out. */
export async function putOff(db: Db, node: string, byMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE verify_schedule SET due_at = clock_timestamp() + ${byMs} * interval '1 millisecond'
    WHERE node = ${node}`.execute(db);
  return numAffectedRows === 1n;
}

/** After the clock went back: the next run is no later than `byMs` from now. */
export async function bringForward(db: Db, byMs: number): Promise<void> {
  await sql`
    UPDATE verify_schedule SET due_at = least(due_at, clock_timestamp() + ${byMs} * interval '1 millisecond')`.execute(
    db,
  );
}

/** Writes down what the run found; the next one is due `nextInMs` from now. */
export async function finishRun(
  db: Db,
  node: string,
  { durationMs, checked, broken, unchecked, nextInMs }: RunSummary & { readonly nextInMs: number },
): Promise<void> {
  // An invariant that could not be checked keeps the time of its violation.
  const stillBroken = [...Object.keys(broken).filter((id) => broken[id] !== 0), ...unchecked];
  await sql`
    UPDATE verify_schedule SET due_at = clock_timestamp() + ${nextInMs} * interval '1 millisecond',
      finished_at = clock_timestamp(), duration_ms = ${durationMs}, checked = ${checked},
      broken = ${JSON.stringify(broken)}::jsonb, unchecked = ${unchecked}::text[],
      broken_since = (
        SELECT coalesce(jsonb_object_agg(id, coalesce(broken_since -> id, to_jsonb(${microsOf('clock_timestamp()')}))), '{}')
        FROM unnest(${stillBroken}::text[]) AS still (id) WHERE broken_since ? id OR id <> ALL (${unchecked}::text[]))
    WHERE node = ${node}`.execute(db);
}

/** The last run that was ended, by whatever node; undefined when there was none yet. */
export async function loadLastRun(db: Db): Promise<LastRun | undefined> {
  const { rows } = await sql<LastRun>`
    SELECT extract(epoch FROM finished_at)::double precision AS "finishedAtSeconds", duration_ms AS "durationMs",
      checked, broken, unchecked, broken_since AS "brokenSinceMicros"
    FROM verify_schedule WHERE finished_at IS NOT NULL`.execute(db);
  return rows[0];
}
