import type { KeyObject } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { hasPermission } from '../operations/permission.ts';
import { checkChain, parseAnchor } from './chain.ts';
import { readAudit } from './read-audit.ts';

export function buildAuditHandlers({
  database,
  key,
}: {
  readonly database: Database;
  readonly key: KeyObject;
}): Pick<OperationHandlers, 'listAudit' | 'verifyAudit'> {
  return {
    listAudit: ({ query, principal }) =>
      readAudit(database, query, hasPermission(principal.operatorRole, 'internal')),
    async verifyAudit({ query }) {
      const {
        examples,
        head = null,
        ...counts
      } = await checkChain(database, key, query.anchor === undefined ? undefined : parseAnchor(query.anchor));
      return { status: 200, data: { ...counts, examples: [...examples], head } };
    },
  };
}
