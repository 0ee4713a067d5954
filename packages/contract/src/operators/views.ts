import { type Static, Type } from 'typebox';
import { namedObject, strictObject, Uuid } from '../formats.ts';

const ListName = Type.String({
  pattern: '^list[A-Za-z]{1,60}$',
  description: 'The operation that the list reads.',
  examples: ['listAllOrders'],
  'x-rule': 'must be the name of a list operation, such as listAllOrders',
});

const VIEW = {
  list: ListName,
  name: Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: '\\S',
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
  shared: Type.Boolean({ description: 'Whether other operators see it.' }),
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
