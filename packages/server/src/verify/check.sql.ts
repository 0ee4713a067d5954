import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import type { Invariant } from './invariant.ts';

export type CheckResult = {
  readonly checked: number;
  readonly broken: number;
  readonly examples: readonly string[];
};

export type InvariantResult = CheckResult & { readonly id: string; readonly title: string };

const EXAMPLES_MAX = 10;

/** One statement, so that what it compares is of one moment. One processor: orders need the others. */
export async function checkInvariant(db: Db, invariant: Invariant): Promise<InvariantResult> {
  await sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(db);
  const { rows } = await sql<{ checked: number; broken: number; examples: string[] }>`
    WITH found AS MATERIALIZED (${sql.raw(invariant.query)})
    SELECT (SELECT count(*) FROM ${sql.raw(invariant.population)}) AS checked,
      (SELECT count(*) FROM found) AS broken,
      ARRAY(SELECT broken::text FROM found LIMIT ${EXAMPLES_MAX}) AS examples`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('SELECT gave no row');
  return { id: invariant.id, title: invariant.title, ...row };
}
