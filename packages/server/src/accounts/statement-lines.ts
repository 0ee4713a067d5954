/** A line of a statement as the interface writes it, as JSON and as a record of a CSV file (A87). Pure. */
import type { StatementLine } from '@keyport/contract/admin';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { csvRecord } from '../catalogue/imports/csv.ts';
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

export const CSV_HEADER = csvRecord(CSV_COLUMNS.map((column) => ({ bare: column })));

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

export function formatCsvLine(record: LineRecord): string {
  const { reference, reason, ...line } = formatLine(record);
  return csvRecord([
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

/** The first or last record of the file: a balance without a movement, at the bound that was asked for, if any. */
export function formatCsvBalance(
  kind: 'opening' | 'closing',
  balanceMinor: number,
  atMicros: number | undefined,
): string {
  const createdAt = atMicros === undefined ? '' : formatDateTime(atMicros);
  const cells = ['', '', createdAt, kind, '', formatMinor(balanceMinor), '', '', ''];
  return csvRecord(cells.map((cell) => ({ bare: cell })));
}
