/**
 * A page takes a bounded time: it reads a limited number of rows in key order, so it may find fewer than
 * requested. If an index finds few matching rows, these are sorted instead.
 */

import type { Database } from './engines/database.ts';
import { allRows } from './rows.ts';
import type { Tx } from './schema.ts';
import { type Sql, sql } from './sql.ts';
import { toTimestamp } from './timestamps.ts';
import { runTransaction } from './transaction.ts';

const SCANNED_MAX = 5_000;
export const FOUND_MAX = 10_000;

export type KeyPart = {
  readonly value: Sql;
  readonly form: 'number' | 'amount' | 'uuid' | 'text';
  readonly toText?: (value: Sql) => Sql;
  readonly parse: (text: string) => Sql;
};

export const numberKey = (column: string): KeyPart => ({
  value: sql.identifier(column),
  form: 'number',
  parse: (text) => sql`${text}::bigint`,
});
export const uuidKey = (column: string): KeyPart => ({
  value: sql.identifier(column),
  form: 'uuid',
  parse: (text) => sql`${text}::uuid`,
});
/** Whole numbers that may be longer than a bigint. */
export const amountKey = (value: Sql): KeyPart => ({
  value,
  form: 'amount',
  parse: (text) => sql`${text}::numeric`,
});
export const timeKey = (column: string): KeyPart => ({
  value: sql.identifier(column),
  form: 'number',
  toText: (value) => sql`(extract(epoch FROM ${value}) * 1000000)::bigint`,
  parse: toTimestamp,
});
export const textKey = (value: Sql): KeyPart => ({
  value,
  form: 'text',
  parse: (text) => sql`${text} COLLATE "C"`,
});

export type Search = {
  /** Holds for a row that matches. */
  readonly condition: Sql;
  /**
   * Resolves to the condition by which an index finds the rows, or to undefined if it would find more than
   * FOUND_MAX. If left out, an index finds few rows by `condition`.
   */
  readonly toIndexed?: (tx: Tx) => Promise<Sql | undefined>;
  /** Otherwise the planner would read the whole table. */
  readonly needsIndex?: true;
};

export type List = {
  readonly from: Sql;
  readonly alias: string;
  /** The parts are unique together; the last one is the row's id. */
  readonly key: readonly KeyPart[];
  readonly isDescending: boolean;
  /** Conditions that the index in key order can serve. */
  readonly scanned?: readonly Sql[];
  readonly filters?: readonly Sql[];
  readonly search?: Search | undefined;
  /** The amounts of rows, which are summed by currency. */
  readonly amount?: { readonly minor: Sql; readonly currency: Sql; readonly decimals: Sql };
};

export type Page = { readonly after: readonly string[] | undefined; readonly limit: number };

export type FoundKeys = {
  readonly ids: string[];
  readonly next: string[] | undefined;
};

/** Reads one snapshot, so that an unchanged row appears once. */
export function findPage(database: Database, list: List, page: Page): Promise<FoundKeys> {
  const { search } = list;
  return runTransaction(
    database,
    { isSnapshot: true, keepsPlans: search?.needsIndex ?? false },
    async (tx) => {
      const indexed = await toIndexedSearch(tx, search);
      return indexed === undefined ? scanPage(tx, list, page) : sortPage(tx, list, page, indexed);
    },
  );
}

async function scanPage(tx: Tx, list: List, page: Page): Promise<FoundKeys> {
  const { search, filters = [], scanned = [] } = list;
  const residual = search === undefined ? filters : [...filters, search.condition];
  const limit = residual.length === 0 ? sql`LIMIT ${page.limit + 1}` : sql`LIMIT ${SCANNED_MAX}`;
  const remaining = [...scanned, ...behind(list, page)];
  const inner = toRows(list, remaining, sql`${ordered(list)} ${limit}`);
  const found = await listKeys(tx, list, inner, { page, conditions: residual });
  if (residual.length === 0 || found.length > page.limit) return cut(found, page);
  const last = toRows(list, remaining, sql`${ordered(list)} LIMIT 1 OFFSET ${SCANNED_MAX - 1}`);
  const [edge] = await listKeys(tx, list, last, { page: { ...page, limit: 1 }, conditions: [] });
  return { ids: found.map(toId), next: edge };
}

async function sortPage(tx: Tx, list: List, page: Page, indexed: Sql): Promise<FoundKeys> {
  const { filters = [], scanned = [] } = list;
  const inner = toRows(list, [...scanned, indexed, ...filters], sql`OFFSET 0`);
  return cut(await listKeys(tx, list, inner, { page, conditions: behind(list, page) }), page);
}

export type CountedRows = {
  readonly currency: string | null;
  readonly decimals: number;
  readonly count: number;
  readonly sumMinor: string;
  /** Rows of the list that were looked at in all, at most FOUND_MAX + 1. */
  readonly read: number;
};

/** Counts as `findPage` searches, but at most FOUND_MAX rows in key order. */
export function countRows(database: Database, list: List): Promise<CountedRows[]> {
  const { search, filters = [], scanned = [] } = list;
  return runTransaction(
    database,
    { isSnapshot: true, keepsPlans: search?.needsIndex ?? false },
    async (tx) => {
      const indexed = await toIndexedSearch(tx, search);
      if (indexed === undefined) {
        const conditions = search === undefined ? filters : [...filters, search.condition];
        return countIn(tx, list, { inner: toFirstRows(list), conditions });
      }
      const inner = toRows(list, [...scanned, indexed], sql`OFFSET 0`);
      return countIn(tx, list, { inner, conditions: filters });
    },
  );
}

function toFirstRows(list: List): Sql {
  return toRows(list, list.scanned ?? [], sql`${ordered(list)} LIMIT ${FOUND_MAX + 1}`);
}

type Counted = { readonly inner: Sql; readonly conditions: readonly Sql[] };

function countIn(tx: Tx, { amount, alias }: List, { inner, conditions }: Counted): Promise<CountedRows[]> {
  const { minor, currency, decimals } = amount ?? {
    minor: sql`0`,
    currency: sql`NULL::text`,
    decimals: sql`2`,
  };
  const matching = sql`FILTER (WHERE ${allOf(conditions)})`;
  return allRows<CountedRows>(tx)`
    SELECT ${currency} AS currency, ${decimals} AS decimals, count(*) ${matching} AS count,
      coalesce(sum(${minor}) ${matching}, 0)::text AS "sumMinor", sum(count(*)) OVER ()::bigint AS read
    FROM (${inner}) AS ${sql.identifier(alias)} GROUP BY 1, 2`;
}

/** Whether an index finds few enough rows to sort them. */
export function isSortable(database: Database, { search }: List): Promise<boolean> {
  return runTransaction(database, { isSnapshot: true }, async (tx) => {
    return (await toIndexedSearch(tx, search)) !== undefined;
  });
}

async function toIndexedSearch(tx: Tx, search: Search | undefined): Promise<Sql | undefined> {
  return search?.toIndexed === undefined ? search?.condition : search.toIndexed(tx);
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

/** Searches by a condition of one index, unless it matches more than FOUND_MAX rows. */
export function countFirst(condition: Sql, count: (tx: Tx) => Promise<number>): Search {
  return { condition, toIndexed: async (tx) => ((await count(tx)) <= FOUND_MAX ? condition : undefined) };
}

const keyName = (place: number) => sql.identifier(`key${place}`);

function toRows({ from, alias, key }: List, conditions: readonly Sql[], end: Sql): Sql {
  const keys = key.map(({ value }, place) => sql`${value} AS ${keyName(place)}`);
  return sql`SELECT ${sql.identifier(alias)}.*, ${sql.join(keys)} FROM ${from} WHERE ${allOf(conditions)} ${end}`;
}

function ordered({ key, isDescending }: List): Sql {
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  return sql`ORDER BY ${sql.join(key.map(({ value }) => sql`${value} ${direction}`))}`;
}

function behind({ key, isDescending }: List, { after }: Page): Sql[] {
  if (after === undefined) return [];
  const values = sql.join(key.map(({ value }) => value));
  const place = sql.join(key.map(({ parse }, index) => parse(after[index] ?? '')));
  return [sql`(${values}) ${isDescending ? sql`<` : sql`>`} (${place})`];
}

async function listKeys(
  db: Tx,
  list: List,
  inner: Sql,
  { page, conditions }: { readonly page: Page; readonly conditions: readonly Sql[] },
): Promise<string[][]> {
  const { key, alias, isDescending } = list;
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  const texts = key.map(({ toText = (value) => value }, place) => {
    return sql`(${toText(keyName(place))})::text AS ${sql.identifier(`text${place}`)}`;
  });
  const order = sql.join(key.map((_, place) => sql`${keyName(place)} ${direction}`));
  const rows = await allRows<Record<string, string>>(db)`
    SELECT ${sql.join(texts)} FROM (${inner}) AS ${sql.identifier(alias)}
    WHERE ${allOf(conditions)} ORDER BY ${order} LIMIT ${page.limit + 1}`;
  return rows.map((row) => key.map((_, place) => row[`text${place}`] ?? ''));
}

function cut(keys: string[][], { limit }: Page): FoundKeys {
  return { ids: keys.slice(0, limit).map(toId), next: keys.length > limit ? keys[limit - 1] : undefined };
}

function toId(key: readonly string[]): string {
  return key.at(-1) ?? '';
}
