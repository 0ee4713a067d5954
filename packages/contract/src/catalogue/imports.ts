import { type Static, Type } from 'typebox';
import { count, Name, namedObject, Price, ProductId, strictObject, Uuid, UuidInput } from '../formats.ts';
import { flag } from '../lists.ts';
import { OFFER_CHANGE, OfferBody } from './operator-offers.ts';
import { ProductBody } from './operator-products.ts';
import { KEY_MEMBERS } from './stock-keys.ts';

/** A line is the body of the matching PUT with its id; a line of prices names an offer and its new price. */
export const IMPORT_LINES = {
  sellers: strictObject({ id: UuidInput, name: Name }),
  products: strictObject({ id: ProductId, ...ProductBody.properties }),
  offers: strictObject({ id: UuidInput, ...OfferBody.properties }),
  prices: strictObject({
    id: Type.Optional(UuidInput),
    productId: Type.Optional(ProductId),
    sellerId: Type.Optional(UuidInput),
    price: OfferBody.properties.price,
    status: OFFER_CHANGE.status,
  }),
  keys: strictObject({ offerId: UuidInput, ...KEY_MEMBERS }),
} as const;
export const IMPORT_KINDS = ['sellers', 'products', 'offers', 'prices', 'keys'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_RUN_ID = {
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'Identifies one run of an import.',
  examples: ['17'],
};
export const ImportRunId = Type.String({ ...IMPORT_RUN_ID, 'x-rule': 'must be the runId of an import' });

export const ImportQuery = Type.Object({
  importId: Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,100}$',
      description:
        'A name for this import, such as a hash of the file. If an import with this name did not finish, this one continues after the last line that was kept.',
      examples: ['9f86d081884c7d65'],
      'x-rule': 'must be 1 to 100 visible ASCII characters without blanks',
    }),
  ),
  fileName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: 'The name of the file, for the list of imports.',
      examples: ['prices.csv'],
      'x-rule': 'must be 1 to 255 printable characters',
    }),
  ),
  dryRun: flag('true: everything is checked and counted, and nothing is kept.'),
  deleteMissing: flag(
    'true: everything that the import does not name is taken off sale after its last line. Sellers and products: all other active offers are paused. Offers and prices: the other active offers of the same sellers are paused. Keys: the other unsold keys of the same offers are withdrawn. Nothing is taken off sale if a line was rejected, if there is no line, or if too much would be (see confirmRemovals).',
  ),
  confirmRemovals: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999,
      description:
        'With deleteMissing: by default, nothing is taken off sale if that would be more than 50 offers or keys and more than 20 % of those on sale. The result then has their number as removalsToConfirm; send exactly this number to take them off sale.',
      'x-rule': 'must be a whole number above 0: the removalsToConfirm of an earlier result',
    }),
  ),
});

export const ImportHeaders = Type.Object({
  accept: Type.Optional(Type.String()),
  'content-encoding': Type.Optional(Type.String({ description: '`gzip`, or none.', examples: ['gzip'] })),
});

export const RejectedLine = strictObject({
  line: Type.Integer({ minimum: 1, description: 'From 1; the header row of CSV counts.' }),
  message: Type.String(),
});
const LineCount = Type.Integer({ minimum: 0 });
const IMPORT_COUNTS = {
  read: count('All lines, including skipped ones.'),
  written: LineCount,
  unchanged: LineCount,
  rejected: LineCount,
  skipped: count('Lines that an earlier import with the same importId processed.'),
  rejectedBefore: count('The skipped lines that were rejected then.'),
};

export const ImportResult = namedObject('ImportResult', {
  ...IMPORT_COUNTS,
  errors: Type.Array(RejectedLine, { description: 'The first rejected lines, at most 1000.' }),
  removed: count('With deleteMissing: offers that were paused, or keys that were withdrawn.'),
  removalRefused: Type.Optional(
    Type.String({ description: 'With deleteMissing: why nothing was taken off sale.' }),
  ),
  removalsToConfirm: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'With deleteMissing: this many would be taken off sale, which needs confirmRemovals.',
    }),
  ),
  prices: Type.Optional(
    strictObject(
      {
        changed: count('Prices that differ from the earlier ones.'),
        outliers: count('Prices that more than tripled, or fell to less than a third.'),
        largest: Type.Array(
          strictObject({
            line: Type.Integer({ minimum: 1 }),
            offerId: Uuid,
            productName: Type.String(),
            sellerName: Type.String(),
            before: Price,
            after: Price,
            isOutlier: Type.Boolean(),
          }),
          { description: 'The largest changes first, at most 100.' },
        ),
      },
      { description: 'For offers and prices: how prices change, without new offers.' },
    ),
  ),
  runId: Type.String({
    ...IMPORT_RUN_ID,
    description: 'The run: it is listed with its rejects, and removals by deleteMissing can be restored.',
  }),
  dryRun: Type.Boolean({ description: 'True when nothing was kept.' }),
});
export type ImportResult = Static<typeof ImportResult>;

/** All lines up to `line` are kept (in a dry run: checked). The counts are those of this request. */
export const ImportProgress = strictObject({ line: LineCount, ...IMPORT_COUNTS });
export type ImportProgress = Static<typeof ImportProgress>;

/**
 * One line of an NDJSON response. Every rejected line comes before the `committed` that covers it; the last line is a
 * `result` or an error envelope.
 */
export const ImportEvent = Type.Union([
  strictObject({ rejected: RejectedLine }),
  strictObject({ committed: ImportProgress }),
  strictObject({ result: ImportResult }),
]);
export type ImportEvent = Static<typeof ImportEvent>;
