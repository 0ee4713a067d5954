import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import {
  rewriteCategories,
  rewriteClass,
  rewriteDate,
  rewriteList,
  rewritePrice,
  rewriteProductId,
} from './cells.ts';

test('prices of any notation become amounts, and doubtful ones stay', () => {
  const read: [string, string][] = [
    ['12,30', '12.30'],
    ['€ 12.3', '12.30'],
    ['1.234,50 €', '1234.50'],
    ['1,234.50', '1234.50'],
    ["1'234.50 EUR", '1234.50'],
    ['1\u202f234,50', '1234.50'],
    ['12,3400', '12.34'],
    ['1.234,500', '1234.50'],
    ['12', '12'],
  ];
  for (const [cell, amount] of read) equal(rewritePrice(cell), amount, cell);
  for (const doubtful of [
    '1,234',
    '1.234',
    '12.345',
    '12,3456',
    '-1',
    '$12.30',
    'free',
    '',
    '1,2,3',
    '12.34.50,1',
  ])
    equal(rewritePrice(doubtful), doubtful);
});

test('article numbers are read as spreadsheets write them, and what lost digits stays', () => {
  for (const cell of [
    '10000000000017',
    '10.000.000.000.017',
    '10,000,000,000,017',
    '10 000 000 000 017',
    '10000000000017,00',
    '="10000000000017"',
    "'10000000000017",
  ])
    equal(rewriteProductId(cell), '10000000000017', cell);
  for (const cell of ['1,00001E+13', 'A-100', '100', '']) equal(rewriteProductId(cell), cell);
});

test('dates, classes and lists become what the service takes', () => {
  equal(rewriteDate('4.12.2026'), '2026-12-04');
  equal(rewriteDate('12/4/2026'), '12/4/2026');
  equal(rewriteClass('In-game top-up'), 'in-game-top-up');
  deepEqual(JSON.parse(rewriteCategories('Action, Räume')), [
    { id: 'action', name: 'Action' },
    { id: 'raume', name: 'Räume' },
  ]);
  deepEqual(JSON.parse(rewriteList('https://a.example/1, https://a.example/2')), [
    'https://a.example/1',
    'https://a.example/2',
  ]);
  for (const rewrite of [rewriteCategories, rewriteList]) {
    equal(rewrite(''), '');
    equal(rewrite('["x"]'), '["x"]');
  }
});
