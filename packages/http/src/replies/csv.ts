import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { spreadsheetRecord } from '@keyport/contract/csv';
import { parse } from 'csv-parse/sync';
import type { Reply } from './reply.ts';

/** An empty piece only ends a turn. */
type Pieces = AsyncIterable<string>;

export function csvReply(name: string, records: Iterable<string> | Pieces) {
  const stream: Readable = Readable.from(
    Symbol.asyncIterator in records ? eachInTurn(records, () => stream.destroyed) : records,
  );
  return {
    status: 200,
    stream,
    contentType: 'text/csv; charset=utf-8; header=present',
    headers: { 'content-disposition': `attachment; filename="${name}.csv"` },
  } as const satisfies Reply;
}

/** The node's last turn ends when the event loop has also handled what arrived during that turn. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * The files of a node take turns: each turn makes one piece of one file, and a file whose reader is slow takes no
 * turn. Forty files would otherwise occupy all shared connections to the database and delay every request. A242.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work);
  const endTurn = () => setImmediate();
  lastTurn = turn.then(endTurn, endTurn);
  return turn;
}

async function* eachInTurn(pieces: Pieces, isOver: () => boolean): AsyncGenerator<string> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const next = await inTurn(async () => (isOver() ? undefined : iterator.next()));
    if (next === undefined || next.done === true) return;
    if (next.value !== '') yield next.value;
  }
}

/** Spreadsheet programs take a file without it for one of their locale's encoding. */
const BYTE_ORDER_MARK = '\ufeff';

type ToHeadings = (names: readonly string[]) => readonly string[];

/** The same file in the form for people. Each piece of the stream has whole records; the first one has the names of columns. */
export function toSpreadsheet(pieces: Readable, toHeadings: ToHeadings): Readable {
  return Readable.from(inSpreadsheetForm(pieces, toHeadings));
}

async function* inSpreadsheetForm(
  pieces: AsyncIterable<string | Buffer>,
  toHeadings: ToHeadings,
): AsyncGenerator<string> {
  let isHead = true;
  yield BYTE_ORDER_MARK;
  for await (const piece of pieces) {
    const records: string[][] = parse(piece, { relaxColumnCount: true });
    yield records
      .map((record, place) => spreadsheetRecord(isHead && place === 0 ? toHeadings(record) : record))
      .join('');
    if (records.length > 0) isHead = false;
  }
}
