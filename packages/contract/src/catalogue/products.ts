import { type Static, Type } from 'typebox';
import { cursorQuery, FEED_META, listEnvelope, waitQuery } from '../envelope.ts';
import {
  after,
  CalendarDate,
  CURRENCY,
  DateTime,
  DateTimeInput,
  itemsPerPage,
  MaxPrice,
  OFFERS_PER_PRODUCT_MAX,
  OfferPrice,
  Page,
  PRODUCT_IDS_MAX,
  ProductId,
  TOTAL_QUANTITY_MAX,
  Uuid,
} from '../formats.ts';
import { flag, search } from '../lists.ts';
import {
  count,
  namedObject,
  nullable,
  optional,
  strictObject,
  toMembers,
  toQuery,
  wholeNumber,
} from '../schema.ts';

const TotalQuantity = Type.Integer({
  minimum: 1,
  maximum: TOTAL_QUANTITY_MAX,
  description: 'Units in all offers.',
});

const Eur = Type.Literal(CURRENCY, { description: 'Always EUR.' });

const ProductOffer = namedObject('ProductOffer', {
  id: Uuid,
  price: OfferPrice,
  quantity: count('Units available from this offer.'),
});

const Offers = Type.Array(ProductOffer, {
  maxItems: OFFERS_PER_PRODUCT_MAX,
  description: 'The cheapest offers, cheapest first, at most 3.',
});

export const Product = namedObject('Product', {
  id: ProductId,
  name: Type.String(),
  totalQuantity: TotalQuantity,
  minPrice: OfferPrice,
  updatedAt: DateTime,
  offers: Offers,
  currency: Eur,
});
export type Product = Static<typeof Product>;

export const ProductWithOffers = namedObject('ProductWithOffers', {
  id: ProductId,
  name: Type.String(),
  totalQuantity: TotalQuantity,
  offers: Offers,
  updatedAt: DateTime,
  currency: Eur,
});

export const REQUIREMENTS = ['processor', 'graphics', 'memory', 'diskSpace', 'system', 'other'] as const;
export const REQUIREMENT_LEVELS = ['minimal', 'recommended'] as const;
const SystemRequirements = strictObject(optional(toMembers(REQUIREMENTS, nullable(Type.String()))));

export const CATALOGUE_DETAILS = {
  region: nullable(Type.String({ maxLength: 200 })),
  developer: nullable(Type.String({ maxLength: 200 })),
  publisher: nullable(Type.String({ maxLength: 200 })),
  releaseDate: nullable(CalendarDate),
  platform: nullable(Type.String({ maxLength: 200 })),
  categories: nullable(
    Type.Array(strictObject({ id: Type.String({ minLength: 1 }), name: Type.String({ minLength: 1 }) })),
  ),
  requirements: nullable(strictObject(optional(toMembers(REQUIREMENT_LEVELS, SystemRequirements)))),
  restrictions: nullable(strictObject({ rating: Type.String(), descriptors: Type.Array(Type.String()) })),
  thumbnail: nullable(Type.String({ format: 'uri', description: 'Square crop 58x58 px.' })),
  portraitImage: nullable(Type.String({ format: 'uri', description: 'Vertical crop 230x336 px.' })),
  coverImage: nullable(Type.String({ format: 'uri', description: 'Original resolution cover.' })),
  images: nullable(Type.Array(Type.String({ format: 'uri' }))),
  videos: nullable(Type.Array(Type.String({ format: 'uri' }))),
};

export const ProductDetail = namedObject('ProductDetail', {
  id: ProductId,
  name: Type.String(),
  totalQuantity: TotalQuantity,
  minPrice: nullable(OfferPrice),
  slug: Type.String(),
  ...CATALOGUE_DETAILS,
  updatedAt: nullable(DateTime),
  currency: Eur,
});
export type ProductDetail = Static<typeof ProductDetail>;

const OFFER_FILTERS = {
  totalQuantity: wholeNumber(
    1,
    TOTAL_QUANTITY_MAX,
    'Only products whose remaining offers have at least this many units.',
  ),
  maxPrice: MaxPrice,
};

const ProductIds = Type.Array(ProductId, {
  minItems: 1,
  maxItems: PRODUCT_IDS_MAX,
  description: '1 to 20 product ids, as a repeated parameter.',
  'x-rule': `must have 1 to ${PRODUCT_IDS_MAX} values`,
});

export const ProductOffersQuery = toQuery({
  query: search('Words from the name of the product, or its id. Finds at most 1,000 products.'),
  'productIds[]': ProductIds,
  updatedAtFrom: DateTimeInput,
  updatedAtTo: DateTimeInput,
  ...OFFER_FILTERS,
  orderable: flag(
    'true: leaves out products that cannot be ordered through this interface (`product-excluded`).',
  ),
  after: after(ProductId, 'product'),
  page: Page,
  itemsPerPage: itemsPerPage(20),
});

export const CURSOR_RULE =
  'must be the nextCursor of a response, unchanged; leave it out to start from the beginning';

export const ProductChangesQuery = toQuery({
  ...cursorQuery(CURSOR_RULE),
  ...waitQuery,
  orderable: flag(
    'true: leaves out products that cannot be ordered through this interface; one that no longer can be is removed. A cursor of the other value starts over (`restarted`).',
  ),
});

const RemovedProduct = namedObject('RemovedProduct', {
  id: ProductId,
  removed: Type.Literal(true, { description: 'The product is no longer on offer.' }),
  updatedAt: DateTime,
});

export const ProductChanges = listEnvelope(
  Type.Array(Type.Union([Product, RemovedProduct]), {
    description: 'Products in their current state and removed products, in the order of updatedAt.',
  }),
  namedObject('ChangesMeta', {
    ...FEED_META,
    nextCursor: {
      ...FEED_META.nextCursor,
      examples: ['AX4KZ0TVeE5vjf1oN5k7bV0ABmDGATI4QAAGYMYBP6qnCUgrKA'],
    },
    restarted: Type.Boolean({
      description:
        'Whether the cursor was no longer valid, so that this response starts from the beginning. Once `hasMore` is false, drop every product that was not returned again.',
    }),
  }),
);

export const ProductQuery = toQuery(OFFER_FILTERS);
export const ProductDetailsQuery = Type.Object({ 'productIds[]': ProductIds });
