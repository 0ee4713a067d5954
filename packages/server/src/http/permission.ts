/** What a role may do. A420. */
import { type Permission, ROLE_PERMISSIONS, type Role } from '@keyport/contract/roles';
import { ApiError } from './api-error.ts';

/** Throws forbidden. */
export function requirePermission(role: Role, needed: Permission | undefined): void {
  const permissions: readonly Permission[] = ROLE_PERMISSIONS[role];
  if (needed === undefined || permissions.includes(needed)) return;
  throw new ApiError('forbidden', {
    message: `This needs the permission ${needed}, which the role ${role} does not have.`,
  });
}
