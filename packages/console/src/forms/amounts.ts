/** Reads amounts as people and spreadsheets write them. They are strings and never become numbers. */
import { texts } from './texts.ts';

/** Different separators for thousands and decimals; two or more for thousands; or none for thousands. */
const FORMS = [
  /^(\d{1,3}(?:\.\d{3})+),(\d+)$/,
  /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/,
  /^(\d{1,3}(?:\.\d{3}){2,})$/,
  /^(\d{1,3}(?:,\d{3}){2,})$/,
  /^(\d+)(?:[.,](\d{0,2}|\d{4,}))?$/,
];
const WHOLE_DIGITS_MAX = 11;

/**
 * `1.234,56` and `1,234.56` become `1234.56`, `250` becomes `250.00`. Returns undefined for invalid or
 * ambiguous text (`1.234`).
 */
export function readAmount(typed: string): string | undefined {
  const text = withoutSigns(typed);
  const found = FORMS.map((form) => form.exec(text)).find((match) => match !== null);
  if (found === undefined || found === null) return undefined;
  const [, grouped = '', decimals = ''] = found;
  if (/[1-9]/.test(decimals.slice(2))) return undefined;
  const whole = String(BigInt(grouped.replaceAll(/[.,]/g, '')));
  return whole.length > WHOLE_DIGITS_MAX ? undefined : `${whole}.${decimals.slice(0, 2).padEnd(2, '0')}`;
}

/** Like readAmount, but only for amounts above zero. */
export function readPrice(typed: string): string | undefined {
  const amount = readAmount(typed);
  return amount === '0.00' ? undefined : amount;
}

/**
 * Returns why the text is not an amount, or undefined if it is one. `missing` is the message for text that is
 * not ambiguous.
 */
export function amountProblem(typed: string, missing: string, read = readPrice): string | undefined {
  if (read(typed) !== undefined) return undefined;
  const text = withoutSigns(typed);
  const [whole = '', thousands] = text.split(/[.,]/);
  return thousands !== undefined && /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)
    ? texts.action.amountUnclear(text, whole, thousands)
    : missing;
}

function withoutSigns(typed: string): string {
  return typed.replace(/€|EUR/gi, '').replace(/[\s\u00a0\u202f'’]/g, '');
}
