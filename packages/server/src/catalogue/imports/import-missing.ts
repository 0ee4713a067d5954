/**
 * Takes off sale what an import with deleteMissing did not name, after its last line (A132), and puts it back on demand
 * (A271). Offers are paused, unsold keys withdrawn; nothing is deleted. In batches like those of the lines, each with its
 * audit entry and its stamps.
 */
import type { ImportKind } from '@keyport/contract/admin';
import type { Kysely, Transaction } from 'kysely';
import { type Acting, auditRecord } from '../../audit/action.ts';
import { insertAudit } from '../../db/audit.sql.ts';
import { stampProducts } from '../../db/catalogue-clock.sql.ts';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import { type LockedOffer, lockOffers } from '../admin/catalogue.sql.ts';
import { keepWithdrawn, type OfferUnits, withdrawUnits } from '../admin/withdraw-keys.sql.ts';
import {
  keepPaused,
  listMissingOffers,
  listMissingUnits,
  listPausedBefore,
  listPausedOffers,
  listWithdrawnBefore,
  listWithdrawnUnits,
  pauseOffers,
  resumeOffers,
  returnUnits,
} from './import-missing.sql.ts';
import { addRestored } from './import-runs.sql.ts';
import type { ImportRun } from './import-runs.ts';

/** As many rows are locked at a time as by a batch of lines. */
const CHANGE_BATCH_SIZE = 1_000;

/** What some offers and units lost or got back. */
type Change = {
  readonly count: number;
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
  if (!dryRun) yield* keepRemoved(work);
  for await (const { missing } of listMissing(database.kysely, kind, run.number)) {
    for (let start = 0; start < missing.length; start += CHANGE_BATCH_SIZE) {
      const some = missing.slice(start, start + CHANGE_BATCH_SIZE);
      if (dryRun) {
        yield some.length;
        continue;
      }
      const { count, changedProductIds } = await runTransaction(database, {}, async (tx) => {
        const removal = await remove(tx, run.number, some);
        await run.addRemoved(tx, removal.count);
        const data = { importId, runId: String(run.number), ...removal.data };
        await insertAudit(tx, auditRecord(request, `import.${kind}.missing`, { data }));
        await stampProducts(tx, removal.changedProductIds);
        return removal;
      });
      if (changedProductIds.length > 0) onCatalogueChanged();
      yield count;
    }
  }
}

/**
 * What the import leaves out, a restore of an earlier run must not put back. This comes before the removal, which takes
 * off sale what a restore puts back in between.
 */
async function* keepRemoved({
  database,
  kind,
  run,
}: Pick<RemoveMissing, 'database' | 'kind' | 'run'>): AsyncGenerator<number> {
  for await (const missing of listRemovedBefore(database.kysely, kind, run.number)) {
    for (let start = 0; start < missing.length; start += CHANGE_BATCH_SIZE) {
      const some = missing.slice(start, start + CHANGE_BATCH_SIZE);
      await runTransaction(database, {}, async (tx) => {
        const offerIds = [...new Set(some.map(({ offerId }) => offerId))];
        await lockOffers(tx, offerIds);
        const unitIds = some.flatMap(({ unitId }) => unitId ?? []);
        await (unitIds.length === 0 ? keepPaused(tx, offerIds) : keepWithdrawn(tx, offerIds, unitIds));
        await run.addRemoved(tx, 0);
      });
      yield 0;
    }
  }
}

/** What earlier runs took off sale and this one leaves out too, some at a time. */
async function* listRemovedBefore(
  db: Kysely<Schema>,
  kind: ImportKind,
  run: number,
): AsyncGenerator<readonly Missing[]> {
  if (kind === 'keys') {
    let window = await listWithdrawnBefore(db, run, undefined);
    for (; window.last !== null; window = await listWithdrawnBefore(db, run, window.last))
      yield window.missing;
    return;
  }
  let window = await listPausedBefore(db, kind, run, undefined);
  for (; window.last !== null; window = await listPausedBefore(db, kind, run, window.last))
    yield window.missing;
}

export type MissingCount = { readonly missing: number; readonly onSale: number };

/** Yields what has been counted so far. Both counts grow by what the run has taken off sale before. */
export async function* countMissing({
  database,
  kind,
  run,
}: Pick<RemoveMissing, 'database' | 'kind' | 'run'>): AsyncGenerator<MissingCount> {
  let missing = run.before.removed;
  let onSale = run.before.removed;
  for await (const window of listMissing(database.kysely, kind, run.number)) {
    missing += window.missing.length;
    onSale += window.onSaleCount;
    yield { missing, onSale };
  }
}

type Missing = { readonly offerId: string; readonly unitId?: number };

type MissingWindow = { readonly missing: readonly Missing[]; readonly onSaleCount: number };

/** Everything that is missing, some at a time. */
async function* listMissing(
  db: Kysely<Schema>,
  kind: ImportKind,
  run: number,
): AsyncGenerator<MissingWindow> {
  if (kind === 'keys') {
    let window = await listMissingUnits(db, run, undefined);
    for (; window.last !== undefined; window = await listMissingUnits(db, run, window.last))
      yield { ...window, missing: window.missing.map(({ id, offerId }) => ({ offerId, unitId: id })) };
    return;
  }
  let window = await listMissingOffers(db, kind, run, undefined);
  for (; window.last !== undefined; window = await listMissingOffers(db, kind, run, window.last))
    yield { ...window, missing: window.missing.map(({ id }) => ({ offerId: id })) };
}

async function remove(tx: Transaction<Schema>, run: number, missing: readonly Missing[]): Promise<Change> {
  const offerIds = [...new Set(missing.map(({ offerId }) => offerId))];
  const offers = await lockOffers(tx, offerIds);
  const unitIds = missing.flatMap(({ unitId }) => (unitId === undefined ? [] : [unitId]));
  if (unitIds.length === 0) return changeOfOffers('paused', await pauseOffers(tx, run, offerIds));
  return changeOfUnits('withdrawn', offers, await withdrawUnits(tx, offerIds, unitIds, run));
}

export type RestoreRemoved = Pick<RemoveMissing, 'database' | 'request' | 'kind' | 'onCatalogueChanged'> & {
  readonly run: number;
  readonly reason: string;
};

/** Puts back on sale what the run took off sale, except what was changed since. After an end in between, run it again. */
export async function restoreRemoved(work: RestoreRemoved): Promise<void> {
  const { database, request, kind, run, reason, onCatalogueChanged } = work;
  for (;;) {
    const removed = await listRemoved(database.kysely, kind, run);
    if (removed.length === 0) return;
    const { changedProductIds } = await runTransaction(database, {}, async (tx) => {
      const restored = await restore(tx, run, removed);
      await addRestored(tx, run, restored.count);
      const data = { runId: String(run), reason, ...restored.data };
      if (restored.count > 0) await insertAudit(tx, auditRecord(request, `import.${kind}.restore`, { data }));
      await stampProducts(tx, restored.changedProductIds);
      return restored;
    });
    if (changedProductIds.length > 0) onCatalogueChanged();
  }
}

async function listRemoved(db: Kysely<Schema>, kind: ImportKind, run: number): Promise<Missing[]> {
  if (kind !== 'keys')
    return (await listPausedOffers(db, run, CHANGE_BATCH_SIZE)).map((offerId) => ({ offerId }));
  const units = await listWithdrawnUnits(db, run, CHANGE_BATCH_SIZE);
  return units.map(({ id, offerId }) => ({ offerId, unitId: id }));
}

async function restore(tx: Transaction<Schema>, run: number, removed: readonly Missing[]): Promise<Change> {
  const offerIds = [...new Set(removed.map(({ offerId }) => offerId))];
  const offers = await lockOffers(tx, offerIds);
  const unitIds = removed.flatMap(({ unitId }) => (unitId === undefined ? [] : [unitId]));
  if (unitIds.length === 0) return changeOfOffers('resumed', await resumeOffers(tx, run, offerIds));
  return changeOfUnits('returned', offers, await returnUnits(tx, run, unitIds));
}

function changeOfOffers(
  what: 'paused' | 'resumed',
  offers: readonly { readonly id: string; readonly productId: number }[],
): Change {
  return {
    count: offers.length,
    changedProductIds: [...new Set(offers.map(({ productId }) => productId))],
    data: { [what]: offers.map(({ id }) => id).sort() },
  };
}

function changeOfUnits(
  what: 'withdrawn' | 'returned',
  offers: ReadonlyMap<string, LockedOffer>,
  changed: readonly OfferUnits[],
): Change {
  return {
    count: changed.reduce((sum, { units }) => sum + units, 0),
    changedProductIds: [...new Set(changed.flatMap(({ offerId }) => offers.get(offerId)?.productId ?? []))],
    data: { [what]: Object.fromEntries(changed.map(({ offerId, units }) => [offerId, units])) },
  };
}
