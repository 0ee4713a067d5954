/** A possible product key is never taken for words, which would be sent in an address. */
import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { kindOf } from './palette-kind.ts';

test('ids, words and codes are recognised', () => {
  for (const [text, kind] of [
    ['2170 3137 0123 4567', 'id'],
    ['10000000000017', 'id'],
    ['charge-2170313701234567', 'id'],
    ['4bf92f3577b34da6a3ce929d0e0e4736', 'id'],
    ['0B7E9C1E-53A4-4c9e-9f0f-6a4ce5f0d111', 'id'],
    ['4bf92f35', 'id'],
    ['4BF92F35', 'code'],
    ['2170 3137', 'words'],
    ['acme', 'words'],
    ['ácme games', 'words'],
    ['STAR HARBOUR', 'words'],
    ['Star Harbour 2024', 'words'],
    ['half-life 2', 'words'],
    ['star wars', 'words'],
    ['', 'nothing'],
    ['a', 'nothing'],
    ['ABCDE-FGHIJ-KLMN7', 'code'],
    ['abcde-fghij-klmno', 'code'],
    ['ABCDE FGHIJ KLMNO', 'code'],
    ['ABCDE-FGHIJ', 'code'],
    ['CODE-00000001', 'code'],
    ['FIFA 2025', 'words'],
    ['x7h2k9q4w', 'code'],
    ['123456789012', 'code'],
    ['XK7C', 'nothing'],
    ['ABCD1-EF', 'code'],
  ] as const)
    equal(kindOf(text), kind, text);
});
