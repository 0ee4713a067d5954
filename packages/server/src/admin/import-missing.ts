/**
 * Takes off sale what an import with deleteMissing did not name, after its last line (A132). Offers are paused, unsold
 * keys withdrawn; nothing is deleted. In batches like those of the lines, each with its audit entry and its stamps.
 */
import type { ImportKind } from '@keyport/contract/admin';
import type { Kysely, Transaction } from 'kysely';
import { insertAudit } from '../db/audit.sql.ts';
import { stampProducts } from '../db/catalogue-clock.sql.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { type Acting, auditRecord } from './action.ts';
import { lockOffers } from './catalogue.sql.ts';
import { listMissingOffers, listMissingUnits, pauseOffers } from './import-missing.sql.ts';
import type { ImportRun } from './import-runs.ts';
import { withdrawUnits } from './withdraw-keys.sql.ts';

/** As many rows are locked at a time as by a batch of lines. */
const REMOVED_AT_ONCE = 1_000;

type Removal = {
  readonly removed: number;
  readonly changedProductIds: readonly number[];
  /** For the audit log. */
  readonly data: Record<string, unknown>;
};

export type RemoveMissing = {
  readonly database: Database;
  readonly request: Acting;
  readonly kind: ImportKind;
  readonly run: ImportRun;
  /** For the audit log. */
  readonly importId: string | undefined;
  /** Counts only. */
  readonly dryRun: boolean;
  readonly onCatalogueChanged: () => void;
};

/** Yields how many went with each batch. Throws conflict when another request has taken the import. */
export async function* removeMissing(work: RemoveMissing): AsyncGenerator<number> {
  const { database, request, kind, run, importId, dryRun, onCatalogueChanged } = work;
  for await (const missing of listMissing(database.kysely, kind, run.number)) {
    for (let start = 0; start < missing.length; start += REMOVED_AT_ONCE) {
      const some = missing.slice(start, start + REMOVED_AT_ONCE);
      if (dryRun) {
        yield some.length;
        continue;
      }
      const { removed, changedProductIds } = await runTransaction(database, {}, async (tx) => {
        const removal = await remove(tx, some);
        await run.addRemoved(tx, removal.removed);
        const data = { importId, ...removal.data };
        await insertAudit(tx, auditRecord(request, `import.${kind}.missing`, { data }));
        await stampProducts(tx, removal.changedProductIds);
        return removal;
      });
      if (changedProductIds.length > 0) onCatalogueChanged();
      yield removed;
    }
  }
}

type Missing = { readonly offerId: string; readonly unitId?: number };

/** Everything that is missing, some at a time. */
async function* listMissing(db: Kysely<Schema>, kind: ImportKind, run: number): AsyncGenerator<Missing[]> {
  if (kind === 'keys') {
    let window = await listMissingUnits(db, run, undefined);
    for (; window.last !== undefined; window = await listMissingUnits(db, run, window.last))
      yield window.missing.map(({ id, offerId }) => ({ offerId, unitId: id }));
    return;
  }
  let window = await listMissingOffers(db, kind, run, undefined);
  for (; window.last !== undefined; window = await listMissingOffers(db, kind, run, window.last))
    yield window.missing.map(({ id }) => ({ offerId: id }));
}

async function remove(tx: Transaction<Schema>, missing: readonly Missing[]): Promise<Removal> {
  const offerIds = [...new Set(missing.map(({ offerId }) => offerId))];
  const offers = await lockOffers(tx, offerIds);
  const unitIds = missing.flatMap(({ unitId }) => (unitId === undefined ? [] : [unitId]));
  if (unitIds.length === 0) {
    const paused = await pauseOffers(tx, offerIds);
    const data = { paused: paused.map(({ id }) => id) };
    return { removed: paused.length, changedProductIds: paused.map(({ productId }) => productId), data };
  }
  const withdrawn = await withdrawUnits(tx, offerIds, unitIds);
  return {
    removed: withdrawn.reduce((sum, { units }) => sum + units, 0),
    changedProductIds: withdrawn.flatMap(({ offerId }) => offers.get(offerId)?.productId ?? []),
    data: { withdrawn: Object.fromEntries(withdrawn.map(({ offerId, units }) => [offerId, units])) },
  };
}
