import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { DateTime, DateTimeInput, Uuid } from '../formats.ts';
import { count, filledText, namedObject, nullable, oneOf, strictObject, toQuery } from '../schema.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const NoteSubject = Type.String({
  pattern: `^(order:[1-9][0-9]{13,15}|(account|seller):${UUID})$`,
  description: 'An order, an account or a seller: its kind and its id.',
  examples: ['order:2174556001234567'],
  'x-rule': 'must be order:, account: or seller: and an id, such as order:2174556001234567',
});

const NOTE = {
  subject: NoteSubject,
  text: filledText(2000, {
    description: 'Never write a product key here: every operator reads notes.',
    examples: ['The reseller sends its license tomorrow.'],
  }),
};

export const NoteBody = strictObject(NOTE);

export const NoteId = Type.String({
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'Note id.',
  examples: ['17'],
  'x-rule': 'must be the id of a note',
});

export const Note = namedObject('Note', {
  id: NoteId,
  ...NOTE,
  author: Type.String({ description: 'The id of an operator or a client.' }),
  authorName: Type.String({ description: 'The current name of the author.' }),
  own: Type.Boolean({ description: 'Whether the caller wrote it.' }),
  createdAt: DateTime,
});
export type Note = Static<typeof Note>;

export const NotesQuery = toQuery({
  subject: NoteSubject,
  from: { ...DateTimeInput, description: 'Only notes from this time on.' },
  ...CURSOR_QUERY,
});

/** Listed in the console's order. */
export const SEARCH_KINDS = [
  'order',
  'reference',
  'claim',
  'reservation',
  'trace',
  'account',
  'product',
  'seller',
  'offer',
  'person',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export const SearchBody = strictObject({
  query: Type.String({
    minLength: 2,
    maxLength: 200,
    pattern: '\\S',
    examples: ['star harbour'],
    'x-rule': 'must be the text to search for: 2 to 200 characters',
  }),
});

const SearchMatch = namedObject('SearchMatch', {
  id: Type.String(),
  name: Type.String({ description: 'The name of the match or of its account.' }),
  detail: nullable(
    Type.String({ description: "An order's reference, an offer's seller or a person's address." }),
  ),
  accountId: nullable(Uuid),
  order: Type.Optional(
    strictObject(
      {
        status: oneOf(ORDER_STATUSES, ''),
        unitsPaid: count('Paid units.'),
        unitsRefunded: count('Refunded units.'),
      },
      { description: 'Only for orders.' },
    ),
  ),
});
export type SearchMatch = Static<typeof SearchMatch>;

export const SearchGroup = namedObject('SearchGroup', {
  kind: oneOf(
    SEARCH_KINDS,
    'The kind of the matches. A reference finds orders; a trace id finds entries of the audit log.',
  ),
  matches: Type.Array(SearchMatch, { maxItems: 5 }),
  more: Type.Boolean({ description: 'Whether there are more matches of this kind.' }),
  late: Type.Boolean({ description: 'Whether this kind was left out because it took too long.' }),
});
export type SearchGroup = Static<typeof SearchGroup>;

const ListName = Type.String({
  pattern: '^list[A-Za-z]{1,60}$',
  description: 'The operation that the list reads.',
  examples: ['listAllOrders'],
  'x-rule': 'must be the name of a list operation, such as listAllOrders',
});

const VIEW = {
  list: ListName,
  name: filledText(60, {
    examples: ['Large refunds'],
    'x-rule': 'must be a name of 1 to 60 characters, not only blanks',
  }),
  search: Type.String({
    maxLength: 2_000,
    pattern: '^[!-~]*$',
    description: 'Filters, order and columns, as a query string of the console.',
    examples: ['refunded=true&totalFrom=100.00'],
    'x-rule': 'must be a query string of at most 2000 ASCII characters without blanks',
  }),
  shared: Type.Boolean({ description: 'Whether other operators can see it.' }),
};

export const SavedViewBody = strictObject(VIEW);
export type SavedViewBody = Static<typeof SavedViewBody>;

export const SavedView = namedObject('SavedView', {
  id: Uuid,
  ...VIEW,
  ownerName: Type.String({ description: 'The operator who saved it.' }),
  own: Type.Boolean({ description: 'Whether the caller saved it.' }),
});
export type SavedView = Static<typeof SavedView>;
export const SavedViewsQuery = Type.Object({ list: ListName });
