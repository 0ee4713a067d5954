/**
 * Writes CSV (RFC 4180): CRLF after every record, quotes where a cell needs them. A text that a spreadsheet would treat
 * as a formula gets an apostrophe in front, and so does a text that begins with one. Some locales split cells at `;` or a
 * tab, so the same holds after these: removing one apostrophe at each of these places restores the text (A87).
 */

/** `bare`: written by the service, such as an amount; it stays unchanged. `text`: typed by a person. */
export type CsvCell = { readonly bare: string } | { readonly text: string };

/** Also after blanks, which some programs drop, and in full-width forms, which some read as ASCII. */
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
