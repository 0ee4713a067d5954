/** The roles of operators, people and clients alike, as sets of permissions. Each operator operation needs one. */

/** `view` reads everything except codes and secrets; `approve` decides on requests for writes that the role may do; `notes` writes notes and assigns work. */
export type Permission = 'view' | 'orders' | 'catalogue' | 'finance' | 'approve' | 'notes' | 'administer';

export const ROLES = ['viewer', 'support', 'catalogue', 'finance', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export const ROLE_PERMISSIONS = {
  viewer: ['view'],
  support: ['view', 'orders', 'approve', 'notes'],
  catalogue: ['view', 'catalogue', 'notes'],
  finance: ['view', 'finance', 'approve', 'notes'],
  admin: ['view', 'orders', 'catalogue', 'finance', 'approve', 'notes', 'administer'],
} as const satisfies Record<Role, readonly Permission[]>;
