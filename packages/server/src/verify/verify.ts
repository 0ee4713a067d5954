/** Checks every invariant: for the tests, `keyport verify` and operators. How an invariant is added: invariant.ts. */
import type { KeyObject } from 'node:crypto';
import { checkChain } from '../audit/chain.ts';
import type { Database } from '../db/database.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { checkInvariant, type InvariantResult } from './check.sql.ts';
import type { Invariant } from './invariant.ts';
import { INVARIANTS } from './invariants.ts';

/** A check of a big database takes its time; it blocks nobody. */
const STATEMENT_TIMEOUT_MS = 600_000;

const DEADLINE_MARGIN_MS = 5_000;

export type { InvariantResult };

/**
 * One result per invariant, in the order of the list. Each is checked in a snapshot of its own (Assumption A110): a
 * snapshot that is held for minutes would keep the server from clearing away the rows that orders change all the time.
 * I57 needs a key and is left out without one.
 */
export async function verifyInvariants(database: Database, auditMac?: KeyObject): Promise<InvariantResult[]> {
  const results: InvariantResult[] = [];
  for (const invariant of INVARIANTS) {
    results.push(await verifyInvariant(database, invariant, STATEMENT_TIMEOUT_MS));
  }
  if (auditMac !== undefined) {
    const { checked, broken, examples } = await checkChain(database, auditMac);
    results.push({
      id: 'I57',
      title: 'no entry of the audit log was removed, changed or moved',
      checked,
      broken,
      examples,
    });
  }
  return results;
}

/** Throws what `isTimeout` knows when it takes longer than `timeoutMs`. */
export function verifyInvariant(
  database: Database,
  invariant: Invariant,
  timeoutMs: number,
): Promise<InvariantResult> {
  // The server's own limit comes first: it leaves the connection whole.
  const options = {
    statementTimeoutMs: timeoutMs,
    deadlineMs: timeoutMs + DEADLINE_MARGIN_MS,
    isSnapshot: true,
  };
  return runTransaction(database, options, (tx) => checkInvariant(tx, invariant));
}

export function buildVerifyHandlers(deps: {
  readonly database: Database;
  readonly auditMac: KeyObject;
}): Pick<OperationHandlers, 'verifyInvariants'> {
  return {
    verifyInvariants: async () => ({
      status: 200,
      data: await verifyInvariants(deps.database, deps.auditMac),
    }),
  };
}
