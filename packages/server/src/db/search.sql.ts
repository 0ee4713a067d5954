/** Searches words by an index over search_words(…), and ids by their first characters. */
import { normalizeUuid } from '@keyport/core/ids';
import { type Sql, sql } from './sql.ts';

const UUID_PREFIX = /^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/;

/** Matches nothing if the query has no letter or digit. */
export function matchesWords(words: Sql, query: string): Sql {
  return sql`${words} @@ search_query(${query})`;
}

export function matchesUuid(column: Sql, query: string): Sql | undefined {
  const prefix = query.trim().toLowerCase();
  if (!UUID_PREFIX.test(prefix)) return undefined;
  const first = prefix + '00000000-0000-0000-0000-000000000000'.slice(prefix.length);
  const last = prefix + 'ffffffff-ffff-ffff-ffff-ffffffffffff'.slice(prefix.length);
  if (normalizeUuid(first) === undefined) return undefined;
  return sql`${column} BETWEEN ${first}::uuid AND ${last}::uuid`;
}
