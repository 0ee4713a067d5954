import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { prefers } from './accept.ts';

test('CSV is chosen when it is named and weighs more than JSON', () => {
  const rows: [accept: string | undefined, expected: boolean][] = [
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['text/html, */*', false],
    ['text/csv', true],
    ['TEXT/CSV', true],
    ['text/csv; charset=utf-8', true],
    ['text/csv, */*', true],
    ['text/*', true],
    ['application/json, text/csv', false],
    ['application/json;q=0.5, text/csv', true],
    ['application/json, text/csv;q=0.9', false],
    ['text/csv;q=0', false],
    ['text/csv;q=nonsense', false],
  ];
  for (const [accept, expected] of rows) equal(prefers('text/csv', accept), expected, String(accept));
});
