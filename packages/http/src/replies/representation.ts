/** RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2; A145. */
import { gzip } from 'node:zlib';
import type { CommonRequestHeaders, HeaderLines } from '../server/header-lines.ts';
import type { MaybePromise } from '../server/maybe-promise.ts';
import { JSON_TYPE } from './errors.ts';

export type Representation = {
  readonly status: 200;
  readonly head: string;
  readonly parts: readonly Buffer[];
  readonly tail: string;
  /** Equal for equal bodies of one URL, apart from the trace id. Visible ASCII without quotes. */
  readonly tag: string;
};

type Preferences = Pick<CommonRequestHeaders, 'ifNoneMatch' | 'acceptEncoding'>;

const COMPRESSED_SIZE_BYTES_MIN = 1024;

/** A page shrinks to less than a third; the default level saves 4 % more and costs more. */
const GZIP_LEVEL = 1;

/** Bodies beyond this number are sent uncompressed, because a queue would delay them all. */
const COMPRESSIONS_MAX = 64;

let compressionCount = 0;

export type ConditionalReply = {
  readonly status: 200 | 304;
  readonly lines: HeaderLines;
  readonly body: Buffer | undefined;
};

/** Returns a promise only for a compressed body. */
export function respond(
  representation: Representation,
  preferences: Preferences,
): MaybePromise<ConditionalReply> {
  // Weak, because the trace id differs.
  const etag = `W/"${representation.tag}"`;
  // Only the reseller's own cache may store the response, and must revalidate it.
  const lines = ['cache-control', 'private, no-cache', 'vary', 'accept-encoding', 'etag', etag];
  if (isNotModified(etag, preferences)) return { status: 304, lines, body: undefined };
  const { head, parts, tail } = representation;
  const plain = Buffer.concat([Buffer.from(head), ...parts, Buffer.from(tail)]);
  if (!isToBeCompressed(plain.length, preferences)) return withBody(lines, plain);
  return compress(plain).then((body) => withBody([...lines, 'content-encoding', 'gzip'], body));
}

function withBody(lines: HeaderLines, body: Buffer): ConditionalReply {
  const more = ['content-type', JSON_TYPE, 'content-length', String(body.length)];
  return { status: 200, lines: [...lines, ...more], body };
}

function isNotModified(etag: string, { ifNoneMatch }: Preferences): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  const opaque = etag.slice(2);
  return ifNoneMatch.split(',').some((text) => text.trim().replace(/^W\//, '') === opaque);
}

function isToBeCompressed(sizeBytes: number, { acceptEncoding }: Preferences): boolean {
  return (
    acceptEncoding !== undefined &&
    sizeBytes >= COMPRESSED_SIZE_BYTES_MIN &&
    compressionCount < COMPRESSIONS_MAX &&
    acceptsGzip(acceptEncoding)
  );
}

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

function acceptsGzip(acceptEncoding: string): boolean {
  let weight: number | undefined;
  for (const range of acceptEncoding.split(',')) {
    const [coding = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
    if (coding !== 'gzip' && coding !== 'x-gzip' && coding !== '*') continue;
    const ownWeight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
    if (coding !== '*') return ownWeight > 0;
    weight = ownWeight;
  }
  return (weight ?? 0) > 0;
}
