/** The roles of operators, people and programs alike, as sets of permissions. Each operation of operators names the one that it needs. */

/** `view` reads everything but codes and secrets. */
export type Permission = 'view' | 'orders' | 'catalogue' | 'finance' | 'administer';

export const ROLES = ['viewer', 'support', 'catalogue', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_PERMISSIONS = {
  viewer: ['view'],
  support: ['view', 'orders'],
  catalogue: ['view', 'catalogue'],
  finance: ['view', 'finance'],
  admin: ['view', 'orders', 'catalogue', 'finance', 'administer'],
} as const satisfies Record<Role, readonly Permission[]>;
