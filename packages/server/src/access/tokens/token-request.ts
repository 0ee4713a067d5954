/** Credentials must be sent in exactly one way, never in the query string, which is logged. A20, A22. */
import type { TokenErrorCode } from '@keyport/contract/token';
import { parseStrictJson } from '@keyport/core/strict-json';
import type { ClaimedCredentials } from '../clients/clients.ts';

export type TokenRejection = {
  readonly status: number;
  readonly error: TokenErrorCode;
  readonly description: string;
};

export type ParsedTokenRequest =
  | {
      readonly ok: true;
      readonly credentials: ClaimedCredentials;
      /** The response if the credentials turn out to be wrong. */
      readonly ifWrong: TokenRejection;
    }
  | { readonly ok: false; readonly rejection: TokenRejection };

/** Unknown names are ignored (RFC 6749 3.2). */
type Parameters = ReadonlyMap<string, string>;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const CREDENTIAL_NAMES = ['client_id', 'client_secret'];

/** The same for an unknown client and a wrong secret. */
const INVALID_CLIENT: TokenRejection = {
  status: 401,
  error: 'invalid_client',
  description: 'The client is unknown or its secret is wrong.',
};

/** An & that is not encoded ends the value, and the rest of the secret becomes another parameter. */
const PERHAPS_CUT: TokenRejection = {
  ...INVALID_CLIENT,
  description: `${INVALID_CLIENT.description} The body has parameters that Keyport does not know: a secret with & must be form-encoded (curl: --data-urlencode).`,
};
const KNOWN_NAMES = ['grant_type', ...CREDENTIAL_NAMES, 'scope', 'resource', 'audience'];

const CREDENTIALS_IN_URL: TokenRejection = {
  status: 400,
  error: 'invalid_request',
  description:
    'Credentials must not be in the URL, where they are logged; send them by POST in the body or by HTTP Basic.',
};

class RejectedError extends Error {
  readonly rejection: TokenRejection;
  constructor(rejection: TokenRejection) {
    super(rejection.description);
    this.rejection = rejection;
  }
}

export const TOKEN_MEDIA_TYPES = ['application/x-www-form-urlencoded', 'application/json'] as const;
type TokenMediaType = (typeof TOKEN_MEDIA_TYPES)[number];

export type TokenRequestParts = {
  readonly authorization: readonly string[];
  readonly body: { readonly mediaType: TokenMediaType; readonly bytes: Buffer };
};

export function parseTokenRequest(request: TokenRequestParts): ParsedTokenRequest {
  try {
    return { ok: true, ...readCredentials(request) };
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    return { ok: false, rejection: error.rejection };
  }
}

function readCredentials({
  authorization,
  body,
}: TokenRequestParts): Omit<Extract<ParsedTokenRequest, { ok: true }>, 'ok'> {
  const text = decodeUtf8(body.bytes);
  const isForm = body.mediaType !== 'application/json';
  const parameters = isForm ? readForm(text) : readJson(text);
  const grantType = parameters.get('grant_type');
  if (grantType === undefined) throw invalidRequest('grant_type is missing; send client_credentials.');
  const basic = readBasic(authorization);
  const clientId = parameters.get('client_id');
  const clientSecret = parameters.get('client_secret');
  // The id alone does not authenticate.
  if (
    basic !== undefined &&
    (clientSecret !== undefined || (clientId ?? basic.clientId) !== basic.clientId)
  ) {
    throw invalidRequest('Send the credentials either by HTTP Basic or in the body, not both.');
  }
  if (grantType !== 'client_credentials') {
    throw rejected(400, 'unsupported_grant_type', 'The only grant type is client_credentials.');
  }
  if (basic !== undefined) return { credentials: basic, ifWrong: INVALID_CLIENT };
  if (clientId === undefined || clientSecret === undefined)
    throw rejected(401, 'invalid_client', 'Send client_id and client_secret in the body or by HTTP Basic.');
  const sent = isForm ? /(?:^|&)client_secret=([^&]*)/.exec(text)?.[1] : undefined;
  const isCut = isForm && [...new URLSearchParams(text).keys()].some((name) => !KNOWN_NAMES.includes(name));
  return {
    credentials: { clientId, clientSecret, ...(sent !== undefined && { spellings: listSpellings(sent) }) },
    ifWrong: isCut ? PERHAPS_CUT : INVALID_CLIENT,
  };
}

export function findCredentialsInUrl(queryString: string): TokenRejection | undefined {
  const query = new URLSearchParams(queryString);
  return CREDENTIAL_NAMES.some((name) => query.has(name)) ? CREDENTIALS_IN_URL : undefined;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidRequest('The body is not UTF-8.');
  }
}

function readForm(text: string): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name)) throw invalidRequest('A parameter appears twice; send each one once.');
    parameters.set(name, value);
  }
  return withoutEmpty(parameters);
}

function readJson(text: string): Parameters {
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw invalidRequest(parsed.message);
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('The body must be a JSON object.');
  }
  const parameters = new Map<string, string>();
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') parameters.set(name, member);
    else if (name === 'grant_type' || CREDENTIAL_NAMES.includes(name)) {
      throw invalidRequest(`${name} must be a string.`);
    }
  }
  return withoutEmpty(parameters);
}

/** RFC 6749 section 3.2. */
function withoutEmpty(parameters: Parameters): Parameters {
  return new Map([...parameters].filter(([, value]) => value !== ''));
}

function readBasic(authorization: readonly string[]): ClaimedCredentials | undefined {
  const [value, ...others] = authorization;
  if (value === undefined) return undefined;
  if (others.length > 0) throw new RejectedError(INVALID_CLIENT);
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(value)?.[1];
  if (encoded === undefined) throw new RejectedError(INVALID_CLIENT);
  const pair = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8'));
  const [, clientId, clientSecret] = pair ?? [];
  if (clientId === undefined || clientSecret === undefined) throw new RejectedError(INVALID_CLIENT);
  return {
    clientId: decodeForm(clientId),
    clientSecret: decodeForm(clientSecret),
    spellings: listSpellings(clientSecret),
  };
}

/**
 * Lists the secrets that the client may have meant. RFC 6749 wants secrets form-encoded; curl and many libraries send them as
 * they are, or encode all characters except the plus sign.
 */
function listSpellings(sent: string): string[] {
  return [...new Set([decodeForm(sent), decodeForm(sent.replaceAll('+', '%2B')), sent])];
}

/** Leaves a percent sign that encodes nothing. */
function decodeForm(sent: string): string {
  return new URLSearchParams(`sent=${sent.replaceAll('&', '%26')}`).get('sent') ?? '';
}

function invalidRequest(description: string): RejectedError {
  return rejected(400, 'invalid_request', description);
}

function rejected(status: number, error: TokenErrorCode, description: string): RejectedError {
  return new RejectedError({ status, error, description });
}
