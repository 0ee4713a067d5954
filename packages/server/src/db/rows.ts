/** Template tags: `await firstRow<Row>(db)`SELECT …``. */
import { must } from '@keyport/core/assert';
import type { Db, Result } from './schema.ts';
import { sql } from './sql.ts';

type Statement<T> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<T>;

function statement<Row, T>(db: Db, read: (result: Result<Row>) => T): Statement<T> {
  return async (text, ...values) => read(await sql<Row>(text, ...values).execute(db));
}

export function allRows<Row>(db: Db): Statement<Row[]> {
  return statement<Row, Row[]>(db, ({ rows }) => rows);
}

export function firstRow<Row>(db: Db): Statement<Row | undefined> {
  return statement<Row, Row | undefined>(db, ({ rows }) => rows[0]);
}

export function onlyRow<Row>(db: Db): Statement<Row> {
  return statement<Row, Row>(db, ({ rows }) => must(rows[0], 'one row'));
}

/** The rows of this function and the next two must have one column. */
export function allValues<Row extends object>(db: Db): Statement<Row[keyof Row][]> {
  return statement<Row, Row[keyof Row][]>(db, ({ rows }) => rows.map(toColumn));
}

export function firstValue<Row extends object>(db: Db): Statement<Row[keyof Row] | undefined> {
  return statement<Row, Row[keyof Row] | undefined>(db, ({ rows: [row] }) => row && toColumn(row));
}

export function onlyValue<Row extends object>(db: Db): Statement<Row[keyof Row]> {
  return statement<Row, Row[keyof Row]>(db, ({ rows }) => toColumn(must(rows[0], 'one row')));
}

function toColumn<Row extends object>(row: Row): Row[keyof Row] {
  const [value] = Object.values(row);
  return value;
}

export function hasRows(db: Db): Statement<boolean> {
  return statement(db, ({ rows }) => rows.length > 0);
}

/** Returns how many rows the statement wrote or returned. */
export function execute(db: Db): Statement<number> {
  return statement(db, ({ count }) => count);
}
