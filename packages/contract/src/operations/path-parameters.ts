/** Each name means the same in every path. */

import { Type } from 'typebox';
import { MemberId } from '../accounts/members.ts';
import { IMPORT_KINDS, ImportRunId } from '../catalogue/imports.ts';
import { OrderId, ProductId, UuidInput } from '../formats.ts';
import { ClientIdInput } from '../lists.ts';
import { NoteId } from '../operators/desk.ts';
import { OperatorId } from '../operators/people.ts';
import { APPROVAL_ID } from '../operators/previews.ts';
import { ClaimId } from '../orders/claims.ts';
import { PaymentId } from '../orders/operator-orders.ts';
import { ReservationId } from '../orders/reservations.ts';
import { oneOf } from '../schema.ts';
import { DeliveryId, EndpointId } from '../webhooks/webhooks.ts';

export const PATH_PARAMETERS = {
  accountId: UuidInput,
  approvalId: Type.String({
    ...APPROVAL_ID,
    description: 'Approval id.',
    'x-rule': 'must be the id of an approval',
  }),
  claimId: ClaimId,
  clientId: ClientIdInput,
  endpointId: EndpointId,
  deliveryId: DeliveryId,
  eventId: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'Event id.',
    'x-rule': 'must be an event id',
  }),
  kind: oneOf(IMPORT_KINDS, 'What the lines contain.'),
  memberId: MemberId,
  noteId: NoteId,
  offerId: UuidInput,
  operatorId: OperatorId,
  orderId: OrderId,
  paymentId: PaymentId,
  productId: ProductId,
  reservationId: ReservationId,
  runId: ImportRunId,
  sellerId: UuidInput,
  viewId: UuidInput,
} as const;
