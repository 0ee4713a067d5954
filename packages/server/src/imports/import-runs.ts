/**
 * An import's row names the request that works on the import. Each batch's transaction writes its progress.
 * A130.
 */
import { randomUUID } from 'node:crypto';
import { KEPT_REJECTS_MAX } from '@keyport/contract/catalogue/imports';
import { ApiError } from '@keyport/http/replies/api-error';
import { type AuditRecord, insertAudit } from '../audit/append-audit.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { RepeatedTask } from '../repeated-task.ts';
import type { WrittenBatch } from './import-kinds.ts';
import * as sql from './import-runs.sql.ts';
import { insertOfferChanges } from './import-undo.sql.ts';

/** Must be well below HELD_FOR. */
const HOLD_INTERVAL_MS = 3_000;
const SEEN_REMOVED_AT_ONCE = 10_000;

export class ImportRun {
  readonly #database: Database;
  readonly #row: sql.ClaimedRun;
  readonly #lease: sql.HeldRun;
  readonly #name: sql.RunName;
  #keptRejects: number;
  #auditedFor: string | null;
  /** Ignores failures, because the next batch fails too. */
  readonly #holding = new RepeatedTask({
    intervalMs: HOLD_INTERVAL_MS,
    work: async () => void (await sql.updateRun(this.#database.db, this.#lease)),
    onFailure: () => {},
  });

  private constructor(database: Database, row: sql.ClaimedRun, holder: string, name: sql.RunName) {
    this.#database = database;
    this.#row = row;
    this.#lease = { number: row.number, holder };
    this.#name = name;
    this.#auditedFor = row.auditedFor;
    this.#keptRejects = 0;
  }

  /** Throws conflict while another request works on the import. */
  static async open(database: Database, name: sql.RunName): Promise<ImportRun> {
    const holder = randomUUID();
    const row = await sql.claimRun(database.db, name, holder);
    if (row !== undefined) return new ImportRun(database, row, holder, name);
    throw new ApiError('conflict', {
      message:
        'An import with this importId is running. Wait until it ends, or 10 seconds if its sender is gone.',
    });
  }

  get number(): number {
    return this.#row.number;
  }

  get before(): sql.ClaimedRun {
    return this.#row;
  }

  /** Keeps other requests away while the sender is slow. */
  hold(): void {
    this.#holding.start('later');
  }

  /** Runs in the batch's transaction. Throws conflict if another request has taken over the import. */
  async advance(
    tx: Tx,
    step: sql.RunStep,
    { seen, changes }: Pick<WrittenBatch, 'seen' | 'changes'>,
    rejects: readonly sql.Reject[],
  ): Promise<void> {
    requireHeld(await sql.updateRun(tx, this.#lease, step));
    const kept = rejects.slice(0, Math.max(0, KEPT_REJECTS_MAX - this.#keptRejects));
    if (kept.length > 0) await sql.addRejects(tx, this.number, kept);
    if (!this.#name.dryRun) await insertOfferChanges(tx, this.number, changes);
    if (!this.#name.deleteMissing) return;
    for (const things of seen) await sql.insertSeen(tx, this.number, things);
  }

  /** Call after the commit of `advance`. */
  noteKept(rejects: number): void {
    this.#keptRejects += rejects;
  }

  /** Inserts one entry per operator who sends the import. */
  async audit(tx: Tx, record: AuditRecord): Promise<void> {
    if (this.#auditedFor === record.clientId) return;
    await insertAudit(tx, record);
    await sql.markAudited(tx, this.number, record.clientId);
  }

  /** Call after the commit of `audit`. */
  noteAudited({ clientId }: Pick<AuditRecord, 'clientId'>): void {
    this.#auditedFor = clientId;
  }

  /** Runs and throws like `advance`. */
  async addRemoved(tx: Tx, removed: number): Promise<void> {
    requireHeld(await sql.updateRun(tx, this.#lease, { removed }));
  }

  async finish(): Promise<void> {
    await sql.leaveRun(this.#database.db, this.#lease, true);
  }

  /** An unfinished import can then be sent again under the same name. */
  async release(): Promise<void> {
    await this.#holding.close();
    const db = this.#database.db;
    await sql.leaveRun(db, this.#lease, false);
    if (this.#name.deleteMissing) await removeSpent(db);
    while (await sql.removeOld(db));
  }
}

/** Also removes rows of dead processes. */
async function removeSpent(db: Db): Promise<void> {
  for (let run = await sql.findSpentRun(db); run !== undefined; run = await sql.findSpentRun(db)) {
    let last = await sql.removeSeen(db, run, undefined, SEEN_REMOVED_AT_ONCE);
    while (last !== undefined) last = await sql.removeSeen(db, run, last, SEEN_REMOVED_AT_ONCE);
    await sql.markSeenRemoved(db, run);
  }
}

function requireHeld(isHeld: boolean): void {
  if (isHeld) return;
  throw new ApiError('conflict', { message: 'The same import was sent again, so this request ends.' });
}
