/**
 * The cursor of the event feed: how far a reader has come, as a short opaque text. Its checksum covers the
 * account, so that neither a mistyped cursor nor that of another account is taken. A301.
 */
import { crc32 } from 'node:zlib';

export type EventCursor = {
  /** The history that the events belong to: a lower-case UUID. */
  readonly epoch: string;
  /** Every event up to this id was shown. */
  readonly afterId: string;
};

const VERSION = 1;

/** Version, epoch, id, checksum. */
const EPOCH_OFFSET = 1;
const AFTER_OFFSET = EPOCH_OFFSET + 16;
const CHECKSUM_OFFSET = AFTER_OFFSET + 8;
const SIZE_BYTES = CHECKSUM_OFFSET + 4;

/** 39 letters, digits, hyphens and underscores. */
export function encodeEventCursor({ epoch, afterId }: EventCursor, accountId: string): string {
  const bytes = Buffer.alloc(SIZE_BYTES);
  bytes.writeUInt8(VERSION);
  bytes.write(epoch.replaceAll('-', ''), EPOCH_OFFSET, 'hex');
  bytes.writeBigInt64BE(BigInt(afterId), AFTER_OFFSET);
  bytes.writeUInt32BE(checksum(bytes, accountId), CHECKSUM_OFFSET);
  return bytes.toString('base64url');
}

/** Undefined when the text is not what `encodeEventCursor` gives for this account, to the letter. */
export function decodeEventCursor(text: string, accountId: string): EventCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Node skips what is no base64url, and bits that are left over: written again, such a text looks different.
  if (bytes.length !== SIZE_BYTES || bytes.toString('base64url') !== text) return undefined;
  if (bytes.readUInt32BE(CHECKSUM_OFFSET) !== checksum(bytes, accountId)) return undefined;
  if (bytes.readUInt8() !== VERSION) return undefined;
  const hex = bytes.toString('hex', EPOCH_OFFSET, AFTER_OFFSET);
  const epoch = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { epoch, afterId: String(bytes.readBigInt64BE(AFTER_OFFSET)) };
}

function checksum(bytes: Buffer, accountId: string): number {
  return crc32(accountId, crc32(bytes.subarray(0, CHECKSUM_OFFSET)));
}
