/** Rows as parameters of one statement: a column is declared once, and text, type and array follow from that. */
import { plainArray } from './engines/prepared.ts';

type Value = string | number | bigint | boolean | null;

/** `word`: a text that needs no quotes in an array (plainArray). `tid`: where a row is. */
type Type = 'bigint' | 'boolean' | 'integer' | 'smallint' | 'text' | 'tid' | 'uuid' | 'word';

type Columns<Row> = Readonly<Record<string, readonly [type: Type, read: (row: Row) => Value]>>;

export type RowColumns<Row> = {
  /** How many parameters it takes. */
  readonly count: number;
  /** `unnest($1::uuid[], …) AS alias (id, …)`, its parameters numbered from `first`. */
  unnest(first: number, alias: string): string;
  /** The values for these parameters. */
  arrays(rows: readonly Row[]): unknown[];
};

export function declareColumns<Row>(columns: Columns<Row>): RowColumns<Row> {
  const all = Object.entries(columns);
  const typeOf = (type: Type) => (type === 'word' ? 'text' : type);
  return {
    count: all.length,
    unnest(first, alias) {
      const parameters = all.map(([, [type]], index) => `$${first + index}::${typeOf(type)}[]`);
      return `unnest(${parameters.join(', ')}) AS ${alias} (${all.map(([name]) => name).join(', ')})`;
    },
    arrays: (rows) =>
      all.map(([, [type, read]]) => {
        if (type === 'text') return rows.map(read);
        return plainArray(rows.map(type === 'tid' ? (row) => `"${read(row)}"` : read));
      }),
  };
}
