import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { DateTime, OrderId, reasonFor, Uuid, UuidInput } from '../formats.ts';
import { namedObject, nullable, oneOf, strictObject, toQuery } from '../schema.ts';
import { DRY_RUN, OpenApproval, WritePreview } from './previews.ts';

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected'] as const;
const ApprovalStatus = oneOf(APPROVAL_STATUSES, 'The status of the request.');
const REQUESTER_STATUSES = ['active', 'disabled', 'demoted'] as const;

export const ApprovalsQuery = toQuery({
  status: ApprovalStatus,
  mayApprove: oneOf(['true'], 'true: only pending requests that the caller may approve.'),
  accountId: UuidInput,
  orderId: OrderId,
  ...CURSOR_QUERY,
});

const DECISION = { reason: Type.Optional(reasonFor('audit log')) };

export const ApproveBody = strictObject({ ...DECISION, ...DRY_RUN });
export const RejectBody = strictObject(DECISION);

export const Approval = namedObject('Approval', {
  id: OpenApproval.properties.id,
  operation: OpenApproval.properties.operation,
  status: ApprovalStatus,
  amount: OpenApproval.properties.amount,
  accountId: Uuid,
  orderId: nullable(OrderId),
  reason: nullable(Type.String(), { description: 'Why it was requested; payouts have a reference instead.' }),
  body: Type.Record(Type.String(), Type.Unknown(), { description: 'The body of the request.' }),
  requestedBy: OpenApproval.properties.requestedBy,
  requesterStatus: oneOf(
    REQUESTER_STATUSES,
    'disabled, or demoted to a role that may not perform this operation: the request cannot be approved, so a new one is needed.',
  ),
  requestedAt: DateTime,
  decidedBy: nullable(Type.String(), {
    description:
      'The operator who approved or rejected it; keyport: the service closed the request because the write had become impossible.',
  }),
  decidedAt: nullable(DateTime),
  decisionReason: nullable(Type.String(), {
    description: 'Null while it is pending, or if no reason was given.',
  }),
  preview: nullable(WritePreview, {
    description:
      'Pending: what the write would do, computed within the last few seconds. Approved: what it did. Rejected: what it would have done.',
  }),
  mayApprove: Type.Boolean({
    description:
      'Whether the caller may approve it now: it is pending, the role of the caller permits it, and it was not requested by the caller or by anyone who created or invited the caller, directly or indirectly.',
  }),
});
export type Approval = Static<typeof Approval>;
