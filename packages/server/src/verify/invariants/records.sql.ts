/** Invariants of docs/invariants.md: idempotency records, and the logs that only grow. How to add one: invariant.ts. */
import { type Invariant, MADE_HERE } from '../invariant.ts';

export const RECORD_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I12',
    title: 'transfers, ledger accounts, status log and audit are append-only',
    scope: 'whole',
    population: `pg_trigger WHERE tgname LIKE '%_append_only'`,
    query: `SELECT expected.name || ' is missing or disabled' AS broken
      FROM (VALUES ('ledger_transfer_append_only'), ('ledger_account_append_only'), ('order_status_log_append_only'),
        ('audit_entry_append_only')) AS expected (name)
      LEFT JOIN pg_trigger ON tgname = expected.name AND tgenabled IN ('O', 'A') WHERE pg_trigger.oid IS NULL`,
  },
  {
    id: 'I29',
    title: 'every order of this interface has one idempotency record',
    scope: 'order',
    population: MADE_HERE,
    query: `SELECT 'order ' || "order".id AS broken FROM "order"
      LEFT JOIN idempotency_record ON idempotency_record.order_id = "order".id
      WHERE origin = 'export-api' GROUP BY "order".id HAVING count(idempotency_record.order_id) <> 1`,
  },
  {
    id: 'I30',
    title: 'record and order agree: account, key, and the order in the stored body',
    scope: 'order',
    population: 'idempotency_record',
    query: `SELECT 'record ' || record.idempotency_key AS broken FROM idempotency_record AS record
      LEFT JOIN "order" ON "order".id = record.order_id
      WHERE (record.order_id IS NOT NULL AND ("order".id IS NULL OR "order".account_id <> record.account_id
          OR "order".idempotency_key <> record.idempotency_key))
        OR (record.status = 201 AND (record.order_id IS NULL
          OR record.body::jsonb #>> '{data,id}' IS DISTINCT FROM record.order_id::text))
        OR (record.status IS NULL AND "order".status NOT IN ('pending_payment', 'held'))`,
  },
  {
    id: 'I31',
    title: 'no idempotency key made two orders',
    scope: 'whole',
    population: MADE_HERE,
    query: `SELECT 'key ' || idempotency_key AS broken FROM "order" WHERE idempotency_key IS NOT NULL
      GROUP BY account_id, idempotency_key HAVING count(*) > 1`,
  },
];
