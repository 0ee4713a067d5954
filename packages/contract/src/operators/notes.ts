import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { DateTime, DateTimeInput, namedObject, strictObject } from '../formats.ts';
import { OperatorId } from './people.ts';

const MENTIONED_MAX = 20;

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const NoteSubject = Type.String({
  pattern: `^(order:[1-9][0-9]{13,15}|(account|seller):${UUID})$`,
  description: 'An order, an account or a seller: its kind and its id.',
  examples: ['order:2174556001234567'],
  'x-rule': 'must be order:, account: or seller: and an id, such as order:2174556001234567',
});

/** `me`: the caller. */
const OperatorOrMe = Type.String({
  pattern: '^(me|person_[0-9a-f]{24})$',
  'x-rule': 'must be me or the id of an operator',
});

const NOTE = {
  subject: NoteSubject,
  text: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '\\S',
    description: 'Never a product key: a text with one is rejected.',
    examples: ['The reseller sends its licence tomorrow. @Ada Byron'],
    'x-rule': 'must be a text of 1 to 2000 characters, not only blanks',
  }),
};

export const NoteBody = strictObject({
  ...NOTE,
  mentioned: Type.Optional(
    Type.Array(OperatorId, {
      maxItems: MENTIONED_MAX,
      description: 'Operators whom the text mentions.',
      'x-rule': `must be an array of at most ${MENTIONED_MAX} ids of operators`,
    }),
  ),
});

export const NoteId = Type.String({
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'Note id.',
  examples: ['17'],
  'x-rule': 'must be the id of a note',
});

export const Note = namedObject('Note', {
  id: NoteId,
  ...NOTE,
  mentioned: Type.Array(OperatorId),
  author: Type.String({ description: 'The id of an operator or a client.' }),
  authorName: Type.String({ description: 'The current name of the author.' }),
  own: Type.Boolean({ description: 'Whether the caller wrote it.' }),
  createdAt: DateTime,
});
export type Note = Static<typeof Note>;

export const NotesQuery = Type.Object({
  subject: Type.Optional(NoteSubject),
  mentioned: Type.Optional({ ...OperatorOrMe, description: 'Only notes that mention this operator.' }),
  from: Type.Optional({ ...DateTimeInput, description: 'Only notes from then on.' }),
  ...CURSOR_QUERY,
});
