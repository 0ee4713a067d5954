import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { DateTime, Name, Price, ProductId, reasonFor, Uuid, UuidInput } from '../formats.ts';
import { flag, search, sortBy } from '../lists.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { count, namedObject, nullable, oneOf, optional, strictObject, toQuery } from '../schema.ts';
import { OFFER_CHANGE, OfferBody, ProductBody } from './listings.ts';
import { KEY_MEMBERS, TRIMMED } from './stock-keys.ts';

/** A line is the matching PUT's body plus its id. A price names its offer by id, or by product and seller. */
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

const IMPORT_RUN_ID = {
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'Identifies one run of an import.',
  examples: ['17'],
};
export const ImportRunId = Type.String({ ...IMPORT_RUN_ID, 'x-rule': 'must be the runId of an import' });

export const ImportQuery = toQuery({
  importId: Type.String({
    pattern: '^[!-~]{1,100}$',
    description:
      'A name for this import, such as a hash of the file. If an earlier import with this name did not finish, this one is the same run: its counts begin again, and an undo covers both.',
    examples: ['9f86d081884c7d65'],
    'x-rule': 'must be 1 to 100 visible ASCII characters without blanks',
  }),
  fileName: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: 'The name of the file, for the list of imports.',
    examples: ['prices.csv'],
    'x-rule': 'must be 1 to 255 printable characters',
  }),
  hasMapping: flag(
    'true: the first line of the body is a mapping, as JSON: how the columns of the file that follows become our fields.',
  ),
  dryRun: flag('true: everything is checked and counted, and nothing is stored.'),
  deleteMissing: flag(
    'true: everything that the import does not name is taken off sale after its last line. Sellers and products: all other active offers are paused. Offers and prices: the other active offers of the same sellers are paused. Keys: the other unsold keys of the same offers are withdrawn. Nothing is taken off sale if a line was rejected, if there are no lines, or if too much would be taken off sale (see confirmRemovals).',
  ),
  confirmRemovals: Type.Integer({
    minimum: 1,
    maximum: 999_999_999_999,
    description:
      'With deleteMissing: by default, nothing is taken off sale if more than 50 offers or keys, and more than 20 % of those on sale, would be removed. The result then states their number in removalsToConfirm; send exactly this number to take them off sale.',
    'x-rule': 'must be a whole number above 0: the removalsToConfirm of an earlier result',
  }),
});

export const ImportHeaders = Type.Object({
  'content-encoding': Type.Optional(Type.String({ description: '`gzip`, or none.', examples: ['gzip'] })),
});

const RejectedLine = strictObject({
  line: Type.Integer({ minimum: 1, description: 'Starts at 1; the header row of a CSV file counts.' }),
  message: Type.String(),
});
const LineCount = Type.Integer({ minimum: 0 });
const IMPORT_COUNTS = {
  read: LineCount,
  written: LineCount,
  unchanged: LineCount,
  rejected: LineCount,
};

export const ImportResult = namedObject('ImportResult', {
  ...IMPORT_COUNTS,
  errors: Type.Array(RejectedLine, { description: 'The first rejected lines, at most 1000.' }),
  removed: count('With deleteMissing: offers that were paused, or keys that were withdrawn.'),
  ...optional({
    removalRefused: Type.String({ description: 'With deleteMissing: why nothing was taken off sale.' }),
    removalsToConfirm: Type.Integer({
      minimum: 1,
      description:
        'With deleteMissing: how many offers or keys would be taken off sale. Send this number as confirmRemovals.',
    }),
    prices: strictObject(
      {
        changed: count('Prices that differ from the earlier ones.'),
        outliers: count('Prices that more than tripled, or fell to less than a third.'),
        paused: count('Active offers that were paused.'),
        activated: count('Paused offers that were activated.'),
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
      { description: 'For imports of offers or prices: the changes to existing offers.' },
    ),
    trimmed: count(`For imports of keys: ${TRIMMED}`),
  }),
  runId: Type.String({
    ...IMPORT_RUN_ID,
    description:
      'Identifies the run: its rejected lines can be listed, and its removals by deleteMissing can be restored.',
  }),
  dryRun: Type.Boolean({ description: 'True when nothing was stored.' }),
});
export type ImportResult = Static<typeof ImportResult>;

const IMPORT_STATES = ['running', 'stopped', 'completed'] as const;

export const ImportRunsQuery = toQuery({
  query: search(
    'Words from the importId, the file name, the kind or the client id of the operator who started it, or a run id.',
  ),
  runId: ImportRunId,
  importId: Type.String({ maxLength: 100, description: 'Only runs of this import.' }),
  kind: oneOf(IMPORT_KINDS, 'Only imports of this kind.'),
  state: oneOf(IMPORT_STATES, 'Only runs in this state.'),
  dryRun: flag('true: only dry runs; false: no dry runs.'),
  sort: sortBy(['-startedAt', 'startedAt']),
  ...CURSOR_QUERY,
});

export const KEPT_REJECTS_MAX = 10_000;
export const ImportRunRecord = namedObject('ImportRun', {
  id: Type.String(IMPORT_RUN_ID),
  importId: nullable(Type.String()),
  kind: oneOf(IMPORT_KINDS, 'What the lines contain.'),
  dryRun: Type.Boolean(),
  deleteMissing: Type.Boolean(),
  state: oneOf(
    IMPORT_STATES,
    'stopped: it was interrupted. Send it again: lines that are stored are unchanged.',
  ),
  startedAt: DateTime,
  endedAt: nullable(DateTime, { description: 'When it was completed or interrupted.' }),
  clientId: Type.String({ description: 'The operator or client that started it.' }),
  name: Type.Optional(Type.String({ description: 'The current name of the operator or client.' })),
  fileName: nullable(Type.String(), { description: 'The name of the file, if it was sent.' }),
  line: count('All lines up to this one were processed.'),
  read: count('Lines that were read.'),
  written: count('Processed lines that created or changed something.'),
  unchanged: count('Processed lines that changed nothing.'),
  rejected: count('Processed lines that were rejected.'),
  rejectsKept: count(`Rejected lines that can be listed: the first ${KEPT_REJECTS_MAX}, for 30 days.`),
  removed: count('With deleteMissing: offers or keys that were taken off sale.'),
  restored: count('Removals that were restored.'),
  canUndo: Type.Boolean({
    description:
      'Whether the import can be undone: it is less than 30 days old, and some of its changes were not undone.',
  }),
  undoneAt: nullable(DateTime),
});
export type ImportRunRecord = Static<typeof ImportRunRecord>;
export const ImportRejectsQuery = toQuery(CURSOR_QUERY);
export const ImportReject = namedObject('ImportReject', RejectedLine.properties);
export const ImportRestoreBody = strictObject({ reason: reasonFor('audit log') });
export const ImportRestored = namedObject('ImportRestored', {
  runId: Type.String(IMPORT_RUN_ID),
  removed: count('Offers or keys that the import took off sale.'),
  restored: count('Offers or keys that this request or an earlier one put back on sale.'),
  kept: count(
    'Offers or keys that were not restored, because they have changed since or a later import does not name them either.',
  ),
});

export const ImportUndoBody = strictObject({
  reason: reasonFor('audit log'),
  dryRun: Type.Optional({ ...DRY_RUN.dryRun, 'x-rule': 'must be true or false' }),
});
export const ImportUndone = namedObject('ImportUndone', {
  runId: Type.String(IMPORT_RUN_ID),
  changedBack: count('Offers restored to their earlier price and status.'),
  paused: count('Offers added by the import that are now paused.'),
  withdrawn: count('Keys added by the import that are now withdrawn; their codes can be added again.'),
  restored: count('Offers and keys that the import took off sale and that are on sale again.'),
  kept: count('Offers and keys left as they are, because they have been sold, changed or withdrawn since.'),
  dryRun: Type.Boolean({ description: 'True when nothing was changed.' }),
});
