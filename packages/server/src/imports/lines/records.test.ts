import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { CSV, type CsvDialect, cutLines, cutRows, RECORD_SIZE_BYTES_MAX } from './records.ts';

async function* toChunks(bytes: Buffer, sizes: readonly number[] = [65_536]): AsyncGenerator<Buffer> {
  for (let start = 0, index = 0; start < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function toRows(text: string | Buffer, dialect: CsvDialect = CSV, sizes?: readonly number[]) {
  const rows = [];
  for await (const { line, content } of cutRows(toChunks(Buffer.from(text), sizes), dialect))
    rows.push([line, content]);
  return rows;
}

const cell = fc.oneof(
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[",\r\n\s\uFFFD]/g, 'x')),
  fc.string({ unit: fc.constantFrom('a', '"', '\n', '\r\n', ',', 'é', ' '), maxLength: 6 }),
);

test('rows and their lines do not depend on chunks, and quotes keep everything', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 20 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
      async (rows, lineEnd, sizes) => {
        const text = rows.map(
          (cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join() + lineEnd,
        );
        let line = 1;
        const expected = rows.flatMap((cells) => {
          const row = [line, cells];
          line += 1 + (cells.join('').match(/\n/g)?.length ?? 0);
          return cells.join('').trim() === '' ? [] : [row];
        });
        deepEqual(await toRows(text.join(''), CSV, sizes), expected);
      },
    ),
    { numRuns: 200 },
  );
});

test.each([
  [
    'a byte order mark before a quoted header with a line end',
    '\uFEFF"a\nb",c\n1,2\n',
    [
      [1, ['a\nb', 'c']],
      [3, ['1', '2']],
    ],
  ],
  [
    'blank rows',
    'a,b\n\n,,\n ; \n',
    [
      [1, ['a', 'b']],
      [4, [' ; ']],
    ],
  ],
  ['no line end at the end', 'a,b', [[1, ['a', 'b']]]],
  ['quotes within a cell', 'a"b,"c"d\n', [[1, ['a"b', '"c"d']]]],
  [
    'only carriage returns',
    'a,b\r1,2\r',
    [
      [1, ['a', 'b']],
      [2, ['1', '2']],
    ],
  ],
  [
    'an open quote at the end',
    'a\n"b\nc\n',
    [
      [1, ['a']],
      [2, { problem: 'is not valid CSV: a quote is not closed' }],
    ],
  ],
])('CSV is read with %s', async (_, text, rows) => {
  deepEqual(await toRows(text), rows);
  deepEqual(await toRows(text, CSV, [1]), rows);
});

test.each(['utf-16le', 'utf-16be'])('%s is read by its byte order mark', async (encoding) => {
  const bytes = Buffer.from('\uFEFFä,b\n1,2\n', 'utf16le');
  deepEqual(await toRows(encoding === 'utf-16le' ? bytes : bytes.swap16()), [
    [1, ['ä', 'b']],
    [2, ['1', '2']],
  ]);
});

test('a text that is not UTF-8 is rejected, and read in its own encoding', async () => {
  const bytes = Buffer.from('a\n\u00e4\n', 'latin1');
  deepEqual(await toRows(bytes), [
    [1, ['a']],
    [2, { problem: 'is not valid UTF-8; write it in UTF-8' }],
  ]);
  deepEqual(await toRows(bytes, { ...CSV, encoding: 'latin1' }), [
    [1, ['a']],
    [2, ['ä']],
  ]);
});

test('a row whose quote is missing is reported up to where the reader gave up, and the rest is read', async () => {
  const row = `${'y'.repeat(79)},z\n`;
  const count = Math.ceil((2 * RECORD_SIZE_BYTES_MAX) / row.length);
  const rows = await toRows(`a,b\n"open,1\n${row.repeat(count)}`);
  const [, [line, content] = []] = rows;
  const [, end] = /extends to line (\d+): close its quote/.exec(Object(content).problem) ?? [];
  deepEqual([line, rows.length], [2, 2 + count + 2 - Number(end)]);
  deepEqual(rows.at(-1)?.[0], count + 2);
});

test('an endless line is dropped', async () => {
  const long = 'x'.repeat(3 * RECORD_SIZE_BYTES_MAX);
  const rows = await toRows(`a\n${long}\nb\n`);
  deepEqual([rows.length, rows[1]?.[0], rows[2]], [3, 2, [3, ['b']]]);
  const lines = [];
  for await (const { line, content } of cutLines(toChunks(Buffer.from(`a\n${long}\nb`))))
    lines.push([line, content]);
  deepEqual(lines, [
    [1, 'a'],
    [2, { problem: 'is longer than 1024 KiB: make it shorter' }],
    [3, 'b'],
  ]);
  equal(lines.length, 3);
});
