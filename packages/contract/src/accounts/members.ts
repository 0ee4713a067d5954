/** People of a reseller's account. A800. */
import { MEMBER_ID_PATTERN } from '@keyport/core/ids';
import { type Static, Type } from 'typebox';
import { DateTime } from '../formats.ts';
import { Email, endedWhen, PERSON_STATUSES, PersonName, type SessionState } from '../operators/people.ts';
import { MEMBER_ROLES, type MemberPermission } from '../roles.ts';
import { changeBody, namedObject, nullable, oneOf, strictObject } from '../schema.ts';

export const MemberId = Type.String({
  pattern: MEMBER_ID_PATTERN,
  description: 'Id of a member.',
  examples: ['mem_0b7e9c1e53a44c9e9f0f6a4c'],
  'x-rule': 'must be the id of a member, such as mem_0b7e9c1e53a44c9e9f0f6a4c',
});

/** The sender of a request (A803). */
export const CALLER = {
  clientId: nullable(Type.String(), { description: 'Null if a member called by a session.' }),
  memberId: Type.Optional(Type.String({ description: 'The member, if a person called by a session.' })),
};

const RoleInput = oneOf(MEMBER_ROLES, 'What the member may do.');

const MEMBER = {
  id: MemberId,
  name: Type.String(),
  email: Type.String(),
  role: RoleInput,
  status: oneOf(['invited', ...PERSON_STATUSES], 'Whether the member can sign in; `invited`: has not yet.'),
  lastSeenAt: nullable(DateTime, {
    description: 'The time of the last request, accurate to a few seconds; null: never signed in.',
  }),
};

export const Member = namedObject('Member', MEMBER);
export type Member = Static<typeof Member>;

export const ChangedMember = namedObject('ChangedMember', {
  ...MEMBER,
  ended: endedWhen('member', 'after disabling'),
});
export const InvitedMember = namedObject('InvitedMember', {
  ...MEMBER,
  invitationUrl: Type.String({
    description: 'A sign-in link that works once. Shown only here: send it to the member.',
  }),
  invitationExpiresAt: DateTime,
  ended: endedWhen('member', 'after a reset'),
});

export const MemberCreateBody = strictObject({ name: PersonName, email: Email, role: RoleInput });
export const MemberPatchBody = changeBody({
  name: PersonName,
  role: RoleInput,
  status: oneOf(PERSON_STATUSES, 'A disabled member is signed out immediately and loses all credentials.'),
  keepIssued: Type.Boolean({
    description: 'true, when disabling: what the member issued to others keeps working.',
  }),
});

export type PortalSession = SessionState & {
  readonly member: Pick<Member, 'id' | 'name' | 'email' | 'role'>;
  readonly permissions: readonly MemberPermission[];
  /** How to top up the balance, if the marketplace says so. */
  readonly topUpNote?: string;
};
