/**
 * The server parses a binary array in two thirds of the time that text takes. node-postgres sends a Buffer
 * unchanged.
 */

/** A `bigint` can be a string of digits. */
export type ElementType = 'bigint' | 'boolean' | 'bytea' | 'integer' | 'smallint' | 'text' | 'uuid';

export type Element = string | number | bigint | boolean | Buffer | null;

/** `size` is in bytes per element; 0 if it varies. */
const TYPES: Readonly<Record<ElementType, { readonly oid: number; readonly size: number }>> = {
  bigint: { oid: 20, size: 8 },
  boolean: { oid: 16, size: 1 },
  bytea: { oid: 17, size: 0 },
  integer: { oid: 23, size: 4 },
  smallint: { oid: 21, size: 2 },
  text: { oid: 25, size: 0 },
  uuid: { oid: 2950, size: 16 },
};

const HEADER_SIZE = 20;
const LENGTH_SIZE = 4;
const NULL_LENGTH = -1;
const TWO_TO_32 = 2 ** 32;
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

export function binaryArray(type: ElementType, elements: readonly Element[]): Buffer {
  const { oid, size } = TYPES[type];
  let sizeBytes = HEADER_SIZE;
  for (const element of elements)
    sizeBytes += LENGTH_SIZE + (element === null ? 0 : computeSize(size, element));
  const bytes = Buffer.allocUnsafe(sizeBytes);
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(elements.includes(null) ? 1 : 0, 4);
  bytes.writeInt32BE(oid, 8);
  bytes.writeInt32BE(elements.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEADER_SIZE;
  for (const element of elements) {
    const length = element === null ? NULL_LENGTH : computeSize(size, element);
    bytes.writeInt32BE(length, at);
    at += LENGTH_SIZE;
    if (element === null) continue;
    write(type, bytes, at, element);
    at += length;
  }
  return bytes;
}

function computeSize(size: number, element: Element): number {
  if (size > 0) return size;
  return Buffer.isBuffer(element) ? element.length : Buffer.byteLength(String(element));
}

function write(type: ElementType, bytes: Buffer, at: number, element: Exclude<Element, null>): void {
  switch (type) {
    case 'bigint':
      writeBigint(bytes, at, element as string | number | bigint);
      break;
    case 'boolean':
      bytes[at] = element === true ? 1 : 0;
      break;
    case 'integer':
      bytes.writeInt32BE(Number(element), at);
      break;
    case 'smallint':
      bytes.writeInt16BE(Number(element), at);
      break;
    case 'bytea':
      bytes.set(element as Buffer, at);
      break;
    case 'text':
      bytes.write(String(element), at);
      break;
    case 'uuid':
      writeUuid(bytes, at, String(element));
  }
}

function writeBigint(bytes: Buffer, at: number, element: string | number | bigint): void {
  const number = Number(element);
  if (!Number.isSafeInteger(number)) {
    bytes.writeBigInt64BE(BigInt(element), at);
    return;
  }
  const high = Math.floor(number / TWO_TO_32);
  bytes.writeInt32BE(high, at);
  bytes.writeUInt32BE(number - high * TWO_TO_32, at + 4);
}

/** Converts character by character, because removing the hyphens first costs several times as much. */
function writeUuid(bytes: Buffer, at: number, uuid: string): void {
  if (!UUID.test(uuid)) throw new TypeError('not a UUID');
  for (let index = 0, to = at; index < uuid.length; index += 2, to += 1) {
    if (uuid[index] === '-') index += 1;
    bytes[to] = digitAt(uuid, index) * 16 + digitAt(uuid, index + 1);
  }
}

/** The low four bits of a letter's code are 1 to 6. */
function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return (code & 15) + (code > 57 ? 9 : 0);
}
