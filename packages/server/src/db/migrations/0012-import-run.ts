/**
 * How far imports came, so that one that broke off can go on (A130), and what an import that takes the rest off sale has
 * seen so far (A132).
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // import_id: the sender's name for it; null: it has none and cannot be continued.
  // holder: the request that is at work, until held_until unless it prolongs that; null: none is.
  // removed: what deleteMissing took off sale; restored: what of this was put back.
  // has_seen: import_seen may have rows of it.
  `CREATE TABLE import_run (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    import_id text COLLATE "C",
    kind text COLLATE "C" NOT NULL CONSTRAINT import_run_kind_ck CHECK (kind IN ('sellers', 'products', 'offers', 'keys')),
    dry_run boolean NOT NULL,
    delete_missing boolean NOT NULL,
    holder uuid,
    held_until timestamptz NOT NULL,
    committed_line bigint NOT NULL DEFAULT 0,
    read bigint NOT NULL DEFAULT 0,
    written bigint NOT NULL DEFAULT 0,
    unchanged bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    removed bigint NOT NULL DEFAULT 0,
    restored bigint NOT NULL DEFAULT 0,
    has_seen boolean NOT NULL DEFAULT false,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz,
    CONSTRAINT import_run_counts_ck CHECK (read = written + unchanged + rejected),
    CONSTRAINT import_run_restored_ck CHECK (restored BETWEEN 0 AND removed)
  )`,
  // Only one can be unfinished: it is the one to go on with.
  `CREATE UNIQUE INDEX import_run_unfinished_uq ON import_run (import_id, kind, dry_run, delete_missing)
    WHERE finished_at IS NULL AND import_id IS NOT NULL`,
  'CREATE INDEX import_run_has_seen_ix ON import_run (number) WHERE has_seen',
  // thing: what was seen. key: uuid_send or int8send of its id, or the hash of a code.
  `CREATE TABLE import_seen (
    run bigint NOT NULL,
    thing text COLLATE "C" NOT NULL,
    key bytea NOT NULL,
    PRIMARY KEY (run, thing, key)
  )`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
