/** By the primary key. No transaction waits for a key: its lock is tried. */
import { sql } from 'kysely';
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

/** `isLocked` false: a request with it is in flight. */
export async function lockKey(
  tx: Tx,
  reference: WriteReference,
): Promise<{ readonly isLocked: boolean; readonly nowMicros: number }> {
  const { rows } = await sql<{ isLocked: boolean; nowMicros: number }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${textOf(reference)}, 0)) AS "isLocked",
      ${microsOf('statement_timestamp()')} AS "nowMicros"`.execute(tx);
  return rows[0] ?? { isLocked: false, nowMicros: 0 };
}

/** A separate statement, to see a record that was committed while the lock was taken. */
export async function findRecord(tx: Tx, reference: WriteReference): Promise<WriteRecord | undefined> {
  const { rows } = await sql<WriteRecord>`
    SELECT fingerprint, status, answer, ${microsOf('finished_at')} AS "finishedAtMicros"
    FROM write_record WHERE client_id = ${reference.callerId} AND operation = ${reference.operation}
      AND idempotency_key = ${reference.idempotencyKey}::uuid`.execute(tx);
  return rows[0];
}

/** The key is locked. */
export async function insertRecord(
  tx: Tx,
  { callerId, operation, idempotencyKey }: WriteReference,
  { fingerprint, status, answer }: Omit<WriteRecord, 'finishedAtMicros'>,
): Promise<void> {
  await sql`
    INSERT INTO write_record (client_id, operation, idempotency_key, fingerprint, status, answer, finished_at)
    VALUES (${callerId}, ${operation}, ${idempotencyKey}::uuid, ${fingerprint}, ${status}, ${answer},
      statement_timestamp())`.execute(tx);
}

export async function begin(tx: Tx, name: 'work' | 'unapproved'): Promise<void> {
  await sql`SAVEPOINT ${sql.raw(name)}`.execute(tx);
}

export async function undo(tx: Tx, name: 'work' | 'unapproved'): Promise<void> {
  await sql`ROLLBACK TO SAVEPOINT ${sql.raw(name)}`.execute(tx);
}
