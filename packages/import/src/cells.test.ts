import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { readTable, splitCells } from './cells.ts';
import { CSV } from './records.ts';

const LENIENT = { ...CSV, isLenient: true };
const BAD_QUOTES = {
  problem: 'is not valid CSV: quotes enclose a whole cell, and a quote inside them is doubled',
};

test('quotes enclose whole cells; a lenient dialect reads them anywhere', () => {
  const rows: [record: string, strict: unknown, lenient: string[]][] = [
    ['', [''], ['']],
    ['a,,b', ['a', '', 'b'], ['a', '', 'b']],
    ['"a,b","",c', ['a,b', '', 'c'], ['a,b', '', 'c']],
    ['"a ""b""",""""', ['a "b"', '"'], ['a "b"', '"']],
    ['5" screen,b', BAD_QUOTES, ['5" screen', 'b']],
    ['"a"b,c', BAD_QUOTES, ['ab', 'c']],
    ['a,"b,c', BAD_QUOTES, ['a', 'b,c']],
    ['a,"', BAD_QUOTES, ['a', '']],
  ];
  for (const [record, strict, lenient] of rows) {
    deepEqual(splitCells(record), strict, record);
    deepEqual(splitCells(record, LENIENT), lenient, record);
  }
});

test('cells in quotes come back as they were, in any dialect', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', "'", ',', ';', '\n', 'é') });
  const dialect = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t'),
    quote: fc.constantFrom('"', "'"),
  });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), dialect, (cells, { delimiter, quote }) => {
      const record = cells
        .map((text) => quote + text.replaceAll(quote, quote + quote) + quote)
        .join(delimiter);
      deepEqual(splitCells(record, { delimiter, quote }), cells);
      deepEqual(readTable(`x\n\n${record}`, { delimiter, quote })[1], { line: 3, cells });
    }),
  );
});
