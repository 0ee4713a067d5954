/** The roles of operators, people and programs alike, as sets of permissions. Each operation of operators names the one that it needs. */

/** `view` reads everything but codes and secrets; `approve` decides what others asked for, of what the role may do itself. */
export type Permission = 'view' | 'orders' | 'catalogue' | 'finance' | 'approve' | 'administer';

export const ROLES = ['viewer', 'support', 'catalogue', 'finance', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export const ROLE_PERMISSIONS = {
  viewer: ['view'],
  support: ['view', 'orders', 'approve'],
  catalogue: ['view', 'catalogue'],
  finance: ['view', 'finance', 'approve'],
  admin: ['view', 'orders', 'catalogue', 'finance', 'approve', 'administer'],
} as const satisfies Record<Role, readonly Permission[]>;
