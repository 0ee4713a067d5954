/** By the primary key. No transaction waits for an Idempotency-Key: it only tries the lock. */

import { execute, firstRow, onlyRow } from '../../db/rows.ts';
import type { Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import { deriveMicros } from '../../db/timestamps.ts';

/** A202. */
export type WriteReference = {
  /** A client, or a reseller's account. */
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

export function toText({ callerId, operation, idempotencyKey }: WriteReference): string {
  return `${callerId}/${operation}/${idempotencyKey}`;
}

/** `isLocked` false: another request with this key is in progress. */
export function lockKey(
  tx: Tx,
  reference: WriteReference,
): Promise<{ readonly isLocked: boolean; readonly nowMicros: number }> {
  return onlyRow<{ isLocked: boolean; nowMicros: number }>(tx)`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${toText(reference)}, 0)) AS "isLocked",
      ${deriveMicros('statement_timestamp()')} AS "nowMicros"`;
}

/** A separate statement, so that it sees a record committed while the lock was taken. */
export function findRecord(tx: Tx, reference: WriteReference): Promise<WriteRecord | undefined> {
  return firstRow<WriteRecord>(tx)`
    SELECT fingerprint, status, answer, ${deriveMicros('finished_at')} AS "finishedAtMicros"
    FROM write_record WHERE client_id = ${reference.callerId} AND operation = ${reference.operation}
      AND idempotency_key = ${reference.idempotencyKey}::uuid`;
}

/** The key must be locked. */
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
