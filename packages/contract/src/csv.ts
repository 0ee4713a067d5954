/**
 * Writes CSV after RFC 4180: CRLF at the end of every record, quotes where a cell needs them. A text that a spreadsheet
 * would take for a formula gets an apostrophe in front, and so does one that begins with an apostrophe. A spreadsheet of
 * another locale splits cells at `;` or a tab, so the same holds behind these: taking one apostrophe away at the beginning
 * and behind each separator always gives the text back (A87).
 */

/** `bare`: what the service itself writes, such as an amount; it stays as it is. `text`: what was typed. */
export type CsvCell = { readonly bare: string } | { readonly text: string };

/** Also behind blanks, which some programs drop, and in the wide forms that some take for the narrow ones. */
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
