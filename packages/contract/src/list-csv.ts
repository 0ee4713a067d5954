/** Columns are an element's innermost members; an array's values share a cell. */
import type { TSchema } from 'typebox';
import { csvRecord } from './csv.ts';
import { valuesAt } from './list-columns.ts';
import type { OperationSpec } from './operations/operation-spec.ts';

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
