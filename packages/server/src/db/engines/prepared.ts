/**
 * Prepares statements for the order path, where planning costs more than execution. They are unnamed if a
 * pooler does not keep names.
 */
import type { PoolClient, QueryResultRow } from 'pg';
import type { Db } from '../schema.ts';

export type Session = Pick<PoolClient, 'query'>;

export type PreparedStatement<Row> = {
  /** Sends the statement before it returns, so that statements are pipelined. */
  send(session: Session, values: readonly unknown[]): Promise<Row[]>;
  execute(db: Db, values: readonly unknown[]): Promise<Row[]>;
};

const unnamed = new WeakSet<object>();

export function sendUnnamed(session: object): void {
  unnamed.add(session);
}

/** `name` is unique in the process, with at most 63 bytes; `text` is fixed, with numbered parameters. */
export function prepareStatement<Row extends QueryResultRow>(
  name: string,
  text: string,
): PreparedStatement<Row> {
  return {
    send(session, values) {
      const query = { text, values: [...values] };
      const named = unnamed.has(session) ? query : { name, ...query };
      const rows = session.query<Row>(named).then((result) => result.rows);
      // The caller may fail before it awaits the rows.
      rows.catch(() => {});
      return rows;
    },
    async execute(db, values) {
      return (await db.query<Row>(text, values)).rows;
    },
  };
}

/**
 * Only for values without blanks, quotes, commas and backslashes. node-postgres would quote each with a
 * regular expression, which slows a batch of orders down.
 */
export function plainArray(values: readonly (string | number | bigint | boolean | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : value)).join(',')}}`;
}
