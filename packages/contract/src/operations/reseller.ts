import { Type } from 'typebox';
import * as Accounts from '../accounts/accounts.ts';
import * as Clients from '../accounts/clients.ts';
import * as Requests from '../accounts/requests.ts';
import * as Statements from '../accounts/statements.ts';
import * as Products from '../catalogue/products.ts';
import { AcceptHeaders } from '../lists.ts';
import * as Claims from '../orders/claims.ts';
import * as Orders from '../orders/orders.ts';
import * as Refunds from '../orders/refunds.ts';
import * as Reservations from '../orders/reservations.ts';
import * as Events from '../webhooks/events.ts';
import * as Webhooks from '../webhooks/webhooks.ts';
import {
  accepted,
  created,
  cursorPages,
  KEY_ERRORS,
  NO_CONTENT,
  ok,
  pages,
  rowsByMethod,
  toRows,
} from './builders.ts';
import * as Members from './members.ts';

const CLAIMS = { audience: 'reseller', tag: 'Claims' } as const;
const claims = toRows({ ...CLAIMS, permission: 'account', method: 'GET', budget: 'reads' }, 'not-found');
const claimWrite = {
  ...CLAIMS,
  permission: 'buy',
  method: 'POST',
  budget: 'orders',
  isAccountWrite: true,
} as const;
const RESELLER_READ = { method: 'GET', audience: 'reseller', budget: 'reads' } as const;
const placeOrder = toRows({
  audience: 'reseller',
  permission: 'buy',
  method: 'POST',
  budget: 'orders',
  tag: 'Orders',
});
const orders = toRows({ ...RESELLER_READ, permission: 'account', tag: 'Orders' });
const reservations = rowsByMethod({
  audience: 'reseller',
  permission: 'buy',
  budget: 'reads',
  tag: 'Reservations',
  isAccountWrite: true,
});
const catalogue = toRows({ ...RESELLER_READ, permission: 'buy', tag: 'Catalogue', isConditional: true });
const account = toRows({ ...RESELLER_READ, permission: 'account', tag: 'Account' });
const requests = toRows({ ...RESELLER_READ, permission: 'develop', tag: 'Account' });
const events = toRows({ ...RESELLER_READ, permission: 'develop', tag: 'Events' }, 'not-found');
const DEVELOP = { audience: 'reseller', permission: 'develop', budget: 'reads' } as const;
const clients = rowsByMethod({ ...DEVELOP, tag: 'Clients' });
const webhooks = rowsByMethod({ ...DEVELOP, tag: 'Webhooks' });
const members = rowsByMethod({ ...DEVELOP, permission: 'members', tag: 'Members' });

/** Listed in the order of checkout's checks (A600). */
const LINE_ERRORS = [
  'cart-validation-error',
  'offer-not-available',
  'max-price-exceeded',
  'product-excluded',
] as const;
const PAYMENT_ERRORS = [
  'insufficient-funds',
  'payment-went-wrong',
  'payment-not-configured',
  'order-not-paid',
] as const;

/** Programs get 403. */
const BY_OWNERS = 'Only an owner may call it, by a session of the portal: a program gets 403.';

export const RESELLER_OPERATIONS = {
  createOrder: placeOrder('/export/v1/orders', {
    summary: 'Create an order',
    description:
      'Places an order and pays for it with the payment method of the account. Send a new UUID as Idempotency-Key for every new order, and the same one when you retry after a timeout or a 5xx: the order is then placed at most once.',
    headers: Orders.CreateOrderHeaders,
    body: Orders.CreateOrderBody,
    responses: created(Orders.Order),
    errors: [...LINE_ERRORS, ...PAYMENT_ERRORS, ...KEY_ERRORS],
  }),
  listOrders: orders('/export/v1/orders', {
    summary: 'Get the order history',
    description:
      'The orders of the account by creation time, newest first unless `sort` is ASC. Imported orders may have a different currency and more decimals.',
    query: Orders.OrdersQuery,
    responses: pages(Orders.Order),
  }),
  getOrder: orders('/export/v1/orders/{orderId}', {
    summary: 'Get one order',
    description: 'The same order as in the history. An extension of the specified interface.',
    responses: ok(Orders.Order),
    errors: ['order-not-found'],
  }),
  getOrderTimeline: orders('/export/v1/orders/{orderId}/timeline', {
    summary: 'Get what happened to an order',
    description:
      'Its statuses and refunds, and until when its keys can be read, returned and claimed. An extension of the specified interface.',
    responses: ok(Orders.OrderTimeline),
    errors: ['order-not-found'],
  }),
  getOrderKeys: orders('/export/v1/orders/{orderId}/keys', {
    summary: 'Get the keys of an order',
    description:
      'One element per order item. Every read is logged. Keys can be read for 48 hours after completion.',
    responses: ok(Type.Array(Orders.OrderKeys)),
    isForReadOnly: false,
    permission: 'buy',
    errors: ['order-not-complete', 'order-expired', 'order-not-found', 'order-auto-refund-image-keys'],
  }),
  returnOrder: placeOrder('/export/v1/orders/{orderId}/returns', {
    summary: 'Return units whose keys were never read',
    description:
      "The money is refunded, and the units go back on sale. Possible while the order is complete, within your account's `returnWindowHours`, if no key of the item was ever read. If keys are read and returned concurrently, one of the two requests is rejected. An extension of the specified interface.",
    idempotency: 'required',
    isAccountWrite: true,
    body: Refunds.ReturnBody,
    responses: ok(Orders.Order),
    errors: ['order-not-complete', 'order-not-found', 'return-not-possible'],
  }),
  createReservation: reservations.unkeyed('/export/v1/reservations', {
    budget: 'orders',
    summary: 'Reserve units at their current price',
    description:
      'Sets the units of an order aside, at their current price and discount, while your customer pays. Nothing is charged: order the reservation before it expires. Send a new UUID as Idempotency-Key for every new reservation, and the same one when you retry. An extension of the specified interface.',
    headers: Orders.CreateOrderHeaders,
    body: Reservations.ReservationCreateBody,
    responses: created(Reservations.Reservation),
    errors: [...LINE_ERRORS, ...KEY_ERRORS],
  }),
  listReservations: reservations.read('/export/v1/reservations', {
    summary: 'List your reservations',
    description: 'Newest first. An extension of the specified interface.',
    query: Reservations.ReservationsQuery,
    responses: cursorPages(Reservations.Reservation),
  }),
  getReservation: reservations.read('/export/v1/reservations/{reservationId}', {
    summary: 'Get a reservation',
    description:
      'With its status and, once it is ordered, its order. An extension of the specified interface.',
    responses: ok(Reservations.Reservation),
  }),
  renewReservation: reservations.post('/export/v1/reservations/{reservationId}/renew', {
    summary: 'Renew an active reservation',
    description:
      'It then expires `ttlSeconds` from now, even if that is earlier than before, but at most one hour after its creation. An extension of the specified interface.',
    body: Reservations.ReservationRenewBody,
    responses: ok(Reservations.Reservation),
    errors: ['conflict', 'reservation-expired', 'reservation-used'],
  }),
  releaseReservation: reservations.delete('/export/v1/reservations/{reservationId}', {
    summary: 'Release a reservation',
    description:
      'Its units return to stock. A released or expired reservation stays unchanged. An extension of the specified interface.',
    responses: NO_CONTENT,
    errors: ['reservation-used'],
  }),
  orderReservation: reservations.unkeyed('/export/v1/reservations/{reservationId}/order', {
    budget: 'orders',
    summary: 'Order a reservation',
    description:
      'Places an order for the reserved units at the reserved price and pays for it. The responses are the same as for creating an order. After a rejected or declined payment, the reservation stays active until it expires: order it again with a new Idempotency-Key. An extension of the specified interface.',
    headers: Orders.CreateOrderHeaders,
    body: Reservations.ReservationOrderBody,
    responses: created(Orders.Order),
    errors: [
      'cart-validation-error',
      ...PAYMENT_ERRORS,
      ...KEY_ERRORS,
      'conflict',
      'reservation-expired',
      'reservation-used',
    ],
  }),
  createClaim: toRows(claimWrite)('/export/v1/orders/{orderId}/claims', {
    summary: 'Claim faulty keys',
    description:
      "The marketplace replaces the keys, refunds them or rejects the claim, and the event `claim.decided` follows. Possible within your account's `claimWindowHours` after completion. A key has at most one open claim. The codes are compared with the delivered keys of the item, and are neither stored nor logged. An extension of the specified interface.",
    idempotency: 'required',
    body: Claims.ClaimBody,
    responses: created(Claims.Claim),
    errors: ['order-not-complete', 'order-not-found', 'claim-window-over', 'conflict'],
  }),
  listClaims: claims('/export/v1/claims', {
    summary: 'List your claims',
    description: 'Newest first. An extension of the specified interface.',
    query: Claims.ClaimsQuery,
    responses: cursorPages(Claims.Claim),
  }),
  getClaim: claims('/export/v1/claims/{claimId}', {
    summary: 'Get one claim',
    description: 'With the outcome of each key once it is decided. An extension of the specified interface.',
    responses: ok(Claims.Claim),
  }),
  withdrawClaim: toRows(claimWrite, 'not-found')('/export/v1/claims/{claimId}/withdraw', {
    summary: 'Withdraw a claim',
    description:
      'Its keys can be claimed again. A withdrawn claim stays withdrawn; a decided one returns a conflict. An extension of the specified interface.',
    idempotency: 'accepted',
    responses: ok(Claims.Claim),
    errors: ['conflict'],
  }),
  listProductOffers: catalogue('/export/v1/product-offers', {
    summary: 'List products with their offers',
    description: 'In insertion order. Poll for changes with updatedAtFrom.',
    query: Products.ProductOffersQuery,
    responses: pages(Products.Product),
  }),
  listProductChanges: catalogue('/export/v1/product-offers/changes', {
    summary: 'Follow changes to products and offers',
    description:
      'Every product that has changed since the cursor, as in the list, and every product that is no longer on offer, in the order of updatedAt. Without a cursor: everything on offer. A product that changed several times appears once, in its current state. A cursor is valid forever, on every node. An extension of the specified interface.',
    query: Products.ProductChangesQuery,
    responses: { 200: Products.ProductChanges },
  }),
  getProduct: catalogue('/export/v1/products/{productId}', {
    summary: 'Get one product with its offers',
    description:
      'With its three cheapest offers, cheapest first. `maxPrice` and `totalQuantity` filter the offers; if none remains, the product is not found.',
    query: Products.ProductQuery,
    responses: ok(Products.ProductWithOffers),
    errors: ['product-not-found'],
  }),
  getProductOffers: catalogue('/export/v1/product-offers/{productId}', {
    summary: 'Get one product with its offers (alias)',
    description: 'Returns exactly what /export/v1/products/{productId} returns.',
    query: Products.ProductQuery,
    responses: ok(Products.ProductWithOffers),
    errors: ['product-not-found'],
  }),
  listProductDetails: catalogue('/export/v1/products', {
    summary: 'Get product details by ids',
    description:
      'Products in the requested order, without duplicates and without those that are unknown or out of stock.',
    query: Products.ProductDetailsQuery,
    responses: ok(Type.Array(Products.ProductDetail)),
  }),
  getOwnAccount: account('/export/v1/account', {
    summary: 'Get your account',
    description: 'Balance, payment method, discount and limits. An extension of the specified interface.',
    responses: ok(Accounts.OwnAccount),
  }),
  listOwnSpend: account('/export/v1/account/spend', {
    summary: 'Get what you spent by day',
    description:
      'The days of the last 30 UTC days, including today, on which something was paid or refunded, oldest first. An extension of the specified interface.',
    responses: ok(Type.Array(Accounts.DayOfSpend)),
  }),
  getOwnStatement: account('/export/v1/account/statement', {
    summary: 'Get the statement of your account',
    description:
      'Every movement of the prepaid balance, oldest first, with the balance after it. `opening` and the amounts of all lines add up to `closing`. `Accept: text/csv` returns the whole range as a CSV file: the first record is the opening balance, the last one the closing balance. An extension of the specified interface.',
    query: Statements.OwnStatementQuery,
    headers: AcceptHeaders,
    responses: { 200: Statements.OwnStatement },
    csvExample:
      'id,createdAt,kind,amount,balance,orderId,reference\r\n,,opening,,0.00,,\r\n17,2026-11-21T09:30:00.123456Z,deposit,250.00,250.00,,bank-7\r\n,,closing,,250.00,,\r\n',
  }),
  listOwnClients: clients.read('/export/v1/clients', {
    summary: 'List your clients',
    description: 'The credentials of the account, oldest first. Secrets are never shown.',
    responses: ok(Type.Array(Clients.OwnClient)),
  }),
  rotateOwnClientSecret: clients.post('/export/v1/clients/{clientId}/rotate-secret', {
    givesAccess: true,
    summary: 'Rotate the secret of the calling client',
    description:
      'The new secret is shown only here. The previous one works until the overlap ends. A client has at most two secrets, so an older one stops working immediately. The tokens of a secret end with it. A client rotates only its own secret, and only with a token that is at most 5 minutes old (otherwise 403 with `data.reason` `token-too-old`); a member rotates that of any client of the account. Send an Idempotency-Key to make a retry safe: without one, a retry creates another secret.',
    body: Clients.ClientRotateBody,
    responses: ok(Clients.RotatedClient),
    isForReadOnly: true,
  }),
  updateOwnClient: clients.patch('/export/v1/clients/{clientId}', {
    givesAccess: true,
    summary: 'Rename or limit the calling client',
    description:
      'Missing members stay unchanged. A client changes only itself, with a token that is at most 5 minutes old (otherwise 403 with `data.reason` `token-too-old`); a member changes any client of the account. A client must keep its own address in `allowedAddresses` (otherwise 403), and at least one enabled client must keep full access (otherwise 409). A change takes effect on every node within 5 s. Only the marketplace creates, disables and enables clients.',
    body: Clients.OwnClientPatchBody,
    responses: ok(Clients.OwnClient),
    errors: ['conflict'],
  }),
  listMembers: members.read('/export/v1/members', {
    ...Members.LIST,
    description: `The people of the account who can sign in to the portal, oldest first. ${BY_OWNERS}`,
  }),
  createMember: members.post('/export/v1/members', {
    ...Members.CREATE,
    description: `${Members.CREATE.description} ${BY_OWNERS}`,
  }),
  updateMember: members.patch('/export/v1/members/{memberId}', {
    ...Members.UPDATE,
    description: `${Members.UPDATE.description} ${BY_OWNERS}`,
  }),
  inviteMember: members.post('/export/v1/members/{memberId}/invite', {
    ...Members.INVITE,
    description: `${Members.INVITE.description} ${BY_OWNERS}`,
  }),
  resetMemberCredentials: members.post('/export/v1/members/{memberId}/reset-credentials', {
    ...Members.RESET,
    description: `${Members.RESET.description} ${BY_OWNERS}`,
  }),
  listOwnRequests: requests('/export/v1/requests', {
    summary: 'List your logged requests',
    description:
      'Every write and every rejected or failed request of the account, newest first, for 7 days; each appears about a second after it ended. Successful reads are only counted. Each node logs at most 100 requests a second; `meta.omitted` is the number of requests that were left out. Requests without a valid token belong to no account.',
    query: Requests.RequestsQuery,
    responses: { 200: Requests.LoggedRequests },
  }),
  listOwnRequestCounts: requests('/export/v1/requests/counts', {
    summary: 'Count your successful reads',
    description: 'By minute and operation, oldest first, for 7 days.',
    query: Requests.RequestCountsQuery,
    responses: ok(Type.Array(Requests.RequestCount)),
  }),
  listEvents: events('/export/v1/events', {
    summary: 'Follow the events of your orders and your account',
    description:
      'Every event since the cursor, in commit order, of all or some types. Without a cursor: from the oldest event that is kept. Events are kept for 30 days. An earlier cursor repeats events, and no event is ever skipped. An extension of the specified interface.',
    query: Events.EventsQuery,
    responses: { 200: Events.Events },
    errors: ['cursor-expired'],
  }),
  getEvent: events('/export/v1/events/{eventId}', {
    summary: 'Get one event',
    description: 'The same event as in the list, for 30 days. An extension of the specified interface.',
    responses: { 200: Events.OneEvent },
  }),
  createWebhookEndpoint: webhooks.post('/export/v1/webhook-endpoints', {
    summary: 'Create a webhook endpoint',
    description:
      'From now on, events of these types are sent to the URL, signed according to Standard Webhooks. The secret is shown only here and when it is rotated. An account has at most 16 endpoints. Send an Idempotency-Key to make a retry safe. An extension of the specified interface.',
    body: Webhooks.WebhookEndpointCreateBody,
    responses: created(Webhooks.WebhookEndpointWithSecret),
    errors: ['conflict'],
  }),
  listWebhookEndpoints: webhooks.read('/export/v1/webhook-endpoints', {
    summary: 'List your webhook endpoints',
    description: 'All endpoints (at most 16), oldest first.',
    responses: ok(Type.Array(Webhooks.WebhookEndpoint)),
  }),
  getWebhookEndpoint: webhooks.read('/export/v1/webhook-endpoints/{endpointId}', {
    summary: 'Get a webhook endpoint',
    description: 'With its status and, if it is disabled, the reason. The secret is never shown.',
    responses: ok(Webhooks.WebhookEndpoint),
  }),
  updateWebhookEndpoint: webhooks.patch('/export/v1/webhook-endpoints/{endpointId}', {
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'Missing members stay unchanged. Events that occur while the endpoint is disabled are not sent later: replay them. Only the marketplace can enable an endpoint that it disabled, or change its URL.',
    body: Webhooks.WebhookEndpointPatchBody,
    responses: ok(Webhooks.WebhookEndpoint),
  }),
  deleteWebhookEndpoint: webhooks.delete('/export/v1/webhook-endpoints/{endpointId}', {
    summary: 'Delete a webhook endpoint',
    description:
      'Also deletes its deliveries. A delivery that is being sent may still arrive. An endpoint that the marketplace disabled stays.',
    responses: NO_CONTENT,
  }),
  rotateWebhookSecret: webhooks.post('/export/v1/webhook-endpoints/{endpointId}/rotate-secret', {
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Until the overlap ends, deliveries are signed with the old secret too. Send an Idempotency-Key to make a retry safe: without one, a retry creates another secret.',
    body: Webhooks.WebhookRotateBody,
    responses: ok(Webhooks.RotatedWebhookEndpoint),
  }),
  testWebhookEndpoint: webhooks.post('/export/v1/webhook-endpoints/{endpointId}/test', {
    summary: 'Send a test event to a webhook endpoint',
    description: 'Sends a `webhook.test` event to this endpoint, whichever types it receives.',
    responses: accepted(Webhooks.WebhookTest),
    errors: ['conflict'],
  }),
  listWebhookDeliveries: webhooks.read('/export/v1/webhook-endpoints/{endpointId}/deliveries', {
    summary: 'List the deliveries to a webhook endpoint',
    description: 'Newest event first, with every attempt and its outcome. Deliveries are kept for 30 days.',
    query: Webhooks.WebhookDeliveriesQuery,
    responses: pages(Webhooks.WebhookDelivery),
  }),
  redeliverWebhook: webhooks.post(
    '/export/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/redeliver',
    {
      summary: 'Send a delivery again',
      description:
        'Sends the delivery immediately, whatever its status, with the same retries as the first time. The endpoint must still receive events of this type.',
      responses: accepted(Webhooks.WebhooksQueued),
      errors: ['conflict'],
    },
  ),
  replayWebhooks: webhooks.post('/export/v1/webhook-endpoints/{endpointId}/replay', {
    summary: 'Replay the events of a period',
    description:
      "Sends every event of the endpoint's types from `from` to `to`, both inclusive, even if it was delivered before; at most 100,000. A `webhook.test` to the current URL must have returned 2xx, and only one replay runs at a time. If `from` is earlier than the events that are kept, `eventsKeptFrom` says so.",
    body: Webhooks.WebhookReplayBody,
    responses: accepted(Webhooks.WebhooksReplayed),
    errors: ['conflict'],
  }),
} as const;
