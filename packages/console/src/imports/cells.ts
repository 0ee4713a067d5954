/** What becomes of cells as people and spreadsheets write them. What could be meant in two ways stays, and the service rejects it. */
import { PRODUCT_ID } from '../api/ids.ts';
import { categoriesOf } from '../catalogue/product-fields.ts';
import { readAmount } from '../ui/amounts.ts';

export const AMOUNT = /^[0-9]+\.[0-9]{1,2}$/;

/** `1.234,50 €` becomes `1234.50`. Whole numbers stay whole: a column of them may as well hold ids. */
export function rewritePrice(cell: string): string {
  const amount = readAmount(cell) ?? cell;
  return /[.,]/.test(cell) ? amount : amount.replace(/\.00$/, '');
}

/** Spreadsheets group the digits, add decimals, or protect them by `="…"` or an apostrophe. */
export function rewriteProductId(cell: string): string {
  const text = cell.replace(/[\s\u00a0\u202f'’="]/g, '').replace(/[.,]0{1,2}$/, '');
  const digits = text.replace(/[.,](?=\d{3}(\D|$))/g, '');
  return PRODUCT_ID.test(digits) ? digits : cell;
}

const ACTIVE = ['active', 'aktiv', 'yes', 'ja', 'true', '1', 'on', 'enabled', 'x'];
const PAUSED = ['paused', 'pausiert', 'inactive', 'inaktiv', 'no', 'nein', 'false', '0', 'off', 'disabled'];

export function rewriteStatus(cell: string): string {
  const text = cell.toLowerCase();
  if (ACTIVE.includes(text)) return 'active';
  return PAUSED.includes(text) ? 'paused' : cell;
}

/** `In-game top-up` becomes `in-game-top-up`. */
export function rewriteClass(cell: string): string {
  return cell.toLowerCase().replace(/[\s_]+/g, '-');
}

/** `24.12.2026` becomes `2026-12-24`. */
export function rewriteDate(cell: string): string {
  const [, day = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell) ?? [];
  return year === undefined ? cell : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Names with commas, semicolons or bars between become what the service takes for categories; JSON stays. */
export function rewriteCategories(cell: string): string {
  if (cell === '' || isJson(cell)) return cell;
  const names = cell.split(/[,;|]/).flatMap((name) => name.trim() || []);
  return JSON.stringify(categoriesOf(names));
}

/** Addresses with blanks or signs between. */
export function rewriteList(cell: string): string {
  if (cell === '' || isJson(cell)) return cell;
  return JSON.stringify(cell.split(/[\s,;|]+/).filter((address) => address !== ''));
}

function isJson(cell: string): boolean {
  return cell.startsWith('[');
}
