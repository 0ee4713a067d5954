/**
 * Custody: which master key wrapped what, which node holds which master key, and the chain over the audit log.
 * The previous version may run meanwhile: it leaves master_key_id null, and its audit entries are queued by a trigger.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Null: written before master keys had ids. Then every key that is held is tried.
  'ALTER TABLE service_secret ADD COLUMN master_key_id text',
  'ALTER TABLE signing_key ADD COLUMN master_key_id text',
  'ALTER TABLE data_key ADD COLUMN master_key_id text',
  // One row. Whoever wraps holds it FOR SHARE until the commit, so that a rotation meets nothing half done. Null: no
  // key has wrapped anything since this table is there.
  `CREATE TABLE master_key_state (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT master_key_state_one_row_ck CHECK (id),
    current_id text
  )`,
  'INSERT INTO master_key_state DEFAULT VALUES',
  // What each running node last said of itself. A rotation waits for every one of them.
  `CREATE TABLE master_key_holder (
    node_id uuid PRIMARY KEY,
    master_key_ids text[] NOT NULL,
    seen_at timestamptz NOT NULL
  )`,

  // Committed entries that are not in the chain yet. A queue, since ids do not tell which entries are still to come.
  `CREATE TABLE audit_unsealed (
    audit_entry_id bigint PRIMARY KEY
  )`,
  `CREATE FUNCTION queue_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO audit_unsealed (audit_entry_id) VALUES (NEW.id);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER audit_entry_queue AFTER INSERT ON audit_entry
    FOR EACH ROW EXECUTE FUNCTION queue_audit_entry()`,
  'INSERT INTO audit_unsealed (audit_entry_id) SELECT id FROM audit_entry',
  // position counts from 1 without gaps. No foreign key: a removed entry has to show, not to be impossible.
  `CREATE TABLE audit_seal (
    position bigint PRIMARY KEY,
    audit_entry_id bigint NOT NULL CONSTRAINT audit_seal_entry_uq UNIQUE,
    mac bytea NOT NULL
  )`,
  `CREATE TRIGGER audit_seal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  // One row: the last seal. proof is a keyed hash of the other two, so that nobody else can set the end back.
  `CREATE TABLE audit_head (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT audit_head_one_row_ck CHECK (id),
    position bigint NOT NULL,
    mac bytea NOT NULL,
    proof bytea NOT NULL
  )`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
