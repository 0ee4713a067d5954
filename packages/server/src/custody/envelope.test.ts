import { equal, notDeepEqual, ok, throws } from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { UnwrapError, unwrap, wrap } from './envelope.ts';

const masterKey = createSecretKey(randomBytes(32));
const secret = randomBytes(32);

test('unwrapping with the same key and name returns the secret', () => {
  ok(unwrap(masterKey, wrap(masterKey, secret, 'a'), 'a').equals(secret));
  equal(unwrap(masterKey, wrap(masterKey, Buffer.alloc(0), 'a'), 'a').length, 0);
});

test('wrapping the same secret twice produces different bytes', () => {
  notDeepEqual(wrap(masterKey, secret, 'a'), wrap(masterKey, secret, 'a'));
});

test('a different master key or name does not unwrap', () => {
  const wrapped = wrap(masterKey, secret, 'a');
  throws(() => unwrap(createSecretKey(randomBytes(32)), wrapped, 'a'), UnwrapError);
  throws(() => unwrap(masterKey, wrapped, 'b'), UnwrapError);
});

test('detects a flipped bit anywhere in the wrapped bytes', () => {
  const wrapped = wrap(masterKey, secret, 'a');
  for (let bit = 0; bit < wrapped.length * 8; bit += 1) {
    const changed = flipBit(wrapped, bit);
    throws(() => unwrap(masterKey, changed, 'a'), UnwrapError, `bit ${bit}`);
  }
});

test('detects wrapped bytes that were truncated at any length', () => {
  const wrapped = wrap(masterKey, secret, 'a');
  for (let size = 0; size < wrapped.length; size += 1) {
    throws(() => unwrap(masterKey, wrapped.subarray(0, size), 'a'), UnwrapError, `${size} bytes`);
  }
});

function flipBit(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return changed;
}
