import { randomUUID } from 'node:crypto';
import type { ListMeta, PageMeta } from '@keyport/contract/envelope';
import { OPERATIONS, type OperationName, type ResponseMember } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { KeyportConnectionError, KeyportError } from '@keyport/sdk-source';
import { type Client, openSession, toCode } from '@keyport/sdk-source/commands/session';
import { ForeignError } from '@keyport/sdk-source/requests/body';
import { CommandFailure } from '../failure.ts';

export type ApiResponse<Name extends OperationName> = {
  readonly status: number;
  /** True if this is an earlier response to the same Idempotency-Key. */
  readonly isReplayed: boolean;
  readonly body: {
    readonly data?: ResponseMember<Name, 'data'>;
    readonly meta?: PageMeta | ListMeta;
    readonly summary?: ResponseMember<Name, 'summary'>;
    readonly traceId?: string;
  };
};

export type CallParts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly scenario?: string | undefined;
  /** The command's name for a field such as `body.paymentMethod`. */
  readonly nameField?: (field: string) => string;
};

export type ApiClient = {
  call<Name extends OperationName>(name: Name, parts?: CallParts): Promise<ApiResponse<Name>>;
  /** Reads a response of any size that is not JSON. Throws CommandFailure even if it ends early. */
  download(name: OperationName, parts: CallParts, accept: string): Promise<AsyncIterable<Uint8Array>>;
  /** Sends a body of any size once. Throws UploadFailed, and CommandFailure if the service rejects it. */
  upload<Name extends OperationName>(
    name: Name,
    parts: Omit<CallParts, 'body'>,
    request: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: () => AsyncIterable<Uint8Array>;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly data: ResponseMember<Name, 'data'> }>;
};

export function connectClient(baseUrl: string, client: Client): ApiClient {
  const { keyport, signal, explain } = openSession(baseUrl, client);
  return {
    async call(name, parts = {}) {
      const { query, body, scenario } = parts;
      const { method, path, responses }: OperationSpec = OPERATIONS[name];
      const mayBeEmpty = Object.values(responses).includes(null);
      const idempotencyKey = parts.idempotencyKey ?? (takesKey(name) ? randomUUID() : undefined);
      const input = {
        method,
        path: fillPath(path, parts),
        query: query && plainNames(query),
        body,
        mayBeEmpty,
      };
      const { data, response } = await keyport
        .request<ApiResponse<typeof name>['body']>(input, { idempotencyKey, scenario, signal })
        .withResponse()
        .catch((error: unknown) => {
          throw withKey(error, explain(error, parts.nameField), idempotencyKey);
        });
      const { status, headers } = response;
      return { status, isReplayed: headers.has('idempotent-replayed'), body: data };
    },
    async download(name, parts, accept) {
      const path = pathWithQuery(name, parts);
      const response = await keyport.fetch(path, { headers: { accept }, signal }).catch((error: unknown) => {
        throw explain(error);
      });
      return readWhole(response);
    },
    async upload(name, parts, { headers, body, signal: stop }) {
      const { method } = OPERATIONS[name];
      const either = AbortSignal.any([stop, signal]);
      const init = {
        method,
        headers,
        body: toStream(body()),
        duplex: 'half' as const,
        signal: either,
      };
      try {
        const response = await keyport.fetch(pathWithQuery(name, parts), init);
        return await response.json();
      } catch (error) {
        if (error instanceof KeyportError) throw explain(error);
        if (signal.aborted) throw signal.reason;
        const status = error instanceof ForeignError ? error.response.status : undefined;
        throw new UploadFailed(baseUrl, status, toCode(error), error);
      }
    },
  };
}

function toStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** The connection ended, or a proxy responded instead of the service. */
export class UploadFailed extends CommandFailure {
  readonly status: number | undefined;

  constructor(baseUrl: string, status: number | undefined, code: string | undefined, cause: unknown) {
    super(describeUpload(baseUrl, status, code), { cause });
    this.status = status;
  }
}

function describeUpload(baseUrl: string, status: number | undefined, code: string | undefined): string {
  if (status === 413) {
    return 'a proxy in front of the service rejected the upload as too large (413). Allow larger bodies there (nginx: client_max_body_size 0), or use the address of the service itself';
  }
  if (status === 504) {
    return 'a proxy in front of the service gave up waiting for it (504). Allow more time there (nginx: proxy_read_timeout 1h)';
  }
  if (status === 502) {
    return 'a proxy in front of the service could not reach it, or lost the connection to it (502). Look at the log of the proxy';
  }
  if (status !== undefined) return `a proxy in front of the service at ${baseUrl} responded with ${status}`;
  return `the connection to the service at ${baseUrl} ended before its report${code === undefined ? '' : ` (${code})`}`;
}

export function takesKey(name: OperationName): boolean {
  const { idempotency }: OperationSpec = OPERATIONS[name];
  return idempotency !== undefined;
}

/** Adds how to retry if the write may have committed or is in progress. */
function withKey(error: unknown, failure: Error, idempotencyKey: string | undefined): Error {
  const isUnknown =
    error instanceof KeyportConnectionError ||
    (error instanceof KeyportError && (error.status >= 500 || error.code === 'idempotency-key-processing'));
  if (idempotencyKey === undefined || !isUnknown) return failure;
  return new CommandFailure(
    `${failure.message}\nIt is unknown whether the command took effect. ` +
      `Run it again with --idempotency-key ${idempotencyKey}, so that it takes effect once`,
    { cause: error },
  );
}

async function* readWhole({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throw new CommandFailure('the response ended early; run the command again', { cause });
  }
}

function fillPath(pattern: string, { params = {} }: CallParts): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function pathWithQuery(name: OperationName, parts: CallParts): string {
  const path = fillPath(OPERATIONS[name].path, parts);
  const search = new URLSearchParams(
    Object.entries(parts.query ?? {}).flatMap(([member, values = []]) =>
      [values].flat().map((value) => [member, value]),
    ),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}

function plainNames(query: NonNullable<CallParts['query']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, values]) => [
      Array.isArray(values) ? name.replace(/\[\]$/, '') : name,
      values,
    ]),
  );
}
