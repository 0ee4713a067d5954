import { isDeepStrictEqual } from 'node:util';
import type { LineKind } from './import-kinds.ts';
import type { ImportLine } from './lines/lines.ts';

export type LineProblem = { readonly line: number; readonly message: string };

export type Batch<Row> = {
  lastLine: number;
  readonly rows: { readonly line: number; readonly row: Row }[];
  /** Lines that equal an earlier row of the batch: they change nothing, or are rejected like that row. */
  readonly repeats: { readonly line: number; readonly index: number }[];
  readonly problems: LineProblem[];
  /** The number of codes that lost white space or invisible characters. */
  trimmed: number;
};

/** Orders wait about 60 ms for the locks of a batch (2 cores, 2026-11-21). */
const BATCH_LINE_COUNT_MAX = 1_000;
/** Feeds name their few sellers in every row. */
const BATCH_REPEAT_COUNT_MAX = 10_000;
const BATCH_SIZE_BYTES_MAX = 4 * 1_048_576;

/**
 * Yields batches in the order of the lines. The last one may be empty. A different line about a record of the batch
 * begins the next batch, so that the last line about a record counts.
 */
export async function* gatherBatches<Row>(
  kind: LineKind<Row>,
  lines: AsyncIterable<ImportLine>,
): AsyncGenerator<Batch<Row>> {
  let batch = emptyBatch<Row>();
  let sizeBytes = 0;
  const indexes = new Map<string | number, number>();
  for await (const line of lines) {
    const parsed = 'problem' in line ? line : kind.parse(line.value);
    const identity = 'row' in parsed ? kind.toIdentity(parsed.row) : undefined;
    const index = identity === undefined ? undefined : indexes.get(identity);
    const isRepeat =
      index !== undefined && 'row' in parsed && isDeepStrictEqual(batch.rows[index]?.row, parsed.row);
    const isFull =
      batch.rows.length + batch.problems.length >= BATCH_LINE_COUNT_MAX ||
      batch.repeats.length >= BATCH_REPEAT_COUNT_MAX ||
      sizeBytes >= BATCH_SIZE_BYTES_MAX;
    if (isFull || (index !== undefined && !isRepeat)) {
      yield batch;
      batch = emptyBatch<Row>();
      sizeBytes = 0;
      indexes.clear();
    }
    batch.lastLine = line.line;
    sizeBytes += line.sizeBytes;
    if ('problem' in parsed) batch.problems.push({ line: line.line, message: `${parsed.problem}.` });
    else if (isRepeat && !isFull) batch.repeats.push({ line: line.line, index });
    else {
      if (identity !== undefined) indexes.set(identity, batch.rows.length);
      batch.rows.push({ line: line.line, row: parsed.row });
      if (parsed.isTrimmed) batch.trimmed += 1;
    }
  }
  yield batch;
}

function emptyBatch<Row>(): Batch<Row> {
  return { lastLine: 0, rows: [], repeats: [], problems: [], trimmed: 0 };
}

/** Reads the next value while the current one is used. */
export async function* prefetch<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (let { value, done } = await next; done !== true; { value, done } = await next) {
      next = source.next();
      // If the loop never awaits `next`, its rejection must not end the process.
      next.catch(() => {});
      yield value;
    }
  } finally {
    // Not awaited, because the source's sender may send nothing more.
    void source.return(undefined).catch(() => {});
  }
}
