export type Result<Row> = {
  readonly rows: Row[];
  /** How many rows the statement wrote or returned. */
  readonly count: number;
};

/** Runs SQL text with numbered parameters. Rows have the types of `value-types.ts`. */
export type Db = {
  query<Row>(text: string, values: readonly unknown[]): Promise<Result<Row>>;
};

/** Runs its statements in one transaction. */
export type Tx = Db & { readonly isTransaction: true };
