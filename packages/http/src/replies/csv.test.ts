import { deepEqual, equal, match } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { csvRecord, spreadsheetRecord } from '@keyport/contract/csv';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { test } from 'vitest';
import { toSpreadsheet } from './csv.ts';

test('cells are exactly their texts, quoted only where necessary, and records end with CRLF', () => {
  equal(
    csvRecord(['-12.30', '=1+1', 'plain', 'a,b', 'say "x"', 'a\nb']),
    '-12.30,=1+1,plain,"a,b","say ""x""","a\nb"\r\n',
  );
});

const FORMULAS = [
  '=1+1',
  '+49 30',
  '-5 pieces',
  '@SUM(A1)',
  '  =1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
  "'quoted",
  ';x',
];
test.each<readonly [string, string]>([
  ...FORMULAS.map((formula) => [formula, `'${formula}`] as const),
  ['a;=1+1', "a;'=1+1"],
  ['a\t＝1+1', "a\t'＝1+1"],
  ['a;b', 'a;b'],
  ['-5', '-5'],
  ['-1234.50', '-1234.50'],
  ['bank-7', 'bank-7'],
  ['2174556001234567', '="2174556001234567"'],
  ['217455600123456', '="217455600123456"'],
  ['21745560012345', '="21745560012345"'],
  ['21745560012', '21745560012'],
])('a spreadsheet gets %j as %j', (given, cell) => {
  equal(parse(spreadsheetRecord([given]))[0]?.[0], cell);
});

test('every text of a spreadsheet can be read back, and begins no formula', () => {
  const anyText = fc.string({ unit: fc.constantFrom(...'=+-@\'",;；\t\r\n 0aé＝') });
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 2, maxLength: 5 }), (texts) => {
      const [record = [], ...others] = parse(spreadsheetRecord(texts));
      equal(others.length, 0);
      deepEqual(
        record.map((cell) => cell.replace(/(^|[;；\t\r\n])'/g, '$1')),
        texts,
      );
      for (const piece of record.flatMap((cell) => cell.split(/[;；\t\r\n]/)))
        match(piece, /^(?:$|\s*$|-?[0.]+$|\s*[^=+\-@＝\s])/);
    }),
  );
});

test('a file for people is the same records under its headings after a byte order mark, and an error breaks it off', async () => {
  const toHeadings = (names: readonly string[]) => names.map((name) => name.toUpperCase());
  const pieces = [csvRecord(['id', 'name']), csvRecord(['2174556001234567', '=Ä']) + csvRecord(['1', 'b'])];
  const file = await text(toSpreadsheet(Readable.from(pieces), toHeadings));
  equal(file, '\ufeffID,NAME\r\n"=""2174556001234567""",\'=Ä\r\n1,b\r\n');
  const broken = Readable.from(
    (async function* () {
      yield 'id\r\n';
      throw new Error('Gone');
    })(),
  );
  match(String(await text(toSpreadsheet(broken, toHeadings)).catch(String)), /Gone/);
});
