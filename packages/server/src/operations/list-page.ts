import { buildMeta, type ListMeta } from '@keyport/contract/envelope';
import { formatMinor } from '@keyport/core/money';
import { cursorMeta, type ListQuery, wantedPage } from '@keyport/http/validation/list-cursor';
import { type Paging, toPaging } from '@keyport/http/validation/paging';
import type { Database } from '../db/engines/database.ts';
import { type CountedRows, countRows, FOUND_MAX, findPage, type List } from '../db/keyset.sql.ts';
import type { Db } from '../db/schema.ts';

export type WantedList<Row> = {
  readonly name: string;
  readonly query: ListQuery & { readonly count?: 'true' };
  readonly list: List;
  readonly load: (db: Db, ids: readonly string[]) => Promise<readonly Row[]>;
  readonly toId: (row: Row) => string | number;
};

export async function readListPage<Row>(
  database: Database,
  { name, query, list, load, toId }: WantedList<Row>,
): Promise<{ readonly rows: Row[]; readonly meta: ListMeta }> {
  const { cursor: _cursor, limit: _limit, count, ...asked } = query;
  const identity = [name, ...Object.entries(asked).toSorted(([one], [other]) => (one < other ? -1 : 1))];
  const page = wantedPage(
    query,
    identity,
    list.key.map(({ form }) => form),
  );
  const { ids, next } = await findPage(database, list, page);
  const loaded = ids.length === 0 ? [] : await load(database.db, ids);
  const byId = new Map(loaded.map((row) => [String(toId(row)), row]));
  const matches = count === undefined ? {} : { matches: toMatches(await countRows(database, list)) };
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    meta: { ...cursorMeta(next, identity), ...matches },
  };
}

/** Amounts of a currency may have different decimals. */
function toMatches(counted: readonly CountedRows[]): NonNullable<ListMeta['matches']> {
  const isAtLeast = (counted[0]?.read ?? 0) > FOUND_MAX;
  const count = counted.reduce((sum, row) => sum + row.count, 0);
  const currencies = new Set(counted.flatMap(({ currency, count }) => (count > 0 ? (currency ?? []) : [])));
  const toSum = (currency: string) => {
    const rows = counted.filter((row) => row.currency === currency);
    const decimals = Math.max(...rows.map((row) => row.decimals));
    const toWhole = (row: CountedRows) => BigInt(row.sumMinor) * 10n ** BigInt(decimals - row.decimals);
    return {
      currency,
      amount: formatMinor(
        rows.reduce((sum, row) => sum + toWhole(row), 0n),
        decimals,
      ),
    };
  };
  return {
    count: Math.min(count, FOUND_MAX),
    isAtLeast,
    sums: isAtLeast ? [] : [...currencies].toSorted().map(toSum),
  };
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
