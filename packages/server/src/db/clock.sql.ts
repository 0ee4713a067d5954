/** A221. */
import { execute, onlyRow } from './rows.ts';
import type { Db, Tx } from './schema.ts';
import { microsOf } from './timestamps.ts';

export type ClockReading = {
  readonly nowMicros: number;
  readonly seenAtMicros: number;
  readonly shiftMicros: number;
  readonly allStepsMicros: number;
  /** 0 if there was no step. */
  readonly lastStep: number;
  readonly newSteps: readonly number[];
};

export function readClock(db: Db, knownStep: number | undefined): Promise<ClockReading> {
  return onlyRow<ClockReading>(db)`
    SELECT ${microsOf('clock_timestamp()')} AS "nowMicros", ${microsOf('seen_at')} AS "seenAtMicros",
      ${microsOf('clock_shift()')} AS "shiftMicros",
      (SELECT ${microsOf("coalesce(sum(step), '0')")} FROM clock_step) AS "allStepsMicros",
      coalesce((SELECT max(number) FROM clock_step), 0) AS "lastStep",
      (SELECT coalesce(json_agg(${microsOf('step')} ORDER BY number), '[]') FROM clock_step
        WHERE number > ${knownStep ?? null}::bigint) AS "newSteps"
    FROM clock_watch`;
}

/** Returns false if another node recorded a step after `lastStep`, perhaps the same one. */
export async function insertStep(tx: Tx, lastStep: number, stepMicros: number): Promise<boolean> {
  await execute(tx)`SELECT FROM clock_watch FOR UPDATE`;
  const inserted = await execute(tx)`
    INSERT INTO clock_step (at, step)
    SELECT clock_timestamp(), ${stepMicros}::bigint * interval '1 microsecond'
    WHERE NOT EXISTS (SELECT FROM clock_step WHERE number > ${lastStep})`;
  await saveSeen(tx);
  return inserted === 1;
}

export async function saveSeen(db: Db): Promise<void> {
  await execute(db)`UPDATE clock_watch SET seen_at = clock_timestamp()`;
}
