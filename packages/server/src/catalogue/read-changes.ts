/**
 * Reads what was stamped after a cursor, in whole transactions: readers see all products of a batch change at once, or
 * none. Stamps are given under the catalogue clock, so those of one transaction stand side by side.
 */
import type { Database } from '../db/database.ts';
import type { Session } from '../db/prepared.ts';
import { runPipelinedTransaction } from '../db/transaction.ts';
import type { Newcomer } from './catalogue.ts';
import {
  type ChangedRow,
  hasMoreChanged,
  listChangedProducts,
  listNewcomers,
  type NewcomersRange,
} from './feed.sql.ts';

/** Products read at a time. */
const READ_SIZE = 2000;

/** The same for a catalogue without readers yet: each read that is cut looks at everything after the cut. */
const UNSEEN_READ_SIZE = 16_000;

/** A transaction of more products than this is not read as a change: it takes less to load everything again. */
const TRANSACTION_SIZE_MAX = 128_000;

/** A statement takes milliseconds: a server that says nothing for longer is gone, and another connection may find it. */
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

/**
 * What was stamped since, for a catalogue that is being read. Undefined when it takes less to load everything again: when a
 * transaction is too large to be read as a change, or new products come and more than `backlogSizeMax` products are left.
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
      load: (session) => readWhole(session, known, backlogSizeMax),
      save: (_session, changes) => ({ value: changes, sent: [] }),
    },
  );
}

/**
 * What was stamped since, for a catalogue that gets its readers once it is complete: transactions may be cut. It
 * never gives up, however much is written: the catalogue has just been loaded, and loading it again would not help.
 */
export function readUnseenChanges(database: Database, known: Known): Promise<Changes> {
  return runPipelinedTransaction(
    database,
    // No request waits for it, so a statement may take its time.
    { isSnapshot: true, keepsPlans: true },
    {
      load: (session) => readCut(session, known),
      save: (_session, changes) => ({ value: changes, sent: [] }),
    },
  );
}

async function readWhole(
  session: Session,
  known: Known,
  backlogSizeMax: number,
): Promise<Changes | undefined> {
  const afterMicros = known.newestStampMicros;
  for (let limit = READ_SIZE; limit <= TRANSACTION_SIZE_MAX; limit *= 4) {
    const rows = await listChangedProducts(session, { afterMicros, limit });
    if (rows.length < limit) return { rows, newcomers: [], isAll: true };
    const cut = rows.at(-1)?.transaction;
    const whole = rows.slice(0, rows.findLastIndex(({ transaction }) => transaction !== cut) + 1);
    const last = whole.at(-1);
    if (last === undefined) continue;
    const range = newcomersRange(known, whole, last);
    if (range === undefined) return { rows: whole, newcomers: [], isAll: false };
    if (await hasMoreChanged(session, { afterMicros: last.stamp, count: backlogSizeMax })) return undefined;
    return { rows: whole, newcomers: await readNewcomers(session, range), isAll: false };
  }
  return undefined;
}

async function readCut(session: Session, known: Known): Promise<Changes> {
  const afterMicros = known.newestStampMicros;
  const rows = await listChangedProducts(session, { afterMicros, limit: UNSEEN_READ_SIZE });
  const last = rows.at(-1);
  if (last === undefined || rows.length < UNSEEN_READ_SIZE) return { rows, newcomers: [], isAll: true };
  const range = newcomersRange(known, rows, last);
  return { rows, newcomers: range === undefined ? [] : await readNewcomers(session, range), isAll: false };
}

/**
 * A product that came into the catalogue early and was changed late is among the rows that were cut off; its place is
 * before that of products which are not. Undefined when none of the rows is new.
 */
function newcomersRange(
  { lastFirstStampMicros }: Known,
  rows: readonly ChangedRow[],
  last: ChangedRow,
): NewcomersRange | undefined {
  let firstBelowMicros = lastFirstStampMicros;
  for (const { first_stamp } of rows) firstBelowMicros = Math.max(firstBelowMicros, first_stamp);
  if (firstBelowMicros === lastFirstStampMicros) return undefined;
  return { afterMicros: last.stamp, firstAboveMicros: lastFirstStampMicros, firstBelowMicros };
}

async function readNewcomers(session: Session, range: NewcomersRange): Promise<Newcomer[]> {
  const found = await listNewcomers(session, range);
  return found.map(({ id, first_stamp }) => ({ id, firstStampMicros: first_stamp }));
}
