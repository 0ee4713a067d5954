/** Checks every invariant in one snapshot: for the tests, `keyport verify` and operators. */
import type { Database } from '../db/database.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { checkInvariant, INVARIANTS, type InvariantResult } from './invariants.sql.ts';

/** A check of a big database takes its time; it reads one snapshot and blocks nobody. */
const STATEMENT_TIMEOUT_MS = 600_000;

export type { InvariantResult };

/** One result per invariant, in the order of docs/invariants.md. */
export async function verifyInvariants(database: Database): Promise<InvariantResult[]> {
  return runTransaction(
    database,
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS, deadlineMs: STATEMENT_TIMEOUT_MS, isSnapshot: true },
    async (tx) => {
      const results: InvariantResult[] = [];
      for (const invariant of INVARIANTS) results.push(await checkInvariant(tx, invariant));
      return results;
    },
  );
}

export function buildVerifyHandlers(deps: {
  readonly database: Database;
}): Pick<OperationHandlers, 'verifyInvariants'> {
  return {
    verifyInvariants: async () => ({ status: 200, data: await verifyInvariants(deps.database) }),
  };
}
