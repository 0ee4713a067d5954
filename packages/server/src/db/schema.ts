import type { Kysely, Transaction } from 'kysely';

/**
 * Every statement is SQL text, with the type of its rows beside it. int8 is a safe `number`, timestamptz is
 * PostgreSQL's own text, bytea is a Buffer. Order ids may exceed 2^53 and are selected with `::text` (A6).
 */
export type Schema = Record<never, never>;

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;
