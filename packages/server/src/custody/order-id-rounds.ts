/** Must never change: a different permutation could repeat an order's id. A6. */
import { createCipheriv } from 'node:crypto';
import { assert, must } from '@keyport/core/assert';
import { buildOrderId, type MakeOrderId, type RoundFunction } from '@keyport/core/ids';

const CIPHER = 'aes-256-ctr';
const SECRET_SIZE_BYTES = 32;
const BLOCK_SIZE_BYTES = 16;
/** Even rounds use the low half of the serial, odd ones the high half. */
const ROUND_SIZES = [4000, 2500, 4000, 2500, 4000, 2500];

export function loadOrderIdRounds(secret: Buffer): RoundFunction {
  assert(secret.length === SECRET_SIZE_BYTES, 'the secret of order ids is an AES-256 key');
  const tables = ROUND_SIZES.map((size, roundIndex) => buildTable(secret, roundIndex, size));
  return (roundIndex, half) => must(tables[roundIndex]?.[half], 'a round and a half of an order id');
}

export function loadOrderIds(secret: Buffer, mode: 'live' | 'sandbox'): MakeOrderId {
  const round = loadOrderIdRounds(secret);
  const isSandbox = mode === 'sandbox';
  return (order) => buildOrderId({ ...order, round, isSandbox });
}

function buildTable(secret: Buffer, roundIndex: number, size: number): Uint32Array {
  // A table's blocks never reach the upper half of the counter.
  const counter = Buffer.alloc(BLOCK_SIZE_BYTES);
  counter.writeUInt32BE(roundIndex, 0);
  const bytes = Buffer.alloc(size * Uint32Array.BYTES_PER_ELEMENT);
  const stream = createCipheriv(CIPHER, secret, counter).update(bytes);
  return Uint32Array.from({ length: size }, (_, index) =>
    stream.readUInt32LE(index * Uint32Array.BYTES_PER_ELEMENT),
  );
}
