import { open } from 'node:fs/promises';
import { CommandFailure } from './failure.ts';

export type Source = {
  readonly chunks: AsyncIterable<Buffer>;
  readonly sizeBytes: number | undefined;
};

/** `-` is standard input. Throws CommandFailure when the file cannot be opened. */
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
