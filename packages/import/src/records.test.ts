import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { CSV, type CsvDialect, cutRecords, RECORD_SIZE_BYTES_MAX } from './records.ts';

test('lines end at a line feed, with or without a carriage return; blank ones are left out', async () => {
  deepEqual(await cut('one\ntwo\r\n\nfour', 'lines'), [
    [1, 'one'],
    [2, 'two'],
    [4, 'four'],
  ]);
});

test('a CSV record spans the lines inside its quotes and is named by its first line', async () => {
  deepEqual(await cut('id,name\n1,"a\r\nb ""x"""\n2,c\n3,"d\n\n"\n4,e\n', CSV), [
    [1, 'id,name'],
    [2, '1,"a\r\nb ""x"""'],
    [4, '2,c'],
    [5, '3,"d\n\n"'],
    [8, '4,e'],
  ]);
});

test('a quote inside an unquoted CSV cell opens nothing', async () => {
  deepEqual(await cut('1,a"b\n2,c\n', CSV), [
    [1, '1,a"b'],
    [2, '2,c'],
  ]);
});

test('a record that is too long is dropped and the next line is read', async () => {
  const long = 'x'.repeat(RECORD_SIZE_BYTES_MAX + 1);
  deepEqual(await cut(`a\n${long}\nb\n`, 'lines', 65_536), [
    [1, 'a'],
    [2, undefined],
    [3, 'b'],
  ]);
  const longest = 'x'.repeat(RECORD_SIZE_BYTES_MAX);
  deepEqual(await cut(`${longest}\nb`, 'lines', 65_536), [
    [1, longest],
    [2, 'b'],
  ]);
});

test('an unclosed quote costs at most one record length, then CSV lines are read again', async () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => `${index},${'y'.repeat(40)}`);
  const records = await cut(`0,"open\n${rows.join('\n')}\n`, CSV, 65_536);
  deepEqual(records[0], [1, undefined]);
  deepEqual(records.at(-1), [40_001, rows.at(-1)]);
  const [, firstGood] = records;
  ok(firstGood !== undefined && firstGood[0] < 40_000);
  equal(firstGood[1], rows[firstGood[0] - 2]);
});

test('the places where a stream is cut into chunks do not matter', async () => {
  const text = fc.array(fc.constantFrom('a', 'é', '"', ',', '\n', '\r\n', '1'), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (parts, chunkSizeBytes) => {
      for (const format of ['lines', CSV] as const) {
        const joined = parts.join('');
        deepEqual(await cut(joined, format, chunkSizeBytes), await cut(joined, format));
      }
    }),
  );
});

async function cut(text: string, format: 'lines' | CsvDialect, chunkSizeBytes = Number.MAX_SAFE_INTEGER) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkSizeBytes) {
      yield bytes.subarray(start, start + chunkSizeBytes);
    }
  }
  const records: (readonly [number, string | undefined])[] = [];
  for await (const record of cutRecords(chunks(), format)) {
    records.push([record.line, record.bytes && Buffer.from(record.bytes).toString()]);
  }
  return records;
}
