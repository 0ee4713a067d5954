import { CHECKOUT_CLASSES } from '@keyport/core/orders/checkout-class';
import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import {
  AmountInput,
  DateTime,
  Name,
  OfferPrice,
  ProductId,
  reasonFor,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { newestFirst, search, sortBy } from '../lists.ts';
import {
  changeBody,
  count,
  namedObject,
  nullable,
  oneOf,
  strictObject,
  toQuery,
  wholeNumber,
} from '../schema.ts';
import { CATALOGUE_DETAILS } from './products.ts';

const BY_ID_OR_NAME = sortBy(['id', '-id', 'name', '-name']);
export const SellerBody = strictObject({ name: Name });
export type SellerBody = Static<typeof SellerBody>;
export const Seller = namedObject('Seller', { id: Uuid, name: Type.String() });

export const SellersQuery = toQuery({
  query: search('Words from the name, or an id.'),
  sort: BY_ID_OR_NAME,
  ...CURSOR_QUERY,
});

export const ProductBody = strictObject({
  name: Name,
  slug: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      maxLength: 300,
      description: 'Default: derived from the name.',
      'x-rule': 'must be lower-case letters and digits joined by single hyphens',
    }),
  ),
  ...Type.Partial(Type.Object(CATALOGUE_DETAILS)).properties,
  checkoutClass: oneOf(CHECKOUT_CLASSES, 'All except standard are rejected at checkout.'),
});
export type ProductBody = Static<typeof ProductBody>;

export const CatalogueProduct = namedObject('OperatorProduct', {
  id: ProductId,
  name: Type.String(),
  slug: Type.String(),
  ...CATALOGUE_DETAILS,
  checkoutClass: oneOf(CHECKOUT_CLASSES, 'How the product may be sold.'),
});
export type CatalogueProduct = Static<typeof CatalogueProduct>;

export const CatalogueProductsQuery = toQuery({
  query: search('Words from the name, or an id.'),
  checkoutClass: oneOf(CHECKOUT_CLASSES, 'Only products of this class.'),
  sort: BY_ID_OR_NAME,
  ...CURSOR_QUERY,
});
export const ListedProduct = namedObject('OperatorListedProduct', {
  ...CatalogueProduct.properties,
  activeOffers: count('Offers that are not paused.'),
  quantity: count('Units available in its active offers.'),
  minPrice: nullable(OfferPrice, { description: 'The lowest price of its active offers with stock.' }),
});

const OFFER_STATUSES = ['active', 'paused'] as const;
const OfferStatus = oneOf(OFFER_STATUSES, 'Paused offers are not sold.');

export const OfferBody = strictObject({
  productId: ProductId,
  sellerId: UuidInput,
  price: AmountInput,
  status: OfferStatus,
});
export type OfferBody = Static<typeof OfferBody>;
export const OFFER_CHANGE = { price: Type.Optional(AmountInput), status: Type.Optional(OfferStatus) };
export const OfferPatchBody = changeBody(OFFER_CHANGE);

export const CatalogueOffer = namedObject('OperatorOffer', {
  id: Uuid,
  productId: ProductId,
  sellerId: Uuid,
  price: OfferPrice,
  status: OfferStatus,
  quantity: count('Units available.'),
  units: strictObject(
    {
      available: count('On sale while the offer is active; the same as `quantity`.'),
      reserved: count('In active reservations and in orders that are not complete yet.'),
      sold: count('In orders that are complete or closed.'),
      withdrawn: count('Permanently taken out of stock.'),
    },
    { description: 'All units that the offer has ever had, by state.' },
  ),
});

export const OffersQuery = toQuery({
  query: search("Words from the product's name, or the id of the offer, the product or the seller."),
  sellerId: UuidInput,
  productId: ProductId,
  status: oneOf(OFFER_STATUSES, 'Only offers with this status.'),
  quantityMax: wholeNumber(0, 1_000_000, 'Only offers with at most this many units available.'),
  runningOut: oneOf(
    ['true'],
    'true: only active offers that sold in the last 7 days and have at most KEYPORT_LOW_STOCK_UNITS units left.',
  ),
  sort: oneOf(
    ['id', '-id', 'price', '-price'],
    'The order of the list. Default: id. Sorting by price requires productId; an offer whose price changes between two pages may be missed or listed twice.',
  ),
  ...CURSOR_QUERY,
});
export const ListedOffer = namedObject('OperatorListedOffer', {
  ...CatalogueOffer.properties,
  productName: Type.String(),
  sellerName: Type.String(),
});

export const OfferHistoryQuery = toQuery({ sort: newestFirst, ...CURSOR_QUERY });
export const OfferVersion = namedObject('OperatorOfferVersion', {
  at: DateTime,
  price: OfferPrice,
  status: OfferStatus,
});

export const RestartFeedsBody = strictObject({ reason: reasonFor('audit log') });
