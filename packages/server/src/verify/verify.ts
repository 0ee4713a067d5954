import type { KeyObject } from 'node:crypto';
import { invalidField } from '@keyport/http/replies/api-error';
import { checkChain } from '../audit/chain.ts';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { type CheckResult, checkInvariant, type InvariantResult } from './check.sql.ts';
import type { Invariant } from './invariant.ts';
import { INVARIANTS } from './invariants.ts';

/** May be long, because a check blocks no writer. */
const STATEMENT_TIMEOUT_MS = 600_000;
const DEADLINE_MARGIN_MS = 5_000;

/** These are not SQL queries: I57 needs a key, I66 the memory of a node. */
export const CHAIN_INVARIANT = {
  id: 'I57',
  title: 'no entry of the audit log was removed, changed or moved',
};
export const CATALOGUE_INVARIANT = {
  id: 'I66',
  title: 'the catalogue in memory matches the database',
};

export type { CheckResult, InvariantResult };

export type VerifyOptions = {
  readonly only?: readonly string[] | undefined;
  /** For I57. */
  readonly auditMac?: KeyObject | undefined;
  /** For I66. */
  readonly compareCatalogue?: (() => Promise<CheckResult>) | undefined;
};

/** Each invariant has its own snapshot (R33), so that the server can remove old rows. */
export async function verifyInvariants(
  database: Database,
  { only, auditMac, compareCatalogue }: VerifyOptions = {},
): Promise<InvariantResult[]> {
  const isWanted = ({ id }: { readonly id: string }) => only?.includes(id) ?? true;
  const results: InvariantResult[] = [];
  for (const invariant of INVARIANTS.filter(isWanted)) {
    results.push(await verifyInvariant(database, invariant, STATEMENT_TIMEOUT_MS));
  }
  if (auditMac !== undefined && isWanted(CHAIN_INVARIANT)) {
    const { checked, broken, examples } = await checkChain(database, auditMac);
    results.push({ ...CHAIN_INVARIANT, checked, broken, examples });
  }
  if (compareCatalogue !== undefined && isWanted(CATALOGUE_INVARIANT)) {
    results.push({ ...CATALOGUE_INVARIANT, ...(await compareCatalogue()) });
  }
  return results;
}

/** On timeout, throws an error that `isTimeout` recognizes. */
export function verifyInvariant(
  database: Database,
  invariant: Invariant,
  timeoutMs: number,
): Promise<InvariantResult> {
  // The server's limit is shorter, because it keeps the connection usable.
  const limits = { statementTimeoutMs: timeoutMs, deadlineMs: timeoutMs + DEADLINE_MARGIN_MS };
  return runTransaction(database, { ...limits, isSnapshot: true }, (tx) => checkInvariant(tx, invariant));
}

/** Parses `I3,I22`, each once. */
export function parseOnly(text: string): { readonly only: readonly string[] } | { readonly rule: string } {
  const known = [...INVARIANTS, CHAIN_INVARIANT, CATALOGUE_INVARIANT].map(({ id }) => id);
  const only = [...new Set(text.split(',').map((id) => id.trim()))];
  const unknown = only.filter((id) => !known.includes(id));
  if (unknown.length === 0) return { only };
  const checked = known.toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1)));
  return {
    rule: `names ${unknown.join(', ')}: no such invariant is checked; choose from ${checked.join(', ')}`,
  };
}

export function buildVerifyHandlers(deps: {
  readonly database: Database;
  readonly auditMac: KeyObject;
  readonly compareCatalogue: () => Promise<CheckResult>;
}) {
  const { database, ...parts } = deps;
  return {
    async verifyInvariants({ query }) {
      const parsed = query.only === undefined ? { only: undefined } : parseOnly(query.only);
      if ('rule' in parsed) throw invalidField('query.only', parsed.rule);
      return { status: 200, data: await verifyInvariants(database, { ...parts, only: parsed.only }) };
    },
  } satisfies Partial<OperationHandlers>;
}
