/**
 * An answer of a conditional operation: its tag, so that a caller who has it already gets 304, and its body, which is
 * assembled once, in the memory that it is sent from. Compressed when the caller accepts that.
 * RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2; A145.
 */
import { gzip } from 'node:zlib';
import type { CommonRequestHeaders, HeaderLines } from '../server/header-lines.ts';
import type { MaybePromise } from '../server/maybe-promise.ts';
import type { ByteRanges } from './byte-ranges.ts';
import { JSON_TYPE } from './errors.ts';

export type Representation = {
  readonly status: 200;
  /** The JSON body: ASCII, ranges of bytes, ASCII. */
  readonly head: string;
  readonly ranges: ByteRanges;
  readonly tail: string;
  /**
   * Stands for everything that the body shows but the trace id: equal tags under one URL, equal answers. Visible ASCII
   * without quotes.
   */
  readonly tag: string;
};

/** The headers of the request that decide over the form of the answer. */
type Preferences = Pick<CommonRequestHeaders, 'ifNoneMatch' | 'acceptEncoding'>;

/** Smaller bodies are not worth the work: they fit into a packet as they are. */
const COMPRESSED_SIZE_BYTES_MIN = 1024;

/** A page becomes less than a third; the default level makes it 4 % smaller still and costs more. */
const GZIP_LEVEL = 1;

/** Past it responses go out uncompressed: a queue would delay them all. */
const COMPRESSIONS_MAX = 64;

let compressionCount = 0;

/** What goes out for a representation. `lines` are the headers that depend on it. */
export type Answer = {
  readonly status: 200 | 304;
  readonly lines: HeaderLines;
  /** Undefined with 304. */
  readonly body: Buffer | undefined;
};

/**
 * The answer that fits the preferences; a promise only when it has to be compressed. The ranges are read before this
 * returns. `allocate` gives memory for at least so many bytes, for a body that is not compressed.
 */
export function respond(
  representation: Representation,
  preferences: Preferences,
  allocate: (sizeBytes: number) => Buffer,
): MaybePromise<Answer> {
  // Weak, because the trace id differs from answer to answer.
  const etag = `W/"${representation.tag}"`;
  // A shared cache must not keep what was for one reseller; its own may, and asks again each time.
  const lines = ['cache-control', 'private, no-cache', 'vary', 'accept-encoding', 'etag', etag];
  if (isNotModified(etag, preferences)) return { status: 304, lines, body: undefined };
  const sizeBytes = sizeOf(representation);
  if (!isToBeCompressed(sizeBytes, preferences)) {
    return withBody(lines, assemble(representation, allocate(sizeBytes)));
  }
  const plain = assemble(representation, Buffer.allocUnsafe(sizeBytes));
  return compress(plain).then((body) => withBody([...lines, 'content-encoding', 'gzip'], body));
}

function withBody(lines: HeaderLines, body: Buffer): Answer {
  const more = ['content-type', JSON_TYPE, 'content-length', String(body.length)];
  return { status: 200, lines: [...lines, ...more], body };
}

/** True when the caller has the answer already. */
function isNotModified(etag: string, { ifNoneMatch }: Preferences): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  const opaque = etag.slice(2);
  return ifNoneMatch.split(',').some((text) => text.trim().replace(/^W\//, '') === opaque);
}

function sizeOf({ head, ranges, tail }: Representation): number {
  return head.length + ranges.sizeBytes + tail.length;
}

/** Puts the body together at the beginning of `target`, which is large enough, and returns that part of it. */
function assemble({ head, ranges, tail }: Representation, target: Buffer): Buffer {
  const end = ranges.copyTo(target, target.write(head, 'latin1'));
  return target.subarray(0, end + target.write(tail, end, 'latin1'));
}

function isToBeCompressed(sizeBytes: number, { acceptEncoding }: Preferences): boolean {
  return (
    acceptEncoding !== undefined &&
    sizeBytes >= COMPRESSED_SIZE_BYTES_MIN &&
    compressionCount < COMPRESSIONS_MAX &&
    acceptsGzip(acceptEncoding)
  );
}

/** On a thread of its own. */
function compress(body: Buffer): Promise<Buffer> {
  compressionCount += 1;
  return new Promise((resolve, reject) => {
    gzip(body, { level: GZIP_LEVEL }, (error, compressed) => {
      compressionCount -= 1;
      if (error === null) resolve(compressed);
      else reject(error);
    });
  });
}

/** Both names and `*`, unless their weight is 0. */
function acceptsGzip(acceptEncoding: string): boolean {
  let weight: number | undefined;
  for (const range of acceptEncoding.split(',')) {
    const [coding = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
    if (coding !== 'gzip' && coding !== 'x-gzip' && coding !== '*') continue;
    const given = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
    if (coding !== '*') return given > 0;
    weight = given;
  }
  return (weight ?? 0) > 0;
}
