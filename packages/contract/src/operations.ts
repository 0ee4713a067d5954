/**
 * The table of operations: one row per operation of the interface. Routes, validation, OpenAPI, the command line and
 * the tests derive from it, so they cannot disagree. R5, R16, R23.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { OwnAccount } from './account.ts';
import {
  Account,
  AccountCreateBody,
  AccountParams,
  AccountPatchBody,
  AdjustmentBody,
  AdminOrder,
  AdminOrderWithLog,
  ProductParams as AdminProductParams,
  AuditCheck,
  AuditEntry,
  AuditVerifyQuery,
  CatalogueOffer,
  CatalogueProduct,
  ChangedOffer,
  Client,
  ClientCreateBody,
  ClientCredentials,
  ClientParams,
  ClientPatchBody,
  DepositBody,
  ImportHeaders,
  ImportParams,
  ImportQuery,
  ImportRestoreBody,
  ImportRestored,
  ImportResult,
  ImportRunParams,
  ImportUndoBody,
  ImportUndone,
  InvariantResult,
  KeysAdded,
  KeysBody,
  KeysWithdrawBody,
  KeysWithdrawn,
  ListedAdminOrder,
  OfferBody,
  OfferChangesBody,
  OfferKey,
  OfferParams,
  OfferPatchBody,
  OperatorClientBody,
  OrderActionBody,
  OrderRefundBody,
  PagingQuery,
  PayoutBody,
  ProductBody,
  RestartFeedsBody,
  SandboxRefundBody,
  Seller,
  SellerBody,
  SellerParams,
  StatementHeaders,
  StatementLine,
  StatementPage,
  StatementQuery,
  SystemInfo,
  TrialBalance,
  TrialBalanceQuery,
  VerifyQuery,
} from './admin.ts';
import { Approval, ApprovalParams, ApprovalsQuery, ApproveBody, RejectBody } from './approvals.ts';
import { cursorEnvelope, dataEnvelope, pageEnvelope, pageOrCursorEnvelope } from './envelope.ts';
import type { ErrorCode } from './errors.ts';
import { EventParams, Events, EventsQuery, OneEvent } from './events.ts';
import {
  Product,
  ProductChanges,
  ProductChangesQuery,
  ProductDetail,
  ProductDetailsQuery,
  ProductOffersQuery,
  ProductParams,
  ProductQuery,
  ProductWithOffers,
} from './offers.ts';
import {
  AccountStatement,
  AccountsQuery,
  AdminOrdersQuery,
  AuditQuery,
  CatalogueProductsQuery,
  ClientsQuery,
  ImportReject,
  ImportRejectsHeaders,
  ImportRejectsQuery,
  ImportRunRecord,
  ImportRunsQuery,
  ListedClient,
  ListedOffer,
  ListedProduct,
  ListedWebhookEndpoint,
  OfferHistoryQuery,
  OfferKeysQuery,
  OffersQuery,
  OfferVersion,
  Payment,
  PaymentParams,
  PaymentsQuery,
  Rejection,
  RejectionsQuery,
  SellersQuery,
  StatementsQuery,
  WebhookEndpointsQuery,
  WebhookStatusBody,
} from './operator-lists.ts';
import { FindKeyBody, FoundKey, OrderKeyState, ReplacedKey, ReplaceKeyBody } from './order-keys.ts';
import { CreateOrderBody, CreateOrderHeaders, Order, OrderKeys, OrderParams, OrdersQuery } from './orders.ts';
import {
  InvitedOperator,
  Operator,
  OperatorCreateBody,
  OperatorParams,
  OperatorPatchBody,
} from './people.ts';
import { IfMatch } from './previews.ts';
import type { Permission } from './roles.ts';
import {
  AdvanceBody,
  Checkup,
  CheckupQuery,
  SandboxAccount,
  SandboxAccountBody,
  SandboxOffer,
  SandboxOfferBody,
  SandboxOrderBody,
  SettleBody,
} from './sandbox.ts';
import { Attention, DailyBooks, DaysQuery, SellerSales, Summary, SummaryQuery } from './summary.ts';
import {
  AccountWebhookDeliveryParams,
  AccountWebhookEndpointParams,
  OperatorWebhookDelivery,
  RotatedWebhookEndpoint,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryParams,
  WebhookEndpoint,
  WebhookEndpointCreateBody,
  WebhookEndpointParams,
  WebhookEndpointPatchBody,
  WebhookEndpointWithSecret,
  WebhookReplayBody,
  WebhookRotateBody,
  WebhooksQueued,
  WebhookTest,
} from './webhooks.ts';

export type OperationSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  /** Whose token it takes. */
  readonly audience: 'reseller' | 'operator';
  /** What an operator's role must include: each operation of operators has one, and only those. */
  readonly permission?: Permission;
  /** True: live mode does not have it. */
  readonly isSandboxOnly?: true;
  /** Which rate-limit budget it uses. */
  readonly budget: 'reads' | 'orders' | 'none';
  readonly tag: string;
  /**
   * Every write of operators and of the sandbox takes an Idempotency-Key. It is required where a retry would move money or stock again, because
   * the request has no reference, id or code of its own that distinguishes a retry from a second request (A202). Absent: a read, or
   * an operation with rules of its own (createOrder, imports: A208).
   */
  readonly idempotency?: 'accepted' | 'required' | 'required-by-quantity';
  /** The body takes `dryRun`, which answers a WritePreview with an ETag, and the write takes that as If-Match (A440). */
  readonly hasPreview?: true;
  /** Above a limit it waits for a second person and answers 202 (A442). */
  readonly mayNeedApproval?: true;
  readonly summary: string;
  readonly description: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema;
  /** Where a body may be larger than others (A14). */
  readonly bodySizeBytesMax?: number;
  /** True for reads of the catalogue: their responses have an ETag and may be compressed. */
  readonly isConditional?: true;
  /** True for reads of whole tables: when the database is busy, operators wait too. */
  readonly isHeavy?: true;
  /** True for imports: the body is a stream of lines, of any size. */
  readonly hasStreamedBody?: true;
  /** Success statuses with the schema of their body; null: no body. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** For an operation that also answers CSV, by the Accept header: what it looks like. */
  readonly csvExample?: string;
  /** For an operation that also answers NDJSON, by the Accept header: what it looks like. */
  readonly ndjsonExample?: string;
  /** Codes beyond those that every operation can answer (COMMON_ERRORS). */
  readonly errors?: readonly ErrorCode[];
};

/** What every operation can answer, whatever it does. */
const COMMON_ERRORS = [
  'validation-error',
  'unauthorized',
  'forbidden',
  'request-timeout',
  'uri-too-long',
  'too-many-requests',
  'headers-too-large',
  'internal-server-error',
  'service-unavailable',
] as const satisfies readonly ErrorCode[];

/** What every operation with a JSON body can answer as well. */
const BODY_ERRORS = ['payload-too-large', 'unsupported-media-type'] as const satisfies readonly ErrorCode[];

/** What every write that takes an Idempotency-Key can answer as well. */
const KEY_ERRORS = [
  'idempotency-key-processing',
  'idempotency-key-already-used',
] as const satisfies readonly ErrorCode[];

const { 'idempotency-key': OrderKey } = CreateOrderHeaders.properties;
const KEY_DESCRIPTION =
  'A new UUID for every new request, and the same one when you retry: it then takes effect once.';
/** Completes a sentence about the header of a request that must not go without. */
export const KEY_REQUIRED_RULE =
  'is required: send a new UUID for every new request, and the same one when you retry it';
const WRITE_KEYS = {
  accepted: Type.Optional({ ...OrderKey, description: KEY_DESCRIPTION }),
  required: Type.Optional({ ...OrderKey, description: `Required, except for a dry run. ${KEY_DESCRIPTION}` }),
  'required-by-quantity': Type.Optional({
    ...OrderKey,
    description: `Required when keys are withdrawn by quantity, except for a dry run. ${KEY_DESCRIPTION}`,
  }),
} as const;

const CATALOGUE = 'Catalogue';
const ORDERS = 'Orders';
const ACCOUNT = 'Account';
const WEBHOOKS = 'Webhooks';
const EVENTS = 'Events';
const RESELLER_READ = { method: 'GET', audience: 'reseller', budget: 'reads' } as const;
const WEBHOOK_WRITE = {
  audience: 'reseller',
  budget: 'reads',
  tag: WEBHOOKS,
  idempotency: 'accepted',
} as const;
const OPERATOR_ACCOUNTS = { audience: 'operator', budget: 'none', tag: 'Operator: accounts' } as const;
const OPERATOR_CATALOGUE = { audience: 'operator', budget: 'none', tag: 'Operator: catalogue' } as const;
const OPERATOR_ORDERS = { audience: 'operator', budget: 'none', tag: 'Operator: orders' } as const;
const OPERATOR_APPROVALS = { audience: 'operator', budget: 'none', tag: 'Operator: approvals' } as const;
const SANDBOX = { audience: 'reseller', budget: 'none', tag: 'Sandbox', isSandboxOnly: true } as const;
const OPERATOR_PEOPLE = { audience: 'operator', budget: 'none', tag: 'Operator: people' } as const;
const OPERATOR_SYSTEM = { audience: 'operator', budget: 'none', tag: 'Operator: system' } as const;

const getProduct = {
  ...RESELLER_READ,
  tag: CATALOGUE,
  isConditional: true,
  params: ProductParams,
  query: ProductQuery,
  responses: { 200: dataEnvelope(ProductWithOffers) },
  errors: ['product-not-found'],
} as const;

const orderAction = {
  ...OPERATOR_ORDERS,
  method: 'POST',
  permission: 'orders',
  idempotency: 'accepted',
  hasPreview: true,
  params: OrderParams,
  body: OrderActionBody,
  responses: { 200: dataEnvelope(AdminOrder) },
  errors: ['not-found', 'conflict'],
} as const;

const sandboxOrderAction = {
  ...SANDBOX,
  method: 'POST',
  idempotency: 'accepted',
  params: OrderParams,
  body: SandboxOrderBody,
  responses: { 200: dataEnvelope(Order) },
  errors: ['not-found', 'conflict'],
} as const;

export const OPERATIONS = {
  createOrder: {
    method: 'POST',
    path: '/export/v1/orders',
    audience: 'reseller',
    budget: 'orders',
    tag: ORDERS,
    summary: 'Create an order',
    description:
      'Places an order and pays it with the payment method of the account. Send a new UUID as Idempotency-Key for every new attempt, and the same one when you retry after a time-out or a 5xx: the order is then placed at most once.',
    headers: CreateOrderHeaders,
    body: CreateOrderBody,
    responses: { 201: dataEnvelope(Order), 200: dataEnvelope(Order) },
    errors: [
      'cart-validation-error',
      'offer-not-available',
      'max-price-exceeded',
      'product-excluded',
      'insufficient-funds',
      'payment-went-wrong',
      'payment-not-configured',
      'order-not-paid',
      'idempotency-key-processing',
      'idempotency-key-already-used',
    ],
  },
  listOrders: {
    ...RESELLER_READ,
    tag: ORDERS,
    path: '/export/v1/orders',
    summary: 'Get the order history',
    description:
      'The orders of the account by creation time, newest first unless `sort` is ASC. Orders from elsewhere may have another currency and more decimals.',
    query: OrdersQuery,
    responses: { 200: pageEnvelope(Order) },
  },
  getOrder: {
    ...RESELLER_READ,
    tag: ORDERS,
    path: '/export/v1/orders/{orderId}',
    summary: 'Get one order',
    description: 'As in the history. An extension of the specified interface.',
    params: OrderParams,
    responses: { 200: dataEnvelope(Order) },
    errors: ['order-not-found'],
  },
  getOrderKeys: {
    ...RESELLER_READ,
    tag: ORDERS,
    path: '/export/v1/orders/{orderId}/keys',
    summary: 'Get the keys of an order',
    description:
      'One element per order item. Every read is recorded. Keys can be read for 48 hours after completion.',
    params: OrderParams,
    responses: { 200: dataEnvelope(Type.Array(OrderKeys)) },
    errors: ['order-not-complete', 'order-expired', 'order-not-found', 'order-auto-refund-image-keys'],
  },
  listProductOffers: {
    ...RESELLER_READ,
    tag: CATALOGUE,
    path: '/export/v1/product-offers',
    summary: 'List products with their offers',
    description: 'In insertion order. Poll for changes with updatedAtFrom.',
    isConditional: true,
    query: ProductOffersQuery,
    responses: { 200: pageEnvelope(Product) },
  },
  listProductChanges: {
    ...RESELLER_READ,
    tag: CATALOGUE,
    path: '/export/v1/product-offers/changes',
    summary: 'Follow the changes of products and offers',
    description:
      'Every product that changed since the cursor, as the list shows it, and those that are not on offer any more, in the order of updatedAt. Without a cursor: everything that is on offer. A product that changed several times comes once, as it is now. A cursor stays good for ever, at every node. An extension of the specified interface.',
    isConditional: true,
    query: ProductChangesQuery,
    responses: { 200: ProductChanges },
  },
  getProduct: {
    ...getProduct,
    path: '/export/v1/products/{productId}',
    summary: 'Get one product with its offers',
    description:
      'With its three cheapest offers, cheapest first. `maxPrice` and `totalQuantity` leave out offers; when none remains the product is not found.',
  },
  getProductOffers: {
    ...getProduct,
    path: '/export/v1/product-offers/{productId}',
    summary: 'Get one product with its offers (alias)',
    description: 'Answers exactly as /export/v1/products/{productId}.',
  },
  listProductDetails: {
    ...RESELLER_READ,
    tag: CATALOGUE,
    path: '/export/v1/products',
    summary: 'Get product details by ids',
    description: 'In the order asked, duplicates once; ids that are unknown or out of stock are left out.',
    isConditional: true,
    query: ProductDetailsQuery,
    responses: { 200: dataEnvelope(Type.Array(ProductDetail)) },
  },
  getOwnAccount: {
    ...RESELLER_READ,
    tag: ACCOUNT,
    path: '/export/v1/account',
    summary: 'Get your account',
    description: 'Balance, payment method, discount and limits. An extension of the specified interface.',
    responses: { 200: dataEnvelope(OwnAccount) },
  },
  listEvents: {
    ...RESELLER_READ,
    tag: EVENTS,
    path: '/export/v1/events',
    summary: 'Follow what happens to your orders and your account',
    description:
      'Every event since the cursor in the order of the commits, of all types or some. Without a cursor: from the oldest event that is kept. Events are kept for 30 days. A response can repeat events that you have seen when you send an earlier cursor again, and never leaves one out. An extension of the specified interface.',
    query: EventsQuery,
    responses: { 200: Events },
    errors: ['cursor-expired'],
  },
  getEvent: {
    ...RESELLER_READ,
    tag: EVENTS,
    path: '/export/v1/events/{eventId}',
    summary: 'Get one event',
    description: 'As in the list, for 30 days. An extension of the specified interface.',
    params: EventParams,
    responses: { 200: OneEvent },
    errors: ['not-found'],
  },
  createWebhookEndpoint: {
    ...WEBHOOK_WRITE,
    method: 'POST',
    path: '/export/v1/webhook-endpoints',
    summary: 'Create a webhook endpoint',
    description:
      'Events of these types are sent to the URL from now on, signed as Standard Webhooks says. The secret is shown here and by rotate only. An account has at most 16 endpoints. Send an Idempotency-Key to make a retry safe. An extension of the specified interface.',
    body: WebhookEndpointCreateBody,
    responses: {
      201: dataEnvelope(WebhookEndpointWithSecret),
      200: dataEnvelope(WebhookEndpointWithSecret),
    },
    errors: ['conflict'],
  },
  listWebhookEndpoints: {
    ...RESELLER_READ,
    tag: WEBHOOKS,
    path: '/export/v1/webhook-endpoints',
    summary: 'List your webhook endpoints',
    description: 'Oldest first; at most 16, so all of them.',
    responses: { 200: dataEnvelope(Type.Array(WebhookEndpoint)) },
  },
  getWebhookEndpoint: {
    ...RESELLER_READ,
    tag: WEBHOOKS,
    path: '/export/v1/webhook-endpoints/{endpointId}',
    summary: 'Get a webhook endpoint',
    description: 'With its status, and why it is disabled if it is. Never with its secret.',
    params: WebhookEndpointParams,
    responses: { 200: dataEnvelope(WebhookEndpoint) },
    errors: ['not-found'],
  },
  updateWebhookEndpoint: {
    ...WEBHOOK_WRITE,
    method: 'PATCH',
    path: '/export/v1/webhook-endpoints/{endpointId}',
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'What is left out stays as it is. Events of the time while it is disabled are not sent later: replay them. An endpoint that the marketplace disabled is enabled by the marketplace only.',
    params: WebhookEndpointParams,
    body: WebhookEndpointPatchBody,
    responses: { 200: dataEnvelope(WebhookEndpoint) },
    errors: ['not-found'],
  },
  deleteWebhookEndpoint: {
    ...WEBHOOK_WRITE,
    method: 'DELETE',
    path: '/export/v1/webhook-endpoints/{endpointId}',
    summary: 'Delete a webhook endpoint',
    description: 'With its deliveries. Those that are being sent may still arrive.',
    params: WebhookEndpointParams,
    responses: { 204: null },
    errors: ['not-found'],
  },
  rotateWebhookSecret: {
    ...WEBHOOK_WRITE,
    method: 'POST',
    path: '/export/v1/webhook-endpoints/{endpointId}/rotate-secret',
    summary: 'Give a webhook endpoint a new secret',
    description:
      'Deliveries are signed with the old secret too until the overlap ends. Send an Idempotency-Key to make a retry safe: without one, a retry makes another secret.',
    params: WebhookEndpointParams,
    body: WebhookRotateBody,
    responses: { 200: dataEnvelope(RotatedWebhookEndpoint) },
    errors: ['not-found'],
  },
  testWebhookEndpoint: {
    ...WEBHOOK_WRITE,
    method: 'POST',
    path: '/export/v1/webhook-endpoints/{endpointId}/test',
    summary: 'Send a test to a webhook endpoint',
    description: 'An event `webhook.test` is sent to this endpoint, whatever its types.',
    params: WebhookEndpointParams,
    responses: { 202: dataEnvelope(WebhookTest) },
    errors: ['not-found', 'conflict'],
  },
  listWebhookDeliveries: {
    ...RESELLER_READ,
    tag: WEBHOOKS,
    path: '/export/v1/webhook-endpoints/{endpointId}/deliveries',
    summary: 'List the deliveries to a webhook endpoint',
    description: 'Newest event first, with every attempt and what came of it. They are kept for 30 days.',
    params: WebhookEndpointParams,
    query: WebhookDeliveriesQuery,
    responses: { 200: pageEnvelope(WebhookDelivery) },
    errors: ['not-found'],
  },
  redeliverWebhook: {
    ...WEBHOOK_WRITE,
    method: 'POST',
    path: '/export/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/redeliver',
    summary: 'Send a delivery again',
    description: 'At once, whatever its status, and with retries like the first time.',
    params: WebhookDeliveryParams,
    responses: { 202: dataEnvelope(WebhooksQueued) },
    errors: ['not-found', 'conflict'],
  },
  replayWebhooks: {
    ...WEBHOOK_WRITE,
    method: 'POST',
    path: '/export/v1/webhook-endpoints/{endpointId}/replay',
    summary: 'Send all events of a time again',
    description:
      "Every event of the endpoint's types from `from` to `to`, both included, delivered before or not: at most 100,000 of them. A `webhook.test` to the present URL must have returned 2xx, and one replay runs at a time.",
    params: WebhookEndpointParams,
    body: WebhookReplayBody,
    responses: { 202: dataEnvelope(WebhooksQueued) },
    errors: ['not-found', 'conflict'],
  },

  holdSandboxOrder: {
    ...sandboxOrderAction,
    path: '/sandbox/v1/orders/{orderId}/hold',
    summary: 'Hold an order, as the marketplace would',
    description: 'From pending, pending_payment or processing.',
  },
  releaseSandboxOrder: {
    ...sandboxOrderAction,
    path: '/sandbox/v1/orders/{orderId}/release',
    summary: 'Release a held order, as the marketplace would',
    description: 'It goes back to where it came from and on from there.',
  },
  cancelSandboxOrder: {
    ...sandboxOrderAction,
    path: '/sandbox/v1/orders/{orderId}/cancel',
    summary: 'Cancel an unpaid order, as the marketplace would',
    description: 'Its units go back to stock. An order that is paid is refunded instead.',
  },
  refundSandboxOrder: {
    ...sandboxOrderAction,
    path: '/sandbox/v1/orders/{orderId}/refund',
    summary: 'Refund an order, whole or in part, as the marketplace would',
    description: 'Before delivery only whole.',
    body: SandboxRefundBody,
  },
  settleSandboxOrder: {
    ...sandboxOrderAction,
    path: '/sandbox/v1/orders/{orderId}/settle',
    summary: 'Let the payment provider answer for an order that waits for its payment',
    description: 'Paid: the money is taken and the order goes on. Declined: the order is canceled.',
    body: SettleBody,
  },
  advanceSandboxOrder: {
    ...SANDBOX,
    method: 'POST',
    params: OrderParams,
    responses: { 200: dataEnvelope(Order) },
    path: '/sandbox/v1/orders/{orderId}/advance',
    summary: 'Let time pass for an order',
    description:
      'Its times move into the past; then everything happens that was due by then: an unpaid order is given up, the time to read keys ends.',
    body: AdvanceBody,
    errors: ['not-found', 'conflict'],
  },
  updateSandboxAccount: {
    ...SANDBOX,
    method: 'PATCH',
    path: '/sandbox/v1/account',
    idempotency: 'accepted',
    summary: 'Change your account',
    description:
      'Only the fields that are given change; null takes a value away. A new balance is booked as an adjustment.',
    body: SandboxAccountBody,
    responses: { 200: dataEnvelope(SandboxAccount) },
    errors: ['conflict'],
  },
  updateSandboxOffer: {
    ...SANDBOX,
    method: 'PATCH',
    path: '/sandbox/v1/offers/{offerId}',
    idempotency: 'accepted',
    summary: "Change an offer's price or status, or add keys to it",
    description: 'The catalogue is one: every reseller of this sandbox sees the change.',
    params: OfferParams,
    body: SandboxOfferBody,
    responses: { 200: dataEnvelope(SandboxOffer) },
    errors: ['not-found'],
  },
  getCheckup: {
    ...SANDBOX,
    method: 'GET',
    path: '/sandbox/v1/checkup',
    summary: 'Get a judgement of your client',
    description:
      'What the service saw of this client, judged: whether it retries orders safely, waits when it is asked to, reuses its tokens, reads keys in time and follows the catalogue by its changes. Failed checks say when and where.',
    query: CheckupQuery,
    responses: { 200: dataEnvelope(Checkup) },
  },
  getClientCheckup: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    isSandboxOnly: true,
    path: '/admin/v1/clients/{clientId}/checkup',
    summary: "Get a judgement of a reseller's client",
    description: 'As the reseller gets it. The webhook endpoints of its account are tried for it.',
    params: ClientParams,
    query: CheckupQuery,
    responses: { 200: dataEnvelope(Checkup) },
    errors: ['not-found'],
  },

  createAccount: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/accounts',
    idempotency: 'accepted',
    summary: 'Create an account',
    description:
      'An account without a payment method can read and cannot order. Its programs need a client: create one next. Send an Idempotency-Key to make a retry safe: without one, a retry creates another account.',
    body: AccountCreateBody,
    responses: { 201: dataEnvelope(Account), 200: dataEnvelope(Account) },
  },
  listAccounts: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/accounts',
    summary: 'List accounts',
    description:
      'By creation time, oldest first, unless `sort` says otherwise. With page numbers and a total, or by cursor: `query`, `status` and `sort` need the cursor.',
    query: AccountsQuery,
    responses: { 200: pageOrCursorEnvelope(Account) },
  },
  getAccount: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/accounts/{accountId}',
    summary: 'Get an account',
    description: 'With its status, payment method, balance and limits.',
    params: AccountParams,
    responses: { 200: dataEnvelope(Account) },
    errors: ['not-found'],
  },
  updateAccount: {
    ...OPERATOR_ACCOUNTS,
    method: 'PATCH',
    permission: 'administer',
    path: '/admin/v1/accounts/{accountId}',
    idempotency: 'accepted',
    summary: 'Change an account',
    description: 'Only the fields that are given change. Null takes a value away.',
    params: AccountParams,
    body: AccountPatchBody,
    responses: { 200: dataEnvelope(Account) },
    errors: ['not-found', 'conflict'],
  },
  createClient: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/accounts/{accountId}/clients',
    idempotency: 'accepted',
    summary: 'Create a client of an account',
    description:
      'The secret is shown once. Send an Idempotency-Key to make a retry safe: without one, a retry creates another client.',
    params: AccountParams,
    body: ClientCreateBody,
    responses: { 201: dataEnvelope(ClientCredentials), 200: dataEnvelope(ClientCredentials) },
    errors: ['not-found', 'conflict'],
  },
  listClients: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/accounts/{accountId}/clients',
    summary: 'List the clients of an account',
    description: 'Disabled ones too. Secrets are never shown.',
    params: AccountParams,
    query: PagingQuery,
    responses: { 200: pageEnvelope(Client) },
    errors: ['not-found'],
  },
  listAllClients: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/clients',
    summary: 'List the clients of all accounts and of operators',
    description: 'Disabled ones too. Secrets are never shown.',
    query: ClientsQuery,
    responses: { 200: cursorEnvelope(ListedClient) },
  },
  updateClient: {
    ...OPERATOR_ACCOUNTS,
    method: 'PATCH',
    permission: 'administer',
    path: '/admin/v1/clients/{clientId}',
    idempotency: 'accepted',
    summary: "Say where a client may call from, and what an operator's may do",
    description:
      'What is left out stays. It counts within 5 seconds on every node: from any other address the client gets no token, and its tokens are rejected. A list that your own client does not fit locks you out.',
    params: ClientParams,
    body: ClientPatchBody,
    responses: { 200: dataEnvelope(Client) },
    errors: ['not-found', 'conflict'],
  },
  createOperatorClient: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/clients',
    idempotency: 'accepted',
    summary: 'Create a client of an operator',
    description: 'For a program that operates the service. The secret is shown here only.',
    body: OperatorClientBody,
    responses: { 201: dataEnvelope(ClientCredentials), 200: dataEnvelope(ClientCredentials) },
  },
  createClientSecret: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/clients/{clientId}/secrets',
    idempotency: 'accepted',
    summary: 'Give a client a second secret',
    description:
      'Both secrets work; a third retires the oldest. Send an Idempotency-Key to make a retry safe: without one, a retry creates another secret, which may retire the one in use.',
    params: ClientParams,
    responses: { 201: dataEnvelope(ClientCredentials), 200: dataEnvelope(ClientCredentials) },
    errors: ['not-found', 'conflict'],
  },
  enableClient: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/clients/{clientId}/enable',
    idempotency: 'accepted',
    summary: 'Enable a disabled client again',
    description:
      'With the secrets that it had, and with its tokens that have not expired. A client whose secret leaked is better replaced by a new one. A client that is not disabled stays as it is.',
    params: ClientParams,
    responses: { 200: dataEnvelope(Client) },
    errors: ['not-found', 'conflict'],
  },
  disableClient: {
    ...OPERATOR_ACCOUNTS,
    method: 'DELETE',
    permission: 'administer',
    path: '/admin/v1/clients/{clientId}',
    idempotency: 'accepted',
    summary: 'Disable a client',
    description: 'Its tokens are rejected within 5 seconds on every node.',
    params: ClientParams,
    responses: { 204: null },
    errors: ['not-found'],
  },
  createDeposit: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'finance',
    path: '/admin/v1/accounts/{accountId}/deposits',
    idempotency: 'accepted',
    hasPreview: true,
    mayNeedApproval: true,
    summary: 'Book a deposit',
    description:
      'The same reference again answers the first deposit with 200; with another amount it is a conflict.',
    params: AccountParams,
    body: DepositBody,
    responses: {
      201: dataEnvelope(StatementLine),
      200: dataEnvelope(StatementLine),
      202: dataEnvelope(Approval),
    },
    errors: ['not-found', 'conflict'],
  },
  createAdjustment: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'finance',
    path: '/admin/v1/accounts/{accountId}/adjustments',
    idempotency: 'accepted',
    hasPreview: true,
    mayNeedApproval: true,
    summary: 'Correct a balance',
    description:
      'What is booked is never changed: a correction is a booking of its own. It cannot take more than the balance. The same reference again answers the first adjustment with 200; with anything else different it is a conflict.',
    params: AccountParams,
    body: AdjustmentBody,
    responses: {
      201: dataEnvelope(StatementLine),
      200: dataEnvelope(StatementLine),
      202: dataEnvelope(Approval),
    },
    errors: ['not-found', 'conflict'],
  },
  createPayout: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'finance',
    path: '/admin/v1/accounts/{accountId}/payouts',
    idempotency: 'accepted',
    hasPreview: true,
    mayNeedApproval: true,
    summary: 'Book a payout',
    description:
      'Money of the balance that was sent back to the reseller; at most the balance. The same reference again answers the first payout with 200; with another amount it is a conflict.',
    params: AccountParams,
    body: PayoutBody,
    responses: {
      201: dataEnvelope(StatementLine),
      200: dataEnvelope(StatementLine),
      202: dataEnvelope(Approval),
    },
    errors: ['not-found', 'conflict'],
  },
  listAccountWebhookEndpoints: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/accounts/{accountId}/webhook-endpoints',
    summary: 'List the webhook endpoints of an account',
    description: 'Oldest first, with why one is disabled. Secrets are never shown.',
    params: AccountParams,
    responses: { 200: dataEnvelope(Type.Array(WebhookEndpoint)) },
    errors: ['not-found'],
  },
  getAccountWebhookEndpoint: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}',
    summary: 'Get a webhook endpoint of an account',
    description: 'As its reseller sees it.',
    params: AccountWebhookEndpointParams,
    responses: { 200: dataEnvelope(WebhookEndpoint) },
    errors: ['not-found'],
  },
  listAccountWebhookDeliveries: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/deliveries',
    summary: 'List the deliveries to a webhook endpoint of an account',
    description: 'As its reseller sees them, with the address of a host that is not public.',
    params: AccountWebhookEndpointParams,
    query: WebhookDeliveriesQuery,
    responses: { 200: pageEnvelope(OperatorWebhookDelivery) },
    errors: ['not-found'],
  },
  listAllWebhookEndpoints: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/webhook-endpoints',
    summary: 'List the webhook endpoints of all accounts',
    description: 'With why one is disabled, and how many deliveries wait or have failed.',
    query: WebhookEndpointsQuery,
    responses: { 200: cursorEnvelope(ListedWebhookEndpoint) },
  },
  updateAccountWebhookEndpoint: {
    ...OPERATOR_ACCOUNTS,
    method: 'PATCH',
    permission: 'administer',
    path: '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}',
    idempotency: 'accepted',
    summary: 'Disable or enable a webhook endpoint of an account',
    description:
      'Events of the time while it is disabled are not sent later: the reseller can replay them. The reseller cannot enable what an operator disabled.',
    params: AccountWebhookEndpointParams,
    body: WebhookStatusBody,
    responses: { 200: dataEnvelope(WebhookEndpoint) },
    errors: ['not-found'],
  },
  redeliverAccountWebhook: {
    ...OPERATOR_ACCOUNTS,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/accounts/{accountId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/redeliver',
    idempotency: 'accepted',
    summary: 'Send a delivery to a webhook endpoint of an account again',
    description: 'At once, whatever its status, and with retries like the first time.',
    params: AccountWebhookDeliveryParams,
    responses: { 202: dataEnvelope(WebhooksQueued) },
    errors: ['not-found', 'conflict'],
  },
  getStatement: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/accounts/{accountId}/statement',
    summary: 'Get the statement of an account',
    description:
      'Every movement of the prepaid balance from createdAtFrom to createdAtTo, both included, oldest first unless `sort` is DESC, with the balance after it. With `Accept: text/csv` the whole range as a CSV file: its first record is the opening balance and its last one the closing balance.',
    params: AccountParams,
    headers: StatementHeaders,
    query: StatementQuery,
    responses: { 200: StatementPage },
    csvExample:
      'number,id,createdAt,kind,amount,balance,orderId,reference,reason\r\n,,,opening,,0.00,,,\r\n1,17,2026-11-21T09:30:00.123456Z,deposit,250.00,250.00,,bank-7,\r\n,,,closing,,250.00,,,\r\n',
    errors: ['not-found'],
  },
  listStatements: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/books/statements',
    isHeavy: true,
    summary: 'List the statements of all accounts',
    description:
      'Of every account the balances before and after the range, both ends included, and the sums between them, by name. With `Accept: text/csv` every movement as a CSV file: the first record of an account is its opening balance and the last one its closing balance; the last record of all is their total. Accounts without a balance and a movement are left out of it.',
    headers: StatementHeaders,
    query: StatementsQuery,
    responses: { 200: cursorEnvelope(AccountStatement) },
    csvExample:
      'accountId,accountName,number,id,createdAt,kind,amount,balance,orderId,reference,reason\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,,,,opening,,0.00,,,\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,1,17,2026-11-21T09:30:00.123456Z,deposit,250.00,250.00,,bank-7,\r\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Acme Games,,,,closing,,250.00,,,\r\n,,,,,total,250.00,250.00,,,\r\n',
  },
  getTrialBalance: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/books',
    isHeavy: true,
    summary: 'Get the trial balance',
    description:
      'What every ledger account has moved and holds at a moment (now, if none is given), the house accounts first. It adds up to zero.',
    query: TrialBalanceQuery,
    responses: { 200: dataEnvelope(TrialBalance) },
  },
  getDailyBooks: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/books/daily',
    isHeavy: true,
    summary: 'Get what was booked day by day',
    description: 'By UTC days, at most 400. With `Accept: text/csv` as a CSV file.',
    headers: StatementHeaders,
    query: DaysQuery,
    responses: { 200: dataEnvelope(DailyBooks) },
    csvExample:
      'date,deposits,charges,gatewayCharges,refunds,gatewayRefunds,adjustments,payouts,prepaidBalance\r\n2026-11-21,250.00,12.30,0.00,0.00,0.00,0.00,0.00,237.70\r\n',
  },
  getSellerSales: {
    ...OPERATOR_ACCOUNTS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/books/sellers',
    isHeavy: true,
    summary: 'Get what was sold for each seller',
    description:
      'Charges and refunds that were booked on UTC days, at most 400, by the seller of the order. With `Accept: text/csv` as a CSV file.',
    headers: StatementHeaders,
    query: DaysQuery,
    responses: { 200: dataEnvelope(SellerSales) },
    csvExample:
      'sellerId,sellerName,orders,turnover,refunds,net\r\n7f1d0c52-2f0e-4a53-8f43-0e1f6f9b0a01,Key Cellar,2,24.60,12.30,12.30\r\n',
  },

  listSellers: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/sellers',
    summary: 'List sellers',
    description: 'By id or by name.',
    query: SellersQuery,
    responses: { 200: cursorEnvelope(Seller) },
  },
  listCatalogueProducts: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/products',
    summary: 'List products, on offer or not',
    description: 'By id or by name, with what is on sale of each.',
    query: CatalogueProductsQuery,
    responses: { 200: cursorEnvelope(ListedProduct) },
  },
  listOffers: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/offers',
    summary: 'List offers, active or paused',
    description: 'By id, or those of a product by price.',
    query: OffersQuery,
    responses: { 200: cursorEnvelope(ListedOffer) },
  },
  listOfferHistory: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/offers/{offerId}/history',
    summary: 'List the prices and statuses that an offer has had',
    description: 'Each since when, newest first unless `sort` is ASC.',
    params: OfferParams,
    query: OfferHistoryQuery,
    responses: { 200: cursorEnvelope(OfferVersion) },
    errors: ['not-found'],
  },
  listOfferKeys: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/offers/{offerId}/keys',
    summary: 'List the keys of an offer with their states',
    description: 'In the order in which they were added. Never with the codes themselves.',
    params: OfferParams,
    query: OfferKeysQuery,
    responses: { 200: cursorEnvelope(OfferKey) },
    errors: ['not-found'],
  },
  putSeller: {
    ...OPERATOR_CATALOGUE,
    method: 'PUT',
    permission: 'catalogue',
    path: '/admin/v1/sellers/{sellerId}',
    idempotency: 'accepted',
    summary: 'Create or change a seller',
    description: '201 when it is new, otherwise 200.',
    params: SellerParams,
    body: SellerBody,
    responses: { 201: dataEnvelope(Seller), 200: dataEnvelope(Seller) },
  },
  getSeller: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/sellers/{sellerId}',
    summary: 'Get a seller',
    description: 'A seller of the catalogue by its id.',
    params: SellerParams,
    responses: { 200: dataEnvelope(Seller) },
    errors: ['not-found'],
  },
  putProduct: {
    ...OPERATOR_CATALOGUE,
    method: 'PUT',
    permission: 'catalogue',
    path: '/admin/v1/products/{productId}',
    idempotency: 'accepted',
    summary: 'Create or change a product',
    description: 'Replaces all its details: a field that is left out becomes null.',
    params: AdminProductParams,
    body: ProductBody,
    responses: { 201: dataEnvelope(CatalogueProduct), 200: dataEnvelope(CatalogueProduct) },
  },
  getCatalogueProduct: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/products/{productId}',
    summary: 'Get a product, on offer or not',
    description: 'All its details as they were put, and its checkout class.',
    params: AdminProductParams,
    responses: { 200: dataEnvelope(CatalogueProduct) },
    errors: ['not-found'],
  },
  putOffer: {
    ...OPERATOR_CATALOGUE,
    method: 'PUT',
    permission: 'catalogue',
    path: '/admin/v1/offers/{offerId}',
    idempotency: 'accepted',
    summary: 'Create or change an offer',
    description: 'Its product and seller must exist; an offer never moves to another product or seller.',
    params: OfferParams,
    body: OfferBody,
    responses: { 201: dataEnvelope(CatalogueOffer), 200: dataEnvelope(CatalogueOffer) },
    errors: ['conflict'],
  },
  getOffer: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/offers/{offerId}',
    summary: 'Get an offer',
    description: 'With its price, its status and how many of its units are in each state.',
    params: OfferParams,
    responses: { 200: dataEnvelope(CatalogueOffer) },
    errors: ['not-found'],
  },
  updateOffer: {
    ...OPERATOR_CATALOGUE,
    method: 'PATCH',
    permission: 'catalogue',
    path: '/admin/v1/offers/{offerId}',
    idempotency: 'accepted',
    summary: "Change an offer's price, or pause or resume it",
    description: 'What is left out stays as it is.',
    params: OfferParams,
    body: OfferPatchBody,
    responses: { 200: dataEnvelope(CatalogueOffer) },
    errors: ['not-found'],
  },
  changeOffers: {
    ...OPERATOR_CATALOGUE,
    method: 'POST',
    permission: 'catalogue',
    path: '/admin/v1/offers/changes',
    idempotency: 'required-by-quantity',
    hasPreview: true,
    summary: 'Change many offers at once: prices, statuses, keys',
    description:
      'All of it happens in one transaction, or nothing: then every change that stands in the way is named by its place. In a change keys are withdrawn before others are added. The answer has the offers in the order of the changes.',
    body: OfferChangesBody,
    bodySizeBytesMax: 512 * 1024,
    responses: { 200: dataEnvelope(Type.Array(ChangedOffer)) },
    errors: ['conflict'],
  },
  addKeys: {
    ...OPERATOR_CATALOGUE,
    method: 'POST',
    permission: 'catalogue',
    path: '/admin/v1/offers/{offerId}/keys',
    idempotency: 'accepted',
    hasPreview: true,
    summary: 'Add keys to an offer',
    description:
      'A code that the service already holds, from whatever seller, is counted as a duplicate and left out.',
    params: OfferParams,
    body: KeysBody,
    responses: { 201: dataEnvelope(KeysAdded), 200: dataEnvelope(KeysAdded) },
    errors: ['not-found'],
  },
  withdrawKeys: {
    ...OPERATOR_CATALOGUE,
    method: 'POST',
    permission: 'catalogue',
    path: '/admin/v1/offers/{offerId}/keys/withdraw',
    idempotency: 'required-by-quantity',
    hasPreview: true,
    summary: 'Take unsold keys of an offer out of stock, for good',
    description:
      'Either this many, or those with the given codes. A withdrawn key is never sold again, and adding its code again is a duplicate.',
    params: OfferParams,
    body: KeysWithdrawBody,
    responses: { 200: dataEnvelope(KeysWithdrawn) },
    errors: ['not-found', 'conflict'],
  },
  restartFeeds: {
    ...OPERATOR_CATALOGUE,
    method: 'POST',
    permission: 'catalogue',
    path: '/admin/v1/catalogue/restart-feeds',
    idempotency: 'accepted',
    summary: 'Let every reader of the change feed start over',
    description:
      'For after the database was restored from a backup: what resellers have seen since the backup is then not what is stored. Every cursor of before starts from the beginning, on every node within seconds.',
    body: RestartFeedsBody,
    responses: { 204: null },
  },
  importLines: {
    ...OPERATOR_CATALOGUE,
    method: 'POST',
    permission: 'catalogue',
    path: '/admin/v1/imports/{kind}',
    summary: 'Import sellers, products, offers, prices or keys',
    description:
      'NDJSON or CSV, streamed, of any size, as it is or with `Content-Encoding: gzip`. A line is the body of the matching PUT with its id; a line of prices has the price and, optionally, the status of an offer that exists, which `id` names, or `productId` and `sellerId`. A bad line is reported and skipped, the good ones are kept. With `Accept: application/x-ndjson` the answer begins while the body is read: a line for every rejected line and every batch that is kept, and in the end the result or an error.',
    params: ImportParams,
    query: ImportQuery,
    headers: ImportHeaders,
    hasStreamedBody: true,
    responses: { 200: dataEnvelope(ImportResult) },
    ndjsonExample:
      '{"rejected":{"line":7,"message":"name is required and must be a text of 1 to 500 characters, not only blanks."}}\n{"committed":{"line":1000,"read":1000,"written":999,"unchanged":0,"rejected":1,"skipped":0,"rejectedBefore":0}}\n{"result":{"read":1000,"written":999,"unchanged":0,"rejected":1,"skipped":0,"rejectedBefore":0,"errors":[{"line":7,"message":"name is required and must be a text of 1 to 500 characters, not only blanks."}],"removed":0,"dryRun":false}}\n',
    errors: ['conflict', 'request-timeout', 'unsupported-media-type'],
  },
  listImports: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/imports',
    summary: 'List imports with what came of them',
    description:
      'Newest first unless `sort` says otherwise. One that is running is listed too, with how far it is.',
    query: ImportRunsQuery,
    responses: { 200: cursorEnvelope(ImportRunRecord) },
  },
  listImportRejects: {
    ...OPERATOR_CATALOGUE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/imports/{runId}/rejects',
    summary: 'List the rejected lines of an import',
    description: 'In their order, with why. With `Accept: text/csv` all that are kept as a CSV file.',
    params: ImportRunParams,
    headers: ImportRejectsHeaders,
    query: ImportRejectsQuery,
    responses: { 200: cursorEnvelope(ImportReject) },
    csvExample:
      'line,message\r\n7,"name is required and must be a text of 1 to 500 characters, not only blanks."\r\n',
    errors: ['not-found'],
  },
  restoreImport: {
    ...OPERATOR_CATALOGUE,
    method: 'POST',
    permission: 'catalogue',
    path: '/admin/v1/imports/{runId}/restore',
    summary: 'Put back on sale what an import with deleteMissing took off sale',
    description:
      'Its withdrawn keys become available and its paused offers active again, except those that were changed since or that a later import with deleteMissing leaves out too. Repeating the request changes nothing.',
    params: ImportRunParams,
    body: ImportRestoreBody,
    responses: { 200: dataEnvelope(ImportRestored) },
    errors: ['not-found', 'conflict'],
  },

  undoImport: {
    ...OPERATOR_CATALOGUE,
    method: 'POST',
    permission: 'catalogue',
    path: '/admin/v1/imports/{runId}/undo',
    summary: 'Undo an import of prices, offers or keys',
    description:
      'Prices and statuses go back, offers that it added are paused, keys that it added are withdrawn, and what it took off sale goes back on sale. 409 with the reason when something of it was sold or changed since; nothing is undone then. What is ordered while it is being undone is `kept`. Repeating the request does what is left, or changes nothing.',
    params: ImportRunParams,
    body: ImportUndoBody,
    responses: { 200: dataEnvelope(ImportUndone) },
    errors: ['not-found', 'conflict'],
  },

  listAllOrders: {
    ...OPERATOR_ORDERS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/orders',
    summary: 'List the orders of all accounts',
    description:
      'By page numbers with a total, as in the order history, or by cursor: `query`, `productId`, `offerId`, `sellerId`, `imported` and `traceId` need the cursor.',
    query: AdminOrdersQuery,
    responses: { 200: pageOrCursorEnvelope(ListedAdminOrder) },
  },
  getAnyOrder: {
    ...OPERATOR_ORDERS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/orders/{orderId}',
    summary: 'Get an order with its status log',
    description: 'The log has every change of the status: when, by whom and why.',
    params: OrderParams,
    responses: { 200: dataEnvelope(AdminOrderWithLog) },
    errors: ['not-found'],
  },
  holdOrder: {
    ...orderAction,
    path: '/admin/v1/orders/{orderId}/hold',
    summary: 'Hold an order',
    description: 'From pending, pending_payment or processing.',
  },
  releaseOrder: {
    ...orderAction,
    path: '/admin/v1/orders/{orderId}/release',
    summary: 'Release a held order',
    description: 'It goes back to where it came from and on from there.',
  },
  cancelOrder: {
    ...orderAction,
    path: '/admin/v1/orders/{orderId}/cancel',
    summary: 'Cancel an unpaid order',
    description: 'Its units go back to stock. An order that is paid is refunded instead.',
  },
  refundOrder: {
    ...orderAction,
    path: '/admin/v1/orders/{orderId}/refund',
    idempotency: 'required',
    mayNeedApproval: true,
    summary: 'Refund an order, whole or in part',
    description:
      'Before delivery only whole. A part gives back the price of its units less their share of the discount; the last refund gives back what is left.',
    body: OrderRefundBody,
    responses: { 200: dataEnvelope(AdminOrder), 202: dataEnvelope(Approval) },
  },
  listOrderKeys: {
    ...OPERATOR_ORDERS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/orders/{orderId}/keys',
    summary: 'List the keys of an order, masked',
    description: 'Those that it has, and those that were replaced. Never with the codes themselves.',
    params: OrderParams,
    responses: { 200: dataEnvelope(Type.Array(OrderKeyState)) },
    errors: ['not-found'],
  },
  replaceKey: {
    ...orderAction,
    path: '/admin/v1/orders/{orderId}/replace-key',
    idempotency: 'required',
    summary: 'Replace a key of a delivered order',
    description:
      'The key that `keyId` or `code` names leaves the order and is never sold again; the order gets another key of the same offer. No money moves. The reseller reads the new key with those of the order, for as long after the replacement as after completion. An order with one key needs neither.',
    body: ReplaceKeyBody,
    responses: { 200: dataEnvelope(ReplacedKey) },
  },
  findKey: {
    ...OPERATOR_ORDERS,
    method: 'POST',
    permission: 'orders',
    path: '/admin/v1/keys/find',
    summary: 'Find the order, the offer and the seller of a key by its code',
    description:
      'Letter case, blanks and dashes do not matter. The code is not stored or logged; the audit log has which key was found.',
    body: FindKeyBody,
    responses: { 200: dataEnvelope(FoundKey) },
    errors: ['not-found'],
  },

  listApprovals: {
    ...OPERATOR_APPROVALS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/approvals',
    summary: 'List writes that wait for a second person, and those that did',
    description: 'Newest first.',
    query: ApprovalsQuery,
    responses: { 200: cursorEnvelope(Approval) },
  },
  getApproval: {
    ...OPERATOR_APPROVALS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/approvals/{approvalId}',
    summary: 'Get a write that waits for a second person',
    description: 'While it is pending, `ETag` is the state of its `preview`.',
    params: ApprovalParams,
    responses: { 200: dataEnvelope(Approval) },
    errors: ['not-found'],
  },
  approveWrite: {
    ...OPERATOR_APPROVALS,
    method: 'POST',
    permission: 'approve',
    path: '/admin/v1/approvals/{approvalId}/approve',
    idempotency: 'accepted',
    hasPreview: true,
    summary: 'Approve a write of somebody else, which carries it out',
    description:
      'It happens with this approval or not at all, in the state that it meets. Needs the permission that the write itself needs.',
    params: ApprovalParams,
    body: ApproveBody,
    responses: { 200: dataEnvelope(Approval) },
    errors: ['not-found', 'conflict'],
  },
  rejectWrite: {
    ...OPERATOR_APPROVALS,
    method: 'POST',
    permission: 'approve',
    path: '/admin/v1/approvals/{approvalId}/reject',
    idempotency: 'accepted',
    summary: 'Reject a write that waits, or withdraw your own',
    description: 'It is never carried out.',
    params: ApprovalParams,
    body: RejectBody,
    responses: { 200: dataEnvelope(Approval) },
    errors: ['not-found', 'conflict'],
  },

  listOperators: {
    ...OPERATOR_PEOPLE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/operators',
    summary: 'List operators',
    description: 'The people who operate the service, oldest first.',
    query: PagingQuery,
    responses: { 200: pageEnvelope(Operator) },
  },
  createOperator: {
    ...OPERATOR_PEOPLE,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/operators',
    idempotency: 'accepted',
    summary: 'Create an operator',
    description:
      'With a link that signs in once, within 48 hours. It is shown here only: send it to the operator.',
    body: OperatorCreateBody,
    responses: { 201: dataEnvelope(InvitedOperator), 200: dataEnvelope(InvitedOperator) },
    errors: ['conflict'],
  },
  getOperator: {
    ...OPERATOR_PEOPLE,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/operators/{operatorId}',
    summary: 'Get an operator',
    description: 'With the role, the status and the time of the last request.',
    params: OperatorParams,
    responses: { 200: dataEnvelope(Operator) },
    errors: ['not-found'],
  },
  updateOperator: {
    ...OPERATOR_PEOPLE,
    method: 'PATCH',
    permission: 'administer',
    path: '/admin/v1/operators/{operatorId}',
    idempotency: 'accepted',
    summary: 'Change, disable or enable an operator',
    description:
      'It counts from the next request, on every node. Disabling also removes all credentials. The last admin who can sign in stays one.',
    params: OperatorParams,
    body: OperatorPatchBody,
    responses: { 200: dataEnvelope(Operator) },
    errors: ['not-found', 'conflict'],
  },
  inviteOperator: {
    ...OPERATOR_PEOPLE,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/operators/{operatorId}/invite',
    idempotency: 'accepted',
    summary: 'Make a new link that signs an operator in',
    description: 'It works once, within 48 hours, and replaces earlier ones. It is shown here only.',
    params: OperatorParams,
    responses: { 201: dataEnvelope(InvitedOperator), 200: dataEnvelope(InvitedOperator) },
    errors: ['not-found', 'conflict'],
  },

  resetOperatorCredentials: {
    ...OPERATOR_PEOPLE,
    method: 'POST',
    permission: 'administer',
    path: '/admin/v1/operators/{operatorId}/reset-credentials',
    idempotency: 'accepted',
    summary: "Remove an operator's credentials and make a new link",
    description:
      'Ends all sessions and removes the password, passkeys, single sign-on link and earlier links. The new link works once, within 48 hours, and is shown here only.',
    params: OperatorParams,
    responses: { 201: dataEnvelope(InvitedOperator), 200: dataEnvelope(InvitedOperator) },
    errors: ['not-found', 'conflict'],
  },

  listPayments: {
    ...OPERATOR_ORDERS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/payments',
    summary: 'List the payments that are not settled',
    description:
      'Charges whose outcome is open and refunds that the provider has not confirmed, oldest first unless `sort` says otherwise.',
    query: PaymentsQuery,
    responses: { 200: cursorEnvelope(Payment) },
  },
  retryPayment: {
    ...OPERATOR_ORDERS,
    method: 'POST',
    permission: 'orders',
    path: '/admin/v1/payments/{paymentId}/retry',
    idempotency: 'accepted',
    summary: 'Ask the payment provider about a payment now',
    description:
      'As the service does by itself, and without waiting for its time: an open charge is looked up and settled, a refund is reported again.',
    params: PaymentParams,
    responses: { 202: dataEnvelope(Payment) },
    errors: ['not-found', 'conflict'],
  },

  listRejections: {
    ...OPERATOR_ORDERS,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/rejections',
    summary: 'List the orders that checkout rejected',
    description:
      'Of the last 30 days, with what was asked for and what the reseller was told; newest first unless `sort` says otherwise.',
    query: RejectionsQuery,
    responses: { 200: cursorEnvelope(Rejection) },
  },

  listAudit: {
    ...OPERATOR_SYSTEM,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/audit',
    summary: 'List key reveals and operator actions',
    description:
      'Newest first, with page numbers and a total, or by cursor: `accountId`, `traceId`, `actionsOnly` and `sort` need the cursor.',
    query: AuditQuery,
    responses: { 200: pageOrCursorEnvelope(AuditEntry) },
  },
  verifyAudit: {
    ...OPERATOR_SYSTEM,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/audit/verify',
    isHeavy: true,
    summary: 'Check that no entry of the audit log was removed, changed or moved',
    description: 'Reads the whole log.',
    query: AuditVerifyQuery,
    responses: { 200: dataEnvelope(AuditCheck) },
  },
  getSummary: {
    ...OPERATOR_SYSTEM,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/summary',
    summary: 'Get orders, turnover, refunds and rejections over time',
    description:
      'By UTC hours or days, those that hold `from` and `to` included; at most 744 hours or 400 days. Orders are those that were placed in a bucket, so they are what the list of orders shows for the same times; turnover, refunds and rejections are of the time at which they happened. Exact at the moment of the answer.',
    query: SummaryQuery,
    responses: { 200: dataEnvelope(Summary) },
  },
  getAttention: {
    ...OPERATOR_SYSTEM,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/attention',
    summary: 'Get what waits for a person',
    description:
      'Held orders, payments and refunds that are open, approvals, offers that run out, webhook endpoints that fail, and broken invariants.',
    responses: { 200: dataEnvelope(Attention) },
  },
  getSystem: {
    ...OPERATOR_SYSTEM,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/system',
    summary: 'Get what runs: version, mode, database, nodes, settings, master keys, lag, last verification',
    description: 'Version, mode, settings and the lag of the catalogue are those of the node that answers.',
    responses: { 200: dataEnvelope(SystemInfo) },
  },
  verifyInvariants: {
    ...OPERATOR_SYSTEM,
    method: 'GET',
    permission: 'view',
    path: '/admin/v1/verify',
    isHeavy: true,
    summary: 'Check every invariant of books, stock, records and the catalogue in memory',
    description: 'The catalogue in memory (I66) is that of the node that answers.',
    query: VerifyQuery,
    responses: { 200: dataEnvelope(Type.Array(InvariantResult)) },
  },
} as const satisfies Record<string, OperationSpec>;

export type OperationName = keyof typeof OPERATIONS;

/** A member of an operation's responses, such as `data`, by their schemas. */
export type ResponseMember<Name extends OperationName, Member extends string> = {
  [Status in keyof (typeof OPERATIONS)[Name]['responses']]: (typeof OPERATIONS)[Name]['responses'][Status] extends infer Schema extends
    TSchema
    ? Static<Schema> extends Record<Member, infer Value>
      ? Value
      : never
    : never;
}[keyof (typeof OPERATIONS)[Name]['responses']];

/** Every operation with its name, widened to the common shape. */
export const OPERATION_LIST: readonly (OperationSpec & { readonly name: OperationName })[] = Object.entries(
  OPERATIONS,
).map(([name, operation]) => ({ ...(operation as OperationSpec), name: name as OperationName }));

/** As much as is read of a body's schema. */
type BodySchema = {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly minProperties?: number;
};

/** Whether a request without a body is one with `{}`: no member has to be there. A11. */
export function mayLackBody({ body }: OperationSpec): boolean {
  const { type, required = [], minProperties = 0 }: BodySchema = body ?? {};
  return type === 'object' && required.length === 0 && minProperties === 0;
}

export function operationErrors(operation: OperationSpec): readonly ErrorCode[] {
  const { body, idempotency, hasPreview, errors = [] } = operation;
  const previewErrors: readonly ErrorCode[] = hasPreview === true ? ['state-changed'] : [];
  const bodyErrors = body === undefined ? [] : BODY_ERRORS;
  const keyErrors = idempotency === undefined ? [] : KEY_ERRORS;
  return [...new Set([...errors, ...previewErrors, ...keyErrors, ...bodyErrors, ...COMMON_ERRORS])];
}

/** The headers that an operation reads: its own, the Idempotency-Key of a write, and the If-Match of one with a preview. */
export function operationHeaders({ headers, idempotency, hasPreview }: OperationSpec): TObject | undefined {
  if (idempotency === undefined) return headers;
  const key = WRITE_KEYS[idempotency];
  const match = hasPreview === true ? { 'if-match': Type.Optional(IfMatch) } : {};
  return Type.Object({ ...headers?.properties, 'idempotency-key': key, ...match });
}
