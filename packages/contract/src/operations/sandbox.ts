import * as Claims from '../orders/claims.ts';
import * as OperatorOrders from '../orders/operator-orders.ts';
import * as Orders from '../orders/orders.ts';
import * as Refunds from '../orders/refunds.ts';
import * as Reservations from '../orders/reservations.ts';
import * as Sandbox from '../sandbox/sandbox.ts';
import { ok, rowsByMethod, toRows } from './builders.ts';

const COMMON = {
  audience: 'reseller',
  permission: 'develop',
  budget: 'none',
  tag: 'Sandbox',
  isSandboxOnly: true,
} as const;
const sandbox = rowsByMethod(COMMON);
const orderAction = toRows(
  {
    ...COMMON,
    method: 'POST',
    idempotency: 'accepted',
    body: OperatorOrders.OrderReason,
    responses: ok(Orders.Order),
    errors: ['conflict'],
  },
  'not-found',
);

export const SANDBOX_OPERATIONS = {
  holdSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/hold', {
    summary: 'Hold an order, as the marketplace would',
    description: 'Possible while the order is pending, pending_payment or processing.',
  }),
  releaseSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/release', {
    summary: 'Release a held order, as the marketplace would',
    description: 'It returns to its earlier status and continues from there.',
  }),
  cancelSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/cancel', {
    summary: 'Cancel an unpaid order, as the marketplace would',
    description: 'Its units return to stock. A paid order is refunded instead.',
  }),
  refundSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/refund', {
    summary: 'Refund an order, whole or in part, as the marketplace would',
    description: 'Before delivery, only the whole order can be refunded.',
    body: Refunds.SandboxRefundBody,
  }),
  settleSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/settle', {
    summary: 'Settle an order that is waiting for payment',
    description:
      'As the payment provider would. Paid: the money is charged and the order continues. Declined: the order is canceled.',
    body: Sandbox.SettleBody,
  }),
  advanceSandboxOrder: sandbox.unkeyed('/sandbox/v1/orders/{orderId}/advance', {
    summary: 'Advance the time of an order',
    description:
      'Its times move into the past, and everything that is then due happens: an unpaid order is canceled, or the keys window ends.',
    body: Sandbox.AdvanceBody,
    responses: ok(Orders.Order),
    errors: ['conflict'],
  }),
  advanceSandboxReservation: sandbox.unkeyed('/sandbox/v1/reservations/{reservationId}/advance', {
    summary: 'Advance the time of a reservation',
    description: 'Its times move into the past. It expires if its `expiresAt` is then in the past.',
    body: Reservations.AdvanceReservationBody,
    responses: ok(Reservations.Reservation),
    errors: ['conflict'],
  }),
  decideSandboxClaim: sandbox.post('/sandbox/v1/claims/{claimId}/decide', {
    summary: 'Decide a claim, as the marketplace would',
    description: 'Each of its keys is replaced, refunded or rejected.',
    body: Claims.SandboxDecideBody,
    responses: ok(Claims.Claim),
    errors: ['conflict'],
  }),
  updateSandboxAccount: sandbox.patch('/sandbox/v1/account', {
    summary: 'Change your account',
    description:
      'Missing members stay unchanged; null removes a value. A new balance is booked as an adjustment.',
    body: Sandbox.SandboxAccountBody,
    responses: ok(Sandbox.SandboxAccount),
    errors: ['conflict'],
  }),
  updateSandboxOffer: sandbox.patch('/sandbox/v1/offers/{offerId}', {
    summary: "Change an offer's price or status, or add keys to it",
    description: 'All resellers share the catalogue: every reseller of this sandbox sees the change.',
    body: Sandbox.SandboxOfferBody,
    responses: ok(Sandbox.SandboxOffer),
  }),
  getCheckup: sandbox.read('/sandbox/v1/checkup', {
    summary: 'Get the check-up of your client',
    description:
      'Assesses the requests of a client: whether it retries orders safely, waits for `Retry-After`, reuses its tokens, reads keys in time and follows the catalogue by its changes. A failed check shows the requests that failed it.',
    query: Sandbox.OwnCheckupQuery,
    responses: ok(Sandbox.Checkup),
    errors: ['not-found'],
  }),
} as const;
