/**
 * SQL text with its parameters. The statements of this service are plain SQL, so this tag only numbers the parameters and
 * puts pieces together.
 */
import type { Db, Result } from './schema.ts';

/** A whole statement, or a piece that another one contains. */
export class Sql<Row = unknown> {
  /** One more than there are values. */
  readonly texts: readonly string[];
  readonly values: readonly unknown[];
  /** Only for the compiler: statements with different rows are different types. */
  declare readonly row: Row;

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  get text(): string {
    return this.texts.reduce((text, next, index) => `${text}$${index}${next}`);
  }

  execute(db: Db): Promise<Result<Row>> {
    return db.query<Row>(this.text, this.values);
  }
}

/** A value becomes a parameter, unless it is a piece of SQL. */
export function sql<Row = unknown>(strings: readonly string[], ...inserted: readonly unknown[]): Sql<Row> {
  const texts = [strings[0] ?? ''];
  const values: unknown[] = [];
  const append = (text: string) => {
    texts.push(`${texts.pop()}${text}`);
  };
  for (const [index, value] of inserted.entries()) {
    if (value instanceof Sql) {
      const [first = '', ...others] = value.texts;
      append(first);
      texts.push(...others);
      values.push(...value.values);
    } else {
      texts.push('');
      values.push(value);
    }
    append(strings[index + 1] ?? '');
  }
  return new Sql(texts, values);
}

/** Never for text from outside. */
sql.raw = <Row = unknown>(text: string): Sql<Row> => new Sql([text], []);

/** The name of a table, or of a column, with or without its table. */
sql.identifier = (name: string): Sql =>
  sql.raw(
    name
      .split('.')
      .map((part) => `"${part.replaceAll('"', '""')}"`)
      .join('.'),
  );

/** A constant in the text instead of a parameter, so that it can match the condition of a partial index. */
sql.constant = (value: string | number): Sql =>
  sql.raw(typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`);

/** Values become parameters, as in the tag. */
sql.join = (values: readonly unknown[], separator: Sql = sql.raw(', ')): Sql => {
  const between = values.flatMap((value, index) => (index === 0 ? [value] : [separator, value]));
  return sql(
    Array.from({ length: between.length + 1 }, () => ''),
    ...between,
  );
};
