/** Invalidates every cursor of the change feed. A127. */
import { randomUUID } from 'node:crypto';
import { type Acting, auditRecord } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { Tx } from '../db/schema.ts';
import { beginCatalogueEpoch } from './catalogue-clock.sql.ts';

export async function restartFeeds(tx: Tx, command: Acting & { readonly reason: string }): Promise<void> {
  const epoch = randomUUID();
  const data = { reason: command.reason, epoch };
  await insertAudit(tx, auditRecord(command, 'catalogue.restart-feeds', { data }));
  await beginCatalogueEpoch(tx, epoch);
}
