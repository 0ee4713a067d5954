/** What a search finds: words by an index over search_words(…), ids by their beginning. */
import { type RawBuilder, sql } from 'kysely';

/** At least what a list shows of a UUID. */
const UUID_PREFIX = /^[0-9a-f]{8}(?:-[0-9a-f-]{0,27})?$/;
const UUID_LENGTH = 36;

/** `words` as the index has them. Nothing matches a query without a letter or digit. */
export function matchesWords(words: RawBuilder<unknown>, query: string): RawBuilder<unknown> {
  return sql`${words} @@ search_query(${query})`;
}

/** Undefined: the query is not the beginning of a UUID. */
export function matchesUuid(column: RawBuilder<unknown>, query: string): RawBuilder<unknown> | undefined {
  const prefix = query.trim().toLowerCase();
  if (!UUID_PREFIX.test(prefix)) return undefined;
  const [first, last] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'].map(
    (rest) => prefix + rest.slice(prefix.length),
  );
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  if (first === undefined || last === undefined || !isUuid.test(first) || first.length !== UUID_LENGTH)
    return undefined;
  return sql`${column} BETWEEN ${first}::uuid AND ${last}::uuid`;
}
