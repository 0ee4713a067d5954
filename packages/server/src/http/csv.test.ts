import { deepEqual, equal, match } from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { test } from 'vitest';
import { csvRecord } from './csv.ts';

test('cells are quoted where they must be, and records end with CRLF', () => {
  equal(
    csvRecord([
      { bare: '-12.30' },
      { text: 'plain' },
      { text: 'a,b' },
      { text: 'say "x"' },
      { text: 'a\nb' },
    ]),
    '-12.30,plain,"a,b","say ""x""","a\nb"\r\n',
  );
});

test('no text that was typed begins like a formula, and bare cells stay as they are', () => {
  for (const text of ['=1+1', '+49 30', '-5', '@SUM(A1)', '\t=1', '\r=1', '  =1', '＝1', "'quoted"]) {
    equal(parse(csvRecord([{ text }]))[0]?.[0], `'${text}`);
  }
  equal(csvRecord([{ bare: '-5' }]), '-5\r\n');
  equal(csvRecord([{ text: 'bank-7' }]), 'bank-7\r\n');
});

test('whatever the texts are, a reader gets them back', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@\'",;\t\r\n 0aé＝') });
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (texts) => {
      const [record, ...others] = parse(csvRecord(texts.map((each) => ({ text: each }))));
      equal(others.length, 0);
      deepEqual(
        record?.map((cell) => cell.replace(/^'/, '')),
        texts,
      );
      for (const cell of record ?? []) match(cell, /^(?:$|[^=+\-@\t\r])/);
    }),
  );
});
