/** Writes that wait for a second person. A442 to A444. */

import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import {
  DateTime,
  namedObject,
  nullable,
  OrderId,
  oneOf,
  openEnum,
  Price,
  strictObject,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { DRY_RUN, WritePreview } from './previews.ts';

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected'] as const;

const ApprovalStatus = oneOf(APPROVAL_STATUSES, 'What became of the request.');

const REQUESTER_STATUSES = ['active', 'disabled', 'demoted'] as const;

export const APPROVABLE_OPERATIONS = [
  'refundOrder',
  'createDeposit',
  'createAdjustment',
  'createPayout',
] as const;

export type ApprovableOperation = (typeof APPROVABLE_OPERATIONS)[number];

export const APPROVAL_ID = { pattern: '^[1-9][0-9]{0,14}$', examples: ['17'] };

export const ApprovalsQuery = Type.Object({
  status: Type.Optional(ApprovalStatus),
  mayApprove: Type.Optional(oneOf(['true'], 'true: only pending requests that the caller may approve.')),
  accountId: Type.Optional(UuidInput),
  orderId: Type.Optional(OrderId),
  ...CURSOR_QUERY,
});

const DECISION = {
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Why, for the audit log.',
      'x-rule': 'must say why, in 1 to 500 characters',
    }),
  ),
};

export const ApproveBody = strictObject({ ...DECISION, ...DRY_RUN });

export const RejectBody = strictObject(DECISION);

export const Approval = namedObject('Approval', {
  id: Type.String(APPROVAL_ID),
  operation: openEnum(APPROVABLE_OPERATIONS, 'What was asked for.'),
  status: ApprovalStatus,
  amount: { ...Price, description: 'What the request would have moved when it was made, in EUR.' },
  accountId: Uuid,
  orderId: nullable(OrderId),
  reason: nullable(Type.String(), {
    description: 'Why it was asked for; payouts have a reference instead.',
  }),
  body: Type.Record(Type.String(), Type.Unknown(), { description: 'The body of the request.' }),
  requestedBy: Type.String({ description: 'Who asked for it.' }),
  requesterStatus: oneOf(
    REQUESTER_STATUSES,
    'Whether the requester is disabled now, or has a role that may not do it (demoted). Then it cannot be approved: a new request is needed.',
  ),
  requestedAt: DateTime,
  decidedBy: nullable(Type.String(), {
    description:
      'Who approved or rejected it; keyport: the service closed it, because it had become impossible.',
  }),
  decidedAt: nullable(DateTime),
  decisionReason: nullable(Type.String(), {
    description: 'Null while it is pending, and when none was given.',
  }),
  preview: nullable(WritePreview, {
    description:
      'Pending: what it would do, calculated at most some seconds ago. Approved: what it did. Rejected: what it would have done.',
  }),
  mayApprove: Type.Boolean({
    description:
      'Whether the caller may approve it now: it is pending, the role of the caller may do it, and neither the caller nor anyone who created or invited the caller, directly or indirectly, requested it.',
  }),
});

export type Approval = Static<typeof Approval>;
