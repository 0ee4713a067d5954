import { execute, onlyRow } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import type { Invariant } from './invariant.ts';

export type CheckResult = {
  readonly checked: number;
  readonly broken: number;
  readonly examples: readonly string[];
};

export type InvariantResult = CheckResult & { readonly id: string; readonly title: string };

const EXAMPLES_MAX = 10;
const MADE_HERE = `"order" WHERE origin = 'export-api'`;

/** Uses one statement, to compare values of one moment, and one processor: orders need the others. */
export async function checkInvariant(
  db: Db,
  { id, title, population = MADE_HERE, query }: Invariant,
): Promise<InvariantResult> {
  await execute(db)`SET LOCAL max_parallel_workers_per_gather = 0`;
  const result = await onlyRow<{ checked: number; broken: number; examples: string[] }>(db)`
    WITH found AS MATERIALIZED (${sql.raw(query)})
    SELECT (SELECT count(*) FROM ${sql.raw(population)}) AS checked,
      (SELECT count(*) FROM found) AS broken,
      ARRAY(SELECT broken::text FROM found LIMIT ${EXAMPLES_MAX}) AS examples`;
  return { id, title, ...result };
}
