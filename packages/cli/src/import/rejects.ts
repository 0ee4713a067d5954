/** Copies rejected lines from the source, for correction, and writes the reasons beside them. */
import { rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { printable } from '@keyport/sdk-source/commands/output';
import { CommandFailure } from '../failure.ts';

/** Lines may be product keys. */
const OWNER_ONLY = 0o600;
const RECORD_SIZE_BYTES_MAX = 1_048_576;
const LINE_FEED = 0x0a;

export type Rejected = { readonly line: number; readonly message: string };

export const toReasonsPath = (path: string) => `${path}.txt`;

export function clearRejects(path: string): void {
  for (const each of [path, toReasonsPath(path)]) rmSync(each, { force: true });
}

export async function writeRejects(
  path: string,
  lines: AsyncIterable<Buffer>,
  {
    rejected,
    headerLine,
    quote,
  }: {
    readonly rejected: readonly Rejected[];
    /** 0 for none. */
    readonly headerLine: number;
    /** Undefined if no record has several lines. */
    readonly quote: string | undefined;
  },
): Promise<void> {
  const wanted = new Set([...rejected.map(({ line }) => line), ...(headerLine > 0 ? [headerLine] : [])]);
  try {
    await writeFile(path, copyRecords(lines, wanted, quote?.charCodeAt(0)), { mode: OWNER_ONLY });
    const reasons = rejected.map(({ line, message }) => `line ${line}: ${printable(message)}\n`);
    writeFileSync(toReasonsPath(path), reasons.join(''), { mode: OWNER_ONLY });
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const problem = `the rejected lines cannot be written: ${reason}. Name another file with --rejects`;
    throw new CommandFailure(problem, { cause });
  }
}

/** A record continues while a quote is open. If a quote is missing, the record is its first line. */
async function* copyRecords(
  chunks: AsyncIterable<Buffer>,
  wanted: ReadonlySet<number>,
  quote: number | undefined,
): AsyncGenerator<Buffer> {
  let number = 0;
  let record: Buffer[] = [];
  let sizeBytes = 0;
  let quotes = 0;
  for await (const line of toLines(chunks)) {
    number += 1;
    if (record.length === 0 && !wanted.has(number)) continue;
    record.push(line);
    sizeBytes += line.length;
    if (quote !== undefined) for (const byte of line) if (byte === quote) quotes += 1;
    const isOpen = quotes % 2 === 1;
    if (isOpen && sizeBytes <= RECORD_SIZE_BYTES_MAX) continue;
    yield* isOpen ? record.slice(0, 1) : record;
    [record, sizeBytes, quotes] = [[], 0, 0];
  }
  yield* record.slice(0, 1);
}

/** Each line ends in a line feed. */
async function* toLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  const take = (end: Buffer) => {
    const line = Buffer.concat([...pieces, end]);
    pieces = [];
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield take(chunk.subarray(start, end + 1));
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (pieces.length > 0) yield take(Buffer.from([LINE_FEED]));
}
