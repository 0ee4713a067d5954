import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { likelyKind, toMappingFile } from './mapping.ts';
import { openTable, toDelimiter, withoutHead } from './table-file.ts';

const OFFER_ID = '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111';

async function open(content: BlobPart) {
  const table = await openTable(new File([content], 'prices.csv'));
  ok(typeof table === 'object' && table.format === 'table', String(table));
  return table;
}

test('the delimiter is found among decimal commas, quotes, titles and blank lines', () => {
  const rows: [text: string, delimiter: string][] = [
    ['Artikel;Preis\r\na;1.299,00\r\nb;4,50\r\n', ';'],
    ['Preisliste Stand heute\n\nArtikel;Preis, EUR\na;4,50\n', ';'],
    ['id,name\n1,"Möwe; Räume"\n2,"a;b;c"\n', ','],
    ['id\tprice\tnote\n1\t4,50\tx, y\n', '\t'],
    ['id|price\n1|4,50\n', '|'],
    ['id,price\n', ','],
  ];
  for (const [text, delimiter] of rows) equal(toDelimiter(text), delimiter, text);
});

test('the header is found below titles, beside unnamed columns, and above wider lines', async () => {
  const rows: [text: string, head: string[]][] = [
    [`Preisliste\n\nAngebot;Preis\n${OFFER_ID};4,50\n`, ['Angebot', 'Preis']],
    [`Angebot;;Preis\n${OFFER_ID};x;4,50\n`, ['Angebot', '', 'Preis']],
    [`Angebot;Preis\n${OFFER_ID};4,50\n${OFFER_ID};4,50;!;!\n`, ['Angebot', 'Preis']],
    [`Stand;1.10\nAngebot;Preis\n${OFFER_ID};4,50\n`, ['Angebot', 'Preis']],
    ['offerId,code\n', ['offerId', 'code']],
  ];
  for (const [text, head] of rows) deepEqual((await open(text)).head, head, text);
});

test('a file that is not a table is recognized', async () => {
  const rows: [content: BlobPart, problem: string][] = [
    [Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14), 'spreadsheet'],
    [Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), 'spreadsheet'],
    ['%PDF-1.7', 'binary'],
    ['a\0b', 'binary'],
    ['\n;;\n', 'empty'],
  ];
  for (const [content, problem] of rows) equal(await openTable(new File([content], 'x')), problem);
});

test('files with the encodings and line endings of spreadsheets are read', async () => {
  const text = `Angebot;Händler;Preis\n${OFFER_ID};x;4,50\n`;
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const contents: BlobPart[] = [
    text,
    `\uFEFF${text}`,
    new Uint8Array(utf16),
    new Uint8Array(utf16.swap16()),
    new Uint8Array(Buffer.from(text, 'latin1')),
    text.replaceAll('\n', '\r\n'),
    text.replaceAll('\n', '\r'),
  ];
  for (const content of contents) {
    const table = await open(content);
    deepEqual(table.head, ['Angebot', 'Händler', 'Preis']);
    deepEqual(table.samples, [[OFFER_ID, 'x', '4,50']]);
  }
});

test('the service gets the place of the header, the encoding, and columns by their numbers', async () => {
  const bytes = Buffer.from(`Liste\n\nAngebot;Händler;Preis\n${OFFER_ID};x;4,50\n`, 'latin1');
  const table = await open(new Uint8Array(bytes));
  const mapping = {
    id: { column: 0 },
    price: { column: 2 },
    status: { text: ' active ' },
    productId: { text: '' },
  };
  deepEqual(toMappingFile(table, 'prices', mapping), {
    source: { format: 'csv', delimiter: ';', encoding: 'latin1', headerLine: 3 },
    prices: {
      fields: {
        id: { column: 1 },
        price: { column: 3, read: 'price' },
        status: { constant: 'active', read: 'status' },
      },
    },
  });
});

test('a table can lack a header', async () => {
  const keys = await open('AAAA-1111\nBBBB-2222\n');
  deepEqual(keys.head, ['AAAA-1111']);
  const headless = withoutHead(keys);
  deepEqual([headless.head, headless.samples], [[''], [['AAAA-1111'], ['BBBB-2222']]]);
  const mapping = { offerId: { text: OFFER_ID }, code: { column: 0 } };
  deepEqual(
    toMappingFile({ ...keys, ...headless, format: 'table' } as typeof keys, 'keys', mapping).source
      .headerLine,
    0,
  );
});

test('the kind of NDJSON is guessed from its first line', async () => {
  const table = await openTable(new File([`{"offerId":"${OFFER_ID}","code":"A-1"}\n{"x`], 'keys.ndjson'));
  ok(typeof table === 'object');
  deepEqual([table.format, table.head], ['ndjson', ['offerId', 'code']]);
  equal(likelyKind(table.head, table.samples), 'keys');
});

test('a large file is read only at its beginning, and its lines are estimated', async () => {
  const row = `${OFFER_ID};"Möwe; ""Räume""\n";4,50\n`;
  const { head, lines } = await open(`Angebot;Name;Preis\n${row.repeat(60_000)}`);
  deepEqual([head, Math.round(lines / 10_000)], [['Angebot', 'Name', 'Preis'], 12]);
});
