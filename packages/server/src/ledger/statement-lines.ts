/** A line of a statement as the interface writes it, as JSON and as a record of a CSV file (A87). Pure. */
import type { StatementLine } from '@keyport/contract/accounts/statements';
import { type CsvCell, csvRecord } from '@keyport/contract/csv';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import type { LineRecord } from './statement.sql.ts';

const CSV_COLUMNS = [
  'number',
  'id',
  'createdAt',
  'kind',
  'amount',
  'balance',
  'orderId',
  'reference',
  'reason',
] as const;

const CSV_OWNER_COLUMNS = ['accountId', 'accountName'] as const;

const headerOf = (columns: readonly string[]) => csvRecord(columns.map((column) => ({ bare: column })));

export const CSV_HEADER = headerOf(CSV_COLUMNS);

export const CSV_OWNERS_HEADER = headerOf([...CSV_OWNER_COLUMNS, ...CSV_COLUMNS]);

export function ownerCells(owner: { readonly accountId: string; readonly accountName: string }): CsvCell[] {
  return [{ bare: owner.accountId }, { text: owner.accountName }];
}

export function formatLine(record: LineRecord): StatementLine {
  return {
    id: String(record.id),
    number: record.number,
    createdAt: formatDateTime(record.createdAtMicros),
    kind: record.kind,
    amount: formatMinor(record.amountMinor),
    balance: formatMinor(record.balanceMinor),
    ...(record.orderId === null ? {} : { orderId: record.orderId }),
    ...(record.reference === null ? {} : { reference: record.reference }),
    ...(record.reason === null ? {} : { reason: record.reason }),
  };
}

export function formatCsvLine(record: LineRecord, owner: readonly CsvCell[]): string {
  const { reference, reason, ...line } = formatLine(record);
  return csvRecord([
    ...owner,
    { bare: String(line.number) },
    { bare: line.id },
    { bare: line.createdAt },
    { bare: line.kind },
    { bare: line.amount },
    { bare: line.balance },
    { bare: line.orderId ?? '' },
    { text: reference ?? '' },
    { text: reason ?? '' },
  ]);
}

/** The first or last record of an account: a balance without a movement, at the requested bound, if any. */
export function formatCsvBalance(
  kind: 'opening' | 'closing',
  balanceMinor: number,
  atMicros: number | undefined,
  owner: readonly CsvCell[],
): string {
  const createdAt = atMicros === undefined ? '' : formatDateTime(atMicros);
  const cells = ['', '', createdAt, kind, '', formatMinor(balanceMinor), '', '', ''];
  return csvRecord([...owner, ...cells.map((cell) => ({ bare: cell }))]);
}

/** The last record of a file of several accounts: what all of them moved, and what they have in the end. */
export function formatCsvTotal(movedMinor: bigint, closingMinor: bigint): string {
  const cells = ['', '', '', '', '', 'total', formatMinor(movedMinor), formatMinor(closingMinor), '', '', ''];
  return csvRecord(cells.map((cell) => ({ bare: cell })));
}
