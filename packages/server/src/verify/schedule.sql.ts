import { execute, firstRow } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { microsOf } from '../db/timestamps.ts';

export type RunSummary = {
  /** Does not include rests. */
  readonly durationMs: number;
  readonly checked: number;
  /** By the number of the invariant; 0 means that it holds. */
  readonly broken: Readonly<Record<string, number>>;
  /** Invariants whose check took too long. */
  readonly unchecked: readonly string[];
};

export type LastRun = RunSummary & {
  /** By the database's clock. */
  readonly finishedAtSeconds: number;
  /** By the number of the invariant. */
  readonly brokenSinceMicros: Readonly<Record<string, number>>;
};

/** False: no run is due, or another node was faster. */
export async function claimRun(db: Db, node: string, leaseMs: number): Promise<boolean> {
  return (
    (await execute(db)`
    UPDATE verify_schedule SET node = ${node}, due_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE due_at <= clock_timestamp()`) > 0
  );
}

/** False: this node's lease had expired, and another node has begun. */
export async function putOff(db: Db, node: string, byMs: number): Promise<boolean> {
  return (
    (await execute(db)`
    UPDATE verify_schedule SET due_at = clock_timestamp() + ${byMs} * interval '1 millisecond'
    WHERE node = ${node}`) > 0
  );
}

export async function bringForward(db: Db, byMs: number): Promise<void> {
  await execute(db)`
    UPDATE verify_schedule SET due_at = least(due_at, clock_timestamp() + ${byMs} * interval '1 millisecond')`;
}

export async function finishRun(
  db: Db,
  node: string,
  { durationMs, checked, broken, unchecked, nextInMs }: RunSummary & { readonly nextInMs: number },
): Promise<void> {
  // An invariant that could not be checked keeps the time of its violation.
  const stillBroken = [...Object.keys(broken).filter((id) => broken[id] !== 0), ...unchecked];
  await execute(db)`
    UPDATE verify_schedule SET due_at = clock_timestamp() + ${nextInMs} * interval '1 millisecond',
      finished_at = clock_timestamp(), duration_ms = ${durationMs}, checked = ${checked},
      broken = ${JSON.stringify(broken)}::jsonb, unchecked = ${unchecked}::text[],
      broken_since = (
        SELECT coalesce(jsonb_object_agg(id, coalesce(broken_since -> id, to_jsonb(${microsOf('clock_timestamp()')}))), '{}')
        FROM unnest(${stillBroken}::text[]) AS still (id) WHERE broken_since ? id OR id <> ALL (${unchecked}::text[]))
    WHERE node = ${node}`;
}

/** The last run on any node; undefined before the first one. */
export function loadLastRun(db: Db): Promise<LastRun | undefined> {
  return firstRow<LastRun>(db)`
    SELECT extract(epoch FROM finished_at)::double precision AS "finishedAtSeconds", duration_ms AS "durationMs",
      checked, broken, unchecked, broken_since AS "brokenSinceMicros"
    FROM verify_schedule WHERE finished_at IS NOT NULL`;
}
