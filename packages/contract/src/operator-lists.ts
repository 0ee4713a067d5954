/** What operators' lists are asked for, and what only lists show (A274, A410, A411). */
import { CHECKOUT_CLASSES } from '@keyport/core/checkout-class';
import { ORDER_STATUSES } from '@keyport/core/order-status';
import { Type } from 'typebox';
import { ACCOUNT_STATUSES } from './account.ts';
import {
  AUDIT_ACTIONS,
  CatalogueOffer,
  CatalogueProduct,
  Client,
  KEY_KINDS,
  KEY_STATES,
  OFFER_STATUSES,
} from './admin.ts';
import { CURSOR_QUERY, PAGE_OR_CURSOR_QUERY } from './envelope.ts';
import {
  count,
  DateTime,
  DateTimeInput,
  namedObject,
  nullable,
  OfferPrice,
  OrderId,
  oneOf,
  ProductId,
  UuidInput,
} from './formats.ts';
import { OrdersQuery } from './orders.ts';

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

export const CLIENT_STATUSES = ['enabled', 'disabled'] as const;
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
