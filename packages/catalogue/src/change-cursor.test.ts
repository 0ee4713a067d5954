/** A125. */
import { deepEqual, equal, match, notDeepEqual } from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { test } from 'vitest';
import { type ChangeCursor, decodeCursor, encodeCursor } from './change-cursor.ts';

const stamp = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const cursors: fc.Arbitrary<ChangeCursor> = fc.record(
  { epoch: fc.uuid(), startedMicros: stamp, afterMicros: stamp, orderableOnly: fc.boolean() },
  { noNullPrototype: true },
);

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a cursor decodes to its values and needs no encoding in a URL', () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      const text = encodeCursor(cursor);
      match(text, /^[A-Za-z0-9_-]{50,60}$/);
      deepEqual(decodeCursor(text), cursor);
    }),
  );
});

test('a cursor with a letter changed, missing or added is rejected', () => {
  fc.assert(
    fc.property(cursors, fc.nat(), fc.constantFrom(...LETTERS), (cursor, place, letter) => {
      const text = encodeCursor(cursor);
      const at = place % text.length;
      const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
      if (changed !== text) equal(decodeCursor(changed), undefined);
      equal(decodeCursor(text.slice(0, at)), undefined);
      equal(decodeCursor(`${text.slice(0, at)}${letter}${text.slice(at)}`), undefined);
      equal(decodeCursor(`${text}=`), undefined);
    }),
  );
});

test('no other text is a cursor, and different cursors have different texts', () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => equal(decodeCursor(text), undefined)));
  fc.assert(
    fc.property(cursors, cursors, (one, other) => {
      if (encodeCursor(one) === encodeCursor(other)) deepEqual(one, other);
      else notDeepEqual(one, other);
    }),
  );
});

test('a cursor of another version, or with a stamp beyond the safe integers, is rejected', () => {
  const epoch = '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e11';
  const good = Buffer.from(
    encodeCursor({ epoch, startedMicros: 1, afterMicros: 2, orderableOnly: false }),
    'base64url',
  );
  const sealed = (change: (bytes: Buffer) => unknown) => {
    const bytes = Buffer.from(good);
    change(bytes);
    bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
    return decodeCursor(bytes.toString('base64url'));
  };
  deepEqual(
    sealed((bytes) => bytes),
    { epoch, startedMicros: 1, afterMicros: 2, orderableOnly: false },
  );
  equal(
    sealed((bytes) => bytes.writeUInt8(2)),
    undefined,
  );
  equal(
    sealed((bytes) => bytes.writeBigUInt64BE(2n ** 53n, 17)),
    undefined,
  );
  equal(
    sealed((bytes) => bytes.writeBigUInt64BE(2n ** 53n, 25)),
    undefined,
  );
});
