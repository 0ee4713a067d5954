import { Type } from 'typebox';
import * as Approvals from '../operators/approvals.ts';
import * as Claims from '../orders/claims.ts';
import * as OperatorOrders from '../orders/operator-orders.ts';
import * as Refunds from '../orders/refunds.ts';
import * as Reservations from '../orders/reservations.ts';
import { accepted, cursorList, ok, operatorRows, pagesOrCursorPages, toRows } from './builders.ts';

const orders = operatorRows('Operator: orders', 'orders');

const orderAction = toRows(
  {
    audience: 'operator',
    budget: 'none',
    tag: 'Operator: orders',
    method: 'POST',
    permission: 'orders',
    idempotency: 'accepted',
    hasPreview: true,
    body: OperatorOrders.OrderActionBody,
    responses: ok(OperatorOrders.AdminOrder),
    errors: ['conflict'],
  },
  'not-found',
);

export const ORDER_OPERATIONS = {
  listAllOrders: orders.read('/admin/v1/orders', {
    summary: 'List the orders of all accounts',
    description:
      'Uses page numbers with a total, as in the order history, or a cursor: filters other than `status`, `dateFrom`, `dateTo`, `orderId` and `accountId` require the cursor.',
    query: OperatorOrders.AdminOrdersQuery,
    responses: pagesOrCursorPages(OperatorOrders.ListedAdminOrder),
  }),
  getAnyOrder: orders.read('/admin/v1/orders/{orderId}', {
    summary: 'Get an order with its status log',
    description: 'The log has every status change: when, by whom and why.',
    responses: ok(OperatorOrders.AdminOrderWithLog),
  }),
  holdOrder: orderAction('/admin/v1/orders/{orderId}/hold', {
    summary: 'Hold an order',
    description: 'Possible while the order is pending, pending_payment or processing.',
  }),
  releaseOrder: orderAction('/admin/v1/orders/{orderId}/release', {
    summary: 'Release a held order',
    description: 'It returns to its earlier status and continues from there.',
  }),
  cancelOrder: orderAction('/admin/v1/orders/{orderId}/cancel', {
    summary: 'Cancel an unpaid order',
    description: 'Its units return to stock. A paid order is refunded instead.',
  }),
  refundOrder: orderAction('/admin/v1/orders/{orderId}/refund', {
    idempotency: 'required',
    mayNeedApproval: true,
    summary: 'Refund an order, whole or in part',
    description:
      'Before delivery, only the whole order can be refunded. A partial refund returns the price of its units less their share of the discount; the last refund returns the remaining amount.',
    body: Refunds.OrderRefundBody,
    responses: { ...ok(OperatorOrders.AdminOrder), ...accepted(Approvals.Approval) },
  }),
  listOrderKeys: orders.read('/admin/v1/orders/{orderId}/keys', {
    summary: 'List the keys of an order, masked',
    description: 'Its current keys and its replaced ones, without their codes.',
    responses: ok(Type.Array(OperatorOrders.OrderKeyState)),
  }),
  replaceKey: orderAction('/admin/v1/orders/{orderId}/replace-key', {
    idempotency: 'required',
    summary: 'Replace a key of a delivered order',
    description:
      'The key named by `keyId` or `code` leaves the order and is never sold again; the order gets another key of the same offer. No money moves. The reseller reads the new key with the others; the keys window of the order starts again. An order with one key needs neither `keyId` nor `code`.',
    body: OperatorOrders.ReplaceKeyBody,
    responses: ok(OperatorOrders.ReplacedKey),
  }),
  findKey: orders.unkeyed('/admin/v1/keys/find', {
    summary: 'Find the order, the offer and the seller of a key by its code',
    description:
      'Case, blanks and dashes do not matter. The code is not stored or logged; the audit log names the key that was found.',
    body: OperatorOrders.FindKeyBody,
    responses: ok(OperatorOrders.FoundKey),
    errors: ['not-found'],
  }),
  listAllReservations: orders.read('/admin/v1/reservations', {
    summary: 'List the reservations of all accounts',
    description: 'Newest first.',
    ...cursorList(Reservations.AdminReservationsQuery, Reservations.AdminReservation),
  }),
  releaseAnyReservation: orders.post('/admin/v1/reservations/{reservationId}/release', {
    summary: 'Release a reservation',
    description: 'Its units return to stock. A released or expired reservation stays unchanged.',
    body: OperatorOrders.OrderReason,
    responses: ok(Reservations.AdminReservation),
    errors: ['reservation-used'],
  }),
  listAllClaims: orders.read('/admin/v1/claims', {
    summary: 'List the claims of all accounts',
    description: 'Newest first by default.',
    ...cursorList(Claims.AllClaimsQuery, Claims.ListedClaim),
  }),
  getAnyClaim: orders.read('/admin/v1/claims/{claimId}', {
    summary: 'Get a claim with the history of its keys',
    description: 'The history states who read each key, when, and from where.',
    responses: ok(Claims.OperatorClaim),
  }),
  decideClaim: orderAction('/admin/v1/claims/{claimId}/decide', {
    idempotency: 'required',
    mayNeedApproval: true,
    summary: 'Decide a claim',
    description:
      "For each key of the claim: replace it with a key of the same offer, refund it, or reject the claim on it. All decisions apply in one step. A replacement starts the order's keys window again. The reseller gets the event `claim.decided` with your text.",
    body: Claims.DecideClaimBody,
    responses: { ...ok(Claims.OperatorClaim), ...accepted(Approvals.Approval) },
  }),
  getClaimsRate: orders.read('/admin/v1/sellers/{sellerId}/claims-rate', {
    isHeavy: true,
    summary: "Get a seller's claims and the number of units that it sold",
    description: 'Claims by reason; by default, those of the last 30 days.',
    query: Claims.ClaimsRateQuery,
    responses: ok(Claims.ClaimsRate),
  }),
  listPayments: orders.read('/admin/v1/payments', {
    summary: 'List the payments that are not settled',
    description:
      'Charges with an unknown outcome and refunds that the provider has not confirmed, oldest first by default.',
    ...cursorList(OperatorOrders.PaymentsQuery, OperatorOrders.Payment),
  }),
  retryPayment: orders.post('/admin/v1/payments/{paymentId}/retry', {
    summary: 'Query the payment provider about a payment now',
    description:
      'Like the automatic retry, but immediately: the service queries the provider about a charge and settles it, or sends a refund to the provider again.',
    responses: accepted(OperatorOrders.Payment),
    errors: ['conflict'],
  }),
  listRejections: orders.read('/admin/v1/rejections', {
    summary: 'List the orders that checkout rejected',
    description:
      'From the last 30 days, with the request and the response to the reseller; newest first by default.',
    ...cursorList(OperatorOrders.RejectionsQuery, OperatorOrders.Rejection),
  }),
} as const;
