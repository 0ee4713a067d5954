/**
 * Logical replication and restores of rows alone leave sequences behind, and new rows that draw from them
 * are rejected (A232).
 */

import type { Database } from './db/engines/database.ts';
import { isUniqueViolation } from './db/errors.ts';
import { allRows, execute } from './db/rows.ts';
import { sql } from './db/sql.ts';
import { runTransaction } from './db/transaction.ts';

type NumberedTable = { readonly table: string; readonly column: string; readonly sequence: string };

const toIdentity = (table: string, column = 'id'): NumberedTable => ({
  table,
  column,
  sequence: `${table}_${column}_seq`,
});

/** Each column has an index or a small table. */
export const NUMBERED_TABLES: readonly NumberedTable[] = [
  toIdentity('account', 'position'),
  toIdentity('approval'),
  toIdentity('audit_entry'),
  toIdentity('claim', 'position'),
  toIdentity('client_secret'),
  toIdentity('data_key'),
  toIdentity('gateway_refund'),
  toIdentity('import_run', 'number'),
  toIdentity('ledger_account'),
  toIdentity('ledger_transfer'),
  toIdentity('matter'),
  toIdentity('note'),
  toIdentity('offer_log'),
  toIdentity('person', 'position'),
  { table: '"order"', column: 'serial', sequence: 'order_serial_seq' },
  toIdentity('order_status_log'),
  toIdentity('rejected_order', 'number'),
  toIdentity('reservation', 'number'),
  toIdentity('stock_key'),
  toIdentity('webhook_endpoint', 'number'),
];

/** Columns `sequence`, `next` and `highest`. */
const BEHIND = NUMBERED_TABLES.map(
  ({ table, column, sequence }) =>
    `SELECT '${sequence}' AS sequence, last_value + is_called::int AS next,
      (SELECT max(${column}) FROM ${table}) AS highest FROM ${sequence}
      WHERE last_value + is_called::int <= (SELECT max(${column}) FROM ${table})`,
).join(' UNION ALL ');

export function isSequenceBehind(error: unknown): boolean {
  return NUMBERED_TABLES.some(({ table }) => isUniqueViolation(error, `${table}_pkey`));
}

const GAP = 1_000;

/** Returns the advanced sequences. A lock admits one node at a time. */
export async function advanceSequences(database: Database): Promise<string[]> {
  const behind = await allRows<{ sequence: string }>(database.db)`${sql.raw(BEHIND)}`;
  if (behind.length === 0) return [];
  return runTransaction(database, {}, async (tx) => {
    await execute(tx)`SELECT pg_advisory_xact_lock(hashtextextended('keyport/sequences', 0))`;
    const rows = await allRows<{ sequence: string }>(tx)`
      SELECT sequence, setval(sequence::regclass, highest + ${GAP}::bigint)
      FROM (${sql.raw(BEHIND)}) AS behind`;
    return rows.map(({ sequence }) => sequence);
  });
}
