import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailure } from './failure.ts';

export async function writeTarget(
  file: string | undefined,
  chunks: AsyncIterable<Uint8Array> | Iterable<string>,
): Promise<void> {
  if (file === undefined) {
    await pipeline(Readable.from(chunks), process.stdout, { end: false });
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
