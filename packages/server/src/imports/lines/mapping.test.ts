import { deepEqual, equal, notEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { mapRecord, sellerKey, toUuid } from './mapping.ts';
import type { Condition, Field, Mapping } from './mapping-file.ts';

function toMapping(fields: Readonly<Record<string, Field>>, skipWhen: readonly Condition[] = []): Mapping {
  const dictionaries = { 'words.csv': { in: 'out' } };
  const sellers = new Map([
    [sellerKey('Game Keys'), ['one']],
    [sellerKey('Twin'), ['two', 'three']],
  ]);
  return { source: { format: 'csv' }, fields, skipWhen, dictionaries, sellers, hidesCells: false };
}

/** The value that is made from the cell, or the problem. */
function made(field: Field, cell: string, name = 'x'): unknown {
  const mapped = mapRecord(toMapping({ [name]: { column: 'c', ...field } }), () => cell);
  return 'value' in mapped ? mapped.value[name] : mapped;
}

const DOT: Field = { decimal: '.' };
const COMMA: Field = { decimal: ',' };
const NUMBER: Field = { productNumber: { prefix: '51' } };
const EAN: Field = { productNumber: { prefix: '1', digits: 13 } };

test('a cell is converted by its rule, and undefined is left out', () => {
  const rows: [field: Field, cell: string, value: unknown][] = [
    [{}, '  a b ', 'a b'],
    [{}, '  ', undefined],
    [{ default: 'none' }, '', 'none'],
    [{ values: { a: 'b' } }, 'a', 'b'],
    [{ values: { a: '' } }, 'a', undefined],
    [{ values: { a: 'b' }, otherwise: 'c' }, 'x', 'c'],
    [{ values: { a: 'b' }, otherwise: 'c' }, '', 'c'],
    [{ values: { a: 'b' }, default: 'a' }, '', 'b'],
    [DOT, '12', '12.00'],
    [DOT, '12.3', '12.30'],
    [DOT, '€1,234,567.50', '1234567.50'],
    [DOT, '0012.3400 EUR', '12.34'],
    [DOT, '1.239', '1.239'],
    [COMMA, '12,30 €', '12.30'],
    [COMMA, '1.234,5', '1234.50'],
    [COMMA, "1'234,50", '1234.50'],
    [COMMA, '1\u00a0234,50\u00a0€', '1234.50'],
    [{ date: 'DD.MM.YYYY' }, '24.12.2025', '2025-12-24'],
    [{ date: 'MM/DD/YYYY' }, '12/24/2025', '2025-12-24'],
    [{ date: 'YYYYMMDD' }, '20251224', '2025-12-24'],
    [NUMBER, '48213', '51000000048213'],
    [EAN, '0012345678905', '10012345678905'],
    [{ dictionary: 'words.csv' }, 'in', 'out'],
  ];
  for (const [field, cell, value] of rows) equal(made(field, cell), value, JSON.stringify([field, cell]));
});

test('a cell that does not fit its rule is a problem, never a guess', () => {
  const rows: [field: Field, cells: string[]][] = [
    [DOT, ['$12', '12 USD', '1.2.3', '12,3', '1,23', '-1', '1e3', '.5', '12.', 'twelve']],
    [COMMA, ['12.30', '1,234.50', '1.23,4']],
    [{ date: 'DD.MM.YYYY' }, ['1.2.2025', '2025-12-24', '24.12.25']],
    [NUMBER, ['0048213', 'A1', '1234567890123', '12.0', '-1']],
    [EAN, ['12345678905', '00123456789050']],
    [{ values: { a: 'b' } }, ['A', 'toString', '__proto__']],
    [{ dictionary: 'words.csv' }, ['IN', 'toString']],
  ];
  for (const [field, cells] of rows) {
    for (const cell of cells) {
      const mapped = mapRecord(toMapping({ x: { column: 'c', ...field } }), () => cell);
      equal('problem' in mapped, true, JSON.stringify([field, cell, mapped]));
    }
  }
});

test.each<[rule: string, field: Field]>([
  ['dictionary', { dictionary: 'words.csv' }],
  ['values', { values: { a: 'b' } }],
  ['decimal', { decimal: '.' }],
  ['date', { date: 'DD.MM.YYYY' }],
  ['productNumber', { productNumber: { prefix: '51' } }],
  ['read', { read: 'seller' }],
])('the problem of a cell of keys does not quote it: %s', (_, field) => {
  const mapping = { ...toMapping({ offerId: { column: 1, ...field } }), hidesCells: true };
  const mapped = mapRecord(mapping, () => 'LEAKY-AAAA-1111');
  equal(
    'problem' in mapped && mapped.problem.startsWith('offerId: the value is not '),
    true,
    JSON.stringify(mapped),
  );
});

test('lists are split, objects are built from dotted names, and columns are joined', () => {
  const cells = new Map([
    ['genres', 'Role play| Action |Role play|'],
    ['pictures', 'https://a.example/1.png https://a.example/2.png'],
    ['rating', 'PEGI 12'],
    ['words', ''],
    ['brand', 'Möwe'],
    ['edition', 'Gold'],
  ]);
  const fields: Record<string, Field> = {
    categories: { column: 'genres', split: '|' },
    images: { column: 'pictures', split: ' ' },
    'restrictions.rating': { column: 'rating' },
    'restrictions.descriptors': { column: 'words', split: ',' },
    name: { columns: ['brand', 'words', 'edition'], joinWith: ' – ' },
    checkoutClass: { constant: 'standard' },
  };
  deepEqual(
    mapRecord(toMapping(fields), (column) => cells.get(String(column)) ?? ''),
    {
      value: {
        categories: [
          { id: 'role-play', name: 'Role play' },
          { id: 'action', name: 'Action' },
        ],
        images: ['https://a.example/1.png', 'https://a.example/2.png'],
        restrictions: { rating: 'PEGI 12' },
        name: 'Möwe – Gold',
        checkoutClass: 'standard',
      },
    },
  );
});

test('a record is skipped when one condition is met', () => {
  const rows: [condition: Omit<Condition, 'column'>, cell: string, isSkipped: boolean][] = [
    [{ in: ['a', 'b'] }, 'b', true],
    [{ in: ['a', 'b'] }, 'c', false],
    [{ notIn: ['a'] }, 'c', true],
    [{ notIn: ['a'] }, 'a', false],
    [{ empty: true }, ' ', true],
    [{ empty: true }, 'a', false],
    [{ empty: false }, 'a', true],
  ];
  for (const [condition, cell, isSkipped] of rows) {
    const mapped = mapRecord(toMapping({}, [{ column: 'c', ...condition }]), () => cell);
    equal('isSkipped' in mapped, isSkipped, JSON.stringify([condition, cell]));
  }
});

test('different numbers of one prefix never make the same product id', () => {
  const digits = fc.stringMatching(/^[0-9]{1,14}$/);
  fc.assert(
    fc.property(digits, digits, fc.constantFrom(NUMBER, EAN), (one, other, field) => {
      const [first, second] = [made(field, one), made(field, other)];
      if (one !== other && typeof first === 'string') notEqual(first, second);
      if (typeof first === 'string') equal(/^[1-9][0-9]{13}$/.test(first), true);
    }),
    {
      numRuns: 2_000,
      examples: [
        ['48', '048', NUMBER],
        ['1', '10', NUMBER],
      ],
    },
  );
});

test('an id depends on all the columns that it is made from', () => {
  const field: Field = { columns: ['a', 'b'], uuidIn: '6ba7b810-9dad-11d1-80b4-00c04fd430c8' };
  const toId = (a: string, b: string) =>
    mapRecord(toMapping({ id: field }), (column) => (column === 'a' ? a : b));
  notEqual(JSON.stringify(toId('1', '23')), JSON.stringify(toId('12', '3')));
  deepEqual(toId('1', ''), { problem: 'id: b is empty, but the id is made from it' });
});

test.each([
  ['Game Keys', 'one'],
  ['  game   KEYS ', 'one'],
  ['6BA7B810-9dad-11d1-80b4-00c04fd430c8', '6BA7B810-9dad-11d1-80b4-00c04fd430c8'],
])('a seller is found by name, without case and blanks, or by id: %s', (text, id) => {
  equal(made({ read: 'seller' }, text), id);
});

test.each(['Game Keys+', 'GameKeys', 'Game-Keys', 'Twin'])('no other name means a seller: %s', (text) => {
  equal('problem' in Object(made({ read: 'seller' }, text)), true);
});

test('names of sellers compare after composition', () => {
  equal(sellerKey('Mo\u0308we'), sellerKey('M\u00f6we'));
  notEqual(
    sellerKey('\u0e23\u0e49\u0e32\u0e19\u0e01\u0e35'),
    sellerKey('\u0e23\u0e49\u0e32\u0e19\u0e01\u0e34'),
  );
});

test('a UUID matches the example of RFC 9562', () => {
  // Appendix A.4.
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  equal(toUuid(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
});
