/** Owners of an account have the same operations as operators. A800. */
import * as Members from '../accounts/members.ts';
import { PagingQuery } from '../lists.ts';
import { created, ok, pages } from './builders.ts';

export const LIST = {
  summary: 'List the members of the account',
  query: PagingQuery,
  responses: pages(Members.Member),
} as const;

export const CREATE = {
  givesAccess: true,
  summary: 'Create a member of the account',
  description:
    'The response contains a sign-in link that works once, within 48 hours. The link is shown only here: send it to the member. An address belongs to one member, until that member is disabled.',
  body: Members.MemberCreateBody,
  responses: created(Members.InvitedMember),
  errors: ['conflict'],
} as const;

export const UPDATE = {
  summary: 'Change, disable or enable a member',
  description:
    'The change takes effect with the next request, on every node. Disabling also removes all credentials and ends what the member issued to others: unused sign-in links and rotated secrets. The response lists them in `ended`. With `keepIssued` they keep working, such as when a colleague leaves. The last active owner must stay one.',
  body: Members.MemberPatchBody,
  responses: ok(Members.ChangedMember),
  errors: ['conflict'],
} as const;

export const INVITE = {
  givesAccess: true,
  summary: 'Create a new sign-in link for a member',
  description:
    'The link works once, within 48 hours, and replaces earlier links. It is shown only here. No one invites themselves.',
  responses: created(Members.InvitedMember),
  errors: ['conflict'],
} as const;

export const RESET = {
  givesAccess: true,
  summary: "Remove a member's credentials and create a new sign-in link",
  description:
    'Ends all sessions and removes the password, passkeys and earlier links, and ends what the member issued to others: unused sign-in links and rotated secrets (`ended`). No one resets themselves. The new link works once, within 48 hours, and is shown only here.',
  responses: created(Members.InvitedMember),
  errors: ['conflict'],
} as const;
