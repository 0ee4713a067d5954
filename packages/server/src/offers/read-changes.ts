/**
 * Reads what was stamped after a cursor, in whole transactions: readers see all products of a batch change at once, or
 * none. Stamps are given under the catalogue clock, so those of one transaction stand side by side.
 */
import type { Database } from '../db/database.ts';
import type { Session } from '../db/prepared.ts';
import { runPipelinedTransaction } from '../db/transaction.ts';
import type { Newcomer } from './catalogue.ts';
import { type ChangedRow, listChangedProducts, listNewcomers } from './feed.sql.ts';

/** Products read at a time. */
const READ_SIZE = 2000;

/** A transaction of more products than this is not read as a change: it takes less to load everything anew. */
const TRANSACTION_SIZE_MAX = 128_000;

/** A statement takes milliseconds: a server that says nothing for longer has gone, and another connection may find it. */
const SILENCE_MAX_MS = 2_000;

export type Changes = {
  /** Whole transactions, oldest stamp first. */
  readonly rows: readonly ChangedRow[];
  /** Products whose places in the insertion order are before some of the rows', and whose rows are still to come. */
  readonly newcomers: readonly Newcomer[];
  /** Nothing else was committed when this was read. */
  readonly isAll: boolean;
};

/** What a catalogue knows already. */
export type Known = {
  readonly newestStampMicros: number;
  readonly lastFirstStampMicros: number;
};

/** What was stamped since; undefined when a transaction is too large to be read as a change. */
export function readChanges(database: Database, known: Known): Promise<Changes | undefined> {
  return runPipelinedTransaction(
    database,
    // All statements see one snapshot.
    { isSnapshot: true, keepsPlans: true, silenceMaxMs: SILENCE_MAX_MS },
    {
      load: (session) => readWhole(session, known),
      save: (_session, changes) => ({ value: changes, sent: [] }),
    },
  );
}

async function readWhole(session: Session, known: Known): Promise<Changes | undefined> {
  const afterMicros = known.newestStampMicros;
  for (let limit = READ_SIZE; limit <= TRANSACTION_SIZE_MAX; limit *= 4) {
    const rows = await listChangedProducts(session, { afterMicros, limit });
    if (rows.length < limit) return { rows, newcomers: [], isAll: true };
    const cut = rows.at(-1)?.transaction;
    const whole = rows.slice(0, rows.findLastIndex(({ transaction }) => transaction !== cut) + 1);
    const last = whole.at(-1);
    if (last === undefined) continue;
    const newcomers = await readNewcomers(session, known, { rows: whole, cutMicros: last.stamp });
    return { rows: whole, newcomers, isAll: false };
  }
  return undefined;
}

/**
 * A product that came into the catalogue early and was changed late is among the rows that were cut off; its place is
 * before that of products which are not.
 */
async function readNewcomers(
  session: Session,
  { lastFirstStampMicros }: Known,
  { rows, cutMicros }: { readonly rows: readonly ChangedRow[]; readonly cutMicros: number },
): Promise<Newcomer[]> {
  let firstBelowMicros = lastFirstStampMicros;
  for (const { first_stamp } of rows) firstBelowMicros = Math.max(firstBelowMicros, first_stamp);
  if (firstBelowMicros === lastFirstStampMicros) return [];
  const found = await listNewcomers(session, {
    afterMicros: cutMicros,
    firstAboveMicros: lastFirstStampMicros,
    firstBelowMicros,
  });
  return found.map(({ id, first_stamp }) => ({ id, firstStampMicros: first_stamp }));
}
