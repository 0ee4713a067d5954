/** Rejects the undo if anything was sold or changed since the import. Batches skip rows that change later. */
import type { ImportUndone } from '@keyport/contract/catalogue/imports';
import { ApiError, requireFound } from '@keyport/http/replies/api-error';
import type { Static } from 'typebox';
import { type Acting, audit } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { lockOffers, takeOffSale } from '../stock/stock.sql.ts';
import { loadRuns } from './import-lists.sql.ts';
import { CHANGE_BATCH_SIZE, restoreRemoved } from './import-missing.ts';
import * as sql from './import-undo.sql.ts';

export type UndoWork = {
  readonly database: Database;
  readonly request: Acting;
  readonly onCatalogueChanged: () => void;
};

type Undone = Static<typeof ImportUndone>;

/** Throws not-found, or conflict with the reason. A retry completes an interrupted undo. */
export async function undoImport(
  work: UndoWork,
  runId: string,
  { reason, dryRun = false }: { readonly reason: string; readonly dryRun?: boolean | undefined },
): Promise<Undone> {
  const { database, request } = work;
  const { db } = database;
  const run = requireFound((await loadRuns(db, [runId]))[0], 'import');
  const state = await sql.readUndoState(db, run.id);
  const { kind } = run;
  if (kind === 'sellers' || kind === 'products') throw notUndone(DETAILS_ARE_LOST);
  if (run.undoneAtMicros === null) {
    const problem = whyNot(run, state);
    if (problem !== undefined) throw notUndone(problem);
  }
  const removals = run.removed - run.restored;
  if (dryRun) {
    const { offersToUndo, keysToUndo, added, withdrawnBefore } = state;
    const planned = {
      changedBack: offersToUndo - added,
      paused: added,
      withdrawn: keysToUndo - withdrawnBefore,
      kept: withdrawnBefore,
    };
    return { runId, ...planned, restored: removals, dryRun };
  }
  if (run.undoneAtMicros === null) {
    await runTransaction(database, {}, async (tx) => {
      if (!(await sql.beginUndo(tx, run.id))) throw notUndone(IN_PROGRESS);
      const { offersToUndo: offers, keysToUndo: keys } = state;
      const data = { runId, reason, offers, keys };
      await audit(tx, request, `import.${kind}.undo`, { data });
    });
  }
  await undoAll(work, run.id);
  if (removals > 0) await restoreRemoved({ ...work, kind, run: run.id, reason });
  const { changedBack, paused, withdrawn, kept } = await sql.readUndoState(db, run.id);
  const [after = run] = await loadRuns(db, [runId]);
  return { runId, changedBack, paused, withdrawn, restored: after.restored, kept, dryRun };
}

function notUndone(why: string): ApiError {
  return new ApiError('conflict', { message: `${why} Nothing was undone.` });
}

const DETAILS_ARE_LOST = 'The earlier state of products and sellers is not kept: import the earlier file.';
const IN_PROGRESS = 'The import is still running, or another request is undoing it. Wait until that ends.';
type Run = Awaited<ReturnType<typeof loadRuns>>[number];

function whyNot({ dryRun, state }: Run, undo: sql.UndoState): string | undefined {
  if (dryRun) return 'The import was a dry run.';
  if (state === 'running') return 'The import is still running; wait until it ends.';
  const { offersToUndo, keysToUndo, ordered, changed, sold } = undo;
  if (offersToUndo + keysToUndo === 0)
    return 'The import changed nothing, or is older than the 30 days for which its changes are kept.';
  if (sold > 0) return `Keys sold or reserved since the import: ${sold} of ${keysToUndo}.`;
  if (ordered > 0)
    return `Offers ordered since the import: ${ordered} of ${offersToUndo}; the first is ${undo.firstOrdered}.`;
  if (changed > 0)
    return `Offers changed since the import: ${changed} of ${offersToUndo}; the first is ${undo.firstChanged}.`;
  return undefined;
}

async function undoAll({ database, onCatalogueChanged }: UndoWork, run: number): Promise<void> {
  const { db } = database;
  for (;;) {
    const offers = await sql.listOffersToUndo(db, run, CHANGE_BATCH_SIZE);
    const keys = offers.length > 0 ? [] : await sql.listKeysToUndo(db, run, CHANGE_BATCH_SIZE);
    if (offers.length + keys.length === 0) return;
    const offerIds = [...new Set([...offers, ...keys].map(({ offerId }) => offerId))];
    const changed = await runTransaction(database, {}, async (tx) => {
      const locked = await lockOffers(tx, offerIds);
      const unitIds = keys.map(({ unitId }) => unitId);
      const changedIds =
        unitIds.length > 0 ? await undoKeys(tx, run, unitIds) : await sql.undoOffers(tx, run, offerIds);
      const productIds = [...new Set(changedIds.flatMap((id) => locked.get(id)?.productId ?? []))];
      await logChanges(tx, { productIds });
      return productIds.length;
    });
    if (changed > 0) onCatalogueChanged();
  }
}

async function undoKeys(tx: Tx, run: number, unitIds: readonly number[]): Promise<string[]> {
  const unsold = await sql.listUnsold(tx, unitIds);
  const gone = await takeOffSale(tx, unsold, undefined);
  await sql.markKeys(tx, run, unitIds, unsold);
  return gone.map(({ offerId }) => offerId);
}
