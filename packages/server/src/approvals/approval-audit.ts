import { formatMinor } from '@keyport/core/money';
import { type Acting, audit } from '../audit/action.ts';
import type { Tx } from '../db/schema.ts';
import type { ApprovalRow } from './approvals.sql.ts';

export function auditApproval(
  tx: Tx,
  verb: 'request' | 'approve' | 'reject',
  { id, accountId, orderId }: ApprovalRow,
  acting: Acting,
  data: Record<string, unknown>,
): Promise<void> {
  return audit(tx, acting, `approval.${verb}`, {
    accountId,
    orderId,
    data: { approvalId: String(id), ...data },
  });
}

export function auditDecision(
  tx: Tx,
  verb: 'approve' | 'reject',
  row: ApprovalRow,
  acting: Acting,
  reason: string | undefined,
): Promise<void> {
  const { operation, amountMinor, requestedBy } = row;
  const data = { operation, amount: formatMinor(amountMinor), requestedBy, reason };
  return auditApproval(tx, verb, row, acting, data);
}
