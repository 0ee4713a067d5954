/** Errors follow RFC 6749. Requests contain secrets, so they are never logged. A20 to A23. */
import { errorSpec } from '@keyport/contract/errors';
import type { TokenError, TokenResponse } from '@keyport/contract/token';
import type { AddressOf } from '@keyport/http/admission/addresses';
import { isWorthAlarm } from '@keyport/http/replies/errors';
import { jsonReply, type Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import type { ErrorForm } from '@keyport/http/server/server';
import { readBytes, requireEncoding, requireMediaType } from '@keyport/http/validation/body';
import { toQueryText } from '@keyport/http/validation/query';
import type { Logger } from 'pino';
import type { Static } from 'typebox';
import type { Clients, FindClient } from '../clients/clients.ts';
import type { FailureLimit } from '../clients/failure-limit.ts';
import { issueAccessToken, type TokenRealm, type TokenSubject } from './access-token.ts';
import type { SigningKeys } from './signing-keys.ts';
import {
  findCredentialsInUrl,
  parseTokenRequest,
  TOKEN_MEDIA_TYPES,
  type TokenRejection,
} from './token-request.ts';

export const TOKEN_PREFIX = '/oauth';
const TOKEN_PATH = `${TOKEN_PREFIX}/token`;
const JWKS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';
const BODY_SIZE_BYTES_MAX = 65_536;
/** Removed keys must be rejected within a minute. */
const JWKS_CACHE_CONTROL = 'public, max-age=30';
const NOT_BY_POST = 'Request a token by POST.';

const UNAVAILABLE: TokenRejection = {
  status: 503,
  error: 'temporarily_unavailable',
  description: 'The service cannot issue tokens right now; retry.',
};

export type TokenRoutesDeps = {
  readonly clients: Pick<Clients, 'verifySecret'>;
  readonly find: FindClient;
  readonly realm: TokenRealm;
  readonly keys: Pick<SigningKeys, 'listPublicJwks'>;
  readonly failures: FailureLimit;
  readonly toAddress: AddressOf;
  readonly tokenTtlSeconds: number;
};

export function tokenRoutes(deps: TokenRoutesDeps): Route[] {
  const jwks = () =>
    jsonReply(200, { keys: deps.keys.listPublicJwks() }, { 'cache-control': JWKS_CACHE_CONTROL });
  const metadata = () => jsonReply(200, buildMetadata(deps.realm.issuer()));
  return [
    { method: 'POST', path: TOKEN_PATH, handle: (exchange) => respondToTokenRequest(deps, exchange) },
    { method: 'GET', path: JWKS_PATH, handle: jwks },
    { method: 'GET', path: METADATA_PATH, handle: metadata },
  ];
}

export function createTokenErrorForm(log: Logger): ErrorForm {
  return (error, { url }) => {
    const { status } = errorSpec(error.code);
    if (isWorthAlarm(error)) {
      log.error({ err: error }, 'token request failed');
      return rejectToken(UNAVAILABLE, { ...error.headers, 'retry-after': '1' });
    }
    const description =
      error.code === 'method-not-allowed'
        ? (findCredentialsInUrl(toQueryText(url))?.description ?? NOT_BY_POST)
        : error.message;
    return rejectToken({ status, error: 'invalid_request', description }, error.headers);
  };
}

async function respondToTokenRequest(deps: TokenRoutesDeps, exchange: Exchange): Promise<Reply> {
  const { request, url } = exchange;
  const address = deps.toAddress(request);
  const waitMs = deps.failures.waitMs(address);
  if (waitMs > 0) return tooManyFailures(waitMs);
  const inUrl = findCredentialsInUrl(toQueryText(url));
  if (inUrl !== undefined) return rejectToken(inUrl);
  requireEncoding(request, []);
  const parsed = parseTokenRequest({
    authorization: listAuthorizationLines(request.rawHeaders),
    body: {
      mediaType: requireMediaType(request, TOKEN_MEDIA_TYPES),
      bytes: await readBytes(request, BODY_SIZE_BYTES_MAX),
    },
  });
  if (!parsed.ok) return rejectToken(parsed.rejection);
  const attempt = await deps.failures.begin(address);
  if (attempt === undefined) return rejectToken(UNAVAILABLE, { 'retry-after': '1' });
  if (attempt.waitMs > 0) return tooManyFailures(attempt.waitMs);
  let isFailure = false;
  try {
    const client = await deps.clients.verifySecret(deps.find, parsed.credentials);
    // A thief at a disallowed address must not learn that the secret is correct.
    isFailure = client === undefined || client.allowed?.includes(address) === false;
    if (client === undefined || isFailure) return rejectToken(parsed.ifWrong);
    exchange.principal = client.holder;
    return issue(deps, client);
  } finally {
    attempt.end(isFailure);
  }
}

function issue(deps: TokenRoutesDeps, subject: TokenSubject): Reply {
  const body: Static<typeof TokenResponse> = {
    access_token: issueAccessToken(deps.realm, subject, deps.tokenTtlSeconds),
    token_type: 'Bearer',
    expires_in: deps.tokenTtlSeconds,
  };
  return jsonReply(200, body, NEVER_STORED);
}

/** Node's `headers` contains only the first of several lines. */
function listAuthorizationLines(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
}

const NEVER_STORED = { 'cache-control': 'no-store', pragma: 'no-cache' };
const CHALLENGE = { 'www-authenticate': 'Basic realm="keyport", charset="UTF-8"' };

export function rejectToken(
  { status, error, description }: TokenRejection,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const body: Static<typeof TokenError> = { error, error_description: description };
  const challenge = status === 401 ? CHALLENGE : {};
  return { ...jsonReply(status, body, { ...headers, ...challenge, ...NEVER_STORED }), code: error };
}

function tooManyFailures(waitMs: number): Reply {
  const rejection: TokenRejection = {
    status: 429,
    error: 'temporarily_unavailable',
    description: 'Too many wrong secrets from this address; retry after the time in Retry-After.',
  };
  return rejectToken(rejection, { 'retry-after': String(Math.ceil(waitMs / 1000)) });
}

/** RFC 8414. */
function buildMetadata(issuer: string) {
  return {
    issuer,
    token_endpoint: issuer + TOKEN_PATH,
    jwks_uri: issuer + JWKS_PATH,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${issuer}/docs`,
  };
}
