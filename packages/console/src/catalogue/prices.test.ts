import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { changeByPercent, readPercent, readPrice } from './prices.ts';

test('prices are read as people type them', () => {
  equal(readPrice(' 12,3 '), '12.30');
  equal(readPrice('007'), '7.00');
  for (const none of ['', '0', '0,00', '1.234,00', '12.345', '-1', '1e3']) equal(readPrice(none), undefined);
});

test('percentages are read as people type them', () => {
  equal(readPercent('-2,5 %'), -250n);
  equal(readPercent('+5'), 500n);
  for (const none of ['', '0', '-100', '1001', 'five']) equal(readPercent(none), undefined);
});

test('a price changes by percent to the exact cent, and never to nothing', () => {
  equal(changeByPercent('10.10', 500n), '10.61');
  equal(changeByPercent('10.00', -250n), '9.75');
  equal(changeByPercent('99999999999.99', 100n), '100999999999.99');
  equal(changeByPercent('0.01', -9900n), '0.01');
});
