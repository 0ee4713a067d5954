/** Stores previews, so that reads need not run the write. A444. */
import { APPROVABLE_OPERATIONS } from '@keyport/contract/operators/previews';
import { ApiError } from '@keyport/http/replies/api-error';
import { newTraceId } from '@keyport/http/server/trace-id';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { WriteEffect } from '../operations/operation.ts';
import { stateTag } from '../operations/writes/preview.ts';
import { auditDecision } from './approval-audit.ts';
import * as sql from './approvals.sql.ts';
import { toEffect, toPreview, type WorkOf } from './decide-approval.ts';
import { INVALID_REQUESTER, requesterStatus } from './requesters.ts';

export type RefreshDeps = { readonly database: Database; readonly workOf: WorkOf };

const SERVICE = 'keyport';
const IMPOSSIBLE: readonly string[] = ['conflict', 'not-found', 'validation-error'];

export async function refreshApprovals(deps: RefreshDeps): Promise<void> {
  const { database } = deps;
  const outdated = await sql.listOutdated(database.db);
  await closeInvalid(database);
  for (const row of outdated) {
    const effect = await rehearse(deps, row);
    await runTransaction(database, {}, (tx) =>
      effect instanceof ApiError
        ? close(tx, row, effect.message)
        : sql.updatePreview(tx, row.id, {
            preview: toPreview(effect),
            stateTag: stateTag(effect),
            versions: row.versions,
          }),
    );
  }
}

/** A444. */
async function closeInvalid(database: Database): Promise<void> {
  const { db } = database;
  const waiting = await sql.listWaitingRequesters(db);
  for (const requester of await sql.loadRequesters(db, SERVICE, waiting)) {
    for (const operation of APPROVABLE_OPERATIONS) {
      const status = requesterStatus(requester, operation);
      if (status === 'active') continue;
      await runTransaction(database, {}, async (tx) => {
        const rows = await sql.listWaitingOf(tx, { requestedBy: requester.id, operation });
        for (const row of rows) await close(tx, row, INVALID_REQUESTER[status]);
      });
    }
  }
}

async function close(tx: Tx, { id }: Pick<sql.ApprovalRow, 'id'>, reason: string): Promise<void> {
  const row = await sql.lockApproval(tx, String(id));
  if (row?.status !== 'pending') return;
  await sql.decideApproval(tx, id, { status: 'rejected', by: SERVICE, reason, preview: row.preview });
  const acting = { principal: { clientId: SERVICE }, traceId: newTraceId() };
  await auditDecision(tx, 'reject', row, acting, reason);
}

async function rehearse(
  { database, workOf }: RefreshDeps,
  row: sql.ApprovalRow,
): Promise<WriteEffect | ApiError> {
  try {
    const work = workOf(row.operation, row.request, newTraceId());
    return toEffect(row, await runTransaction(database, { isRehearsal: true }, work));
  } catch (error) {
    if (error instanceof ApiError && IMPOSSIBLE.includes(error.code)) return error;
    throw error;
  }
}
