import type { SearchMatch } from '@keyport/contract/operators/desk';
import { allRows } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { sql } from '../db/sql.ts';

type Match = Omit<SearchMatch, 'order'>;
type Finder = (db: Db, text: string, limit: number) => Promise<Match[]>;

/** Finds rows by the beginning of the id. Indexes: claim_pkey, reservation_id_uq. */
export const findById = (table: 'claim' | 'reservation'): Finder => {
  const id = sql.identifier(`${table}.id`);
  return (db, text, limit) =>
    allRows<Match & { readonly accountId: string }>(db)`
      SELECT ${id}, account.name, order_id::text AS detail, account_id AS "accountId"
      FROM ${sql.identifier(table)} JOIN account ON account.id = account_id
      WHERE ${id} BETWEEN ${text} AND ${`${text}~`} ORDER BY ${id} LIMIT ${limit}`;
};

/** Only operators: there are few people, so this query reads the whole table. */
export const findPeople: Finder = (db, text, limit) => allRows<Match & { readonly detail: string }>(db)`
  SELECT id, name, email AS detail, NULL AS "accountId" FROM person
  WHERE account_id IS NULL AND position(lower(${text}) IN lower(name || ' ' || email)) > 0
  ORDER BY position LIMIT ${limit}`;
