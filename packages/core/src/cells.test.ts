import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { READINGS, toCategories } from './cells.ts';

test('prices in any notation become amounts; ambiguous and invalid ones are rejected', () => {
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
  for (const [cell, amount] of read) equal(READINGS.price(cell), amount, cell);
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
    equal(READINGS.price(doubtful), undefined, doubtful);
});

test('product ids are read in any spreadsheet notation, unless digits were lost', () => {
  for (const cell of [
    '10000000000017',
    '10.000.000.000.017',
    '10,000,000,000,017',
    '10 000 000 000 017',
    '10000000000017,00',
    '="10000000000017"',
    "'10000000000017",
  ])
    equal(READINGS.productId(cell), '10000000000017', cell);
  for (const cell of ['1,00001E+13', 'A-100', '100', '']) equal(READINGS.productId(cell), undefined, cell);
});

test('categories with different names have different ids, and the spellings of one name share an id', () => {
  const names = [
    'C',
    'C++',
    'C#',
    '.NET',
    'NET',
    'RPG',
    'RPG боевик',
    'R&B',
    'アクション',
    '18+',
    '!',
    'Straße',
  ];
  const ids = [
    'c',
    'c++',
    'c#',
    '.net',
    'net',
    'rpg',
    'rpg-боевик',
    'r&b',
    'アクション',
    '18+',
    '!',
    'strasse',
  ];
  const categories = names.map((name, index) => ({ id: ids[index], name }));
  deepEqual(READINGS.categories(names.join(';')), categories);
  deepEqual(toCategories(names), categories);
  deepEqual(toCategories(['Action & Adventure', 'action_adventure', 'Role Play', 'role-play']), [
    { id: 'action-adventure', name: 'action_adventure' },
    { id: 'role-play', name: 'role-play' },
  ]);
});

test('dates, classes and lists become values that the service accepts', () => {
  equal(READINGS.date('4.12.2026'), '2026-12-04');
  equal(READINGS.date('12/4/2026'), undefined);
  equal(READINGS.checkoutClass('In-game top-up'), 'in-game-top-up');
  deepEqual(READINGS.categories('Action, Räume'), [
    { id: 'action', name: 'Action' },
    { id: 'raume', name: 'Räume' },
  ]);
  deepEqual(READINGS.links('https://a.example/1, https://a.example/2'), [
    'https://a.example/1',
    'https://a.example/2',
  ]);
  for (const read of [READINGS.categories, READINGS.links]) {
    deepEqual(read('["x"]'), ['x']);
    equal(read('[x'), undefined);
  }
});
