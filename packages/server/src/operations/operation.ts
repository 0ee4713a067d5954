/** Derived from the table of operations. */
import type { ListMeta, PageMeta } from '@keyport/contract/envelope';
import type { OPERATIONS, OperationName, ResponseMember } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import type { WritePreview } from '@keyport/contract/operators/previews';
import type { Checkout } from '@keyport/core/orders/place-order';
import type { Reply } from '@keyport/http/replies/reply';
import type { Representation } from '@keyport/http/replies/representation';
import type { MaybePromise } from '@keyport/http/server/maybe-promise';
import type { Principal } from '@keyport/http/server/principal';
import type { Static, TSchema } from 'typebox';
import type { Tx } from '../db/schema.ts';

type PrincipalOf<Name extends OperationName> = Extract<
  Principal,
  { role: (typeof OPERATIONS)[Name]['audience'] }
>;

type PartOf<Name extends OperationName, Part extends string> =
  (typeof OPERATIONS)[Name] extends Record<Part, infer Schema extends TSchema>
    ? Static<Schema>
    : Record<string, never>;

/** Changes a request in the sandbox. */
export type Rehearsal = {
  readonly decorate: (checkout: Checkout) => Checkout;
  /** Even if the account pays from its balance. */
  readonly needsGateway?: true;
};

export type OperationRequest<Name extends OperationName> = {
  readonly params: PartOf<Name, 'params'>;
  /** With the contract's names, such as `productIds[]`. */
  readonly query: PartOf<Name, 'query'>;
  readonly headers: PartOf<Name, 'headers'>;
  readonly body: PartOf<Name, 'body'>;
  readonly principal: PrincipalOf<Name>;
  readonly traceId: string;
  readonly onHangUp: (callback: () => void) => void;
  /** Decompressed; imports only. */
  readonly stream: { readonly contentType: string; readonly body: AsyncIterable<Buffer> } | undefined;
  readonly rehearsal?: Rehearsal | undefined;
};

type ReadonlyDeep<Value> = unknown extends Value
  ? Value
  : { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> };

type DataOf<Name extends OperationName> = ReadonlyDeep<ResponseMember<Name, 'data'>>;

/** Serialized by the operation's schema. */
export type OperationReply<Data = unknown> =
  | {
      readonly status: number;
      readonly data: Data;
      readonly meta?: PageMeta | ListMeta;
      /** A statement's opening and closing balances. */
      readonly summary?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | (Reply & { readonly data?: never });

type ReplyOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends { isConditional: true }
  ? Representation
  : OperationReply<DataOf<Name>>;

export type OperationHandler<Name extends OperationName> = (
  request: OperationRequest<Name>,
) => MaybePromise<ReplyOf<Name>>;

type WriteName = {
  [Name in OperationName]: (typeof OPERATIONS)[Name] extends { idempotency: string } ? Name : never;
}[OperationName];

/** A440. */
export type WriteEffect = {
  readonly preview: ReadonlyDeep<Omit<WritePreview, 'dryRun' | 'needsApproval' | 'openApprovals'>>;
  /** Hashed as JSON, for the ETag. */
  readonly state: unknown;
  /** A preview reveals how many given codes the service holds, as a search does. */
  readonly codes?: { readonly given: number; readonly found: number };
  readonly approval?: {
    /** Includes the same kind's amounts of the last 24 hours (A442); EUR cents. */
    readonly sumMinor: number;
    readonly amountMinor: number;
    readonly accountId: string;
    readonly orderId: string | null;
  };
};

export type Written<Data = unknown> = {
  readonly status: 200 | 201 | 202 | 204;
  readonly data?: Data;
  readonly effect?: WriteEffect;
  readonly onCommitted?: () => void | Promise<void>;
};

/** May run again in a new transaction. */
export type WriteWork<Data = unknown> = (tx: Tx) => Promise<Written<Data>>;

export function replyWith<Data>(
  status: Written['status'],
  work: (tx: Tx) => Promise<Data>,
  onCommitted?: Written['onCommitted'],
): WriteWork<Data> {
  return async (tx) => ({ status, data: await work(tx), ...(onCommitted && { onCommitted }) });
}

export function replyEmpty(
  work: (tx: Tx) => Promise<unknown>,
  onCommitted?: Written['onCommitted'],
): WriteWork<never> {
  return async (tx) => {
    await work(tx);
    return { status: 204, ...(onCommitted && { onCommitted }) };
  };
}

export async function replyOk<Data>(data: Promise<Data>) {
  return { status: 200, data: await data };
}

/** Throws for invalid requests that the schemas accept. */
type OperationWrite<Name extends OperationName> = (
  request: OperationRequest<Name>,
) => WriteWork<DataOf<Name>>;

export type WriteRequest = {
  readonly principal: Principal;
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly traceId: string;
};

export type RunWrite = (
  operation: OperationSpec & { readonly name: OperationName },
  request: WriteRequest,
  work: WriteWork,
) => Promise<OperationReply>;

type AllHandlers = {
  readonly [Name in OperationName]: Name extends WriteName ? OperationWrite<Name> : OperationHandler<Name>;
};

type SandboxName = {
  [Name in OperationName]: (typeof OPERATIONS)[Name] extends { isSandboxOnly: true } ? Name : never;
}[OperationName];

export type OperationHandlers = Omit<AllHandlers, SandboxName>;
export type SandboxHandlers = Pick<AllHandlers, SandboxName>;
