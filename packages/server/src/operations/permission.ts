/** A420, A802. */
import {
  MEMBER_PERMISSIONS,
  type MemberPermission,
  type MemberRole,
  type Permission,
  ROLE_PERMISSIONS,
  type Role,
} from '@keyport/contract/roles';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Principal } from '@keyport/http/server/principal';

type Needed = Permission | MemberPermission;

const PERMISSIONS: Readonly<Record<Role | MemberRole, readonly Needed[]>> = {
  ...ROLE_PERMISSIONS,
  ...MEMBER_PERMISSIONS,
};

export function hasPermission(role: Role | MemberRole, needed: Needed): boolean {
  return PERMISSIONS[role].includes(needed);
}

export function requirePermission(role: Role | MemberRole, needed: Needed): void {
  if (hasPermission(role, needed)) return;
  throw new ApiError('forbidden', {
    message: `This needs the permission ${needed}, which the role ${role} does not have.`,
  });
}

/** An attacker with a stolen session must not gain a lasting way in. Throws forbidden. A483. */
export function requireProof(session: Principal['session']): void {
  if (session?.isProven !== false) return;
  throw new ApiError('forbidden', {
    message:
      'This gives someone a way to sign in, and you signed in more than 5 minutes ago; nothing was changed. Sign in again, then retry.',
    data: { reason: 'sign-in-too-old' },
  });
}

const TOKEN_AGE_MS_MAX = 5 * 60_000;

/** The holder of an old token may have stolen it, and must not replace the client's secret. A704. */
export function requireFreshToken({ tokenIssuedAtMs = 0 }: Principal, nowMs: number): void {
  if (nowMs - tokenIssuedAtMs <= TOKEN_AGE_MS_MAX) return;
  throw new ApiError('forbidden', {
    message:
      'A client changes itself only with a token that is at most 5 minutes old; nothing was changed. Fetch a new token from /oauth/token, then retry.',
    data: { reason: 'token-too-old' },
  });
}
