import { execute, firstRow } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { deriveMicros } from '../db/timestamps.ts';

export type RunSummary = {
  /** Without the rests between checks. */
  readonly durationMs: number;
  readonly checked: number;
  /** Violations by invariant; 0 if it holds. */
  readonly broken: Readonly<Record<string, number>>;
  /** Invariants whose check took too long. */
  readonly unchecked: readonly string[];
};

export type LastRun = RunSummary & {
  /** By the database's clock. */
  readonly finishedAtSeconds: number;
  /** By invariant. */
  readonly brokenSinceMicros: Readonly<Record<string, number>>;
};

/** Returns false if no run is due, or another node claimed it first. */
export async function claimRun(db: Db, node: string, leaseMs: number): Promise<boolean> {
  const claimed = await execute(db)`
    UPDATE verify_schedule SET node = ${node}, due_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE due_at <= clock_timestamp()`;
  return claimed > 0;
}

/** Returns false if this node's lease expired and another node claimed the run. */
export async function putOff(db: Db, node: string, byMs: number): Promise<boolean> {
  const changed = await execute(db)`
    UPDATE verify_schedule SET due_at = clock_timestamp() + ${byMs} * interval '1 millisecond'
    WHERE node = ${node}`;
  return changed > 0;
}

export async function finishRun(
  db: Db,
  node: string,
  { durationMs, checked, broken, unchecked, nextInMs }: RunSummary & { readonly nextInMs: number },
): Promise<void> {
  // An unchecked invariant keeps the time of its violation.
  const stillBroken = [...Object.keys(broken).filter((id) => broken[id] !== 0), ...unchecked];
  await execute(db)`
    UPDATE verify_schedule SET due_at = clock_timestamp() + ${nextInMs} * interval '1 millisecond',
      finished_at = clock_timestamp(), duration_ms = ${durationMs}, checked = ${checked},
      broken = ${JSON.stringify(broken)}::jsonb, unchecked = ${unchecked}::text[],
      broken_since = (
        SELECT coalesce(jsonb_object_agg(id, coalesce(broken_since -> id, to_jsonb(${deriveMicros('clock_timestamp()')}))), '{}')
        FROM unnest(${stillBroken}::text[]) AS still (id) WHERE broken_since ? id OR id <> ALL (${unchecked}::text[]))
    WHERE node = ${node}`;
}

/** The last run of any node. */
export function loadLastRun(db: Db): Promise<LastRun | undefined> {
  return firstRow<LastRun>(db)`
    SELECT extract(epoch FROM finished_at)::double precision AS "finishedAtSeconds", duration_ms AS "durationMs",
      checked, broken, unchecked, broken_since AS "brokenSinceMicros"
    FROM verify_schedule WHERE finished_at IS NOT NULL`;
}
