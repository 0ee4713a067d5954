import { equal, notEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { foldCode } from './fold-code.ts';

const CODE = 'AbCdE-12345-FgHiJ';

for (const [what, other] of [
  ['case', 'aBcDe-12345-fGhIj'],
  ['without hyphens', 'AbCdE12345FgHiJ'],
  ['hyphens in other places', 'AbC-dE1-2345-FgHiJ'],
  ['blanks instead of hyphens', 'AbCdE 12345 FgHiJ'],
  ['a no-break space and an en dash', 'AbCdE\u00a012345\u2013FgHiJ'],
  ['blanks and line ends around it', ' \tAbCdE-12345-FgHiJ\r\n'],
  ['a byte order mark and a zero-width space', '\ufeffAbCdE\u200b-12345-FgHiJ'],
  ['a soft hyphen', 'AbCdE\u00ad-12345-FgHiJ'],
  ['wide characters', '\uff21bCdE-1\uff12345-FgHiJ'],
] as const) {
  test(`spellings of the same code are equal: ${what}`, () => {
    notEqual(other, CODE);
    equal(foldCode(other), foldCode(CODE));
  });
}

test('codes that differ in a letter, a digit or a significant character are different', () => {
  for (const other of [
    'AbCdE-12345-FgHiK',
    'AbCdE-12346-FgHiJ',
    'AbCdE-12345-FgHiJ1',
    'AbCdE_12345_FgHiJ',
    'AbCdE.12345.FgHiJ',
  ]) {
    notEqual(foldCode(other), foldCode(CODE), other);
  }
});

test('different codes of only blanks and dashes stay different', () => {
  notEqual(foldCode('-'), foldCode('--'));
  notEqual(foldCode(' '), foldCode('-'));
});
