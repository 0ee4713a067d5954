import { deepEqual, equal, ok } from 'node:assert/strict';
import { IMPORT_KINDS, IMPORT_LINES } from '@keyport/contract/catalogue/imports';
import { test } from 'vitest';
import {
  describeReject,
  FIELDS,
  guessMapping,
  likelyColumns,
  likelyKind,
  missingFields,
  toCell,
} from './mapping.ts';
import { texts } from './texts.ts';

test('every field exists in the import, and every required one is marked', () => {
  for (const kind of IMPORT_KINDS) {
    const { properties, required } = IMPORT_LINES[kind];
    for (const { name } of FIELDS[kind]) ok(name in properties, `${kind} ${name}`);
    const marked = FIELDS[kind].filter(({ isRequired }) => isRequired).map(({ name }) => name);
    deepEqual([...marked].sort(), [...required].sort());
  }
});

test('columns are found by our names, in any spelling', () => {
  const head = ['ID', 'Price', 'product-id', 'Seller ID', 'Stock'];
  const mapping = guessMapping('offers', head);
  deepEqual(mapping, {
    id: { column: 0 },
    productId: { column: 2 },
    sellerId: { column: 3 },
    price: { column: 1 },
    status: { text: 'active' },
  });
  deepEqual(missingFields('offers', mapping), []);
  deepEqual(missingFields('offers', guessMapping('offers', ['Price'])), ['id', 'productId', 'sellerId']);
});

test('no column serves two fields unless the operator chooses that', () => {
  const mapping = guessMapping('keys', ['code', 'offerId']);
  deepEqual(mapping, { offerId: { column: 1 }, code: { column: 0 }, kind: undefined });
  const alone = guessMapping('keys', ['']);
  deepEqual([alone['offerId'], alone['code']], [{ text: '' }, { column: 0 }]);
});

test('columns with meaningless names are found by their content', () => {
  const offerId = '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111';
  const samples = [
    [offerId, '12,30', '4'],
    [offerId, '1.234,50 €', '12'],
  ];
  const mapping = guessMapping('prices', ['Artikelnummer', 'VK brutto', 'Lager'], samples);
  deepEqual(
    [mapping['id'], mapping['price'], mapping['productId']],
    [{ column: 0 }, { column: 1 }, undefined],
  );
  deepEqual(missingFields('prices', mapping), []);
  const both = samples.map(([id = '', ...cells]) => [id, ...cells, id]);
  equal(guessMapping('prices', ['Artikel', 'Preis', 'Lager', 'Referenz'], both)['id'], undefined);
  deepEqual(guessMapping('prices', ['Artikel', 'Preis', 'Lager', 'sellerId'], both)['id'], { column: 0 });
});

test('a price needs an offer: its id, or a product and a seller', () => {
  const price = { column: 1 };
  const sellerId = { text: '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111' };
  deepEqual(missingFields('prices', { price, id: { column: 0 } }), []);
  deepEqual(missingFields('prices', { price, productId: { column: 0 }, sellerId }), []);
  equal(missingFields('prices', { price, productId: { column: 0 } }).length, 1);
  deepEqual(missingFields('prices', { id: { column: 0 } }), ['price']);
});

const PRODUCT_ID = '10000000000017';

test('a list of article numbers with prices is a price list, for which a seller must be chosen', () => {
  const head = ['Artikelnummer', 'Bezeichnung', 'Preis'];
  const samples = [
    [PRODUCT_ID, 'Star Harbour', '12,30'],
    ['10000000000024', 'Deep Winter', '1.234,50 €'],
  ];
  equal(likelyKind(head, samples), 'prices');
  const mapping = guessMapping('prices', head, samples);
  deepEqual([mapping['productId'], mapping['sellerId']], [{ column: 0 }, { text: '' }]);
  deepEqual(missingFields('prices', mapping), ['sellerId']);
  deepEqual(missingFields('prices', { ...mapping, sellerId: { text: 'x' } }), []);
});

test('the kind of a file is guessed from its columns', () => {
  const offerId = '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111';
  const rows: [kind: string, head: string[], row: string[]][] = [
    ['products', ['Artikelnummer', 'Bezeichnung', 'Plattform'], [PRODUCT_ID, 'Star Harbour', 'PC']],
    ['prices', ['SKU', 'Net', 'Gross'], [PRODUCT_ID, '10,00', '11,90']],
    ['prices', ['Artikel', 'VK'], [offerId, '10,00']],
    ['offers', ['id', 'productId', 'sellerId', 'Preis'], [offerId, PRODUCT_ID, offerId, '4,50']],
    ['keys', ['offerId', 'code', 'price'], [offerId, 'AAAA-1111', '4.50']],
    ['sellers', ['id', 'name'], [offerId, 'Borealis Keys']],
    // The columns of an offer are misspelt, and their values do not identify them either.
    [
      'prices',
      ['id', 'prodct', 'selller', 'prise', 'status'],
      [offerId, 'unknown', 'Borealis', 'free', 'active'],
    ],
    ['keys', ['offerId', 'cod'], [offerId, 'AAAA-1111']],
  ];
  for (const [kind, head, row] of rows) equal(likelyKind(head, [row]), kind, head.join());
});

test('if two columns contain prices, neither is used, and both are listed', () => {
  const head = ['SKU', 'Net', 'Gross'];
  const samples = [[PRODUCT_ID, '10,00', '11,90']];
  equal(guessMapping('prices', head, samples)['price'], undefined);
  const price = FIELDS.prices.find(({ name }) => name === 'price');
  ok(price);
  deepEqual(likelyColumns(price, head, samples), [1, 2]);
});

test('a column whose values look like ids is preferred to a column that is only named like one', () => {
  const samples = [['A-100', PRODUCT_ID, '9,99']];
  const { productId } = guessMapping('prices', ['Artikelnummer', 'Code', 'Preis'], samples);
  deepEqual(productId, { column: 1 });
  equal(guessMapping('prices', ['SKU', 'Preis'], [['A-100', '9,99']])['productId'], undefined);
});

test('a cell is shown as the file has it', () => {
  const status = FIELDS.offers.find(({ name }) => name === 'status');
  ok(status);
  deepEqual([toCell(status, { status: { column: 0 } }, [' Ja ']), toCell(status, {}, ['Ja'])], ['Ja', '']);
});

test('a rejection names the column of the file, and the field by its label', () => {
  const mapping = { id: { column: 0 }, price: { column: 1 }, images: { column: 2 }, sellerId: { text: '' } };
  const rows = [
    ['price must be more.', 'Price (column “Preis (EUR)”) must be more.'],
    [
      'id must be a UUID; price is required.',
      'Id (column “Nr”) must be a UUID; Price (column “Preis (EUR)”) is required.',
    ],
    ['images[1] must be a URL.', 'More pictures 2 (column “Column 3”) must be a URL.'],
    [
      'id is required, or productId and sellerId.',
      'Id (column “Nr”) is required, or Product id and Seller id.',
    ],
    ['sellerId names no seller; add the seller first.', 'Seller id names no seller; add the seller first.'],
    ['line must be an object.', 'line must be an object.'],
    ['constructor is not a known field; remove it.', 'constructor is not a known field; remove it.'],
    [
      'productId must be a product id: a string of exactly 14 digits, the first not 0.',
      'Product id must be a product id of exactly 14 digits, the first not 0.',
    ],
  ];
  for (const [message = '', shown] of rows)
    equal(describeReject(message, { mapping, head: ['Nr', 'Preis (EUR)', ''] }), shown);
  const { properties } = IMPORT_LINES.products;
  for (const name of [...Object.keys(properties), ...Object.keys(IMPORT_LINES.keys.properties)])
    ok(texts.fields[name] !== undefined, name);
});
