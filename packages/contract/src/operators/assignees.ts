import { Type } from 'typebox';
import { namedObject, nullable, strictObject } from '../formats.ts';
import { OperatorId } from './people.ts';

export const Assignable = Type.String({
  pattern: '^(order:[1-9][0-9]{13,15}|claim:clm_[0-9a-f]{32}|approval:[1-9][0-9]{0,14})$',
  description: 'A held order, an open claim or a pending approval: its kind and its id.',
  examples: ['order:2174556001234567'],
  'x-rule': 'must be order:, claim: or approval: and an id, such as order:2174556001234567',
});

/** A member of what can be assigned. */
export const ASSIGNEE = {
  assignee: nullable(OperatorId, { description: 'The operator who takes care of it; null: no one.' }),
};

/** A filter of its lists. */
export const ASSIGNEE_QUERY = {
  assignee: Type.Optional(
    Type.String({
      pattern: '^(me|none|person_[0-9a-f]{24})$',
      description: 'Only those of this operator; `me`: of the caller; `none`: of no one.',
      'x-rule': 'must be me, none or the id of an operator',
    }),
  ),
};

export const AssigneeBody = strictObject(ASSIGNEE);

export const Assignment = namedObject('Assignment', { subject: Assignable, ...ASSIGNEE });
