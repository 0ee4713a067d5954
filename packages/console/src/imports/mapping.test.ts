import { deepEqual, equal, ok } from 'node:assert/strict';
import { IMPORT_KINDS, IMPORT_LINES } from '@keyport/contract/admin';
import { test } from 'vitest';
import { cellOf, FIELDS, guessMapping, missingFields, rewritePrice } from './mapping.ts';

test('every field is one of the import, and every required one is there', () => {
  for (const kind of IMPORT_KINDS) {
    const { properties, required } = IMPORT_LINES[kind];
    for (const { name } of FIELDS[kind]) ok(name in properties, `${kind} ${name}`);
    const marked = FIELDS[kind].filter(({ isRequired }) => isRequired).map(({ name }) => name);
    deepEqual([...marked].sort(), [...required].sort());
  }
});

test('columns are found by the names that others give them', () => {
  const head = ['Angebot-ID', 'Preis (EUR)', 'Produkt', 'Händler', 'Lager'];
  const mapping = guessMapping('offers', head);
  deepEqual(mapping, {
    id: { column: 0 },
    productId: { column: 2 },
    sellerId: { column: 3 },
    price: { column: 1 },
    status: { text: 'active' },
  });
  deepEqual(missingFields('offers', mapping), []);
  deepEqual(missingFields('offers', guessMapping('offers', ['Preis'])), ['id', 'productId', 'sellerId']);
});

test('no column serves two fields unless somebody says so', () => {
  const mapping = guessMapping('keys', ['key', 'id']);
  deepEqual(mapping, { offerId: { column: 1 }, code: { column: 0 }, kind: undefined });
});

test('columns whose names say nothing are found by what is in them', () => {
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
  equal(guessMapping('prices', ['Artikel', 'Preis', 'Lager', 'Lieferant'], both)['id'], undefined);
});

test('a price needs an offer: its id, or a product and a seller', () => {
  const price = { column: 1 };
  const sellerId = { text: '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111' };
  deepEqual(missingFields('prices', { price, id: { column: 0 } }), []);
  deepEqual(missingFields('prices', { price, productId: { column: 0 }, sellerId }), []);
  equal(missingFields('prices', { price, productId: { column: 0 } }).length, 1);
  deepEqual(missingFields('prices', { id: { column: 0 } }), ['price']);
});

test('prices of any notation become amounts, and doubtful ones stay', () => {
  const read: [string, string][] = [
    ['12,30', '12.30'],
    ['€ 12.3', '12.3'],
    ['1.234,50 €', '1234.50'],
    ['1,234.50', '1234.50'],
    ["1'234.50 EUR", '1234.50'],
    ['12', '12'],
    ['12,', '12'],
  ];
  for (const [cell, amount] of read) equal(rewritePrice(cell), amount, cell);
  for (const doubtful of ['1,234', '1.234', '12.345', '-1', 'free', '', '1,2,3', '12.34.50,1'])
    equal(rewritePrice(doubtful), doubtful);
});

test('a status is read from yes and no', () => {
  const status = FIELDS.offers.find(({ name }) => name === 'status');
  ok(status);
  equal(cellOf(status, { status: { column: 0 } }, [' Ja ']), 'active');
  equal(cellOf(status, { status: { column: 0 } }, ['0']), 'paused');
  equal(cellOf(status, { status: { column: 0 } }, ['maybe']), 'maybe');
});
