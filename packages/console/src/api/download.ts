/** Files of the service, saved by the browser. The form of an answer is chosen by the Accept header, which a plain link cannot send. */
import { KeyportConnectionError, KeyportError } from '@keyport/sdk/admin';
import { stringifySearch } from '../url.ts';
import { SERVICE_URL } from './place.ts';
import { sessionEnded } from './session.ts';

export type Download = {
  /** Of the operation, such as `/admin/v1/books`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accept?: string;
  readonly fileName: string;
};

export async function download({ path, query = {}, accept = 'text/csv', fileName }: Download): Promise<void> {
  const response = await fetch(SERVICE_URL + path + stringifySearch(query), { headers: { accept } }).catch(
    (cause: unknown) => {
      throw new KeyportConnectionError('No answer came.', { cause });
    },
  );
  if (response.status === 401) sessionEnded();
  if (!response.ok) {
    const { error = {}, traceId } = await response.json().catch(() => ({}));
    const { code = 'internal-server-error', message = response.statusText, errors } = error;
    throw new KeyportError({ status: response.status, code, message, errors, traceId });
  }
  save(fileName, await response.blob());
}

/** A file that is made here. */
export function saveCsv(
  fileName: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const lines = [head, ...rows].map((cells) => `${cells.map(quote).join(',')}\r\n`);
  save(fileName, new Blob(lines, { type: 'text/csv' }));
}

function save(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

/** A spreadsheet takes a text with one of these in front for a formula. */
function quote(cell: string): string {
  const text = /^\s*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
