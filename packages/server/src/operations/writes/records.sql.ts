/** Statements use the primary key. No transaction waits for an Idempotency-Key: it only tries the lock. */
import { sql } from 'kysely';
import { allRows, execute, firstRow } from '../../db/rows.ts';
import type { Tx } from '../../db/schema.ts';
import { microsOf } from '../../db/timestamps.ts';

/** A203. */
export type WriteReference = {
  /** A client, or the account of a reseller. */
  readonly callerId: string;
  readonly operation: string;
  readonly idempotencyKey: string;
};

export type WriteRecord = {
  readonly fingerprint: string;
  readonly status: number;
  readonly answer: Buffer;
  readonly finishedAtMicros: number;
};

export function textOf({ callerId, operation, idempotencyKey }: WriteReference): string {
  return `${callerId}/${operation}/${idempotencyKey}`;
}

/** `isLocked` false: a request with this key is in flight. */
export async function lockKey(
  tx: Tx,
  reference: WriteReference,
): Promise<{ readonly isLocked: boolean; readonly nowMicros: number }> {
  const rows = await allRows<{ isLocked: boolean; nowMicros: number }>(tx)`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${textOf(reference)}, 0)) AS "isLocked",
      ${microsOf('statement_timestamp()')} AS "nowMicros"`;
  return rows[0] ?? { isLocked: false, nowMicros: 0 };
}

/** A separate statement, to see a record that was committed while the lock was taken. */
export function findRecord(tx: Tx, reference: WriteReference): Promise<WriteRecord | undefined> {
  return firstRow<WriteRecord>(tx)`
    SELECT fingerprint, status, answer, ${microsOf('finished_at')} AS "finishedAtMicros"
    FROM write_record WHERE client_id = ${reference.callerId} AND operation = ${reference.operation}
      AND idempotency_key = ${reference.idempotencyKey}::uuid`;
}

/** The key is locked. */
export async function insertRecord(
  tx: Tx,
  { callerId, operation, idempotencyKey }: WriteReference,
  { fingerprint, status, answer }: Omit<WriteRecord, 'finishedAtMicros'>,
): Promise<void> {
  await execute(tx)`
    INSERT INTO write_record (client_id, operation, idempotency_key, fingerprint, status, answer, finished_at)
    VALUES (${callerId}, ${operation}, ${idempotencyKey}::uuid, ${fingerprint}, ${status}, ${answer},
      statement_timestamp())`;
}

export async function begin(tx: Tx, name: 'work' | 'unapproved'): Promise<void> {
  await execute(tx)`SAVEPOINT ${sql.raw(name)}`;
}

export async function undo(tx: Tx, name: 'work' | 'unapproved'): Promise<void> {
  await execute(tx)`ROLLBACK TO SAVEPOINT ${sql.raw(name)}`;
}
