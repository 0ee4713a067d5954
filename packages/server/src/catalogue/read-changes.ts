/**
 * Reads what was changed after a cursor, in whole transactions: readers see all products of a batch change at once, or
 * none. Each product comes once, with its last stamp, as it is in one snapshot.
 */
import { must } from '@keyport/core/assert';
import type { Database } from '../db/database.ts';
import type { Session } from '../db/prepared.ts';
import { runPipelinedTransaction } from '../db/transaction.ts';
import type { Newcomer } from './catalogue.ts';
import { type LogRow, listChangedProducts, listLog, type ProductRow } from './feed.sql.ts';

/** Products read at a time, but for a transaction that has more. */
const READ_SIZE = 2000;

/** A statement takes milliseconds: a server that says nothing for longer is gone, and another connection may find it. */
const SILENCE_MAX_MS = 2_000;

type ChangedRow = ProductRow & {
  /** The stamp of the transaction's last product. */
  readonly transaction: number;
};

export type Changes = {
  /** Whole transactions, oldest stamp first. */
  readonly rows: readonly ChangedRow[];
  /** Products that came into the catalogue in these transactions, and whose rows are still to come. */
  readonly newcomers: readonly Newcomer[];
  /** Everything up to this stamp is known once these are applied. */
  readonly throughMicros: number;
  /** Nothing else was committed when this was read. */
  readonly isAll: boolean;
};

type LastStamp = Pick<ChangedRow, 'stamp' | 'transaction'>;

/** What a catalogue knows already. */
export type Known = {
  readonly throughMicros: number;
  slotOf(productId: number): number | undefined;
};

/**
 * What was changed since. Undefined when the catalogue is to be loaded again: the log no longer has all of it, or that takes
 * less because new products came and more than `backlogSizeMax` are left.
 */
export function readChanges(
  database: Database,
  known: Known,
  backlogSizeMax: number,
): Promise<Changes | undefined> {
  return runPipelinedTransaction(
    database,
    // All statements see one snapshot.
    { isSnapshot: true, keepsPlans: true, silenceMaxMs: SILENCE_MAX_MS },
    {
      load: (session) => readAll(session, known, backlogSizeMax),
      save: (_session, changes) => ({ value: changes, sent: [] }),
    },
  );
}

async function readAll(session: Session, known: Known, backlogSizeMax: number): Promise<Changes | undefined> {
  const log = await listLog(session, known.throughMicros);
  if (log === undefined) return undefined;
  const last = lastStamps(log);
  const cut = findCut(log, last);
  const newcomers = newcomersOf(log, cut, known);
  const ids = [...last].flatMap(([id, { transaction }]) => (transaction <= cut ? [id] : []));
  if (newcomers.length > 0 && last.size - ids.length > backlogSizeMax) return undefined;
  const products = ids.length === 0 ? [] : await listChangedProducts(session, ids);
  const byId = new Map(products.map((product) => [product.id, product]));
  const rows = ids.map((id) => ({
    ...must(byId.get(id), 'a product of the log is never deleted'),
    ...must(last.get(id), 'a product of the log has a stamp'),
  }));
  const end = log.at(-1)?.stamp ?? known.throughMicros;
  return { rows, newcomers, throughMicros: Math.min(cut, end), isAll: cut >= end };
}

/** By product, in the order of the stamps. */
export function lastStamps(log: readonly LogRow[]): Map<number, LastStamp> {
  const last = new Map<number, LastStamp>();
  for (const row of log) {
    for (const { id, stamp } of stampsOf(row)) {
      // Put at the end.
      last.delete(id);
      last.set(id, { stamp, transaction: row.stamp });
    }
  }
  return last;
}

/** The last transaction of a portion; infinite when everything is one. */
function findCut(log: readonly LogRow[], last: ReadonlyMap<number, LastStamp>): number {
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

/** A product whose last change is after the cut keeps the place that its first one gave it. */
function newcomersOf(log: readonly LogRow[], cut: number, known: Known): Newcomer[] {
  const newcomers = new Map<number, Newcomer>();
  for (const row of log) {
    if (row.stamp > cut) break;
    for (const { id, stamp } of stampsOf(row)) {
      if (!newcomers.has(id) && known.slotOf(id) === undefined)
        newcomers.set(id, { id, firstStampMicros: stamp });
    }
  }
  return [...newcomers.values()];
}

function* stampsOf({
  stamp,
  product_ids,
}: LogRow): Generator<{ readonly id: number; readonly stamp: number }> {
  if (product_ids === '') return;
  const ids = product_ids.split(',');
  for (const [index, id] of ids.entries()) yield { id: Number(id), stamp: stamp - (ids.length - 1 - index) };
}
