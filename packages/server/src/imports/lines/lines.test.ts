import { deepEqual, doesNotMatch, equal, match, rejects } from 'node:assert/strict';
import type { ImportKind } from '@keyport/contract/catalogue/imports';
import { test } from 'vitest';
import { type ImportLine, readLines } from './lines.ts';
import type { Mapping } from './mapping-file.ts';
import { RECORD_SIZE_BYTES_MAX } from './records.ts';

/** The kind matters for CSV only. */
const NDJSON = { format: 'ndjson', kind: 'sellers' } as const;

test('NDJSON: a byte order mark, carriage returns and blank lines do not matter', async () => {
  const lines = await read(readLines(toChunks('\uFEFF{"a":1}\r\n  \n\n{"a":2}'), NDJSON));
  deepEqual(lines, [
    { line: 1, value: { a: 1 } },
    { line: 4, value: { a: 2 } },
  ]);
});

test('NDJSON: a line that is not strict JSON does not affect the other lines', async () => {
  const bad = ['{"a":1,"a":2}', '{"a":', '{"a":1}{}', '{"a":"\\u0000"}', '{"__proto__":1}', '{"a":1e400}'];
  const lines = await read(readLines(toChunks([...bad, '{"a":1}'].join('\n')), NDJSON));
  deepEqual(
    lines.map((line) => ('value' in line ? line.value : 'problem' in line && line.problem)),
    [
      'a: The member "a" appears twice; send it once',
      'The JSON ends before it is complete; send all of it',
      'The JSON is not valid at column 8: nothing may follow the JSON document',
      'a: A string has a NUL character (\\u0000); remove it',
      '__proto__: The member name "__proto__" is not allowed; remove the member',
      'a: The number is too large',
      { a: 1 },
    ],
  );
});

test('a line that is not UTF-8 does not affect the other lines', async () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"a":2}\n')]);
  deepEqual(await read(readLines(toChunks(bytes), NDJSON)), [
    { line: 1, problem: 'is not valid UTF-8; write it in UTF-8' },
    { line: 2, value: { a: 2 } },
  ]);
});

test('CSV: lists and objects are JSON in the cell, an empty cell is an omitted field, text stays text', async () => {
  const csv = [
    'id,name,checkoutClass,categories,images,region,requirements',
    '10000000000017,123,standard,"[{""id"":""1"",""name"":""Action""}]",[],null,"{""minimal"":{}}"',
    '10000000000018,"a, ""b""\nc",standard,null,,,',
  ].join('\r\n');
  deepEqual(await readAll(`\uFEFF${csv}`, 'products'), [
    {
      line: 2,
      value: {
        id: '10000000000017',
        name: '123',
        checkoutClass: 'standard',
        categories: [{ id: '1', name: 'Action' }],
        images: [],
        region: 'null',
        requirements: { minimal: {} },
      },
    },
    {
      line: 3,
      value: { id: '10000000000018', name: 'a, "b"\nc', checkoutClass: 'standard', categories: null },
    },
  ]);
});

test('CSV: a record that cannot be read affects no other', async () => {
  const rows = ['id,name', '1,a"b', '2,"x"y', '3', '4,e,f', '5,nul\0', '6,"good"', '7,"open'];
  deepEqual(await readAll(rows.join('\n'), 'sellers'), [
    { line: 2, value: { id: '1', name: 'a"b' } },
    { line: 3, value: { id: '2', name: '"x"y' } },
    { line: 4, value: { id: '3' } },
    { line: 5, problem: tooWide(3, 2) },
    { line: 6, problem: 'name has a NUL character; remove it' },
    { line: 7, value: { id: '6', name: 'good' } },
    { line: 8, problem: 'is not valid CSV: a quote is not closed' },
  ]);
});

test('NDJSON: a line that is too long is rejected with advice to shorten it', async () => {
  const long = 'x'.repeat(RECORD_SIZE_BYTES_MAX + 1);
  deepEqual(await read(readLines(toChunks(long), NDJSON)), [
    { line: 1, problem: 'is longer than 1024 KiB: make it shorter' },
  ]);
});

test('CSV: bad JSON in a cell names the column', async () => {
  const [line] = await readAll('id,name,checkoutClass,images\n1,a,standard,[1\n', 'products');
  deepEqual(line, {
    line: 2,
    problem: 'images must contain JSON: The JSON ends before it is complete; send all of it',
  });
});

for (const [header, complaint] of [
  ['id,title', 'has the unknown column "title"'],
  ['id;name', 'has the unknown column "id;name"'],
  ['id,name,name', 'has the column "name" twice'],
  ['name', 'lacks the column id'],
  ['id,na"me', 'has the unknown column "na\\\\"me"'],
] as const) {
  test(`CSV: the header row ${header} is rejected, because every line would be wrong`, async () => {
    await rejects(readAll(`${header}\n1,2\n`, 'sellers'), {
      code: 'validation-error',
      message: new RegExp(
        `^body ${complaint}: the header row \\(line 1\\) must contain only these names, separated by commas: id, name`,
      ),
    });
  });
}

test('CSV: a header row that is not UTF-8 is rejected for its encoding', async () => {
  const latin = Buffer.from('id,n\u00e4me\n', 'latin1');
  await rejects(read(readLines(toChunks(latin), { format: 'csv', kind: 'sellers' })), {
    code: 'validation-error',
    message: /^body cannot be read: line 1 is not valid UTF-8; write it in UTF-8/,
  });
});

test('CSV: unnamed blank columns, blank rows and wide blank rows are left out', async () => {
  deepEqual(
    await readAll('id,name,,\n1,One,,\n,,,\n2,Two\n3,Three,,,,\n4,Four,, note\n5,Five,,,,x\n', 'sellers'),
    [
      { line: 2, value: { id: '1', name: 'One' } },
      { line: 4, value: { id: '2', name: 'Two' } },
      { line: 5, value: { id: '3', name: 'Three' } },
      { line: 6, problem: 'has a value in column 4, which has no name in the header row' },
      { line: 7, problem: tooWide(6, 4) },
    ],
  );
});

test('CSV: blanks around ids, prices and choices are left out', async () => {
  const [line] = await readAll('id,status,price\n\u200b1 ,active\u00a0, 2.00\n', 'prices');
  deepEqual(line, { line: 2, value: { id: '1', status: 'active', price: '2.00' } });
});

const OFFER_PRICE: Mapping['fields'] = { id: { column: 'Offer' }, price: { column: 'Price', decimal: '.' } };
const NUMBERED: Mapping['fields'] = { id: { column: 1 }, price: { column: 2, read: 'price' } };
const WIDE = tooWide(3, 2);
const UNNAMED = 'has a value in column 3, which has no name in the header row';

test.each([
  ['Offer,Price', '1,14,50', OFFER_PRICE, WIDE],
  ['Offer,Price', '1,14,50', NUMBERED, WIDE],
  ['Offer,Price,', '1,14,50', OFFER_PRICE, UNNAMED],
  ['Offer,Price,', '1,14,50', NUMBERED, UNNAMED],
  ['Offer,Price', '1,14.50,, ', OFFER_PRICE, undefined],
  ['Offer,Price,', '1,14.50,x', { ...OFFER_PRICE, name: { column: 3 } }, undefined],
  [',Offer,Price', 'x,1,14.50', OFFER_PRICE, undefined],
])(
  'a row under %s cannot have a filled cell to the right of it: %s',
  async (header, row, fields, problem) => {
    const mapping = { source: { format: 'csv' }, fields, hidesCells: false } as const;
    const [line] = await read(
      readLines(toChunks(`${header}\n${row}\n`), { format: 'csv', kind: 'prices', mapping }),
    );
    equal(Object(line).problem, problem);
  },
);

test('a row that the mapping skips may be wider than the header', async () => {
  const mapping: Mapping = {
    source: { format: 'csv' },
    fields: OFFER_PRICE,
    hidesCells: false,
    skipWhen: [{ column: 'Offer', in: ['Sum'] }],
  };
  const csv = 'Offer,Price\n1,2.00\nSum,14,50\n';
  const lines = await read(readLines(toChunks(csv), { format: 'csv', kind: 'prices', mapping }));
  deepEqual(lines, [{ line: 2, value: { id: '1', price: '2.00' } }]);
});

test.each(['[{"id":"1"},{"id":"2"}]', '[\n{"id":"1"},\n{"id":"2"}\n]'])(
  'NDJSON: an array is rejected as a whole: %j',
  async (text) => {
    await rejects(read(readLines(toChunks(text), NDJSON)), {
      message: /^body is a JSON array; send its elements/,
    });
  },
);

test.each([
  ['SECRETKEY-1', undefined],
  ['offerId,code,SECRETKEY-1', undefined],
  ['SECRETKEY-1,SECRETKEY-2', { offerId: { column: 'Offer' }, code: { column: 'Key' } }],
])('the first key of a file without a header row is not shown: %s', async (text, fields) => {
  const mapping = fields && ({ source: { format: 'csv' }, fields, hidesCells: true } as const);
  const opened = { format: 'csv', kind: 'keys', mapping } as const;
  const error = await read(readLines(toChunks(`${text}\n`), opened)).catch(String);
  match(String(error), /unknown name in column|lacks columns/);
  doesNotMatch(String(error), /SECRETKEY/);
});

test('CSV: formulas and apostrophes of spreadsheets are unwrapped', async () => {
  deepEqual(await readAll(`id,name\n"=""1""",'Til Dawn\n'2,=x\n`, 'sellers'), [
    { line: 2, value: { id: '1', name: "'Til Dawn" } },
    { line: 3, value: { id: '2', name: '=x' } },
  ]);
});

test('CSV: a long column name is shown shortened', async () => {
  await rejects(readAll(`${'x'.repeat(1000)}\n`, 'sellers'), {
    message: /^body has the unknown column "x{60}…": /,
  });
});

test('an empty CSV has no lines', async () => {
  deepEqual(await readAll('', 'sellers'), []);
  deepEqual(await readAll('id,name\n', 'sellers'), []);
});

function tooWide(cells: number, columns: number): string {
  return `has ${cells} cells, but the header row has ${columns}; put quotes around a cell that has the delimiter`;
}

function readAll(text: string, kind: ImportKind) {
  return read(readLines(toChunks(text), { format: 'csv', kind }));
}

async function read(lines: AsyncIterable<ImportLine>) {
  const all = [];
  for await (const { sizeBytes: _sizeBytes, ...line } of lines) all.push(line);
  return all;
}

async function* toChunks(text: string | Buffer) {
  yield Buffer.from(text);
}
