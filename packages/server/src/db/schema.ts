import type { Kysely, Transaction } from 'kysely';

/** Statements are SQL text with an explicit row type; see `value-types.ts`. */
export type Schema = Record<never, never>;

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;
