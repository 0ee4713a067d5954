import { buildMeta, type CursorMeta } from '@keyport/contract/envelope';
import { cursorMeta, type ListQuery, wantedPage } from '@keyport/http/validation/list-cursor';
import { type Paging, toPaging } from '@keyport/http/validation/paging';
import type { Database } from '../db/engines/database.ts';
import { findPage, type List } from '../db/keyset.sql.ts';
import type { Db } from '../db/schema.ts';

export type WantedList<Row> = {
  readonly name: string;
  readonly query: ListQuery;
  readonly list: List;
  readonly load: (db: Db, ids: readonly string[]) => Promise<readonly Row[]>;
  readonly toId: (row: Row) => string | number;
};

export async function readListPage<Row>(
  database: Database,
  { name, query, list, load, toId }: WantedList<Row>,
): Promise<{ readonly rows: Row[]; readonly meta: CursorMeta }> {
  const { cursor: _cursor, limit: _limit, ...asked } = query;
  const identity = [name, ...Object.entries(asked).toSorted(([one], [other]) => (one < other ? -1 : 1))];
  const page = wantedPage(
    query,
    identity,
    list.key.map(({ form }) => form),
  );
  const { ids, next } = await findPage(database, list, page);
  const loaded = ids.length === 0 ? [] : await load(database.db, ids);
  const byId = new Map(loaded.map((row) => [String(toId(row)), row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), meta: cursorMeta(next, identity) };
}

export async function listResponse<Row, Item>(
  database: Database,
  wanted: WantedList<Row> & { readonly format: (row: Row) => Item },
) {
  const { rows, meta } = await readListPage(database, wanted);
  return { status: 200, data: rows.map(wanted.format), meta };
}

export async function pageResponse<Row, Item>(
  query: Partial<Paging> & { readonly after?: string },
  list: {
    readonly load: (paging: Paging) => Promise<readonly Row[]>;
    readonly count: () => Promise<number>;
    readonly format: (row: Row) => Item;
  },
) {
  const paging = toPaging(query);
  const rows = await list.load(paging);
  const totalResults = await list.count();
  return {
    status: 200,
    data: rows.map(list.format),
    meta: buildMeta({ ...paging, totalResults, after: query.after }),
  };
}

export function toOrder<By extends string>(
  sort: By | `-${By}`,
): { readonly by: By; readonly isDescending: boolean } {
  const isDescending = sort.startsWith('-');
  return { by: (isDescending ? sort.slice(1) : sort) as By, isDescending };
}
