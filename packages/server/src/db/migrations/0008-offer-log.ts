/**
 * Which price and status an offer had when: what an order's unit price is checked against (Invariants I28, I55, I56).
 * Triggers write it, so no program and no hand can change a price without it. They are bound to the two columns: an order
 * changes only the counts of an offer and does not pay for them. Units are never deleted (Invariant I24).
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `CREATE TABLE offer_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    offer_id uuid NOT NULL CONSTRAINT offer_log_offer_fk REFERENCES offer,
    price_minor bigint NOT NULL,
    status text NOT NULL,
    at timestamptz NOT NULL
  )`,
  'CREATE INDEX offer_log_offer_ix ON offer_log (offer_id, id)',
  // By the clock at the write and not at the beginning of the statement: whoever holds the offer's row is alone.
  `CREATE FUNCTION log_offer() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO offer_log (offer_id, price_minor, status, at)
        VALUES (NEW.id, NEW.price_minor, NEW.status, clock_timestamp());
      RETURN NULL;
    END $$`,
  'CREATE TRIGGER offer_logged_insert AFTER INSERT ON offer FOR EACH ROW EXECUTE FUNCTION log_offer()',
  `CREATE TRIGGER offer_logged_update AFTER UPDATE OF price_minor, status ON offer FOR EACH ROW
    WHEN ((OLD.price_minor, OLD.status) IS DISTINCT FROM (NEW.price_minor, NEW.status))
    EXECUTE FUNCTION log_offer()`,
  // After the triggers, which lock the table until the end of this transaction: no change can fall between.
  `INSERT INTO offer_log (offer_id, price_minor, status, at)
    SELECT id, price_minor, status, clock_timestamp() FROM offer`,
  `CREATE TRIGGER offer_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON offer_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  `CREATE FUNCTION refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of % is not allowed: its rows are kept for ever', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE TRIGGER stock_key_kept BEFORE DELETE OR TRUNCATE ON stock_key
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_delete()`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
