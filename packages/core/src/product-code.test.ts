import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { foldCode, readCode, SPOILT } from './product-code.ts';

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
  ['the formula of a spreadsheet', '="AbCdE-12345-FgHiJ"'],
  ['an apostrophe of a spreadsheet', "'AbCdE-12345-FgHiJ"],
  ['quotes', '"AbCdE-12345-FgHiJ"'],
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

const SPOILT_CELLS = [
  ...[
    '8.96529E+19',
    '8,96529E+19',
    '2.19E+26',
    '4.95124E+15',
    '8.96529e+19',
    '2E+26',
    '-1.5E-07',
    '8,96529E19',
  ],
  ...[
    '#NAME?',
    '#N/A',
    '#REF!',
    '#VALUE!',
    '#NULL!',
    '#DIV/0!',
    '#NUM!',
    '#SPILL!',
    '#NV',
    '#BEZUG!',
    '#¡REF!',
  ],
  ...['#YOK', '#HIÁNYZIK', '#NENÍ_K_DISPOZICI', '#NEDOSTUPNÝ', '#PUUTTUU', '#DATEN_WERDEN_ABGERUFEN'],
  ...['8,965,290,000,000,000,000', '8.965.290.000', "8'965'290", '8,96,52,900', '8,965,290.00'],
  ...['=T("ABC-DEF-1")', '=A1&"-"&B1', '=$A$7', '=HYPERLINK("https://x.example";"K-1")'],
  ...['12345678901234500000', '8965290012345670000000'],
  ...['##########', '####', '#', 'Err:502', ' #N/A ', '="8.96529E+19"', "'#REF!"],
];

test.each(SPOILT_CELLS)('a cell that a spreadsheet has spoilt is no key: %s', (text) => {
  deepEqual(readCode(text), { problem: SPOILT });
});

test.each(['', ' ', '\u200b', '\u00a0\t', '""', "'", '=""'])('a code has a visible character: %j', (text) => {
  deepEqual(readCode(text), { problem: 'must have at least one visible character' });
});

test.each([
  ...[
    '12E45-ABCDE',
    '1E5',
    '1E-05',
    '12E45',
    '#1-ABC',
    'ABC#',
    'E+19',
    '1.5',
    '2026-03-12',
    'TRUE',
    '=ABC',
    "AB'C",
  ],
  ...['A B', 'A\u200bB', '8965290000000000', '1234567890123450000', '123 456 789', '12,345', '24.12.2026'],
  ...['KEY-1', 'CODEX', 'keyring', '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111'],
])('a code that only resembles such a cell is kept: %s', (text) => {
  deepEqual(readCode(text), { code: text, isTrimmed: false });
});

test.each([
  ...[
    ' K-1',
    'K-1\t',
    'K-1\n',
    '\u00a0K-1',
    '\ufeffK-1',
    'K-1\u200b',
    'K-1\u2060',
    '\u0085K-1\u3000',
    'K-1\u00ad',
  ],
  ...['\u200e K-1 \u200f', 'K-1\u3164', 'K-1\u{e0020}', 'K-1\u001a', '=" K-1"', '"K-1 "'],
])('white space and invisible characters leave both ends: %j', (text) => {
  deepEqual(readCode(text), { code: 'K-1', isTrimmed: true });
});

test.each(['="K-1"', "'K-1", '"K-1"', "'K-1'", '“K-1”', `'"K-1"`])(
  'a wrapped code is unwrapped: %s',
  (text) => {
    deepEqual(readCode(text), { code: 'K-1', isTrimmed: false });
  },
);

test.each([
  ['K-1\rK-2', 'U+000D at position 4'],
  ['K-1\nK-2', 'U+000A at position 4'],
  ['K-1\tK-2', 'U+0009 at position 4'],
  ['K\u0007K', 'U+0007 at position 2'],
  ['K\u0085K', 'U+0085 at position 2'],
  ['K\u2028K', 'U+2028 at position 2'],
  ['"K-1\rK-2"', 'U+000D at position 4'],
  ['\u{1f511}\0K', 'U+0000 at position 3'],
])('a code is one line of text: %j', (text, place) => {
  const problem = `has ${place}, a line end or another control character: write each code as one line of text`;
  deepEqual(readCode(text), { problem });
});

test.each(['\ufffdK-1', 'K-\ufffd', 'K-1\ufffd2\n'])(
  'a code has no character that could not be read: %j',
  (text) => {
    const problem = 'problem' in readCode(text) ? Object.values(readCode(text)).join() : '';
    match(problem, /^has U\+FFFD at position \d, which replaces a character .*, in UTF-8$/);
  },
);

test.each([
  'offerId,code',
  'code',
  'Code;Kind',
  'Product Key',
  'CD-Key',
  '"offerId","code"',
  'offer_id\tcode',
])('a row of column names is no code: %j', (text) => {
  deepEqual(readCode(text), { problem: 'is a row of column names, and no code: remove the row' });
});

test.each([',K-4', ';K-4', '\tK-4', ' , K-4'])('a row of a key import is no code: an id and %j', (rest) => {
  const problem = 'is a row of CSV with an offer id: import the file instead';
  deepEqual(readCode(`0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111${rest}`), { problem });
});

test('reading a code takes linear time', () => {
  const blanks = ' '.repeat(4_000);
  deepEqual(readCode(`A${blanks}B${blanks}`), { code: `A${blanks}B`, isTrimmed: true });
});
