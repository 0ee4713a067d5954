import { formatMinor } from '@keyport/core/money';
import { type Acting, auditRecord } from '../audit/action.ts';
import type { AuditRecord } from '../audit/append-audit.sql.ts';
import type { ApprovalRow } from './approvals.sql.ts';

export function approvalAudit(
  verb: 'request' | 'approve' | 'reject',
  { id, accountId, orderId }: ApprovalRow,
  acting: Acting,
  data: Record<string, unknown>,
): AuditRecord {
  const details = { accountId, data: { approvalId: String(id), ...data } };
  return { ...auditRecord(acting, `approval.${verb}`, details), orderId };
}

export function decisionAudit(
  verb: 'approve' | 'reject',
  row: ApprovalRow,
  acting: Acting,
  reason: string | undefined,
): AuditRecord {
  const { operation, amountMinor, requestedBy } = row;
  return approvalAudit(verb, row, acting, {
    operation,
    amount: formatMinor(amountMinor),
    requestedBy,
    reason,
  });
}
