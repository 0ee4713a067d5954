import type { KeyObject } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { hasPermission } from '../operations/permission.ts';
import { checkChain, parseAnchor } from './chain.ts';
import { readAudit } from './read-audit.ts';

export function buildAuditHandlers(database: Database, key: KeyObject) {
  return {
    listAudit: ({ query, principal }) =>
      readAudit(database, query, hasPermission(principal.operatorRole, 'internal')),
    async verifyAudit({ query }) {
      const anchor = query.anchor === undefined ? undefined : parseAnchor(query.anchor);
      const { head = null, ...checked } = await checkChain(database, key, anchor);
      return { status: 200, data: { ...checked, head } };
    },
  } satisfies Partial<OperationHandlers>;
}
