/** Cases that break the invariants of `src/verify/invariants/records.sql.ts`. */
import type { Breaks } from './break.ts';

export const RECORD_BREAKS: Breaks = {
  I12: {
    statements: () => ['ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only'],
  },
  I29: {
    statements: ({ complete }) => [`DELETE FROM idempotency_record WHERE order_id = ${complete}`],
  },
  I30: {
    statements: ({ complete }) => [
      `UPDATE idempotency_record SET account_id = gen_random_uuid() WHERE order_id = ${complete}`,
    ],
  },
  I31: {
    statements: ({ complete, partlyRefunded }) => [
      `UPDATE "order" SET idempotency_key = (SELECT idempotency_key FROM "order" WHERE id = ${complete})
        WHERE id = ${partlyRefunded}`,
    ],
    also: ['I30'],
  },
  I42: {
    statements: () => [`UPDATE master_key_state SET current_id = 'another'`],
  },
  I53: {
    statements: ({ complete }) => [
      `UPDATE idempotency_record SET finished_at = created_at - interval '1 second' WHERE order_id = ${complete}`,
    ],
  },
  I73: {
    statements: () => [`UPDATE write_record SET finished_at = finished_at - interval '32 days'`],
  },
  I54: {
    statements: () => [
      `INSERT INTO client_secret (client_id, secret_mac)
        SELECT client_id, secret_mac FROM client_secret CROSS JOIN generate_series(1, 2)
        WHERE client_id = 'test-operator'`,
    ],
  },
  I65: {
    statements: () => ['UPDATE import_run SET committed_line = read - 1'],
  },
  I68: {
    // Unlike setval it is undone with the transaction.
    statements: () => ['ALTER SEQUENCE ledger_transfer_id_seq RESTART WITH 1'],
  },
  I69: {
    statements: () => [
      `UPDATE pg_database SET datfrozenxid =
          ((pg_current_xact_id()::text::bigint + 4294967296 - 2100000000) % 4294967296)::text::xid
        WHERE datname = current_database()`,
    ],
  },
};
