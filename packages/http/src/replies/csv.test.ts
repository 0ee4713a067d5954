import { deepEqual, equal, match } from 'node:assert/strict';
import { csvRecord } from '@keyport/contract/csv';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { test } from 'vitest';

test('cells are quoted only where necessary, and records end with CRLF', () => {
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

test('no text begins like a formula, and bare cells stay as they are', () => {
  for (const text of [
    '=1+1',
    '+49 30',
    '-5',
    '@SUM(A1)',
    '  =1',
    '＝1',
    '＋1',
    '－1',
    '＠1',
    "'quoted",
    ';x',
  ]) {
    equal(parse(csvRecord([{ text }]))[0]?.[0], `'${text}`);
  }
  equal(csvRecord([{ bare: '-5' }]), '-5\r\n');
  equal(csvRecord([{ text: 'bank-7' }]), 'bank-7\r\n');
});

test('a spreadsheet that splits cells at semicolons or tabs gets no formula either', () => {
  equal(csvRecord([{ text: 'a;=1+1' }]), '"a;\'=1+1"\r\n');
  equal(csvRecord([{ text: 'a\t＝1+1' }]), '"a\t\'＝1+1"\r\n');
  equal(csvRecord([{ text: 'a;b' }]), '"a;b"\r\n');
});

test('every text can be read back', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@\'",;；\t\r\n 0aé＝') });
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (texts) => {
      const [record = [], ...others] = parse(csvRecord(texts.map((each) => ({ text: each }))));
      equal(others.length, 0);
      deepEqual(
        record.map((cell) => cell.replace(/(^|[;；\t\r\n])'/g, '$1')),
        texts,
      );
      for (const piece of record.flatMap((cell) => cell.split(/[;；\t\r\n]/)))
        match(piece, /^(?:$|\s*$|\s*[^=+\-@＝\s])/);
    }),
  );
});
