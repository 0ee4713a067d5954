/**
 * Writes CSV after RFC 4180: CRLF at the end of every record, quotes where a cell needs them. A text that a spreadsheet
 * would take for a formula gets an apostrophe in front, and so does one that begins with an apostrophe: taking one
 * leading apostrophe away always gives the text back (A87).
 */

import { Readable } from 'node:stream';
import type { Reply } from './reply.ts';

/** `bare`: what the service itself writes, such as an amount; it stays as it is. `text`: what was typed. */
export type CsvCell = { readonly bare: string } | { readonly text: string };

/** Also behind blanks, which some programs drop, and in the wide forms that some take for the narrow ones. */
const FORMULA_OR_APOSTROPHE = /^\s*[=+\-@'\t\r＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quote('bare' in cell ? cell.bare : escapeFormula(cell.text))).join(',')}\r\n`;
}

/** The answer that a browser saves as `<name>.csv`. */
export function csvReply(name: string, records: Iterable<string> | AsyncIterable<string>) {
  return {
    status: 200,
    stream: Readable.from(records),
    contentType: 'text/csv; charset=utf-8; header=present',
    headers: { 'content-disposition': `attachment; filename="${name}.csv"` },
  } as const satisfies Reply;
}

function escapeFormula(text: string): string {
  return FORMULA_OR_APOSTROPHE.test(text) ? `'${text}` : text;
}

function quote(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
