/**
 * Forwards the bytes of a source unchanged, and reports which lines are in them. Lines are cut by the same code as in
 * the service, so both count them alike; a line is reported before its end is forwarded, so no response can come earlier.
 */
import { CSV, cutRecords, isBlank } from '@keyport/server/imports/import-records';
import type { SentLine } from './sent-lines.ts';
import type { Format } from './source.ts';

export type Sender = {
  /** The header row of CSV. */
  header(bytes: Buffer): void;
  line(line: SentLine): void;
  /** Resolves when more may be sent. */
  send(bytes: Uint8Array): Promise<void>;
  /** Nothing more is wanted. */
  isOver(): boolean;
};

/** Resolves when all is forwarded, or nothing more is wanted. */
export async function forwardUnchanged(
  chunks: AsyncIterable<Buffer>,
  format: Format,
  sender: Sender,
): Promise<void> {
  let isHeader = format === 'csv';
  for await (const record of cutRecords(forwardedChunks(chunks, sender), format === 'csv' ? CSV : 'lines')) {
    if (isHeader && record.bytes !== undefined && !isBlank(record)) {
      sender.header(record.bytes);
      isHeader = false;
    } else sender.line(record);
  }
}

async function* forwardedChunks(chunks: AsyncIterable<Buffer>, sender: Sender): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (sender.isOver()) return;
    yield chunk;
    await sender.send(chunk);
  }
}
