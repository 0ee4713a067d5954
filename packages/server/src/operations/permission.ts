/** A420. */
import { type Permission, ROLE_PERMISSIONS, type Role } from '@keyport/contract/roles';
import { ApiError } from '@keyport/http/replies/api-error';

export function hasPermission(role: Role, needed: Permission | undefined): boolean {
  const permissions: readonly Permission[] = ROLE_PERMISSIONS[role];
  return needed === undefined || permissions.includes(needed);
}

export function requirePermission(role: Role, needed: Permission | undefined): void {
  if (hasPermission(role, needed)) return;
  throw new ApiError('forbidden', {
    message: `This needs the permission ${needed}, which the role ${role} does not have.`,
  });
}
