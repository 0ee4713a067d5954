export type Invariant = {
  readonly id: string;
  readonly title: string;
  /** SQL to follow FROM; by default the orders made here. */
  readonly population?: string;
  /** One text column `broken`: ids and counts, never a code, a secret or a stored response. */
  readonly query: string;
};
