import type { ImportLine } from '@keyport/import/lines';
import type { LineKind } from './import-kinds.ts';

export type LineProblem = { readonly line: number; readonly message: string };

export type Batch<Row> = {
  lastLine: number;
  /** The number of lines before the batch that an earlier request processed. */
  skipped: number;
  readonly rows: { readonly line: number; readonly row: Row }[];
  readonly problems: LineProblem[];
  /** The number of codes that lost white space or invisible characters. */
  trimmed: number;
};

/** Orders wait about 60 ms for the locks of a batch (2 cores, 2026-11-21). */
const BATCH_LINE_COUNT_MAX = 1_000;
const BATCH_SIZE_BYTES_MAX = 4 * 1_048_576;

/** Yields batches in the order of the lines. The last one may be empty. */
export async function* gatherBatches<Row>(
  kind: LineKind<Row>,
  lines: AsyncIterable<ImportLine>,
): AsyncGenerator<Batch<Row>> {
  let batch: Batch<Row> = { lastLine: 0, skipped: 0, rows: [], problems: [], trimmed: 0 };
  let sizeBytes = 0;
  const identities = new Set<string | number>();
  for await (const line of lines) {
    if ('isSkipped' in line) {
      batch.skipped += 1;
      batch.lastLine = line.line;
      continue;
    }
    const parsed = 'problem' in line ? line : kind.parse(line.value);
    const identity = 'row' in parsed ? kind.identityOf(parsed.row) : undefined;
    const lineCount = batch.rows.length + batch.problems.length;
    const isFull = lineCount >= BATCH_LINE_COUNT_MAX || sizeBytes >= BATCH_SIZE_BYTES_MAX;
    if (isFull || (identity !== undefined && identities.has(identity))) {
      yield batch;
      batch = { lastLine: 0, skipped: 0, rows: [], problems: [], trimmed: 0 };
      sizeBytes = 0;
      identities.clear();
    }
    batch.lastLine = line.line;
    sizeBytes += line.sizeBytes;
    if (identity !== undefined) identities.add(identity);
    if ('row' in parsed) {
      batch.rows.push({ line: line.line, row: parsed.row });
      if (parsed.isTrimmed) batch.trimmed += 1;
    } else batch.problems.push({ line: line.line, message: `${parsed.problem}.` });
  }
  yield batch;
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
