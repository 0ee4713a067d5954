/** A442. */
import { OPERATIONS } from '@keyport/contract/operations';
import type { ApprovableOperation, WritePreview } from '@keyport/contract/operators/previews';
import type { OrderRefund } from '@keyport/contract/orders/refunds';
import { formatMinor } from '@keyport/core/money';
import { conflict } from '@keyport/http/replies/api-error';
import { canonicalPayload } from '../operations/writes/payload.ts';
import type { RequestApproval } from '../operations/writes/run-write.ts';
import { auditApproval } from './approval-audit.ts';
import { type ApprovalRow, findWaiting, insertApproval, type StoredRequest } from './approvals.sql.ts';
import { showApproval } from './show-approval.ts';

type NamedWrite = {
  readonly reference?: string;
  readonly reason?: string;
  readonly items?: OrderRefund['items'];
};

export const requestApproval: RequestApproval = async (
  tx,
  { name },
  request,
  { preview, stateTag, approval },
) => {
  const operation = name as ApprovableOperation;
  const { body, principal } = request as typeof request & Pick<StoredRequest, 'body'>;
  const { amountMinor, accountId, orderId } = approval;
  const { reason, ...named } = body as NamedWrite;
  const reference = named.reference ?? refundReference(orderId, preview, named.items);
  const earlier =
    reference === undefined ? undefined : await findWaiting(tx, { operation, accountId, reference });
  if (earlier !== undefined) {
    requireSameRequest(earlier, request);
    return { status: 202, data: await showApproval(tx, earlier, principal) };
  }
  const row = await insertApproval(tx, {
    operation,
    request: { params: request.params, query: request.query, body, principal } as StoredRequest,
    preview,
    stateTag,
    amountMinor,
    accountId,
    orderId,
    reference: reference ?? null,
    requestedBy: principal.clientId,
  });
  const data = { operation, amount: formatMinor(amountMinor), reference: named.reference, reason };
  await auditApproval(tx, 'request', row, request, data);
  return { status: 202, data: await showApproval(tx, row, principal) };
};

/** Equal for refunds of the same units and keys. For a full refund, the keys are ignored. */
function refundReference(
  orderId: string | null,
  { order, keyIds: refundedKeyIds = [] }: WritePreview,
  items: NamedWrite['items'],
): string | undefined {
  if (orderId === null || order === null) return undefined;
  const refunded = ({ transactions = [] }: typeof order.before) =>
    transactions.flatMap(({ items }) => items.map(({ id, quantity }) => [id, quantity.refunded] as const));
  const before = new Map(refunded(order.before));
  const units = refunded(order.after).map(([id, after]) => [id, after - (before.get(id) ?? 0)]);
  const named = items?.flatMap(({ keyIds = [] }) => keyIds) ?? refundedKeyIds;
  return JSON.stringify([orderId, units, order.after.status === 'closed' ? [] : named.toSorted()]);
}

/** Throws conflict (A442). */
function requireSameRequest(earlier: ApprovalRow, request: Parameters<typeof canonicalPayload>[1]): void {
  const data = { approvalId: String(earlier.id) };
  if (earlier.orderId !== null) {
    const message = `The same refund is already pending as approval ${earlier.id}. That approval must be decided first.`;
    throw conflict(message, data);
  }
  const operation = OPERATIONS[earlier.operation];
  if (canonicalPayload(operation, earlier.request) === canonicalPayload(operation, request)) return;
  throw conflict(
    `Another request with this reference is pending as approval ${earlier.id}. ` +
      'Use another reference, or reject that approval first.',
    data,
  );
}
