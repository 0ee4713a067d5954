import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { guessMapping, likelyKind } from './mapping.ts';
import { delimiterOf, openTable, prepare, withoutHead } from './table-file.ts';

const OFFER_ID = '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111';

const line = (price: string) => JSON.stringify({ id: OFFER_ID, price });

async function open(content: BlobPart) {
  const table = await openTable(new File([content], 'prices.csv'));
  ok(typeof table === 'object' && table.format === 'table', String(table));
  return table;
}

async function convert(content: BlobPart) {
  const table = await open(content);
  const mapping = guessMapping('prices', table.head, table.samples);
  const { body, rows, repeated } = await prepare(table, 'prices', mapping);
  return { text: await body.text(), rows, repeated };
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
  for (const [text, delimiter] of rows) equal(delimiterOf(text), delimiter, text);
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
    const { body } = await prepare(table, 'prices', { id: { column: 0 }, price: { column: 2 } });
    equal((await body.text()).trim(), line('4.50'));
  }
});

test('lines keep their numbers despite blank lines and omitted cells that span several lines', async () => {
  const { text, rows } = await convert(
    `Liste\n\nAngebot;Notiz;Preis\n${OFFER_ID};"a\nb";4,50\n;;\n${OFFER_ID};c;4,60\n`,
  );
  deepEqual(text.split('\n'), ['', '', '', line('4.50'), '', '', line('4.60'), '']);
  equal(rows, 2);
});

test('without a header no line is lost, and each keeps its number', async () => {
  const { text, rows } = await convert(`${OFFER_ID};4,50\n\n${OFFER_ID};4,60\n`);
  deepEqual([text.trimEnd().split('\n'), rows], [[line('4.50'), '', line('4.60')], 2]);

  const keys = await open('AAAA-1111\nBBBB-2222\n');
  deepEqual(keys.head, ['AAAA-1111']);
  const headless = withoutHead(keys);
  deepEqual([headless.head, headless.samples], [[''], [['AAAA-1111'], ['BBBB-2222']]]);
  const mapping = { offerId: { text: OFFER_ID }, code: { column: 0 } };
  const { body } = await prepare(headless, 'keys', mapping);
  deepEqual(
    (await body.text())
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each).code),
    ['AAAA-1111', 'BBBB-2222'],
  );
});

test('lists become JSON', async () => {
  const row = '10000000000017;Neu;Action, RPG';
  const products = (table: Parameters<typeof prepare>[0]) =>
    prepare(table, 'products', {
      id: { column: 0 },
      name: { column: 1 },
      categories: { column: 2 },
    }).then(({ body }) => body.text());
  const categories = [
    { id: 'action', name: 'Action' },
    { id: 'rpg', name: 'RPG' },
  ];
  deepEqual(JSON.parse((await products(await open(row))).trimEnd()).categories, categories);
});

test('the kind of NDJSON is guessed from its first line', async () => {
  const table = await openTable(new File([`{"offerId":"${OFFER_ID}","code":"A-1"}\n{"x`], 'keys.ndjson'));
  ok(typeof table === 'object');
  deepEqual([table.format, table.head], ['ndjson', ['offerId', 'code']]);
  equal(likelyKind(table.head, table.samples), 'keys');
});

test('repeated lines about the same offer are counted', async () => {
  const { rows, repeated } = await convert(
    `Angebot;Preis\n${OFFER_ID};1,50\n${OFFER_ID};2,50\n;3,50\n;4,50\n`,
  );
  deepEqual([rows, repeated], [4, 1]);
});

test('a large file is read in pieces that split neither characters nor quoted cells', async () => {
  const row = `${OFFER_ID};"Möwe; ""Räume""\n";4,50\n`;
  const count = 60_000;
  const { text, rows } = await convert(`Angebot;Name;Preis\n${row.repeat(count)}`);
  equal(rows, count);
  ok(text.trimEnd() === `\n${`${line('4.50')}\n\n`.repeat(count)}`.trimEnd(), text.slice(-200));
});
