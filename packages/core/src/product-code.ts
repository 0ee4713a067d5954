/** This file defines how codes of product keys are read and compared. A105. */
import { toName } from './invisible.ts';

/** Blanks, hyphens, dashes and invisible characters. */
const WRITING = /[\s\p{Pd}\p{Cf}]/gu;

/** A key in two spellings must not be sold twice. */
export function foldCode(code: string): string {
  const folded = tidy(code).text.normalize('NFKC').replace(WRITING, '').toUpperCase();
  return folded === '' ? code : folded;
}

/** Three groups or more, or one long one: letters and digits, and no UUID or number of an order. */
const KEY_FORMS = [/^[A-Z\d]{4,7}(?:[\s\p{Pd}][A-Z\d]{4,7}){2,}$/iu, /^(?=.*[A-Z])(?=.*\d)[A-Z\d]{12,31}$/iu];

/** Whether someone who searches may have entered a whole key, which belongs in no URL. */
export function looksLikeKey(text: string): boolean {
  return KEY_FORMS.some((form) => form.test(text.trim()));
}

export type ReadCode =
  | {
      readonly code: string;
      /** Whether the text had white space or invisible characters at an end. */
      readonly isTrimmed: boolean;
    }
  /** The problem is a predicate whose subject is the code, without a period. */
  | { readonly problem: string };

/** Every door through which codes of new keys arrive reads them with this function. */
export function readCode(text: string): ReadCode {
  const { text: code, isTrimmed } = tidy(text);
  if (code === '') return { problem: 'must have at least one visible character' };
  if (isSpoilt(code) || SPOILT_CODES.some((form) => form.test(code))) return { problem: SPOILT };
  if (HEADER_ROW.test(code)) return { problem: 'is a row of column names, and no code: remove the row' };
  if (CSV_ROW.test(code)) return { problem: 'is a row of CSV with an offer id: import the file instead' };
  const unreadable = UNREADABLE.exec(code);
  if (unreadable === null) return { code, isTrimmed };
  const [character] = unreadable;
  const place = `has ${toName(character)} at position ${unreadable.index + 1}`;
  return {
    problem:
      character === REPLACEMENT
        ? `${place}, which replaces a character that could not be read: export the codes again, in UTF-8`
        : `${place}, a line end or another control character: write each code as one line of text`,
  };
}

const REPLACEMENT = '\uFFFD';
const UNREADABLE = /[\p{Cc}\p{Zl}\p{Zp}\uFFFD]/u;

/** Files of codes come with a header row, or as CSV, where one code per line is expected. */
const COLUMN = ` ?["']?(?:(?:product|cd|game|gift|activation|licen[cs]e|serial|voucher)[ _-]?)?(?:offer[ _-]?ids?|codes?|keys?|serials?|numbers?|kind)["']? ?`;
const HEADER_ROW = new RegExp(`^${COLUMN}(?:[,;\t|]${COLUMN})*$`, 'i');
const CSV_ROW = /^["']?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}["']?\s*[,;\t|]/i;

export const SPOILT =
  'is what a spreadsheet shows instead of the text (such as 8.96529E+19, #N/A, #### or 12345678901234500000), so the text is lost: format the column as text, fill it again from the source, and export it again';

/** A spreadsheet writes long numbers with a decimal separator or a plus sign: `8.96529E+19`, `2E+26`. */
const SPOILT_FORMS = [
  /^[+-]?\d+[.,٫]\d+(?:E|×10\^)[+\u2212-]?\d+$/iu,
  /^[+-]?\d+E\+\d+$/iu,
  // The errors of spreadsheets in all languages: #NAME?, #DIV/0!, #¡REF!, #N/A, #NV.
  /^#[\p{L}\p{M}\d/.¡¿_]{1,20}[!?]$/u,
  /^#(?:\p{L}{1,2}\/\p{L}{1,2}|NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|\p{L}+(?:_\p{L}+)+)$/iu,
  /^Err:\d{3}$/u,
  /^#+$/u,
];

/** Names and other texts may have these forms. Real codes have five zeros after 15 digits once in 100,000. */
const SPOILT_CODES = [
  /^#\p{L}+$/u,
  /^=(?:.*[(&!]|\$?[A-Z]{1,3}\$?\d+$)/isu,
  /^[+-]?\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})+(?:[.,]\d+)?$/u,
  /^[+-]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/u,
  /^[1-9]\d{14}0{5,}$/u,
];

export function isSpoilt(text: string): boolean {
  return SPOILT_FORMS.some((form) => form.test(text));
}

/** Spreadsheets write `="…"` or an apostrophe before a number that is text. Lists are often quoted. */
const WRAPPINGS = [/^="(.*)"$/su, /^["“”„](.*)["“”]$/su, /^'(.*)'$/su, /^'(.*)$/su];

function tidy(given: string): { readonly text: string; readonly isTrimmed: boolean } {
  let text = trimmed(given);
  let isTrimmed = text !== given;
  for (let inner = unwrapped(text); inner !== undefined; inner = unwrapped(text)) {
    text = trimmed(inner);
    isTrimmed ||= text !== inner;
  }
  return { text, isTrimmed };
}

function unwrapped(text: string): string | undefined {
  const first = text[0] ?? '';
  if (!`="“”„'`.includes(first)) return undefined;
  for (const wrapping of WRAPPINGS) {
    const [, inner] = wrapping.exec(text) ?? [];
    if (inner !== undefined) return inner.replaceAll('""', '"');
  }
  return undefined;
}

const INVISIBLE = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/** A pattern for the end of a text would take quadratic time. */
function trimmed(text: string): string {
  if (/^[!-~](?:.*[!-~])?$/su.test(text)) return text;
  const characters = Array.from(text);
  const isVisible = (character: string) => !INVISIBLE.test(character);
  const first = characters.findIndex(isVisible);
  return first === -1 ? '' : characters.slice(first, characters.findLastIndex(isVisible) + 1).join('');
}
