/** Saves files from the service. A plain link cannot send the Accept header that selects their format. */
import { spreadsheetRecord } from '@keyport/contract/csv';
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { stringifySearch } from '../places.tsx';
import { request, sessionEnded } from './session.ts';

export type Download = {
  /** The operation's path, such as `/admin/v1/books`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accept?: string;
  readonly fileName: string;
};

export async function download({ path, query = {}, accept = 'text/csv', fileName }: Download): Promise<void> {
  const response = await request(path + stringifySearch({ ...query, format: 'spreadsheet' }), () => ({
    headers: { accept },
  })).catch((error: unknown) => {
    if (error instanceof KeyportError && error.status === 401) sessionEnded();
    throw error;
  });
  save(fileName, await response.blob());
}

export function saveCsv(
  fileName: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  save(fileName, new Blob([head, ...rows].map(spreadsheetRecord), { type: 'text/csv' }));
}

export function save(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
