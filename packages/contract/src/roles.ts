/** `view` excludes codes, secrets and `internal` data: the books, and operators' addresses. */
export type Permission =
  | 'view'
  | 'internal'
  | 'orders'
  | 'catalogue'
  | 'finance'
  | 'approve'
  | 'notes'
  | 'administer';

export const ROLES = ['viewer', 'support', 'catalogue', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_PERMISSIONS = {
  viewer: ['view'],
  support: ['view', 'internal', 'orders', 'approve', 'notes'],
  catalogue: ['view', 'internal', 'catalogue', 'notes'],
  finance: ['view', 'internal', 'finance', 'approve', 'notes'],
  admin: ['view', 'internal', 'orders', 'catalogue', 'finance', 'approve', 'notes', 'administer'],
} as const satisfies Record<Role, readonly Permission[]>;

/**
 * Permissions of the members of a reseller's account. `account` reads it, `buy` includes the catalogue, and `develop` includes the
 * sandbox.
 */
export type MemberPermission = 'account' | 'buy' | 'develop' | 'members';

export const MEMBER_ROLES = ['accountant', 'buyer', 'developer', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export const MEMBER_PERMISSIONS = {
  accountant: ['account'],
  buyer: ['account', 'buy'],
  developer: ['account', 'develop'],
  owner: ['account', 'buy', 'develop', 'members'],
} as const satisfies Record<MemberRole, readonly MemberPermission[]>;
