import { CHECKOUT_CLASSES } from '@keyport/core/orders/checkout-class';
import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import {
  count,
  Name,
  namedObject,
  nullable,
  OfferPrice,
  oneOf,
  ProductId,
  strictObject,
  Uuid,
} from '../formats.ts';
import { search, sortBy } from '../lists.ts';
import { CATALOGUE_DETAILS } from './products.ts';

const BY_ID_OR_NAME = sortBy(['id', '-id', 'name', '-name']);

export const SellerBody = strictObject({ name: Name });
export type SellerBody = Static<typeof SellerBody>;
export const Seller = namedObject('Seller', { id: Uuid, name: Type.String() });

export const SellersQuery = Type.Object({
  query: search('Words of the name, or an id.'),
  sort: BY_ID_OR_NAME,
  ...CURSOR_QUERY,
});

export const ProductBody = strictObject({
  name: Name,
  slug: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      maxLength: 300,
      description: 'Default: made from the name.',
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
  checkoutClass: oneOf(CHECKOUT_CLASSES, 'How it may be sold.'),
});
export type CatalogueProduct = Static<typeof CatalogueProduct>;

export const CatalogueProductsQuery = Type.Object({
  query: search('Words of the name, or an id.'),
  checkoutClass: Type.Optional(oneOf(CHECKOUT_CLASSES, 'Only products of this class.')),
  sort: BY_ID_OR_NAME,
  ...CURSOR_QUERY,
});
export const ListedProduct = namedObject('OperatorListedProduct', {
  ...CatalogueProduct.properties,
  activeOffers: count('Offers that are not paused.'),
  quantity: count('Units available in its active offers.'),
  minPrice: nullable(OfferPrice, { description: 'The lowest price of its active offers with stock.' }),
});
