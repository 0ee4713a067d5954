/** One declaration produces both the SQL text and the arrays of values. */
import { binaryArray, type Element, type ElementType } from './engines/binary-array.ts';

type Columns<Row> = Readonly<Record<string, readonly [type: ElementType, read: (row: Row) => Element]>>;

export type RowColumns<Row> = {
  readonly count: number;
  /** `unnest($1::uuid[], …) AS alias (id, …)`, numbered from `first`. */
  unnest(first: number, alias: string): string;
  arrays(rows: readonly Row[]): unknown[];
};

export function declareColumns<Row>(columns: Columns<Row>): RowColumns<Row> {
  const all = Object.entries(columns);
  return {
    count: all.length,
    unnest(first, alias) {
      const parameters = all.map(([, [type]], index) => `$${first + index}::${type}[]`);
      return `unnest(${parameters.join(', ')}) AS ${alias} (${all.map(([name]) => name).join(', ')})`;
    },
    arrays: (rows) => all.map(([, [type, read]]) => binaryArray(type, rows.map(read))),
  };
}
