/** Reads the cells of price lists. An ambiguous or invalid cell has no value. */
import { toPlainLetters } from './slug.ts';

export const PRODUCT_ID_DIGITS = 14;
const PRODUCT_ID = /^[1-9][0-9]{13}$/;

/** By the decimal separator. */
const AMOUNTS = {
  '.': /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/,
  ',': /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/,
};
/** `1.234` and `1,234` are ambiguous and match none. */
const CLEAR_AMOUNTS = [
  /^(\d{1,3}(?:\.\d{3})+),(\d+)$/,
  /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/,
  /^(\d{1,3}(?:\.\d{3}){2,})$/,
  /^(\d{1,3}(?:,\d{3}){2,})$/,
  /^(\d+)(?:[.,](\d{0,2}|\d{4,}))?$/,
];
const WHOLE_DIGITS_MAX = 11;

/** Such as `1234.50`. Without `decimal`, ambiguous texts are rejected. */
export function readAmount(text: string, decimal?: '.' | ','): string | undefined {
  const bare = text.replace(/[\s\u00a0\u202f'’]/g, '').replace(/^(?:€|EUR)|(?:€|EUR)$/gi, '');
  const forms = decimal === undefined ? CLEAR_AMOUNTS : [AMOUNTS[decimal]];
  const match = forms.map((form) => form.exec(bare)).find((found) => found !== null);
  if (match === undefined || match === null) return undefined;
  const [, whole = '', places = ''] = match;
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  const cents = places.replace(/0+$/, '').padEnd(2, '0');
  const isDoubtful = decimal === undefined && (cents.length > 2 || digits.length > WHOLE_DIGITS_MAX);
  return isDoubtful ? undefined : `${digits}.${cents}`;
}

const DATE_PARTS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  DD: '(?<day>\\d{2})',
  M: '(?<month>\\d{1,2})',
  D: '(?<day>\\d{1,2})',
};

/** `2026-12-24` for a text in a form such as `DD.MM.YYYY`. */
export function readDate(text: string, form: string): string | undefined {
  const pattern = form.replaceAll('.', '\\.').replace(/YYYY|MM?|DD?/g, (part) => DATE_PARTS[part] ?? '');
  const { year, month = '', day = '' } = new RegExp(`^${pattern}$`).exec(text)?.groups ?? {};
  return year === undefined ? undefined : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Names of one id differ only in case, marks, blanks and hyphens; the last one counts. */
export function toCategories(names: readonly string[]): { readonly id: string; readonly name: string }[] {
  return [...new Map(names.map((name) => [toCategoryId(name), name]))].map(([id, name]) => ({ id, name }));
}

/** Letters and digits joined by hyphens, or the name itself if these do not distinguish it: `C`, `C++` and `C#`. */
export function toCategoryId(name: string): string {
  const joined = name.trim().replace(/[\s_-]+(?:&[\s_-]+)?/gu, '-');
  const plain = toPlainLetters(joined);
  return /^[a-z0-9-]*[a-z0-9][a-z0-9-]*$/.test(plain) ? plain : joined.normalize('NFC').toLowerCase();
}

const ACTIVE = ['active', 'aktiv', 'yes', 'ja', 'true', '1', 'on', 'enabled', 'x'];
const PAUSED = ['paused', 'pausiert', 'inactive', 'inaktiv', 'no', 'nein', 'false', '0', 'off', 'disabled'];

/** Cells as people and spreadsheets write them. If the value is undefined, the service checks the cell. */
export const READINGS = {
  text: (cell: string) => cell,
  /** Whole numbers may be ids, so they get no decimals. */
  price: (cell: string) => (/[.,]/.test(cell) ? readAmount(cell) : readAmount(cell)?.replace(/\.00$/, '')),
  /** Spreadsheets group digits, and add decimals, `="…"` or an apostrophe. */
  productId: (cell: string) => {
    const text = cell.replace(/[\s\u00a0\u202f'’="]/g, '').replace(/[.,]0{1,2}$/, '');
    const digits = text.replace(/[.,](?=\d{3}(\D|$))/g, '');
    return PRODUCT_ID.test(digits) ? digits : undefined;
  },
  status: (cell: string) => {
    if (ACTIVE.includes(cell.toLowerCase())) return 'active';
    return PAUSED.includes(cell.toLowerCase()) ? 'paused' : undefined;
  },
  checkoutClass: (cell: string) => cell.toLowerCase().replace(/[\s_]+/g, '-'),
  date: (cell: string) => readDate(cell, 'D.M.YYYY'),
  categories: (cell: string) => {
    if (cell.startsWith('[')) return readJson(cell);
    return toCategories(cell.split(/[,;|]/).flatMap((name) => name.trim() || []));
  },
  links: (cell: string) =>
    cell.startsWith('[') ? readJson(cell) : cell.split(/[\s,;|]+/).filter((link) => link !== ''),
  json: readJson,
} as const satisfies Record<string, (cell: string) => unknown>;

export type Reading = keyof typeof READINGS;

function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}
