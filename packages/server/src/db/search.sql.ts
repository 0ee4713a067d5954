/** Searches words by an index over search_words(…), and ids by their first characters. */
import { normalizeUuid } from '@keyport/core/ids';
import { FOUND_MAX, type Search } from './keyset.sql.ts';
import { allRows, execute, onlyRow, onlyValue } from './rows.ts';
import type { Tx } from './schema.ts';
import { type Sql, sql } from './sql.ts';

const UUID_PREFIX = /^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/;

/** Matches nothing if the query has no letter or digit. */
export function matchesWords(words: Sql, query: string): Sql {
  return sql`${words} @@ search_query(${query})`;
}

export type WordIndex = {
  readonly table: string;
  /** The relation of `words` in pg_stats: the table of a column, or the index of an expression. */
  readonly statistics: string;
  readonly words: Sql;
  /** The predicate of a partial index. */
  readonly predicate?: Sql;
};

/**
 * An index has to read every row of a common word, even beside a rare one: 100 ms for a word of 1,000,000 rows.
 * So it looks up the rare words only, and the rows found are compared with all words. Returns undefined if no
 * word is rare.
 */
function matchByRareWords(
  { words, predicate = sql`true` }: WordIndex,
  { all, rare }: SplitWords,
): Sql | undefined {
  if (all === null) return sql`false`;
  if (rare === null) return undefined;
  const others = rare === all ? sql`true` : matchesWords(sql`strip(${words})`, all);
  return sql`(${matchesWords(words, rare)} AND ${predicate} AND ${others})`;
}

/** Finds the rows with these words, and the one that `id` matches. */
export function searchWords(index: WordIndex, query: string, id?: Sql): Search {
  const orId = (words: Sql) => (id === undefined ? words : sql`(${words} OR ${id})`);
  return {
    condition: orId(matchesWords(index.words, query)),
    async toIndexed(tx) {
      const split = await splitWords(tx, index, query);
      const words = matchByRareWords(index, split);
      return words && (await hasFew(tx, index.table, words)) ? orId(words) : undefined;
    },
  };
}

/** Returns the ids of the rows with these words, or undefined if more than `max` rows have them. */
export async function findByWords(
  tx: Tx,
  index: WordIndex,
  query: string,
  max: number,
): Promise<string[] | undefined> {
  const split = await splitWords(tx, index, query);
  const condition = matchByRareWords(index, split);
  if (condition === undefined) return undefined;
  const rows = await withIndexes(
    tx,
    () => allRows<{ id: string }>(tx)`
      SELECT id::text AS id FROM ${sql.identifier(index.table)} WHERE ${condition} LIMIT ${max + 1}`,
  );
  return rows.length > max ? undefined : rows.map(({ id }) => id);
}

type SplitWords = { readonly all: string | null; readonly rare: string | null };

/** Words are common if, by the planner's statistics, more than FOUND_MAX rows have one that begins with them. */
function splitWords(tx: Tx, { table, statistics }: WordIndex, query: string): Promise<SplitWords> {
  return onlyRow<SplitWords>(tx)`
    SELECT string_agg(word, ' ') AS all, string_agg(word, ' ') FILTER (WHERE rows <= ${FOUND_MAX}) AS rare
    FROM (
      SELECT word, coalesce((SELECT reltuples FROM pg_class WHERE oid = ${`"${table}"`}::regclass) * (
        SELECT sum(share) FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (lexeme, share)
        WHERE tablename = ${statistics} AND starts_with(lexeme, word)), 0) AS rows
      FROM unnest(search_words(${query})) AS words (word)
    ) AS counted`;
}

async function hasFew(tx: Tx, table: string, condition: Sql): Promise<boolean> {
  const matches = await withIndexes(
    tx,
    () => onlyValue<{ matches: number }>(tx)`
      SELECT count(*) AS matches
      FROM (SELECT FROM ${sql.identifier(table)} WHERE ${condition} LIMIT ${FOUND_MAX + 1}) AS found`,
  );
  return matches <= FOUND_MAX;
}

/** Without statistics about rare prefixes, the planner would rather read the whole table than an index of words. */
async function withIndexes<Result>(tx: Tx, read: () => Promise<Result>): Promise<Result> {
  await execute(tx)`SELECT set_config('enable_seqscan', 'off', true)`;
  const result = await read();
  await execute(tx)`SELECT set_config('enable_seqscan', 'on', true)`;
  return result;
}

export function matchesUuid(column: Sql, query: string): Sql | undefined {
  const prefix = query.trim().toLowerCase();
  if (!UUID_PREFIX.test(prefix)) return undefined;
  const first = prefix + '00000000-0000-0000-0000-000000000000'.slice(prefix.length);
  const last = prefix + 'ffffffff-ffff-ffff-ffff-ffffffffffff'.slice(prefix.length);
  if (normalizeUuid(first) === undefined) return undefined;
  return sql`${column} BETWEEN ${first}::uuid AND ${last}::uuid`;
}
