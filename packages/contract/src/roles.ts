/** The roles of operators, people and clients alike, as sets of permissions. Each operator operation needs one. */

/**
 * `view` reads everything except codes, secrets and what is `internal`: the books and the addresses of operators. `approve`
 * decides on requests for writes that the role may do. `notes` writes notes and assigns work.
 */
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
