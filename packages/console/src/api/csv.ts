/**
 * CSV as the service writes it: a text that a spreadsheet would take for a formula gets an apostrophe in front, and so does one
 * that begins with an apostrophe, so that taking one away gives the text back.
 */

/** Also behind blanks, which some programs drop, and in the wide forms that some take for the narrow ones. */
const FORMULA_OR_APOSTROPHE = /^\s*[=+\-@'\t\r＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\r\n`;
}

function quote(cell: string): string {
  const text = FORMULA_OR_APOSTROPHE.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
