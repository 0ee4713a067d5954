/** Reads whole transactions, so that readers see all products of a batch change, or none. */

import type { Catalogue, Newcomer } from '@keyport/catalogue/catalogue';
import type { CatalogueProduct } from '@keyport/catalogue/render';
import { must } from '@keyport/core/assert';
import type { Database } from '../db/engines/database.ts';
import type { Session } from '../db/engines/prepared.ts';
import { runPipelinedTransaction } from '../db/transaction.ts';
import type { OrdersOnlyChange } from './catalogue-clock.sql.ts';
import { type LogEntry, listChangedProducts, listLog, toProduct } from './feed.sql.ts';

const READ_SIZE = 2000;
/** A database server silent for longer counts as unreachable; another connection may reach it. */
const SILENCE_MAX_MS = 2_000;

type Changed = { readonly product: CatalogueProduct; readonly transaction: number };

export type Changes = {
  readonly rows: readonly Changed[];
  readonly newcomers: readonly Newcomer[];
  /** The catalogue's position after these changes. */
  readonly throughMicros: number;
  /** Whether these are all changes committed before the read. */
  readonly isAll: boolean;
};

export type KnownCatalogue = Pick<Catalogue, 'throughMicros' | 'toSlot' | 'sold'>;

type LastChange = {
  readonly stamp: number;
  readonly transaction: number;
  /** Remaining units by offer, if the product was only sold. */
  readonly left: Map<string, number> | undefined;
};

/**
 * Undefined if the catalogue must be reloaded: the log lacks changes, or there are new products and more
 * than `backlogSizeMax` products remain.
 */
export function readChanges(
  database: Database,
  known: KnownCatalogue,
  backlogSizeMax: number,
): Promise<Changes | undefined> {
  return runPipelinedTransaction(
    database,
    { isSnapshot: true, keepsPlans: true, silenceMaxMs: SILENCE_MAX_MS },
    {
      load: (session) => readAll(session, known, backlogSizeMax),
      save: (_session, changes) => ({ value: changes, sent: [] }),
    },
  );
}

async function readAll(
  session: Session,
  known: KnownCatalogue,
  backlogSizeMax: number,
): Promise<Changes | undefined> {
  const log = await listLog(session, known.throughMicros);
  if (log === undefined) return undefined;
  const last = lastStamps(log);
  const cut = findCut(log, last);
  const newcomers = toNewcomers(log, cut, known);
  const ids = [...last].flatMap(([id, { transaction }]) => (transaction <= cut ? [id] : []));
  if (newcomers.length > 0 && last.size - ids.length > backlogSizeMax) return undefined;
  const rows = await loadProducts(session, ids, last, known);
  const end = log.at(-1)?.stamp ?? known.throughMicros;
  return { rows, newcomers, throughMicros: Math.min(cut, end), isAll: cut >= end };
}

/**
 * Uses only this node's sales. Undefined if other nodes changed something in between, or the catalogue lacks
 * a product or offer.
 */
export function changesOfOrders(
  sales: readonly OrdersOnlyChange[],
  known: KnownCatalogue,
): Changes | undefined {
  const log: LogEntry[] = [];
  let throughMicros = known.throughMicros;
  for (const { stampMicros, afterMicros, offers } of sales) {
    if (stampMicros <= throughMicros) continue;
    if (afterMicros !== throughMicros) return undefined;
    throughMicros = stampMicros;
    log.push({
      stamp: stampMicros,
      productIds: offers.map(({ productId }) => Number(productId)),
      sold: offers,
    });
  }
  const rows: Changed[] = [];
  for (const [id, { stamp, transaction, left }] of lastStamps(log)) {
    const product = left === undefined ? undefined : known.sold(id, stamp, left);
    if (product === undefined) return undefined;
    rows.push({ product, transaction });
  }
  return { rows, newcomers: [], throughMicros, isAll: true };
}

async function loadProducts(
  session: Session,
  ids: readonly number[],
  last: ReadonlyMap<number, LastChange>,
  known: KnownCatalogue,
): Promise<Changed[]> {
  const products = new Map<number, CatalogueProduct>();
  const unknown: number[] = [];
  for (const id of ids) {
    const { stamp, left } = must(last.get(id), 'a product of the log has a stamp');
    const product = left === undefined ? undefined : known.sold(id, stamp, left);
    if (product === undefined) unknown.push(id);
    else products.set(id, product);
  }
  const read = unknown.length === 0 ? [] : await listChangedProducts(session, unknown);
  for (const row of read) {
    const { stamp } = must(last.get(row.id), 'a product of the log has a stamp');
    products.set(row.id, toProduct({ ...row, stamp }));
  }
  return ids.map((id) => ({
    product: must(products.get(id), 'a product of the log is never deleted'),
    transaction: must(last.get(id), 'a product of the log has a stamp').transaction,
  }));
}

export function lastStamps(log: readonly LogEntry[]): Map<number, LastChange> {
  const last = new Map<number, LastChange>();
  for (const row of log) {
    for (const { id, stamp, index } of toStamps(row)) {
      const before = last.get(id);
      const sold = row.sold?.[index];
      const isSold = sold !== undefined && (before === undefined || before.left !== undefined);
      const left = isSold ? (before?.left ?? new Map<string, number>()) : undefined;
      if (sold !== undefined) left?.set(sold.id, sold.quantity);
      last.delete(id);
      last.set(id, { stamp, transaction: row.stamp, left });
    }
  }
  return last;
}

function findCut(log: readonly LogEntry[], last: ReadonlyMap<number, LastChange>): number {
  if (last.size <= READ_SIZE) return Number.POSITIVE_INFINITY;
  let count = 0;
  let cut = Number.NEGATIVE_INFINITY;
  for (const { transaction } of last.values()) {
    if (count >= READ_SIZE && transaction !== cut) return cut;
    cut = transaction;
    count += 1;
  }
  return must(log.at(-1), 'a log with products has a row').stamp;
}

/** A product that changes again after the cut keeps the place of its first change. */
function toNewcomers(log: readonly LogEntry[], cut: number, known: KnownCatalogue): Newcomer[] {
  const newcomers = new Map<number, Newcomer>();
  for (const row of log) {
    if (row.stamp > cut) break;
    for (const { id, stamp } of toStamps(row)) {
      if (!newcomers.has(id) && known.toSlot(id) === undefined)
        newcomers.set(id, { id, firstStampMicros: stamp });
    }
  }
  return [...newcomers.values()];
}

function toStamps({ stamp, productIds }: LogEntry) {
  return productIds.map((id, index) => ({ id, stamp: stamp - (productIds.length - 1 - index), index }));
}
