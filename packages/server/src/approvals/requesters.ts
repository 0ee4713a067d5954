import { OPERATIONS } from '@keyport/contract/operations';
import type { Approval } from '@keyport/contract/operators/approvals';
import { APPROVABLE_OPERATIONS, type ApprovableOperation } from '@keyport/contract/operators/previews';
import { must } from '@keyport/core/assert';
import type { Principal } from '@keyport/http/server/principal';
import type { Db } from '../db/schema.ts';
import { hasPermission } from '../operations/permission.ts';
import * as sql from './approvals.sql.ts';

export const INVALID_REQUESTER = {
  disabled: 'The operator who requested this was disabled.',
  demoted: 'The operator who requested this may no longer request it.',
};

export function requesterStatus(
  { role, isDisabled }: sql.Requester,
  operation: ApprovableOperation,
): Approval['requesterStatus'] {
  if (role === null || isDisabled) return 'disabled';
  return hasPermission(role, OPERATIONS[operation].permission) ? 'active' : 'demoted';
}

export async function loadRequestersOf(
  db: Db,
  rows: readonly sql.ApprovalRow[],
  { clientId }: Principal,
): Promise<ReadonlyMap<string, sql.Requester>> {
  const ids = [...new Set(rows.map(({ requestedBy }) => requestedBy))];
  const requesters = await sql.loadRequesters(db, clientId, ids);
  return new Map(requesters.map((requester) => [requester.id, requester]));
}

export async function loadRequester(
  db: Db,
  row: sql.ApprovalRow,
  principal: Principal,
): Promise<sql.Requester> {
  return must((await loadRequestersOf(db, [row], principal)).get(row.requestedBy), 'a row for each id');
}

export async function listApprovable(db: Db, principal: Principal): Promise<sql.ApprovableRequests> {
  const requesters = await sql.loadRequesters(db, principal.clientId, await sql.listWaitingRequesters(db));
  return requesters.flatMap((requester) =>
    APPROVABLE_OPERATIONS.filter((operation) => mayApprove(principal, requester, operation)).map(
      (operation) => ({ requestedBy: requester.id, operation }),
    ),
  );
}

export async function countApprovable(db: Db, principal: Principal) {
  return sql.sumApprovable(db, await listApprovable(db, principal));
}

export async function listApprovableIds(db: Db, principal: Principal): Promise<string[]> {
  return sql.listIdsOf(db, await listApprovable(db, principal));
}

export function mayApprove(
  principal: Principal,
  requester: sql.Requester,
  operation: ApprovableOperation,
): boolean {
  return (
    principal.role === 'operator' &&
    [OPERATIONS.approveWrite, OPERATIONS[operation]].every(({ permission }) =>
      hasPermission(principal.operatorRole, permission),
    ) &&
    !requester.isSamePerson &&
    requesterStatus(requester, operation) === 'active'
  );
}
