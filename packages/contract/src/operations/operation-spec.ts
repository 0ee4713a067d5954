import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { MemberPermission, Permission } from '../roles.ts';

export type OperationSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly audience: 'reseller' | 'operator';
  /** An operator's role needs this permission; for resellers' operations, the role of a member who calls by a session does. */
  readonly permission: Permission | MemberPermission;
  readonly isSandboxOnly?: true;
  /** `sunset` is at least 12 months after `since` (A705). */
  readonly deprecation?: { readonly since: string; readonly sunset: string };
  /** Whether read-only clients may call it; by default, only if it is a read (A704). */
  readonly isForReadOnly?: boolean;
  /** Hands out a way to sign in, so the caller must have signed in recently (A483, A704). */
  readonly givesAccess?: true;
  readonly budget: 'reads' | 'orders' | 'none';
  readonly tag: string;
  /** Required if nothing else distinguishes a retry (A202). Absent for reads and some writes. */
  readonly idempotency?: 'accepted' | 'required' | 'required-by-quantity';
  /** The Idempotency-Key belongs to the account (A37); only a success is stored (A39). */
  readonly isAccountWrite?: true;
  /** `dryRun` returns a WritePreview, whose ETag the write takes as If-Match (A440). */
  readonly hasPreview?: true;
  /** Returns 202 above a limit (A442). */
  readonly mayNeedApproval?: true;
  readonly summary: string;
  readonly description: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema;
  readonly bodySizeBytesMax?: number;
  /** The response has an ETag and may be compressed. */
  readonly isConditional?: true;
  /** Rejected while the database is overloaded, even for operators. */
  readonly isHeavy?: true;
  readonly hasStreamedBody?: true;
  /** Null for a response without a body. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** The response for `Accept: text/csv`. */
  readonly csvExample?: string;
  /** Added to COMMON_ERRORS. */
  readonly errors?: readonly ErrorCode[];
};
