import { formatJson, formatScalar, isNested, printable } from '@keyport/sdk-source/commands/output';

type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

export function formatTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
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

/** Columns separated by blanks: `name`, or `title=path`, with dots for a nested member. */
export function memberColumns(columns: string): Columns<unknown> {
  return Object.fromEntries(
    columns.split(' ').map((column) => {
      const [title = '', path = title] = column.split('=');
      return [title, (row: unknown) => formatMember(row, path)];
    }),
  );
}

export function printResult(isJson: true | undefined, value: unknown, lines: readonly string[]): void {
  console.log(isJson ? formatJson(value) : lines.join('\n'));
}

export function alignedColumns<Name extends string>(
  names: readonly Name[],
  rows: readonly Readonly<Record<Name, unknown>>[],
): Columns<Readonly<Record<Name, unknown>>> {
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

function formatMember(record: unknown, path: string): string {
  let value = record;
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return isNested(value) ? JSON.stringify(value) : formatScalar(value);
}
