import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandFailure } from '../failure.ts';
import { openSource, type Source } from '../files.ts';

export type Format = 'ndjson' | 'csv';

const FORMAT_BY_ENDING: readonly (readonly [RegExp, Format])[] = [
  [/\.(?:ndjson|jsonl)(?:\.gz)?$/i, 'ndjson'],
  [/\.csv(?:\.gz)?$/i, 'csv'],
];

export function formatOf(name: string): Format | undefined {
  const path = isAddress(name) ? (URL.parse(name)?.pathname ?? '') : name;
  return FORMAT_BY_ENDING.find(([ending]) => ending.test(path))?.[1];
}

function isAddress(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

export function isFile(name: string): boolean {
  return name !== '-' && !isAddress(name);
}

/** Decompresses while reading; `onRead` gets sizes before that. Throws CommandFailure. */
export async function openImportSource(
  name: string,
  signal: AbortSignal,
  onRead: (chunkBytes: number) => void,
): Promise<Source> {
  const { chunks, sizeBytes } = isAddress(name) ? await download(name, signal) : await openSource(name);
  if (name === '-') signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  return { sizeBytes, chunks: inflated(counted(chunks, onRead), name) };
}

export async function hashFile(
  name: string,
  salt: string,
  onRead: (chunkBytes: number, totalBytes: number | undefined) => void,
): Promise<string> {
  const { chunks, sizeBytes } = await openSource(name);
  const hash = createHash('sha256').update(salt);
  for await (const chunk of chunks) {
    hash.update(chunk);
    onRead(chunk.length, sizeBytes);
  }
  return hash.digest('hex');
}

async function download(address: string, signal: AbortSignal): Promise<Source> {
  const response = await fetch(address, { signal, headers: { 'accept-encoding': 'identity' } }).catch(
    (cause: unknown) => {
      throw new CommandFailure(`${address} does not respond; check the address`, { cause });
    },
  );
  if (!response.ok || response.body === null) {
    throw new CommandFailure(`${address} returned ${response.status}; check the address`);
  }
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  // With a content encoding, the length differs from the bytes that fetch returns.
  const isAsSent = response.headers.get('content-encoding') === null;
  return {
    chunks: withReason(response.body, `the download of ${address} ended early`),
    sizeBytes: isAsSent && Number.isSafeInteger(length) ? length : undefined,
  };
}

async function* withReason(chunks: AsyncIterable<Uint8Array>, reason: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  } catch (cause) {
    throw new CommandFailure(reason, { cause });
  }
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  onRead: (chunkBytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onRead(chunk.length);
    yield chunk;
  }
}

async function* inflated(chunks: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  let first = Buffer.alloc(0);
  while (first.length < GZIP.length) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first = Buffer.concat([first, value]);
  }
  const whole = joined(first, chunks);
  if (!first.subarray(0, GZIP.length).equals(GZIP)) return yield* whole;
  const input = Readable.from(whole);
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

const GZIP = Buffer.from([0x1f, 0x8b]);

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  yield* rest;
}
