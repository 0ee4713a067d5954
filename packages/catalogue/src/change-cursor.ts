/**
 * The cursor of the change feed: where a reader is in which history of the catalogue, as a short opaque
 * text. Its checksum reveals a cursor that was cut or mistyped. A125, A127.
 */
import { crc32 } from 'node:zlib';

export type ChangeCursor = {
  /** The history that the stamps belong to: a lower-case UUID. */
  readonly epoch: string;
  /** The newest stamp when the reader began, microseconds: what was gone by then was never shown. */
  readonly startedMicros: number;
  /** Every change up to this stamp was shown, microseconds. */
  readonly afterMicros: number;
};

const VERSION = 1;

/** Version, epoch, two stamps, checksum. */
const EPOCH_OFFSET = 1;
const STARTED_OFFSET = EPOCH_OFFSET + 16;
const AFTER_OFFSET = STARTED_OFFSET + 8;
const CHECKSUM_OFFSET = AFTER_OFFSET + 8;
const SIZE_BYTES = CHECKSUM_OFFSET + 4;

/** 50 letters, digits, hyphens and underscores. */
export function encodeCursor({ epoch, startedMicros, afterMicros }: ChangeCursor): string {
  const bytes = Buffer.alloc(SIZE_BYTES);
  bytes.writeUInt8(VERSION);
  bytes.write(epoch.replaceAll('-', ''), EPOCH_OFFSET, 'hex');
  bytes.writeBigUInt64BE(BigInt(startedMicros), STARTED_OFFSET);
  bytes.writeBigUInt64BE(BigInt(afterMicros), AFTER_OFFSET);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, CHECKSUM_OFFSET)), CHECKSUM_OFFSET);
  return bytes.toString('base64url');
}

/** Undefined when the text is not what `encodeCursor` gives, to the letter. */
export function decodeCursor(text: string): ChangeCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Node skips what is no base64url, and bits that are left over: written again, such a text looks different.
  if (bytes.length !== SIZE_BYTES || bytes.toString('base64url') !== text) return undefined;
  if (bytes.readUInt32BE(CHECKSUM_OFFSET) !== crc32(bytes.subarray(0, CHECKSUM_OFFSET))) return undefined;
  const startedMicros = Number(bytes.readBigUInt64BE(STARTED_OFFSET));
  const afterMicros = Number(bytes.readBigUInt64BE(AFTER_OFFSET));
  const isCounted = Number.isSafeInteger(startedMicros) && Number.isSafeInteger(afterMicros);
  if (bytes.readUInt8() !== VERSION || !isCounted) return undefined;
  return {
    epoch: formatUuid(bytes.toString('hex', EPOCH_OFFSET, STARTED_OFFSET)),
    startedMicros,
    afterMicros,
  };
}

function formatUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
