import { LIST_COLUMNS, type ListColumn, valuesAt } from '@keyport/contract/list-columns';
import type { OperationName } from '@keyport/contract/operations';
import { formatJson, formatScalar, printable } from '@keyport/sdk-source/commands/output';

type Cells<Row> = Readonly<Record<string, (row: Row) => string>>;
type Columns = Readonly<Record<string, Partial<ListColumn>>>;

export function formatTable<Row>(rows: readonly Row[], columns: Cells<Row>): string {
  const titles = Object.keys(columns);
  const lines = [titles, ...rows.map((row) => Object.values(columns).map((text) => printable(text(row))))];
  const widths = titles.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The columns that the contract declares for the operation, under their names; or else every member. */
export function formatList(operation: OperationName, rows: readonly unknown[]): string {
  const declared = (LIST_COLUMNS as Partial<Record<OperationName, Columns>>)[operation] ?? toMembers(rows[0]);
  // An element's id comes first.
  const columns = Object.entries(declared).toSorted(
    ([one], [other]) => Number(other === 'id') - Number(one === 'id'),
  );
  return formatTable(
    rows,
    Object.fromEntries(
      columns.map(([name, { path = name, labels = {} }]) => [
        name,
        (row: unknown) => valuesAt(row, path.split('.')).map(toCell(labels)).join('; ') || formatScalar(null),
      ]),
    ),
  );
}

const toMembers = (row: unknown): Columns =>
  Object.fromEntries(Object.keys(Object(row)).map((name) => [name, {}]));

const toCell = (labels: NonNullable<ListColumn['labels']>) => (value: unknown) => {
  const [text, label] = [formatScalar(value), labels[String(value)]];
  return label === undefined ? text : `${text} (${label})`;
};

export function printResult(isJson: true | undefined, value: unknown, lines: readonly string[]): void {
  console.log(isJson ? formatJson(value) : lines.join('\n'));
}

export function alignedColumns<Name extends string>(
  names: readonly Name[],
  rows: readonly Readonly<Record<Name, unknown>>[],
): Cells<Readonly<Record<Name, unknown>>> {
  return Object.fromEntries(
    names.map((name) => {
      const width = Math.max(name.length, ...rows.map((row) => String(row[name]).length));
      return [
        name.padStart(width),
        (row: Readonly<Record<Name, unknown>>) => String(row[name]).padStart(width),
      ];
    }),
  );
}
