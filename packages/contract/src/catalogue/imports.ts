/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */

import { type Static, Type } from 'typebox';
import {
  count,
  Name,
  namedObject,
  oneOf,
  Price,
  ProductId,
  strictObject,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { YES_OR_NO } from '../lists.ts';
import { OFFER_CHANGE, OfferBody } from './operator-offers.ts';
import { ProductBody } from './operator-products.ts';
import { KEY_MEMBERS } from './stock-keys.ts';

/** A line of an import: the body of the matching PUT with its id (R23); of prices, which offer, and what it becomes (A470). */
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

export const ImportQuery = Type.Object({
  importId: Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,100}$',
      description:
        'A name for this import, such as a hash of the file. When an import with this name did not finish, this one continues behind the last line that was kept.',
      examples: ['9f86d081884c7d65'],
      'x-rule': 'must be 1 to 100 visible ASCII characters without blanks',
    }),
  ),
  fileName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: 'What the file is called, for the list of imports.',
      examples: ['prices.csv'],
      'x-rule': 'must be 1 to 255 printable characters',
    }),
  ),
  dryRun: Type.Optional(oneOf(YES_OR_NO, 'true: everything is checked and counted, and nothing is kept.')),
  deleteMissing: Type.Optional(
    oneOf(
      YES_OR_NO,
      'true: what the import does not name is taken off sale after its last line. Sellers and products: the active offers of all others are paused. Offers and prices: the other active offers of the sellers of its offers are paused. Keys: the other unsold keys of the offers of its keys are withdrawn. Nothing is taken off sale when a line was rejected, when there is no line, or when much would be (see confirmRemovals).',
    ),
  ),
  confirmRemovals: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999,
      description:
        'With deleteMissing: by default, nothing is taken off sale when that would be more than 50 offers or keys and more than 20 % of those on sale. removalsToConfirm in the result has their number; send exactly this number to take them off sale.',
      'x-rule': 'must be a whole number above 0: the removalsToConfirm of an earlier result',
    }),
  ),
});

/** Which of its forms a response has is asked for with `accept`. */
export const ImportHeaders = Type.Object({
  accept: Type.Optional(Type.String()),
  'content-encoding': Type.Optional(Type.String({ description: '`gzip`, or nothing.', examples: ['gzip'] })),
});

const RejectedLine = strictObject({
  line: Type.Integer({ minimum: 1, description: 'From 1; the header row of CSV counts.' }),
  message: Type.String(),
});

const LineCount = Type.Integer({ minimum: 0 });

const IMPORT_COUNTS = {
  read: count('All lines, those that were skipped included.'),
  written: LineCount,
  unchanged: LineCount,
  rejected: LineCount,
  skipped: count('Lines that an earlier import with the same importId had done.'),
  rejectedBefore: count('Of those that were done earlier: rejected then.'),
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
        changed: count('Prices that differ from those before.'),
        outliers: count('Of these: more than three times the price before, or less than a third of it.'),
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
      { description: 'Of an import of offers or prices: what becomes of prices, new offers apart.' },
    ),
  ),
  runId: Type.String({
    ...IMPORT_RUN_ID,
    description: 'The run: it is listed with its rejects, and removals by deleteMissing can be restored.',
  }),
  dryRun: Type.Boolean({ description: 'True when nothing of this was kept.' }),
});

export type ImportResult = Static<typeof ImportResult>;

/** Of the lines up to `line`, all of which are kept (in a dry run: checked). Counts are of this request. */
export const ImportProgress = strictObject({ line: LineCount, ...IMPORT_COUNTS });

export type ImportProgress = Static<typeof ImportProgress>;

/**
 * One line of the response to an import that asked for NDJSON. Every rejected line comes before the `committed` that
 * covers it; the last line is a `result`, or an error envelope.
 */
export const ImportEvent = Type.Union([
  strictObject({ rejected: RejectedLine }),
  strictObject({ committed: ImportProgress }),
  strictObject({ result: ImportResult }),
]);

export type ImportEvent = Static<typeof ImportEvent>;
