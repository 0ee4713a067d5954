import { deepEqual, equal } from 'node:assert/strict';
import type { StatementLine, StatementSummary } from '@keyport/contract/accounts/statements';
import { parse } from 'csv-parse/sync';
import type { Harness } from './harness.ts';

export type Statement = { readonly lines: readonly StatementLine[]; readonly summary: StatementSummary };

export async function readStatement(
  h: Harness,
  accountId: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Statement> {
  const lines: StatementLine[] = [];
  for (let page = 1; ; page += 1) {
    const search = new URLSearchParams({ itemsPerPage: '10', ...query, page: String(page) });
    const response = await h.admin('GET', `/accounts/${accountId}/statement?${search}`);
    equal(response.status, 200, JSON.stringify(response.body));
    lines.push(...response.body.data);
    if (response.body.meta.hasNext) continue;
    equal(response.body.meta.totalResults, lines.length);
    return { lines, summary: response.body.summary };
  }
}

export async function fetchCsv(
  h: Harness,
  accountId: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const search = new URLSearchParams(query);
  return fetch(`${h.url}/admin/v1/accounts/${accountId}/statement?${search}`, {
    headers: { authorization: `Bearer ${h.operatorToken}`, accept: 'text/csv' },
  });
}

/** Returns opening, lines and closing (A87). */
export function parseStatementCsv(text: string) {
  const records: Record<string, string>[] = parse(text, { columns: true, record_delimiter: '\r\n' });
  const [opening, ...rest] = records;
  const closing = rest.pop();
  deepEqual([opening?.['kind'], closing?.['kind']], ['opening', 'closing'], 'the file is whole');
  const lines = rest.map(({ number, orderId, reference = '', reason = '', ...line }) => ({
    ...line,
    number: Number(number),
    ...(orderId === '' ? {} : { orderId }),
    ...(reference === '' ? {} : { reference }),
    ...(reason === '' ? {} : { reason }),
  }));
  return { opening: opening?.['balance'], closing: closing?.['balance'], lines };
}
