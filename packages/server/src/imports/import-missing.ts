/**
 * Takes off sale what an import with deleteMissing did not name: pauses offers, withdraws unsold keys. Works
 * in batches, each with its own stamps.
 */
import type { ImportKind, ImportResult } from '@keyport/contract/catalogue/imports';
import { must } from '@keyport/core/assert';
import { ApiError, conflict } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import {
  keepWithdrawn,
  type LockedOffer,
  lockOffers,
  type OfferUnits,
  putOnSale,
  takeOffSale,
} from '../stock/stock.sql.ts';
import * as sql from './import-missing.sql.ts';
import { addRestored, findRemovalRun, type RunName } from './import-runs.sql.ts';
import type { ImportRun } from './import-runs.ts';

/** Locks as many rows as a batch of lines. */
export const CHANGE_BATCH_SIZE = 1_000;

type Change = { readonly count: number; readonly changedProductIds: readonly number[] };

type MissingWork = Pick<RunName, 'kind' | 'importId' | 'dryRun'> & {
  readonly database: Database;
  readonly request: Acting;
  readonly run: ImportRun;
  /** If undefined, only removals within the limits are made. */
  readonly confirmRemovals: number | undefined;
  readonly onCatalogueChanged: () => void;
};

/** An operator must confirm an import that removes more than both, because its file may be truncated. A132. */
const REMOVED_MAX = 50;
const REMOVED_PERCENT_MAX = 20;
export type Removal = Pick<ImportResult, 'removed' | 'removalRefused' | 'removalsToConfirm'>;

/**
 * Yields the progress; counts include earlier removals of the run. Throws conflict once another request has
 * taken over the import.
 */
export async function* removeMissing(work: MissingWork): AsyncGenerator<Removal> {
  const { database, kind, run, dryRun, confirmRemovals } = work;
  let { removed } = run.before;
  const count = { missing: removed, onSale: removed };
  for await (const { missing, onSaleCount } of listMissing(database.db, kind, run.number)) {
    count.missing += missing.length;
    count.onSale += onSaleCount;
    yield { removed };
  }
  if (!mayRemove(count, confirmRemovals)) {
    const removalRefused = describeLimits(kind, count);
    yield { removed, removalRefused, removalsToConfirm: count.missing };
    return;
  }
  // Comes first, because a restore in between could put these rows back on sale.
  for await (const { missing } of dryRun ? [] : listRemovedBefore(database.db, kind, run.number)) {
    for (const some of toBatches(missing)) {
      await keepRemoved(work, some);
      yield { removed };
    }
  }
  for await (const { missing } of listMissing(database.db, kind, run.number)) {
    for (const some of toBatches(missing)) {
      // The run has one audit entry, which its first batch inserts.
      const planned = removed === run.before.removed ? count.missing - removed : undefined;
      removed += dryRun ? some.length : await removeBatch(work, some, planned);
      yield { removed };
    }
  }
}

type MissingCount = { readonly missing: number; readonly onSale: number };

function mayRemove({ missing, onSale }: MissingCount, confirmed: number | undefined): boolean {
  return missing <= REMOVED_MAX || missing * 100 <= onSale * REMOVED_PERCENT_MAX || missing === confirmed;
}

function describeLimits(kind: ImportKind, count: MissingCount): string {
  const things = kind === 'keys' ? 'unsold keys' : 'active offers';
  return (
    `${count.missing} of ${count.onSale} ${things} are missing from the import, more than ${REMOVED_MAX} and more ` +
    `than ${REMOVED_PERCENT_MAX} %, so nothing was taken off sale. If the import is complete, send it again with ` +
    `confirmRemovals=${count.missing}.`
  );
}

async function removeBatch(
  work: MissingWork,
  missing: readonly Missing[],
  planned: number | undefined,
): Promise<number> {
  const { database, request, kind, run, importId, onCatalogueChanged } = work;
  const { count, changedProductIds } = await runTransaction(database, {}, async (tx) => {
    const removal = await remove(tx, run.number, missing);
    await run.addRemoved(tx, removal.count);
    if (planned !== undefined) {
      const data = { importId, runId: String(run.number), missing: planned };
      await audit(tx, request, `import.${kind}.missing`, { data });
    }
    await logChanges(tx, { productIds: removal.changedProductIds });
    return removal;
  });
  if (changedProductIds.length > 0) onCatalogueChanged();
  return count;
}

/** Detaches the rows from an earlier run, whose restore would otherwise put them back on sale. */
async function keepRemoved({ database, run }: MissingWork, missing: readonly Missing[]): Promise<void> {
  await runTransaction(database, {}, async (tx) => {
    const { offerIds, unitIds } = toIds(missing);
    await lockOffers(tx, offerIds);
    await (unitIds.length === 0 ? sql.keepPaused(tx, offerIds) : keepWithdrawn(tx, offerIds, unitIds));
    await run.addRemoved(tx, 0);
  });
}

type Missing = { readonly offerId: string; readonly unitId?: number };

function toIds(rows: readonly Missing[]) {
  return {
    offerIds: [...new Set(rows.map(({ offerId }) => offerId))],
    unitIds: rows.flatMap(({ unitId }) => unitId ?? []),
  };
}

function listMissing(db: Db, kind: ImportKind, run: number) {
  return kind === 'keys'
    ? windows((after: sql.UnitPlace | undefined) => sql.listMissingUnits(db, run, after))
    : windows((after: string | undefined) => sql.listMissingOffers(db, kind, run, after));
}

function listRemovedBefore(db: Db, kind: ImportKind, run: number) {
  return kind === 'keys'
    ? windows((after: sql.TakenPlace<number> | undefined) => sql.listWithdrawnBefore(db, run, after))
    : windows((after: sql.TakenPlace<string> | undefined) => sql.listPausedBefore(db, kind, run, after));
}

async function* windows<Place, Window extends { readonly last: Place | null }>(
  list: (after: Place | undefined) => Promise<Window>,
): AsyncGenerator<Window> {
  for (let window = await list(undefined); window.last !== null; window = await list(window.last)) {
    yield window;
  }
}

function* toBatches<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += CHANGE_BATCH_SIZE) {
    yield rows.slice(start, start + CHANGE_BATCH_SIZE);
  }
}

async function remove(tx: Tx, run: number, missing: readonly Missing[]): Promise<Change> {
  const { offerIds, unitIds } = toIds(missing);
  const offers = await lockOffers(tx, offerIds);
  if (unitIds.length === 0) return changeOfOffers(await sql.pauseOffers(tx, run, offerIds));
  return changeOfUnits(offers, await takeOffSale(tx, unitIds, run));
}

type RestoreRemoved = Pick<MissingWork, 'database' | 'request' | 'kind' | 'onCatalogueChanged'> & {
  readonly run: number;
  readonly reason: string;
};

/** Skips rows that changed since the removal. Can be run again after an interruption. */
export async function restoreRemoved(work: RestoreRemoved): Promise<void> {
  const { database, request, kind, run, reason, onCatalogueChanged } = work;
  let isAudited = false;
  const listRemoved = kind === 'keys' ? sql.listWithdrawnUnits : sql.listPausedOffers;
  for (;;) {
    const removed: readonly Missing[] = await listRemoved(database.db, run, CHANGE_BATCH_SIZE);
    if (removed.length === 0) return;
    const { count, changedProductIds } = await runTransaction(database, {}, async (tx) => {
      const restored = await restore(tx, run, removed);
      await addRestored(tx, run, restored.count);
      const data = { runId: String(run), reason };
      if (restored.count > 0 && !isAudited) await audit(tx, request, `import.${kind}.restore`, { data });
      await logChanges(tx, { productIds: restored.changedProductIds });
      return restored;
    });
    isAudited ||= count > 0;
    if (changedProductIds.length > 0) onCatalogueChanged();
  }
}

async function restore(tx: Tx, run: number, removed: readonly Missing[]): Promise<Change> {
  const { offerIds, unitIds } = toIds(removed);
  const offers = await lockOffers(tx, offerIds);
  if (unitIds.length === 0) return changeOfOffers(await sql.resumeOffers(tx, run, offerIds));
  return changeOfUnits(offers, await putOnSale(tx, await sql.listReturnable(tx, run, unitIds)));
}

function changeOfOffers(offers: readonly sql.ChangedOffer[]): Change {
  const changedProductIds = [...new Set(offers.map(({ productId }) => productId))];
  return { count: offers.length, changedProductIds };
}

function changeOfUnits(offers: ReadonlyMap<string, LockedOffer>, changed: readonly OfferUnits[]): Change {
  const productIds = changed.flatMap(({ offerId }) => offers.get(offerId)?.productId ?? []);
  return {
    count: changed.reduce((sum, { units }) => sum + units, 0),
    changedProductIds: [...new Set(productIds)],
  };
}

/** Throws not-found, and conflict while the import is running. */
export async function restoreImport(
  deps: { readonly database: Database; readonly onCatalogueChanged: () => void },
  request: Acting,
  runId: string,
  reason: string,
) {
  const { db } = deps.database;
  const run = await findRemovalRun(db, Number(runId));
  if (run === undefined)
    throw new ApiError('not-found', {
      message: 'There is no import with this runId that used deleteMissing.',
    });
  if (run.isHeld) throw conflict('The import is still running; wait until it ends.');
  await restoreRemoved({ ...deps, request, kind: run.kind, run: run.number, reason });
  const { removed, restored } = must(await findRemovalRun(db, run.number), 'runs are never deleted');
  return { runId: String(run.number), removed, restored, kept: removed - restored };
}
