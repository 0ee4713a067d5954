/** The checksum reveals a cursor that was truncated, mistyped or issued to another owner. */
import { crc32 } from 'node:zlib';

export type FeedCursor = { readonly epoch: string; readonly places: readonly bigint[] };

const VERSION = 1;
const EPOCH_OFFSET = 1;
const PLACES_OFFSET = EPOCH_OFFSET + 16;
const PLACE_SIZE_BYTES = 8;
const CHECKSUM_SIZE_BYTES = 4;

export function encodeFeedCursor({ epoch, places }: FeedCursor, owner = ''): string {
  const checksumOffset = PLACES_OFFSET + places.length * PLACE_SIZE_BYTES;
  const bytes = Buffer.alloc(checksumOffset + CHECKSUM_SIZE_BYTES);
  bytes.writeUInt8(VERSION);
  bytes.write(epoch.replaceAll('-', ''), EPOCH_OFFSET, 'hex');
  for (const [index, place] of places.entries())
    bytes.writeBigInt64BE(place, PLACES_OFFSET + index * PLACE_SIZE_BYTES);
  bytes.writeUInt32BE(computeChecksum(bytes, owner), checksumOffset);
  return bytes.toString('base64url');
}

/** Returns undefined for any text that `encodeFeedCursor` does not return for this owner and place count. */
export function decodeFeedCursor(text: string, placeCount: number, owner = ''): FeedCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const checksumOffset = PLACES_OFFSET + placeCount * PLACE_SIZE_BYTES;
  // Node ignores invalid characters and leftover bits; encoding the bytes again reveals them.
  if (bytes.length !== checksumOffset + CHECKSUM_SIZE_BYTES || bytes.toString('base64url') !== text)
    return undefined;
  if (bytes.readUInt32BE(checksumOffset) !== computeChecksum(bytes, owner) || bytes.readUInt8() !== VERSION)
    return undefined;
  const hex = bytes.toString('hex', EPOCH_OFFSET, PLACES_OFFSET);
  return {
    epoch: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    places: Array.from({ length: placeCount }, (_, index) =>
      bytes.readBigInt64BE(PLACES_OFFSET + index * PLACE_SIZE_BYTES),
    ),
  };
}

function computeChecksum(bytes: Buffer, owner: string): number {
  return crc32(owner, crc32(bytes.subarray(0, -CHECKSUM_SIZE_BYTES)));
}
