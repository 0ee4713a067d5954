import { type Static, Type } from 'typebox';
import { CALLER } from '../accounts/members.ts';
import { PAGE_OR_CURSOR_QUERY } from '../envelope.ts';
import { DateTime, DateTimeInput, OrderId, Uuid, UuidInput } from '../formats.ts';
import { flag, newestFirst, TraceIdInput } from '../lists.ts';
import { count, filledText, namedObject, nullable, oneOf, toQuery } from '../schema.ts';
import { AUDIT_ACTIONS, type AuditAction } from './audit-actions.ts';

export const AuditEntry = namedObject('AuditEntry', {
  id: Type.String(),
  at: DateTime,
  ...CALLER,
  clientId: nullable(Type.String(), {
    description: 'The id of a client or an operator; null: a member called.',
  }),
  name: Type.Optional(Type.String({ description: 'The current name of the operator, client or member.' })),
  role: Type.Optional(Type.String({ description: 'The role of the operator or member at that time.' })),
  address: Type.Optional(Type.String({ description: 'The address from which the request came.' })),
  action: Type.String({ examples: ['keys.read', 'order.refund'] }),
  accountId: Type.Optional(Uuid),
  orderId: Type.Optional(OrderId),
  traceId: Type.Optional(Type.String()),
  data: Type.Record(Type.String(), Type.Unknown()),
});

const Anchor = {
  pattern: '^[1-9][0-9]{0,14}:[0-9a-f]{64}$',
  description: 'A position in the audit log and its hash.',
};

export const AuditVerifyQuery = toQuery({
  anchor: Type.String({
    ...Anchor,
    description: 'The head that an earlier check returned: the log must still contain it.',
    'x-rule': 'must be a number, a colon and 64 hexadecimal digits',
  }),
});

export const AuditCheck = namedObject('AuditCheck', {
  checked: count('Entries checked.'),
  broken: Type.Integer({ minimum: 0 }),
  examples: Type.Array(Type.String(), { description: 'Descriptions of the first faults.' }),
  head: nullable(Type.String(Anchor), { description: 'Store it elsewhere, as the anchor of a later check.' }),
});
export type AuditCheck = Static<typeof AuditCheck>;

export const AuditQuery = toQuery({
  query: filledText(64, {
    description: 'The id of an order, an item, an account or a client, or a trace id.',
    'x-rule': 'must be an id of 1 to 64 characters',
  }),
  orderId: OrderId,
  accountId: UuidInput,
  clientId: Type.String({ maxLength: 64 }),
  action: oneOf(Object.keys(AUDIT_ACTIONS) as AuditAction[], 'Only entries with this action.'),
  traceId: TraceIdInput,
  actionsOnly: flag('true: leaves out reads of keys.'),
  dateFrom: DateTimeInput,
  dateTo: DateTimeInput,
  sort: newestFirst,
  ...PAGE_OR_CURSOR_QUERY,
});
