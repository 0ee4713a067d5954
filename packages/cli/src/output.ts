/**
 * How answers are printed: tables and trees for people. Names come from sellers and resellers, so control characters
 * are replaced: none may reach a terminal.
 */

type Column<Row> = { readonly title: string; readonly text: (row: Row) => string };

/** Columns as wide as their longest cell; the last one is not padded. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const titles = columns.map(({ title }) => title);
  const lines = [titles, ...rows.map((row) => columns.map(({ text }) => printable(text(row))))];
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

/** One line per value, nested values indented under their name. */
export function formatTree(value: unknown, indent = ''): string {
  if (!isNested(value)) return indent + formatScalar(value);
  const entries = Object.entries(value);
  const width = Math.max(
    ...entries.filter(([, member]) => !isNested(member)).map(([name]) => name.length),
    0,
  );
  return entries
    .map(([name, member]) => {
      const label = indent + (Array.isArray(value) ? '-' : name.padEnd(isNested(member) ? 0 : width));
      return isNested(member)
        ? `${label}\n${formatTree(member, `${indent}  `)}`
        : `${label}  ${formatScalar(member)}`;
    })
    .join('\n');
}

/** The member of a response that a dotted path names, as text. */
export function formatMember(record: unknown, path: string): string {
  let value = record;
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return isNested(value) ? JSON.stringify(value) : formatScalar(value);
}

export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Empty lists and objects are printed as one value. */
function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function formatScalar(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
