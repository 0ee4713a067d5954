/** The audit log: its entries, and whether its chain is sound. */
import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import type { ChainCheck } from './chain.ts';
import { readAudit } from './read-audit.ts';

export function buildAuditHandlers({
  database,
  checkChain,
}: {
  readonly database: Database;
  /** `anchor`: as the contract has it. */
  readonly checkChain: (anchor: string | undefined) => Promise<ChainCheck>;
}): Pick<OperationHandlers, 'listAudit' | 'verifyAudit'> {
  return {
    listAudit: (request) => readAudit(database, request),
    async verifyAudit({ query }) {
      const { examples, head = null, ...counts } = await checkChain(query.anchor);
      return { status: 200, data: { ...counts, examples: [...examples], head } };
    },
  };
}
