import { Keyport } from '../keyport.ts';
import { KeyportConnectionError, KeyportError } from '../requests/errors.ts';
import { CommandFailure } from './failure.ts';

const RETRIES_MAX = 4;

/** Verifying the whole database can take minutes. */
const TIMEOUT_MS = 20 * 60_000;

export type Session = {
  readonly keyport: Keyport;
  /** Aborted with the failure if the first request cannot connect. */
  readonly signal: AbortSignal;
  readonly explain: (error: unknown, nameField?: (field: string) => string) => Error;
};

export type Client = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Named if the credentials are wrong. */
  readonly setBy: string;
  /** Added if the service does not respond. */
  readonly advice: string;
};

/** Nothing was sent: the service is not running. */
export class NoService extends CommandFailure {}

export function openSession(baseUrl: string, client: Client): Session {
  const { clientId, clientSecret } = client;
  const { fetch, signal } = watchConnection(baseUrl, client.advice);
  try {
    const limits = { maxRetries: RETRIES_MAX, timeoutMs: TIMEOUT_MS };
    const keyport = new Keyport({ ...{ baseUrl, clientId, clientSecret, fetch }, ...limits });
    return { keyport, signal, explain: (error, nameField) => toFailure(error, baseUrl, client, nameField) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(error.message.replace('baseUrl', '--url or KEYPORT_URL'), { cause: error });
  }
}

/** After these errors the request may have arrived. */
const CONNECTION_LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const ADDRESS = 'correct --url or KEYPORT_URL';

/** Codes whose cause is not that the service is not running. */
const CAUSES: readonly (readonly [form: RegExp, sentence: string])[] = [
  [/^(?:ERR_SSL_|EPROTO)/, `the port does not speak TLS. Use http://, or ${ADDRESS}`],
  [
    /^(?:ENOTFOUND|ENODATA|EAI_)/,
    `the name of its host has no address. Correct the name servers, or ${ADDRESS}`,
  ],
  [
    /^bad port$/,
    `clients of HTTP never connect to this port. Choose another one for the service, and ${ADDRESS}`,
  ],
  [
    /^(?:ERR_TLS_CERT_ALTNAME|HOSTNAME)/,
    `its certificate is for another host. Use that name, and ${ADDRESS}`,
  ],
  [
    /^CERT_(?:HAS_EXPIRED|NOT_YET)/,
    'its certificate has expired or is not valid yet. Renew it, and check the clocks',
  ],
  [
    /^(?:CERT_|UNABLE_|SELF_SIGNED|DEPTH_ZERO|UNSPECIFIED)/,
    'its certificate is not trusted. Name the file of its authority in NODE_EXTRA_CA_CERTS',
  ],
];

/** Retries only a service that responded before. */
function watchConnection(baseUrl: string, advice: string): { fetch: typeof fetch; signal: AbortSignal } {
  const controller = new AbortController();
  let isReached = false;
  const watched: typeof fetch = async (...request) => {
    try {
      const response = await fetch(...request);
      isReached = true;
      return response;
    } catch (error) {
      const isFailure = error instanceof TypeError && !CONNECTION_LOST.has(toCode(error) ?? '');
      if (!isReached && isFailure) {
        const reason = toCode(error) ?? (error.cause instanceof Error ? error.cause.message : error.message);
        const cause = CAUSES.find(([form]) => form.test(reason))?.[1];
        const says =
          cause === undefined
            ? `does not respond (${reason}). ${advice}`
            : `cannot be used: ${cause} (${reason})`;
        const message = `the service at ${baseUrl} ${says}`;
        controller.abort(new NoService(message, { cause: error }));
      }
      throw error;
    }
  };
  return { fetch: watched, signal: controller.signal };
}

export function toCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

export const UNKNOWN_CLIENT = 'invalid_client';

function toFailure(
  error: unknown,
  baseUrl: string,
  { clientId, setBy }: Client,
  nameField?: (field: string) => string,
): Error {
  if (error instanceof KeyportError && error.code === UNKNOWN_CLIENT) {
    return new CommandFailure(
      `the service at ${baseUrl} rejected the credentials of the client ${clientId}. ` +
        `Set ${setBy} to the credentials of one of its clients`,
      { cause: error },
    );
  }
  if (error instanceof KeyportError)
    return new CommandFailure(describeRejection(error, nameField), { cause: error });
  if (!(error instanceof KeyportConnectionError))
    return error instanceof Error ? error : new Error(String(error));
  const code = toCode(error);
  const message =
    code === undefined
      ? error.message.replace('Check baseUrl', 'Check --url or KEYPORT_URL')
      : `the connection to the service at ${baseUrl} was lost before it responded (${code})`;
  return new CommandFailure(message, { cause: error });
}

type Rejection = Pick<KeyportError, 'message' | 'code' | 'traceId'> & {
  readonly errors?: readonly { readonly message: string }[] | null | undefined;
};

export function describeRejection(
  { message, code, errors, traceId }: Rejection,
  nameField = (field: string): string => field,
): string {
  // If only one field is wrong, the error has its message.
  const fields = (errors ?? []).filter((field) => field.message !== message);
  return [
    `${message} (${code})`,
    ...fields.map((field) => `  ${field.message}`),
    `  trace id ${traceId ?? '-'}`,
  ]
    .join('\n')
    .replace(FIELD, nameField);
}

const FIELD = /\b(?:body|query|path|headers)\.[\w-]+(?:\.\w+|\[\d+\])*/g;
