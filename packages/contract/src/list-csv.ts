/** Columns are an element's innermost members; an array's values share a cell. */
import type { TSchema } from 'typebox';
import { csvRecord } from './csv.ts';
import { LIST_COLUMNS, type ListColumn, valuesAt } from './list-columns.ts';
import type { OperationSpec } from './operations/operation-spec.ts';
import { spelled } from './spelled.ts';

type Schema = TSchema & {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

type Path = readonly string[];

export function isListWithCsv({ audience, method, query, csvExample }: OperationSpec): boolean {
  const isList = audience === 'operator' && method === 'GET' && query?.properties['cursor'] !== undefined;
  return isList && csvExample === undefined;
}

/** The members of an element of `data`, or of the only array in it. */
export function listColumns({ responses }: OperationSpec): Path[] {
  const data = (responses[200] as Schema | undefined)?.properties?.['data'];
  const [array] = [data, ...Object.values(data?.properties ?? {})].filter((one) => one?.items !== undefined);
  return toLeaves(array?.items, []);
}

export function columnsRecord(columns: readonly Path[]): string {
  return csvRecord(columns.map((path) => path.join('.')));
}

export function rowRecord(columns: readonly Path[], row: unknown): string {
  return csvRecord(columns.map((path) => valuesAt(row, path).map(toText).join('; ')));
}

/** The names of columns, as people read them; each remains different from the others. */
export function toHeadings(operation: string, names: readonly string[]): string[] {
  const columns = (LIST_COLUMNS as Readonly<Record<string, Readonly<Record<string, ListColumn>>>>)[operation];
  const toOwn = (name: string) => columns?.[name]?.label;
  const leaves = names.map((name) => name.split('.').at(-1));
  const headings = names.map((name) => {
    const [leaf = '', outer] = name.split('.').toReversed();
    if (outer === undefined) return toOwn(name) ?? spelled(leaf);
    // An element of an array is named only if its member would be mistaken for another one.
    const isElement = outer.endsWith('s');
    const isAlone = leaves.filter((one) => one === leaf).length === 1;
    return spelled(isElement ? (isAlone ? leaf : `${outer.slice(0, -1)}-${leaf}`) : `${outer}-${leaf}`);
  });
  return headings.map((heading, place) =>
    headings.filter((one) => one === heading).length === 1 ? heading : spelled(names[place] ?? heading),
  );
}

function toLeaves(schema: Schema | undefined, path: Path): Path[] {
  const [inner = schema] = schema?.anyOf?.filter((one) => one.type !== 'null') ?? [];
  if (inner?.items !== undefined) return toLeaves(inner.items, path);
  const members = Object.entries(inner?.properties ?? {});
  return members.length === 0
    ? [path]
    : members.flatMap(([name, member]) => toLeaves(member, [...path, name]));
}

function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
