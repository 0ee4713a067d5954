/** The two audiences that sign in, and their own names and keys. No key, cookie, link or passkey of one audience opens the other. A801. */
import type { AuditAction } from '@keyport/contract/operators/audit-actions';
import { MEMBER_ROLES, type MemberRole, ROLES, type Role } from '@keyport/contract/roles';
import { must } from '@keyport/core/assert';

export type Audience = (typeof AUDIENCES)[keyof typeof AUDIENCES];

export const AUDIENCES = {
  operator: {
    name: 'operator',
    /** The app, below which its requests about sessions are. */
    path: '/console',
    cookieName: 'keyport_session',
    keyName: 'people',
    idPrefix: 'person',
    /** Begins the actions in the audit log. */
    noun: 'operator',
    linkAdvice: 'An admin can make a new one; if no one can sign in, `keyport operator invite` makes one.',
  },
  reseller: {
    name: 'reseller',
    path: '/portal',
    cookieName: 'keyport_portal_session',
    keyName: 'people/reseller',
    idPrefix: 'mem',
    noun: 'member',
    linkAdvice: 'An owner of your account or the marketplace can make a new one.',
  },
} as const;

/** The actions that the audit log has for operators and members alike. */
export type PersonAction<Action = AuditAction> = Action extends `member.${infer Name}` ? Name : never;

/** Operators have no account. */
export type Identity = {
  readonly id: string;
  readonly accountId: string | null;
  readonly name: string;
  readonly email: string;
  readonly role: Role | MemberRole;
};

export function isOfAudience({ accountId }: Identity, { name }: Audience): boolean {
  return (accountId === null) === (name === 'operator');
}

export function toCaller({ id: clientId, accountId, role }: Identity) {
  return accountId === null
    ? ({ role: 'operator', clientId, operatorRole: toRole(ROLES, role) } as const)
    : ({ role: 'reseller', clientId, accountId, memberRole: toRole(MEMBER_ROLES, role) } as const);
}

export function toRole<Known extends string>(roles: readonly Known[], role: string): Known {
  return must(
    roles.find((one) => one === role),
    'a role of the audience',
  );
}
