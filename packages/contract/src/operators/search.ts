import { type Static, Type } from 'typebox';
import { namedObject, nullable, oneOf, strictObject, Uuid } from '../formats.ts';

/** In the order in which they are shown. */
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
    'x-rule': 'must be what to look for: 2 to 200 characters',
  }),
});

const SearchMatch = namedObject('SearchMatch', {
  id: Type.String(),
  name: Type.String({ description: "Its name, or its account's." }),
  detail: nullable(
    Type.String({ description: "An order's reference, an offer's seller or a person's address." }),
  ),
  accountId: nullable(Uuid),
});
export type SearchMatch = Static<typeof SearchMatch>;

export const SearchGroup = namedObject('SearchGroup', {
  kind: oneOf(SEARCH_KINDS, 'What the matches are. A reference finds orders, a trace the audit log.'),
  matches: Type.Array(SearchMatch, { maxItems: 5 }),
  more: Type.Boolean({ description: 'Whether the list of this kind has more.' }),
  late: Type.Boolean({ description: 'Whether this kind was left out because it took too long.' }),
});
export type SearchGroup = Static<typeof SearchGroup>;
