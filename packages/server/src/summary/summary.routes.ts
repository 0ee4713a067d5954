/** The business as a whole, for operators. */
import type { OperationHandlers } from '../operations/operation.ts';
import { type AttentionDeps, readAttention } from './read-attention.ts';
import { readSummary } from './read-summary.ts';

export function buildSummaryHandlers(
  deps: AttentionDeps,
): Pick<OperationHandlers, 'getSummary' | 'getAttention'> {
  return {
    getSummary: async ({ query }) => ({ status: 200, data: await readSummary(deps.database, query) }),
    getAttention: async ({ principal }) => ({ status: 200, data: await readAttention(deps, principal) }),
  };
}
