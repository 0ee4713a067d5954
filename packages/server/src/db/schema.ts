import type { Kysely, Transaction } from 'kysely';

/**
 * No table is declared for the query builder: every statement is SQL text, with the type of its rows beside it. As the
 * driver delivers them (db/value-types.ts), int8 is a safe `number` unless a statement selects it as text, timestamptz is
 * PostgreSQL's own text, bytea is a Buffer. Order ids are the one int8 that may exceed 2^53: they are selected with
 * `::text` (A6).
 */
export type Schema = Record<never, never>;

/** The executor of a statement: the pool, or a transaction. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;
