/** RFC 4180. */

const NEEDS_QUOTES = /[",;\t\r\n]/;

/** Every cell is exactly its text. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\r\n`;
}

/**
 * For a spreadsheet program. It would shorten or round ids, so they are written as text. A text that it would
 * read as a formula gets an apostrophe, even after `;` or a tab, which separate cells in some locales. The imports
 * accept both forms.
 */
export function spreadsheetRecord(cells: readonly string[]): string {
  return csvRecord(
    cells.map((text) => {
      if (LONG_NUMBER.test(text)) return `="${text}"`;
      return AMOUNT.test(text) ? text : text.replace(FORMULA_OR_APOSTROPHE, "'");
    }),
  );
}

/** A spreadsheet program shows longer numbers with an exponent, and rounds those of 16 digits. */
const LONG_NUMBER = /^\d{12,}$/;
/** A negative amount is a number, not a formula. */
const AMOUNT = /^-?\d{1,15}(?:\.\d{1,12})?$/;
/** Some programs drop leading blanks, or read full-width forms as ASCII. */
const FORMULA_OR_APOSTROPHE = /(?<=^|[;；\t\r\n])(?=\s*[=+\-@'\t\r;；＝＋－＠])/g;

function quote(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
