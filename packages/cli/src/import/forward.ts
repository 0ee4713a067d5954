/** Reports a line before sending its end, so that no response precedes the report. */
import { ColumnsError, LinePlacer, mapLines } from '@keyport/import/map-lines';
import { CSV, cutRecords } from '@keyport/import/records';
import { CommandFailure } from '../failure.ts';
import type { ReadMapping } from './mapping.ts';
import type { SentLine } from './sent-lines.ts';
import type { Format } from './source.ts';

export type Sender = {
  header(bytes: Uint8Array): void;
  line(line: SentLine): void;
  send(bytes: Uint8Array): Promise<void>;
  isOver(): boolean;
};

const SENT_SIZE_BYTES = 65_536;
/** Feeds name their few sellers in every row; recent equal lines are skipped. */
const REMEMBERED_COUNT_MAX = 10_000;

export async function forwardUnchanged(
  chunks: AsyncIterable<Buffer>,
  format: Format,
  sender: Sender,
): Promise<void> {
  let isHeader = format === 'csv';
  for await (const record of cutRecords(forwardedChunks(chunks, sender), format === 'csv' ? CSV : 'lines')) {
    if (isHeader && record.bytes !== undefined) sender.header(record.bytes);
    else sender.line(record);
    isHeader = false;
  }
}

async function* forwardedChunks(chunks: AsyncIterable<Buffer>, sender: Sender): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (sender.isOver()) return;
    yield chunk;
    await sender.send(chunk);
  }
}

/** Throws CommandFailure if the header lacks a column. */
export async function forwardMapped(
  chunks: AsyncIterable<Buffer>,
  { source, mapping }: ReadMapping,
  sender: Sender,
): Promise<void> {
  const placer = new LinePlacer();
  const remembered = new Set<string>();
  let text = '';
  const flush = async () => {
    const bytes = Buffer.from(text);
    text = '';
    if (bytes.length > 0) await sender.send(bytes);
  };
  const lines = mapLines(chunks, { source, mapping, onHeader: (bytes) => sender.header(bytes) });
  try {
    for await (const line of lines) {
      if (sender.isOver()) return;
      const { json, value: _value, ...sent } = line;
      if (line.problem === undefined && isRemembered(remembered, json)) continue;
      sender.line(sent);
      text += placer.place(line);
      if (text.length >= SENT_SIZE_BYTES) await flush();
    }
  } catch (error) {
    throw error instanceof ColumnsError ? new CommandFailure(error.message) : error;
  }
  await flush();
}

function isRemembered(remembered: Set<string>, json: string): boolean {
  if (remembered.has(json)) return true;
  remembered.add(json);
  const [oldest] = remembered;
  if (remembered.size > REMEMBERED_COUNT_MAX && oldest !== undefined) remembered.delete(oldest);
  return false;
}
