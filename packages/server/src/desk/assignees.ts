/** A588. */
import { conflict, invalidField } from '@keyport/http/replies/api-error';
import { audit } from '../audit/action.ts';
import type { Tx } from '../db/schema.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { listActive, requireSubject, writeAssignee } from './subjects.sql.ts';

export async function assign(tx: Tx, request: OperationRequest<'assign'>) {
  const { params, body, principal } = request;
  const { subject } = params;
  const { assignee } = body;
  const { kind, accountId, orderId, waits } = await requireSubject(tx, subject);
  if (!waits) throw conflict(`The ${kind} no longer waits for an operator; nothing was assigned.`);
  if (assignee !== null && (await listActive(tx, [assignee])).length === 0)
    throw invalidField('body.assignee', 'must be the id of an active operator, or null');
  await writeAssignee(tx, subject, { assignee, by: principal.clientId });
  const data = { subject, assignee };
  await audit(tx, request, 'assignee.put', { accountId, orderId, data });
  return { status: 200, data } as const;
}
