import type { ImportKind } from '@keyport/contract/catalogue/imports';
import type { Role } from '@keyport/contract/roles';
import { plainArray } from '../db/engines/prepared.ts';
import { execute, firstRow, firstValue, hasRows } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';

type ImportCounts = Readonly<Record<'read' | 'written' | 'unchanged' | 'rejected', number>>;

/** An import that is sent again under the same name is the same run. */
export type RunName = {
  readonly importId: string | undefined;
  readonly kind: ImportKind;
  readonly dryRun: boolean;
  readonly deleteMissing: boolean;
  readonly clientId: string;
  readonly fileName: string | undefined;
};

export type ClaimedRun = {
  readonly number: number;
  /** The run removed this many offers or keys when it was sent before. */
  readonly removed: number;
  /** The client or operator for whom the audit log already has an entry. */
  readonly auditedFor: string | null;
};

export type HeldRun = { readonly number: number; readonly holder: string };
/** Counts since the last step. */
export type RunStep = Partial<ImportCounts & { readonly line: number; readonly removed: number }>;

/** After this silence of the holder, the next request may take over the import. */
const HELD_FOR = sql.raw("interval '10 seconds'");
const FORGOTTEN_AFTER = sql.raw("interval '30 days'");

/**
 * True if no request works on the import. A hold longer than HELD_FOR means that the clock went backwards; a
 * live holder corrects the hold within seconds.
 */
export const IS_FREE = sql`(import_run.holder IS NULL
  OR import_run.held_until <= clock_timestamp()
  OR import_run.held_until > clock_timestamp() + ${HELD_FOR})`;

/**
 * Returns a new run, or the unfinished one of this name, whose counts begin again. Undefined if another request works
 * on the run.
 */
export function claimRun(db: Db, name: RunName, holder: string): Promise<ClaimedRun | undefined> {
  return firstRow<ClaimedRun>(db)`
    INSERT INTO import_run (client_id, import_id, kind, dry_run, delete_missing, has_seen, holder, held_until, file_name)
    VALUES (${name.clientId}, ${name.importId ?? null}, ${name.kind}, ${name.dryRun}, ${name.deleteMissing},
      ${name.deleteMissing}, ${holder}::uuid, clock_timestamp() + ${HELD_FOR}, ${name.fileName ?? null})
    ON CONFLICT (import_id, kind, dry_run, delete_missing) WHERE finished_at IS NULL AND import_id IS NOT NULL
    DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until, committed_line = 0, read = 0, written = 0,
      unchanged = 0, rejected = 0, rejects = '[]'
    WHERE ${IS_FREE}
    RETURNING number, removed, audited_for AS "auditedFor"`;
}

/** Extends the hold. Returns false if another request has taken over the import. */
export async function updateRun(db: Db, { number, holder }: HeldRun, step: RunStep = {}): Promise<boolean> {
  const { line = null, read = 0, written = 0, unchanged = 0, rejected = 0, removed = 0 } = step;
  return (
    (await execute(db)`
    UPDATE import_run SET held_until = clock_timestamp() + ${HELD_FOR},
      committed_line = coalesce(${line}::bigint, committed_line), read = read + ${read},
      written = written + ${written}, unchanged = unchanged + ${unchanged},
      rejected = rejected + ${rejected}, removed = removed + ${removed}
    WHERE number = ${number} AND holder = ${holder}::uuid`) > 0
  );
}

/** If `isOver`, the importId's next import is a new run. A run without an importId cannot be continued. */
export async function leaveRun(db: Db, run: HeldRun, isOver: boolean): Promise<void> {
  await execute(db)`
    UPDATE import_run SET holder = NULL, held_until = clock_timestamp(), is_completed = is_completed OR ${isOver},
      finished_at = CASE WHEN ${isOver} OR import_id IS NULL THEN clock_timestamp() END
    WHERE number = ${run.number} AND holder = ${run.holder}::uuid`;
}

export type Reject = { readonly line: number; readonly message: string };

export async function addRejects(tx: Tx, run: number, rejects: readonly Reject[]): Promise<void> {
  await execute(tx)`
    UPDATE import_run SET rejects = rejects || ${JSON.stringify(rejects)}::jsonb WHERE number = ${run}`;
}

export async function markAudited(tx: Tx, run: number, clientId: string): Promise<void> {
  await execute(tx)`UPDATE import_run SET audited_for = ${clientId} WHERE number = ${run}`;
}

const REMOVED_AT_ONCE = 10_000;

/** For the run of a statement; its rows for an undo are deleted later. */
export const CAN_UNDO = sql`import_run.held_until >= clock_timestamp() - ${FORGOTTEN_AFTER}`;

/** Removes the rejected lines of old runs, and rows for an undo of the oldest. Returns whether more may follow. */
export async function removeOld(db: Db): Promise<boolean> {
  await execute(db)`UPDATE import_run SET rejects = '[]' WHERE rejects <> '[]' AND NOT ${CAN_UNDO}`;
  return hasRows(db)`
    DELETE FROM import_offer WHERE (run, offer_id) IN (
      SELECT run, offer_id FROM import_offer WHERE run = (SELECT number FROM import_run
        WHERE number = (SELECT min(run) FROM import_offer) AND NOT ${CAN_UNDO})
      LIMIT ${REMOVED_AT_ONCE})
    RETURNING run`;
}

/** Things that the import named, grouped by the type of their identifiers. */
export type Seen =
  | { readonly kind: 'seller' | 'offer'; readonly uuids: readonly string[] }
  | { readonly kind: 'product'; readonly numbers: readonly number[] }
  | { readonly kind: 'code'; readonly macs: readonly Buffer[] };

export async function insertSeen(tx: Tx, run: number, seen: Seen): Promise<void> {
  await execute(tx)`
    INSERT INTO import_seen (run, kind, key)
    SELECT ${run}::bigint, ${seen.kind}, key FROM ${toKeys(seen)} ORDER BY key
    ON CONFLICT DO NOTHING`;
}

function toKeys(seen: Seen) {
  if ('uuids' in seen)
    return sql`(SELECT uuid_send(id) AS key FROM unnest(${plainArray(seen.uuids)}::uuid[]) AS named (id)) AS keys`;
  if ('numbers' in seen)
    return sql`(SELECT int8send(id) AS key FROM unnest(${plainArray(seen.numbers)}::bigint[]) AS named (id)) AS keys`;
  return sql`unnest(${[...seen.macs]}::bytea[]) AS keys (key)`;
}

/** Finds a run with seen rows that has ended or will not be continued, and ends it. */
export function findSpentRun(db: Db): Promise<number | undefined> {
  return firstValue<{ number: number }>(db)`
    UPDATE import_run SET finished_at = coalesce(finished_at, clock_timestamp()), holder = NULL
    WHERE number = (SELECT number FROM import_run WHERE has_seen AND (finished_at IS NOT NULL
        OR held_until < clock_timestamp() - CASE WHEN import_id IS NULL THEN interval '0' ELSE ${FORGOTTEN_AFTER} END)
      ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING number`;
}

/** Removes up to `count` keys that follow `after` and returns the last; undefined if none remained. */
export function removeSeen(
  db: Db,
  run: number,
  after: { readonly kind: string; readonly key: Buffer } | undefined,
  count: number,
): Promise<{ kind: string; key: Buffer } | undefined> {
  return firstRow<{ kind: string; key: Buffer }>(db)`
    WITH spent AS (
      SELECT kind, key FROM import_seen
      WHERE run = ${run} AND (kind, key) > (${after?.kind ?? ''}, ${after?.key ?? Buffer.alloc(0)}::bytea)
      ORDER BY kind, key LIMIT ${count}
    ), gone AS (
      DELETE FROM import_seen USING spent
      WHERE import_seen.run = ${run} AND (import_seen.kind, import_seen.key) = (spent.kind, spent.key)
    )
    SELECT kind, key FROM spent ORDER BY kind DESC, key DESC LIMIT 1`;
}

export async function markSeenRemoved(db: Db, run: number): Promise<void> {
  await execute(db)`UPDATE import_run SET has_seen = false WHERE number = ${run}`;
}

export type RemovalRun = {
  readonly number: number;
  readonly kind: ImportKind;
  readonly removed: number;
  readonly restored: number;
  readonly isHeld: boolean;
};

export function findRemovalRun(db: Db, number: number): Promise<RemovalRun | undefined> {
  return firstRow<RemovalRun>(db)`
    SELECT number, kind, removed, restored, NOT ${IS_FREE} AS "isHeld"
    FROM import_run WHERE number = ${number} AND delete_missing AND NOT dry_run`;
}

export async function addRestored(tx: Tx, run: number, restored: number): Promise<void> {
  await execute(tx)`UPDATE import_run SET restored = restored + ${restored} WHERE number = ${run}`;
}

/** Clients and operators are never deleted. Indexes: primary keys. */
export function hasLostRole(db: Db, clientId: string, roles: readonly Role[]): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM client WHERE id = ${clientId}
      AND (disabled_at IS NOT NULL OR operator_role <> ALL (${plainArray(roles)}::text[]))
    UNION ALL
    SELECT FROM person WHERE id = ${clientId}
        AND (disabled_at IS NOT NULL OR role <> ALL (${plainArray(roles)}::text[]))`;
}
