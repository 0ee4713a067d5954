import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { changeByPercent, percentBetween, readPercent } from './prices.ts';

test('percentages are read as people type them', () => {
  equal(readPercent('-2,5 %'), -250n);
  equal(readPercent('+5'), 500n);
  for (const none of ['', '0', '-100', '1001', 'five']) equal(readPercent(none), undefined);
});

test('a price changes by a percentage to the exact cent, and never to zero', () => {
  equal(changeByPercent('10.10', 500n), '10.61');
  equal(changeByPercent('10.00', -250n), '9.75');
  equal(changeByPercent('99999999999.99', 100n), '100999999999.99');
  equal(changeByPercent('0.01', -9900n), '0.01');
});

test('the change between two prices is in percent', () => {
  equal(percentBetween('20.00', '19.50'), -2.5);
  equal(percentBetween('0.01', '0.03'), 200);
  equal(percentBetween('3.00', '4.00'), 33.33);
  equal(percentBetween('3.00', '5.00'), 66.67);
});
