import { deepEqual, throws } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { sql } from '../sql.ts';
import { binaryArray, type Element, type ElementType } from './binary-array.ts';

test('a binary array has the same elements as its text form', async (t) => {
  const { db } = await testDatabase(t);
  const arrays: readonly (readonly [ElementType, readonly Element[]])[] = [
    [
      'bigint',
      [0, -1, 2 ** 32, -(2 ** 32) - 1, 2 ** 53 - 1, '9223372036854775807', '-9223372036854775808', 5n],
    ],
    ['integer', [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)]],
    ['smallint', [0, 1, -1, 32_767, -32_768]],
    ['boolean', [true, false, null]],
    ['text', ['', 'NULL', 'a "b", {c}\\', '游戏 ä', null]],
    ['uuid', [randomUUID(), randomUUID().toUpperCase(), null, 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
    ['uuid', ['00000000-0000-4000-8000-0123456789ab'.replaceAll('-', '')]],
    ['uuid', []],
    ['text', [null]],
    ['bytea', [Buffer.of(), Buffer.of(0, 92, 255), null]],
  ];
  for (const [type, elements] of arrays) {
    const { rows } = await sql<{ text: string | null }>`
      SELECT element::text AS text FROM unnest(${binaryArray(type, elements)}::${sql.raw(type)}[]) WITH ORDINALITY
        AS given (element, place) ORDER BY place`.execute(db);
    deepEqual(
      rows.map(({ text }) => text),
      elements.map((each) => (each === null ? null : asText(type, each))),
    );
  }
});

function asText(type: ElementType, element: Exclude<Element, null>): string {
  if (Buffer.isBuffer(element)) return `\\x${element.toString('hex')}`;
  if (type !== 'uuid') return String(element);
  const digits = String(element).toLowerCase().replaceAll('-', '');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

test('rejects elements that are not of the type', () => {
  throws(() => binaryArray('integer', [2 ** 31]), RangeError);
  throws(() => binaryArray('smallint', [40_000]), RangeError);
  throws(() => binaryArray('bigint', ['9223372036854775808']), RangeError);
  throws(() => binaryArray('bigint', [1.5]), RangeError);
  throws(() => binaryArray('uuid', ['00000000-0000-0000-0000-00000000000g']), TypeError);
});
