/** A row of the table of operations. */
import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Permission } from '../roles.ts';

export type OperationSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  /** Whose token it takes. */
  readonly audience: 'reseller' | 'operator';
  /** What an operator's role must include: each operation of operators has one, and only those. */
  readonly permission?: Permission;
  /** True: live mode does not have it. */
  readonly isSandboxOnly?: true;
  /** Which rate-limit budget it uses. */
  readonly budget: 'reads' | 'orders' | 'none';
  readonly tag: string;
  /**
   * Every write of operators and of the sandbox takes an Idempotency-Key. It is required where a retry would move money or stock again, because
   * the request has no reference, id or code of its own that distinguishes a retry from a second request (A202). Absent: a read, or
   * an operation with rules of its own (createOrder, imports: A208).
   */
  readonly idempotency?: 'accepted' | 'required' | 'required-by-quantity';
  /** The body takes `dryRun`, which answers a WritePreview with an ETag, and the write takes that as If-Match (A440). */
  readonly hasPreview?: true;
  /** Above a limit it waits for a second person and answers 202 (A442). */
  readonly mayNeedApproval?: true;
  readonly summary: string;
  readonly description: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TSchema;
  /** Where a body may be larger than others (A14). */
  readonly bodySizeBytesMax?: number;
  /** True for reads of the catalogue: their responses have an ETag and may be compressed. */
  readonly isConditional?: true;
  /** True for reads of whole tables: when the database is busy, operators wait too. */
  readonly isHeavy?: true;
  /** True for imports: the body is a stream of lines, of any size. */
  readonly hasStreamedBody?: true;
  /** Success statuses with the schema of their body; null: no body. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** For an operation that also answers CSV, by the Accept header: what it looks like. */
  readonly csvExample?: string;
  /** For an operation that also answers NDJSON, by the Accept header: what it looks like. */
  readonly ndjsonExample?: string;
  /** Codes beyond those that every operation can answer (COMMON_ERRORS). */
  readonly errors?: readonly ErrorCode[];
};
