import type { OwnStatementLine, StatementLine } from '@keyport/contract/accounts/statements';
import { csvRecord } from '@keyport/contract/csv';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import type { Static } from 'typebox';
import type { LineRecord } from './statement.sql.ts';

const OWN_COLUMNS = ['id', 'createdAt', 'kind', 'amount', 'balance', 'orderId', 'reference'] as const;

const CSV_COLUMNS = ['number', ...OWN_COLUMNS, 'reason'] as const;

/** Every record starts with the cells of `owner` (A87). */
export type CsvForm = {
  readonly columns: readonly (typeof CSV_COLUMNS)[number][];
  readonly owner: readonly string[];
};

export const CSV_FORM: CsvForm = { columns: CSV_COLUMNS, owner: [] };

/** For resellers, without operators' reasons. */
export const OWN_CSV_FORM: CsvForm = { columns: OWN_COLUMNS, owner: [] };

export const formatCsvHeader = ({ columns }: CsvForm) => csvRecord(columns);

export const CSV_OWNERS_HEADER = csvRecord(['accountId', 'accountName', ...CSV_COLUMNS]);

export function ownerCells(owner: { readonly accountId: string; readonly accountName: string }): string[] {
  return [owner.accountId, owner.accountName];
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
    ...(record.claimId === null ? {} : { claimId: record.claimId }),
    ...(record.reference === null ? {} : { reference: record.reference }),
    ...(record.reason === null ? {} : { reason: record.reason }),
  };
}

export function formatOwnLine(record: LineRecord): Static<typeof OwnStatementLine> {
  const { number: _number, reason: _reason, ...line } = formatLine(record);
  return line;
}

export function formatCsvLine(record: LineRecord, form: CsvForm): string {
  return formatCsvCells(formatLine(record), form);
}

function formatCsvCells(
  line: Readonly<Partial<Record<(typeof CSV_COLUMNS)[number], string | number>>>,
  { columns, owner }: CsvForm,
): string {
  return csvRecord([...owner, ...columns.map((name) => String(line[name] ?? ''))]);
}

/** The opening or closing line: a balance, with the requested bound as its time, if there is one. */
export function formatCsvBalance(
  kind: 'opening' | 'closing',
  balanceMinor: number,
  atMicros: number | undefined,
  form: CsvForm,
): string {
  const createdAt = atMicros === undefined ? '' : formatDateTime(atMicros);
  return formatCsvCells({ createdAt, kind, balance: formatMinor(balanceMinor) }, form);
}

export function formatCsvTotal(movedMinor: bigint, closingMinor: bigint): string {
  const cells = ['', '', '', '', '', 'total', formatMinor(movedMinor), formatMinor(closingMinor), '', '', ''];
  return csvRecord(cells);
}
