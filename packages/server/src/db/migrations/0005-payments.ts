/**
 * What real payment providers need beside the simulator: their own id of a payment, how often they were asked, a last
 * word that is not the one asked for, and refunds that are tried again ever more seldom.
 */
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Both versions of the code read these tables while nodes are replaced one by one: every addition has a default.
  `ALTER TABLE gateway_payment
    ADD COLUMN reference text,
    ADD COLUMN checks integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT gateway_payment_state_ck,
    ADD CONSTRAINT gateway_payment_state_ck
      CHECK (state IN ('open', 'paid', 'declined', 'abandoned', 'mispaid'))`,
  `CREATE INDEX gateway_payment_waiting_ix ON gateway_payment (expires_at) WHERE state = 'open'`,
  // A refund that is not booked gives back what the provider took without being asked for it.
  `ALTER TABLE gateway_refund
    ADD COLUMN currency text NOT NULL DEFAULT 'EUR',
    ADD COLUMN is_booked boolean NOT NULL DEFAULT true,
    ADD COLUMN next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD COLUMN done_at timestamptz`,
  'DROP INDEX gateway_refund_open_ix',
  'CREATE INDEX gateway_refund_due_ix ON gateway_refund (state, next_attempt_at)',
  'CREATE INDEX gateway_refund_order_ix ON gateway_refund (order_id)',
];

export const migration: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
