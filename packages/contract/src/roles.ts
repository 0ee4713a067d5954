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
