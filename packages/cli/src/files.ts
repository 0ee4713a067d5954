import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { printableLines } from '@keyport/sdk-source/commands/output';
import { CommandFailure } from './failure.ts';

export type Source = {
  readonly chunks: AsyncIterable<Buffer>;
  readonly sizeBytes: number | undefined;
};

/** `-` is standard input. Throws CommandFailure. */
export async function openSource(file: string): Promise<Source> {
  if (file === '-') return { chunks: process.stdin, sizeBytes: undefined };
  const handle = await open(file).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(`the file cannot be read: ${reason}`, { cause });
  });
  const stats = await handle.stat();
  if (stats.isDirectory())
    throw new CommandFailure(`${file} is a folder; name a file, or - for standard input`);
  return { chunks: handle.createReadStream(), sizeBytes: stats.isFile() ? stats.size : undefined };
}

/** Reads UTF-8, or UTF-16 with a byte order mark, which is left out. Throws CommandFailure. */
export async function readTextFile(file: string): Promise<string> {
  const bytes = await buffer((await openSource(file)).chunks);
  const mark = bytes.toString('hex', 0, 2);
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const name = file === '-' ? 'standard input' : file;
    throw new CommandFailure(`${name} is not valid UTF-8; write it in UTF-8`, { cause });
  }
}

export async function writeTarget(
  file: string | undefined,
  chunks: AsyncIterable<Uint8Array> | Iterable<string>,
): Promise<void> {
  if (file === undefined) {
    const shown = process.stdout.isTTY ? terminalText(chunks) : chunks;
    await pipeline(Readable.from(shown), process.stdout, { end: false });
    return;
  }
  const unfinished = `${file}.part`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(unfinished));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    const isOurs = error instanceof Error && 'syscall' in error;
    throw isOurs
      ? new CommandFailure(`the file cannot be written: ${error.message}`, { cause: error })
      : error;
  }
}

async function* terminalText(chunks: AsyncIterable<Uint8Array> | Iterable<string>): AsyncGenerator<string> {
  const utf8 = new TextDecoder();
  for await (const chunk of chunks)
    yield printableLines(typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true }));
}
