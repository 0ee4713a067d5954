/** A source is read once before it is sent: its lines are counted for the progress, and its hash names the import. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CommandFailure } from '../failure.ts';
import { openSource } from '../files.ts';

export type Format = 'ndjson' | 'csv';

const FORMAT_BY_ENDING: readonly (readonly [RegExp, Format])[] = [
  [/\.(?:ndjson|jsonl)(?:\.gz)?$/i, 'ndjson'],
  [/\.csv(?:\.gz)?$/i, 'csv'],
];

export function toFormat(name: string): Format | undefined {
  const path = isAddress(name) ? (URL.parse(name)?.pathname ?? '') : name;
  return FORMAT_BY_ENDING.find(([ending]) => ending.test(path))?.[1];
}

function isAddress(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

export function isFile(name: string): boolean {
  return name !== '-' && !isAddress(name);
}

export type ImportSource = {
  readonly isGzip: boolean;
  readonly lineCount: number;
  readonly hash: string;
  /** The bytes as stored. */
  readonly read: () => Readable;
  /** Without compression. */
  readonly readText: () => AsyncIterable<Buffer>;
  readonly dispose: () => Promise<void>;
};

/** Copies standard input and addresses to a temporary file. Throws CommandFailure. */
export async function openImportSource(name: string, salt: string): Promise<ImportSource> {
  const folder = isFile(name) ? undefined : await mkdtemp(join(tmpdir(), 'keyport-import-'));
  const dispose = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const path = folder === undefined ? name : join(folder, 'source');
    if (folder !== undefined) {
      const chunks = isAddress(name) ? download(name) : process.stdin;
      // Sources may be product keys.
      await pipeline(chunks, createWriteStream(path, { mode: 0o600 }));
    }
    const isGzip = await startsWithGzip(path);
    const read = () => createReadStream(path);
    const readText = (hash?: Hash) =>
      inflated(hash === undefined ? read() : hashed(read(), hash), isGzip, name);
    const hash = createHash('sha256').update(salt);
    let lineCount = 0;
    let isOpen = false;
    for await (const chunk of readText(hash)) {
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1))
        lineCount += 1;
      isOpen = chunk.at(-1) !== LINE_FEED;
    }
    if (isOpen) lineCount += 1;
    return { isGzip, lineCount, hash: hash.digest('hex'), read, readText: () => readText(), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

const LINE_FEED = 0x0a;

async function startsWithGzip(path: string): Promise<boolean> {
  for await (const chunk of (await openSource(path)).chunks) {
    return chunk.subarray(0, 2).toString('hex') === '1f8b';
  }
  return false;
}

async function* download(address: string): AsyncGenerator<Uint8Array> {
  const response = await fetch(address, { headers: { 'accept-encoding': 'identity' } }).catch(
    (cause: unknown) => {
      throw new CommandFailure(`${address} does not respond; check the address`, { cause });
    },
  );
  if (!response.ok || response.body === null) {
    throw new CommandFailure(`${address} returned ${response.status}; check the address`);
  }
  try {
    yield* response.body;
  } catch (cause) {
    throw new CommandFailure(`the download of ${address} ended early`, { cause });
  }
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* inflated(
  chunks: AsyncIterable<Buffer>,
  isGzip: boolean,
  name: string,
): AsyncGenerator<Buffer> {
  if (!isGzip) return yield* chunks;
  const input = Readable.from(chunks);
  const output = createGunzip();
  input.on('error', (error) => output.destroy(error));
  try {
    yield* input.pipe(output);
  } catch (cause) {
    const isGzipFault = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');
    if (!isGzipFault) throw cause;
    throw new CommandFailure(`${name} is not valid gzip, or its end is missing: fetch it again`, { cause });
  }
}
