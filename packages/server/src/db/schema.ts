import type { Kysely, Transaction } from 'kysely';

/** Statements are SQL text with the type of their rows beside them; see `value-types.ts`. */
export type Schema = Record<never, never>;

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;
