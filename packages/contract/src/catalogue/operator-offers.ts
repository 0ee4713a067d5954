import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import {
  AmountInput,
  changeBody,
  count,
  DateTime,
  namedObject,
  OfferPrice,
  oneOf,
  ProductId,
  reasonFor,
  strictObject,
  Uuid,
  UuidInput,
  wholeNumber,
} from '../formats.ts';
import { newestFirst, search } from '../lists.ts';

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
      reserved: count('In orders that are not complete yet.'),
      sold: count('In orders that are complete or closed.'),
      withdrawn: count('Never sold again.'),
    },
    { description: 'All units that the offer ever had, by state.' },
  ),
});

export const OffersQuery = Type.Object({
  query: search("Words of the product's name, or an id of the offer, the product or the seller."),
  sellerId: Type.Optional(UuidInput),
  productId: Type.Optional(ProductId),
  status: Type.Optional(oneOf(OFFER_STATUSES, 'Only offers with this status.')),
  quantityMax: Type.Optional(
    wholeNumber(0, 1_000_000, 'Only offers with at most this many units available.'),
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
      'The order of the list. Default: id. By price only with productId.',
    ),
  ),
  ...CURSOR_QUERY,
});
export const ListedOffer = namedObject('OperatorListedOffer', {
  ...CatalogueOffer.properties,
  productName: Type.String(),
  sellerName: Type.String(),
});

export const OfferHistoryQuery = Type.Object({ sort: newestFirst, ...CURSOR_QUERY });
export const OfferVersion = namedObject('OperatorOfferVersion', {
  at: DateTime,
  price: OfferPrice,
  status: OfferStatus,
});

export const RestartFeedsBody = strictObject({ reason: reasonFor('audit log') });
