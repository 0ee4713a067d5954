/**
 * RFC 4180. Text that a spreadsheet would read as a formula gets an apostrophe, even after `;` or a tab,
 * which separate cells in some locales. Removing the apostrophes restores the text (A87).
 */

/** `bare` is written unchanged, `text` is escaped. */
export type CsvCell = { readonly bare: string } | { readonly text: string };

/** Some programs drop leading blanks, or read full-width forms as ASCII. */
const FORMULA_OR_APOSTROPHE = /(?<=^|[;；\t\r\n])(?=\s*[=+\-@'\t\r;；＝＋－＠])/g;
const NEEDS_QUOTES = /[",;\t\r\n]/;

export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quote('bare' in cell ? cell.bare : escapeFormula(cell.text))).join(',')}\r\n`;
}

function escapeFormula(text: string): string {
  return text.replace(FORMULA_OR_APOSTROPHE, "'");
}

function quote(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
