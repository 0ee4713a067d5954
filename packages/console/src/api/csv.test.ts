/** Files that the console writes. */
import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { csvRecord } from './csv.ts';

test('no cell is a formula of a spreadsheet', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠', "'", ' =', '\u00a0@']) {
    const record = csvRecord([`${sign}HYPERLINK(1)`]);
    equal(record.replaceAll('"', ''), `'${sign}HYPERLINK(1)\r\n`);
  }
});

test('commas, quotes and line ends stay in their cell', () => {
  equal(csvRecord(['a,b', 'c"d', 'e\r\nf', 'g']), '"a,b","c""d","e\r\nf",g\r\n');
});
