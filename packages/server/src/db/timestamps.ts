/** Microseconds since the epoch: safe integers, more precise than a Date (A8). */

import { onlyValue } from './rows.ts';
import type { Db } from './schema.ts';
import { type Sql, sql } from './sql.ts';

export function toTimestamp(epochMicros: number | string): Sql<string> {
  return sql<string>`(to_timestamp(0) + ${epochMicros}::bigint * interval '1 microsecond')`;
}

export function deriveMicros(expression: string): Sql<number> {
  return sql.raw<number>(microsText(expression));
}

export function microsText(expression: string): string {
  return `(extract(epoch FROM ${expression}) * 1000000)::bigint`;
}

/** All business time comes from the database, never from a node. */
export function loadNow(db: Db): Promise<number> {
  return onlyValue<{ now: number }>(db)`SELECT ${deriveMicros('statement_timestamp()')} AS now`;
}
