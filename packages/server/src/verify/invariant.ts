/** An invariant. CONTRIBUTING.md explains how to add one. */

export type Invariant = {
  readonly id: string;
  readonly title: string;
  /** The rows that are checked, as SQL after FROM. */
  readonly population: string;
  /**
   * One text column `broken`, a row for each thing that is wrong: what it is, for people. Ids and counts
   * only: never a code, a secret or a stored response.
   */
  readonly query: string;
};

export const MADE_HERE = `"order" WHERE origin = 'export-api'`;
