/** What operators' lists are asked for, and what only lists show (A274, A410 to A415). */
import { CHECKOUT_CLASSES } from '@keyport/core/checkout-class';
import { ORDER_STATUSES } from '@keyport/core/order-status';
import type { PlaceOrderRejection } from '@keyport/core/place-order';
import { type Static, Type } from 'typebox';
import { ACCOUNT_STATUSES } from './account.ts';
import {
  AUDIT_ACTIONS,
  CatalogueOffer,
  CatalogueProduct,
  Client,
  IMPORT_KINDS,
  IMPORT_RUN_ID,
  KEY_KINDS,
  KEY_STATES,
  OFFER_STATUSES,
  StatementSummary,
} from './admin.ts';
import { CURSOR_QUERY, PAGE_OR_CURSOR_QUERY } from './envelope.ts';
import {
  Currency,
  count,
  DateTime,
  DateTimeInput,
  namedObject,
  nullable,
  OfferPrice,
  OrderId,
  oneOf,
  Price,
  ProductId,
  strictObject,
  Uuid,
  UuidInput,
} from './formats.ts';
import { OrdersQuery } from './orders.ts';
import { WEBHOOK_STATUSES, WebhookEndpoint } from './webhooks.ts';

const search = (finds: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description: `${finds} All words must be found, each as the beginning of a word; case and accents do not matter.`,
      'x-rule': 'must be words to look for: 1 to 200 characters',
    }),
  );

/** The first one is the default. */
const sortBy = <const Orders extends readonly string[]>(orders: Orders) =>
  Type.Optional(
    oneOf(orders, `The order of the list; a minus turns it round. ${orders[0]} when it is left out.`),
  );

const newestFirst = Type.Optional(oneOf(['ASC', 'DESC'], 'ASC oldest first, DESC newest first (default).'));
const YES = Type.Optional(oneOf(['true', 'false'], 'true: only those.'));
const BY_CREATION = ['createdAt', '-createdAt'] as const;

const TraceIdInput = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'Trace id of a request.',
  'x-rule': 'must be a trace id: 32 hexadecimal digits in lower case',
});

export const SellersQuery = Type.Object({
  query: search('Words of the name, or an id.'),
  sort: sortBy(['id', '-id', 'name', '-name']),
  ...CURSOR_QUERY,
});

export const StatementsQuery = Type.Object({
  from: Type.Optional(DateTimeInput),
  to: Type.Optional(DateTimeInput),
  query: search("Words of the account's name or its gateway customer, or an id."),
  ...CURSOR_QUERY,
});
export const AccountStatement = namedObject('AccountStatement', {
  accountId: Uuid,
  accountName: Type.String(),
  ...StatementSummary.properties,
});

export const CatalogueProductsQuery = Type.Object({
  query: search('Words of the name, or an id.'),
  checkoutClass: Type.Optional(oneOf(CHECKOUT_CLASSES, 'Only products of this class.')),
  sort: sortBy(['id', '-id', 'name', '-name']),
  ...CURSOR_QUERY,
});
export const ListedProduct = namedObject('OperatorListedProduct', {
  ...CatalogueProduct.properties,
  activeOffers: count('Offers that are not paused.'),
  quantity: count('Units available in its active offers.'),
  minPrice: nullable(OfferPrice, { description: 'The lowest price of its active offers with stock.' }),
});

export const OffersQuery = Type.Object({
  query: search("Words of the product's name, or an id of the offer, the product or the seller."),
  sellerId: Type.Optional(UuidInput),
  productId: Type.Optional(ProductId),
  status: Type.Optional(oneOf(OFFER_STATUSES, 'Only offers with this status.')),
  quantityMax: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Only offers with at most this many units available.',
      'x-rule': 'must be a whole number from 0 to 1000000',
    }),
  ),
  runningOut: Type.Optional(
    oneOf(
      ['true'],
      'true: only active offers that sold in the last 7 days and have at most KEYPORT_LOW_STOCK_UNITS units left.',
    ),
  ),
  sort: Type.Optional(
    oneOf(
      ['id', '-id', 'price', '-price'],
      'The order of the list, by id when it is left out; by price only with productId.',
    ),
  ),
  ...CURSOR_QUERY,
});
export const ListedOffer = namedObject('OperatorListedOffer', {
  ...CatalogueOffer.properties,
  productName: Type.String(),
  sellerName: Type.String(),
});

export const OfferKeysQuery = Type.Object({
  query: search('An id of a key or of an order.'),
  state: Type.Optional(oneOf(KEY_STATES, 'Only keys in this state.')),
  kind: Type.Optional(oneOf(KEY_KINDS, 'Only keys of this kind.')),
  sort: sortBy(['id', '-id']),
  ...CURSOR_QUERY,
});

export const OfferHistoryQuery = Type.Object({ sort: newestFirst, ...CURSOR_QUERY });
export const OfferVersion = namedObject('OperatorOfferVersion', {
  at: DateTime,
  price: OfferPrice,
  status: oneOf(OFFER_STATUSES, 'Paused offers are not sold.'),
});

export const AccountsQuery = Type.Object({
  query: search('Words of the name or the gateway customer, or an id.'),
  status: Type.Optional(oneOf(ACCOUNT_STATUSES, 'Only accounts with this status.')),
  sort: sortBy(['createdAt', '-createdAt', 'name', '-name']),
  ...PAGE_OR_CURSOR_QUERY,
});

const CLIENT_STATUSES = ['enabled', 'disabled'] as const;
export const ClientsQuery = Type.Object({
  query: search('Words of the name or the client id.'),
  accountId: Type.Optional(UuidInput),
  role: Type.Optional(oneOf(['reseller', 'operator'], 'Only clients that may call this.')),
  status: Type.Optional(oneOf(CLIENT_STATUSES, 'Only clients with this status.')),
  sort: sortBy(BY_CREATION),
  ...CURSOR_QUERY,
});
export const ListedClient = namedObject('OperatorListedClient', {
  ...Client.properties,
  accountName: nullable(Type.String()),
});

export const AdminOrdersQuery = Type.Object({
  query: search(
    'An order id, a trace id, an id of an account, a product, an offer or a seller, or words of the name of the account.',
  ),
  ...OrdersQuery.properties,
  status: Type.Optional(oneOf(ORDER_STATUSES, 'Only orders with this status.')),
  accountId: Type.Optional(UuidInput),
  productId: Type.Optional(ProductId),
  offerId: Type.Optional(UuidInput),
  sellerId: Type.Optional(UuidInput),
  imported: Type.Optional(oneOf(['true', 'false'], 'false: without the orders that were imported.')),
  traceId: Type.Optional({
    ...TraceIdInput,
    description: 'Only orders whose keys a request with this trace id read, or which it changed.',
  }),
  ...PAGE_OR_CURSOR_QUERY,
});

export const AuditQuery = Type.Object({
  orderId: Type.Optional(OrderId),
  accountId: Type.Optional(UuidInput),
  clientId: Type.Optional(Type.String({ maxLength: 64 })),
  action: Type.Optional(oneOf(AUDIT_ACTIONS, 'Only entries of this action.')),
  traceId: Type.Optional(TraceIdInput),
  actionsOnly: Type.Optional(oneOf(['true', 'false'], 'true: without the reads of keys.')),
  dateFrom: Type.Optional(DateTimeInput),
  dateTo: Type.Optional(DateTimeInput),
  sort: newestFirst,
  ...PAGE_OR_CURSOR_QUERY,
});

export const IMPORT_STATES = ['running', 'stopped', 'completed'] as const;
const RUN_ORDERS = ['-startedAt', 'startedAt'] as const;
export const ImportRunsQuery = Type.Object({
  query: search(
    'Words of the importId, the name of the file, the kind or the client id of who began it, or an id.',
  ),
  runId: Type.Optional(Type.String({ ...IMPORT_RUN_ID, 'x-rule': 'must be the runId of an import' })),
  importId: Type.Optional(Type.String({ maxLength: 100, description: 'Only runs of this import.' })),
  kind: Type.Optional(oneOf(IMPORT_KINDS, 'Only imports of this kind.')),
  state: Type.Optional(oneOf(IMPORT_STATES, 'Only runs in this state.')),
  dryRun: Type.Optional(oneOf(['true', 'false'], 'Only dry runs, or only others.')),
  sort: sortBy(RUN_ORDERS),
  ...CURSOR_QUERY,
});
/** Of a run; the first ones. */
export const KEPT_REJECTS_MAX = 10_000;
export const ImportRunRecord = namedObject('ImportRun', {
  id: Type.String(IMPORT_RUN_ID),
  importId: nullable(Type.String()),
  kind: oneOf(IMPORT_KINDS, 'What the lines are.'),
  dryRun: Type.Boolean(),
  deleteMissing: Type.Boolean(),
  state: oneOf(IMPORT_STATES, 'stopped: it broke off; the same importId continues it.'),
  startedAt: DateTime,
  endedAt: nullable(DateTime, { description: 'When it was completed or broke off.' }),
  clientId: Type.String({ description: 'Who began it.' }),
  name: Type.Optional(Type.String({ description: 'What the person or the client is called now.' })),
  fileName: nullable(Type.String(), { description: 'What its file is called, if the sender said.' }),
  line: count('Everything up to this line is done.'),
  read: count('Lines that were read.'),
  written: count('Of these: created or changed.'),
  unchanged: count('Of these: as they were.'),
  rejected: count('Of these: rejected.'),
  rejectsKept: count(`Rejected lines that can be listed: the first ${KEPT_REJECTS_MAX}, for 30 days.`),
  removed: count('With deleteMissing: taken off sale.'),
  restored: count('Of these: put back.'),
  canUndo: Type.Boolean({
    description: 'It added or changed something that is kept for 30 days and was not undone.',
  }),
  undoneAt: nullable(DateTime),
});
export type ImportRunRecord = Static<typeof ImportRunRecord>;

export const ImportRejectsQuery = Type.Object(CURSOR_QUERY);
export const ImportRejectsHeaders = Type.Object({ accept: Type.Optional(Type.String()) });
export const ImportReject = namedObject('ImportReject', {
  line: Type.Integer({ minimum: 1, description: 'From 1; the header row of CSV counts.' }),
  message: Type.String(),
});

const PAYMENT_KINDS = ['charge', 'refund'] as const;
export const PaymentsQuery = Type.Object({
  query: search(
    'An id of a payment, an order or an account, the reference of the provider, or words of the name of the account.',
  ),
  kind: Type.Optional(oneOf(PAYMENT_KINDS, 'Only charges, or only refunds.')),
  accountId: Type.Optional(UuidInput),
  sort: sortBy(BY_CREATION),
  ...CURSOR_QUERY,
});
export const PaymentParams = Type.Object({
  paymentId: Type.String({
    pattern: '^(charge|refund)-[0-9]{1,16}$',
    description: 'Id of the payment.',
    examples: ['charge-2174556001234567'],
    'x-rule': 'must be the id of a payment, such as charge-2174556001234567',
  }),
});
export const Payment = namedObject('OperatorPayment', {
  id: Type.String({ examples: ['charge-2174556001234567'] }),
  kind: oneOf(PAYMENT_KINDS, 'What the payment provider is asked for.'),
  orderId: OrderId,
  orderStatus: oneOf(ORDER_STATUSES, 'Status of the order.'),
  accountId: Uuid,
  accountName: Type.String(),
  amount: Price,
  currency: Currency,
  createdAt: DateTime,
  expiresAt: nullable(DateTime, { description: 'Of a charge: until when its order waits.' }),
  attempts: count('How often the provider was asked by the worker.'),
  nextAttemptAt: DateTime,
  providerState: nullable(Type.String(), {
    description: 'What the provider said last: `pending`, `unknown` or `no-answer`; null: nothing yet.',
  }),
  lastError: nullable(Type.String(), { description: 'Why the last attempt failed; null when it did not.' }),
  reference: nullable(Type.String(), { description: "The provider's id of the payment, if it is known." }),
});
export type Payment = Static<typeof Payment>;

/** What checkout answers to a request that it rejects. */
const REJECTION_CODES = [
  'cart-validation-error',
  'insufficient-funds',
  'max-price-exceeded',
  'offer-not-available',
  'payment-not-configured',
  'product-excluded',
] as const satisfies readonly PlaceOrderRejection['code'][];
export const RejectionsQuery = Type.Object({
  code: Type.Optional(oneOf(REJECTION_CODES, 'Only rejections with this code.')),
  accountId: Type.Optional(UuidInput),
  dateFrom: Type.Optional(DateTimeInput),
  dateTo: Type.Optional(DateTimeInput),
  sort: sortBy(['-rejectedAt', 'rejectedAt']),
  ...CURSOR_QUERY,
});
export const Rejection = namedObject('OperatorRejection', {
  rejectedAt: DateTime,
  accountId: Uuid,
  accountName: Type.String(),
  idempotencyKey: { ...Uuid, description: "Of the request: finds it in the reseller's own log." },
  productId: nullable(ProductId, {
    description: 'The product that was asked for; null: the offer does not exist.',
  }),
  productName: nullable(Type.String(), { description: 'Null: the product does not exist.' }),
  offerId: nullable(Uuid, { description: 'The offer that was asked for; null: any offer of the product.' }),
  quantity: count('Units that were asked for.'),
  maxPrice: { ...Price, description: 'The most that the reseller would have paid for a unit.' },
  code: Type.String({ examples: ['offer-not-available'] }),
  message: Type.String({ description: 'What the reseller was told.' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The facts of the answer, as the page of the code describes them.',
  }),
});
export type Rejection = Static<typeof Rejection>;

export const WebhookEndpointsQuery = Type.Object({
  query: search('Words of the URL or the description, or an id.'),
  accountId: Type.Optional(UuidInput),
  status: Type.Optional(oneOf(WEBHOOK_STATUSES, 'Only endpoints with this status.')),
  failing: YES,
  sort: sortBy(BY_CREATION),
  ...CURSOR_QUERY,
});
/** Deliveries of an endpoint are counted up to this. */
export const COUNTED_DELIVERIES_MAX = 1_000;
export const ListedWebhookEndpoint = namedObject('OperatorWebhookEndpoint', {
  ...WebhookEndpoint.properties,
  accountId: Uuid,
  accountName: Type.String(),
  pendingDeliveries: count(`At most ${COUNTED_DELIVERIES_MAX} are counted.`),
  failedDeliveries: count(`At most ${COUNTED_DELIVERIES_MAX} are counted.`),
});
export const WebhookStatusBody = strictObject({
  status: oneOf(
    WEBHOOK_STATUSES,
    'Nothing is sent while it is disabled. What was pending goes on afterwards.',
  ),
});
