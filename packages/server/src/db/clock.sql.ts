/** A221. */
import { must } from '@keyport/core/assert';
import { sql } from 'kysely';
import type { Db, Tx } from './schema.ts';
import { microsOf } from './timestamps.ts';

export type ClockReading = {
  readonly nowMicros: number;
  readonly seenAtMicros: number;
  readonly shiftMicros: number;
  readonly allStepsMicros: number;
  /** 0: there was none. */
  readonly lastStep: number;
  readonly newSteps: readonly number[];
};

/** One statement, so that all of it is of one moment. */
export async function readClock(db: Db, knownStep: number | undefined): Promise<ClockReading> {
  const { rows } = await sql<ClockReading>`
    SELECT ${microsOf('clock_timestamp()')} AS "nowMicros", ${microsOf('seen_at')} AS "seenAtMicros",
      ${microsOf('clock_shift()')} AS "shiftMicros",
      (SELECT ${microsOf("coalesce(sum(step), '0')")} FROM clock_step) AS "allStepsMicros",
      coalesce((SELECT max(number) FROM clock_step), 0) AS "lastStep",
      (SELECT coalesce(json_agg(${microsOf('step')} ORDER BY number), '[]') FROM clock_step
        WHERE number > ${knownStep ?? null}::bigint) AS "newSteps"
    FROM clock_watch`.execute(db);
  return must(rows[0], 'the row of clock_watch');
}

/** False when another node has recorded a step since `lastStep`, which may be this one. */
export async function insertStep(tx: Tx, lastStep: number, stepMicros: number): Promise<boolean> {
  await sql`SELECT FROM clock_watch FOR UPDATE`.execute(tx);
  const { numAffectedRows } = await sql`
    INSERT INTO clock_step (at, step)
    SELECT clock_timestamp(), ${stepMicros}::bigint * interval '1 microsecond'
    WHERE NOT EXISTS (SELECT FROM clock_step WHERE number > ${lastStep})`.execute(tx);
  await sql`UPDATE clock_watch SET seen_at = clock_timestamp()`.execute(tx);
  return numAffectedRows === 1n;
}

export async function saveSeen(db: Db): Promise<void> {
  await sql`UPDATE clock_watch SET seen_at = clock_timestamp()`.execute(db);
}
