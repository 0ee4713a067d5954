/**
 * What a handler of an operation gets and gives, derived from the table of operations. A handler only translates:
 * it knows no socket, no header parsing and no error envelope (http/errors.ts has those).
 */
import type { Readable } from 'node:stream';
import type { PageMeta } from '@keyport/contract/envelope';
import type { OPERATIONS, OperationName } from '@keyport/contract/operations';
import type { Static, TSchema } from 'typebox';
import type { Representation } from './representation.ts';

/** Who is calling, as the verified token says. */
export type Principal =
  | { readonly role: 'reseller'; readonly clientId: string; readonly accountId: string }
  | { readonly role: 'operator'; readonly clientId: string };

type PrincipalOf<Name extends OperationName> = Extract<
  Principal,
  { role: (typeof OPERATIONS)[Name]['audience'] }
>;

type PartOf<Name extends OperationName, Part extends string> =
  (typeof OPERATIONS)[Name] extends Record<Part, infer Schema extends TSchema>
    ? Static<Schema>
    : Record<string, never>;

export type OperationRequest<Name extends OperationName> = {
  readonly params: PartOf<Name, 'params'>;
  /** Typed: whole numbers are numbers; the names are the contract's, `productIds[]` included. */
  readonly query: PartOf<Name, 'query'>;
  readonly headers: PartOf<Name, 'headers'>;
  readonly body: PartOf<Name, 'body'>;
  readonly principal: PrincipalOf<Name>;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Calls back when the connection has gone, and also when the answer has been sent. */
  readonly onHangUp: (callback: () => void) => void;
  /** The body of a streamed operation (imports), inflated, with its media type; empty for all others. */
  readonly stream: { readonly contentType: string; readonly body: AsyncIterable<Buffer> } | undefined;
};

/**
 * Data to be put into the envelope and checked by the operation's schema, bytes that are a whole body already, a body
 * in parts for an operation that is conditional, a stream of any length, or events that go out while the work goes on.
 */
export type OperationReply =
  | {
      readonly status: number;
      readonly data: unknown;
      readonly meta?: PageMeta;
      /** What a statement says of its whole range. */
      readonly summary?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly status: number;
      readonly stream: Readable;
      readonly contentType: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Events, some at a time: each becomes a line of JSON; what is thrown becomes the last line, an error envelope. */
  | { readonly status: number; readonly events: AsyncIterable<readonly object[]> }
  | {
      readonly status: number;
      readonly bytes: Buffer;
      readonly headers?: Readonly<Record<string, string>>;
      /** When the bytes are an error: its code, for the log. */
      readonly code?: string | undefined;
    }
  | Representation
  | { readonly status: 204 };

/** A conditional operation answers in parts, nothing else. */
type ReplyOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends { isConditional: true }
  ? Representation
  : OperationReply;

export type OperationHandler<Name extends OperationName> = (
  request: OperationRequest<Name>,
) => Promise<ReplyOf<Name>> | ReplyOf<Name>;

/** Handlers by operation; app.ts merges those of all features and the compiler sees that none is missing. */
export type OperationHandlers = { readonly [Name in OperationName]: OperationHandler<Name> };
