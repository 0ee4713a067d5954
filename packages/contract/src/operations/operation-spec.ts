import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Permission } from '../roles.ts';

export type OperationSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly audience: 'reseller' | 'operator';
  /** Required of the operator's role. Exactly the operator operations have one. */
  readonly permission?: Permission;
  readonly isSandboxOnly?: true;
  /** Dates such as 2026-11-25: it works until `sunset`, at least 12 months after `since` (A705). */
  readonly deprecation?: { readonly since: string; readonly sunset: string };
  /** Whether a read-only client may call it (A704); absent: a read. */
  readonly isForReadOnly?: boolean;
  /** The rate limit that it counts towards. */
  readonly budget: 'reads' | 'orders' | 'none';
  readonly tag: string;
  /**
   * Required where a retry would move money or stock again, because nothing else in the request distinguishes a retry
   * from a second request (A202). Absent: a read, or an operation with its own rules (createOrder, imports).
   */
  readonly idempotency?: 'accepted' | 'required' | 'required-by-quantity';
  /** A reseller's write: its key belongs to the account (A37), and only a success is stored under it (A622). */
  readonly isAccountWrite?: true;
  /** With `dryRun` it returns a WritePreview with an ETag, which the write accepts as If-Match (A440). */
  readonly hasPreview?: true;
  /** Above a limit it waits for approval and returns 202 (A442). */
  readonly mayNeedApproval?: true;
  readonly summary: string;
  readonly description: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema;
  readonly bodySizeBytesMax?: number;
  /** A read of the catalogue: its response has an ETag and may be compressed. */
  readonly isConditional?: true;
  /** A read of whole tables: when the database is busy, operators wait too. */
  readonly isHeavy?: true;
  /** An import: the body is a stream of lines of any size. */
  readonly hasStreamedBody?: true;
  /** Success statuses with the schema of their body; null: no body. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** An operation that returns CSV if the Accept header says so. */
  readonly csvExample?: string;
  /** An operation that returns NDJSON if the Accept header says so. */
  readonly ndjsonExample?: string;
  /** In addition to COMMON_ERRORS. */
  readonly errors?: readonly ErrorCode[];
};
