import { equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { amountProblem, readAmount, readPrice } from './amounts.ts';

test('amounts are read in the notations of several countries', () => {
  const read: readonly (readonly [string, string])[] = [
    ['250', '250.00'],
    [' 12,3 ', '12.30'],
    ['1.234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1.234.567', '1234567.00'],
    ['1,234,567.8', '1234567.80'],
    ["1'234.50 EUR", '1234.50'],
    ['1\u202f234,50 €', '1234.50'],
    ['12,3400', '12.34'],
    ['007', '7.00'],
    ['12,', '12.00'],
    ['0', '0.00'],
    ['99999999999.99', '99999999999.99'],
  ];
  for (const [typed, amount] of read) equal(readAmount(typed), amount, typed);
});

test('text that is not an amount, or could be one of two amounts, is rejected', () => {
  const none = [
    '',
    '1.234',
    '1,234',
    '12.345',
    '0,500',
    '12,3456',
    '-1',
    '$12',
    'free',
    '1,2,3',
    '12.34.50,1',
    '1e3',
    '1.2345,00',
    '100000000000',
  ];
  for (const typed of none) equal(readAmount(typed), undefined, typed);
  equal(readPrice('0,00'), undefined);
});

test('the message about an ambiguous amount names both meanings', () => {
  for (const typed of ['1.234', '1,234 €']) {
    const problem = amountProblem(typed, 'missing') ?? '';
    match(problem, /1234/);
    match(problem, /1\.23\b/);
  }
  equal(amountProblem('0.500', 'missing'), 'missing');
  equal(amountProblem('x', 'missing'), 'missing');
  equal(amountProblem('1', 'missing'), undefined);
});
