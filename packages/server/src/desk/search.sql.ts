import type { SearchMatch } from '@keyport/contract/operators/desk';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

type Finder = (db: Db, text: string, limit: number) => Promise<SearchMatch[]>;

/** By the beginnings of ids. Indexes: claim_pkey, reservation_id_uq. */
export const findById = (table: 'claim' | 'reservation'): Finder => {
  const id = sql.ref(`${table}.id`);
  return async (db, text, limit) => {
    const { rows } = await sql<SearchMatch & { readonly accountId: string }>`
      SELECT ${id}, account.name, order_id::text AS detail, account_id AS "accountId"
      FROM ${sql.table(table)} JOIN account ON account.id = account_id
      WHERE ${id} BETWEEN ${text} AND ${`${text}~`} ORDER BY ${id} LIMIT ${limit}`.execute(db);
    return rows;
  };
};

/** People are few. */
export const findPeople: Finder = async (db, text, limit) => {
  const { rows } = await sql<SearchMatch & { readonly detail: string }>`
    SELECT id, name, email AS detail, NULL AS "accountId" FROM operator
    WHERE position(lower(${text}) IN lower(name || ' ' || email)) > 0
    ORDER BY position LIMIT ${limit}`.execute(db);
  return rows;
};
