/** Rows as parameters of one statement: a column is declared once, and text, type and array follow from that. */
import { plainArray } from './prepared.ts';

type Value = string | number | boolean | null;

/** `word`: a text that needs no quotes in an array (plainArray). `tid`: where a row is. */
type Type = 'bigint' | 'boolean' | 'integer' | 'smallint' | 'text' | 'tid' | 'uuid' | 'word';

type Columns<Row> = Readonly<Record<string, readonly [type: Type, read: (row: Row) => Value]>>;

export type RowColumns<Row> = {
  /** How many parameters it takes. */
  readonly count: number;
  /** `unnest($1::uuid[], …) AS alias (id, …)`, its parameters numbered from `first`; `names`: of these columns alone. */
  unnest(first: number, alias: string, names?: readonly string[]): string;
  /** The same with the number of each row as `place`. */
  unnestInOrder(first: number, alias: string): string;
  /** The values for these parameters. */
  arrays(rows: readonly Row[]): unknown[];
};

export function declareColumns<Row>(columns: Columns<Row>): RowColumns<Row> {
  const all = Object.entries(columns).map(([name, [type, read]], index) => ({
    name,
    type,
    read,
    index,
  }));
  const typeOf = (type: Type) => (type === 'word' ? 'text' : type);
  const unnest = (first: number, chosen: typeof all) =>
    `unnest(${chosen.map(({ type, index }) => `$${first + index}::${typeOf(type)}[]`).join(', ')})`;
  const namesOf = (chosen: typeof all) => chosen.map(({ name }) => name).join(', ');
  return {
    count: all.length,
    unnest(first, alias, names) {
      const chosen = names === undefined ? all : all.filter(({ name }) => names.includes(name));
      return `${unnest(first, chosen)} AS ${alias} (${namesOf(chosen)})`;
    },
    unnestInOrder: (first, alias) =>
      `${unnest(first, all)} WITH ORDINALITY AS ${alias} (${namesOf(all)}, place)`,
    arrays: (rows) =>
      all.map(({ type, read }) => {
        if (type === 'text') return rows.map(read);
        return plainArray(rows.map(type === 'tid' ? (row) => `"${read(row)}"` : read));
      }),
  };
}
