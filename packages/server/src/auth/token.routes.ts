/**
 * The token endpoint and the two documents that describe it. Errors here have the form of RFC 6749 and not the service
 * envelope, since standard OAuth clients must understand them. Nothing of a request is logged: it holds the secret.
 * A20 to A23.
 */
import { errorSpec } from '@keyport/contract/errors';
import type { TokenError, TokenResponse } from '@keyport/contract/token';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Database } from '../db/database.ts';
import type { AddressOf } from '../http/addresses.ts';
import { ApiError } from '../http/api-error.ts';
import { readBytes, requireEncoding, requireMediaType } from '../http/body.ts';
import { toApiError } from '../http/errors.ts';
import type { Principal } from '../http/operation.ts';
import { issueAccessToken, type TokenRealm } from './access-token.ts';
import type { Clients } from './clients.ts';
import type { FailureLimit } from './failure-limit.ts';
import type { SigningKeys } from './signing-keys.ts';
import {
  findCredentialsInUrl,
  INVALID_CLIENT,
  parseTokenRequest,
  TOKEN_MEDIA_TYPES,
  type TokenRejection,
} from './token-request.ts';

const PREFIX = '/oauth';
const TOKEN_PATH = `${PREFIX}/token`;
const JWKS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';

const BODY_SIZE_BYTES_MAX = 65_536;

/** A removed key must be rejected within a minute, also by clients that cache the document. */
const JWKS_CACHE_CONTROL = 'public, max-age=30';

const METHOD_NOT_ALLOWED: TokenRejection = {
  status: 405,
  error: 'invalid_request',
  description: 'Ask for a token by POST.',
};

const UNAVAILABLE: TokenRejection = {
  status: 503,
  error: 'temporarily_unavailable',
  description: 'The service cannot issue tokens right now; try again.',
};

export type TokenRoutesDeps = {
  readonly database: Pick<Database, 'kysely'>;
  readonly clients: Pick<Clients, 'verifySecret'>;
  readonly realm: TokenRealm;
  readonly keys: Pick<SigningKeys, 'listPublicJwks'>;
  readonly failures: FailureLimit;
  readonly addressOf: AddressOf;
  readonly tokenTtlSeconds: number;
};

/** Registers the routes in a scope of their own: its body reading and error form must not reach other routes. */
export function registerTokenRoutes(app: FastifyInstance, deps: TokenRoutesDeps): void {
  const routes = async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers();
    // The handler reads the body, as http/body.ts has it for every route.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    scope.setNotFoundHandler((request, reply) => refuseMethod(request, reply));
    scope.post(TOKEN_PATH.slice(PREFIX.length), (request, reply) => answerTokenRequest(deps, request, reply));
  };
  app.register(routes, { prefix: PREFIX });
  app.get(JWKS_PATH, (_request, reply) =>
    reply.header('cache-control', JWKS_CACHE_CONTROL).send({ keys: deps.keys.listPublicJwks() }),
  );
  app.get(METADATA_PATH, (_request, reply) => reply.send(buildMetadata(deps.realm.issuer())));
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path, queryString = ''] = request.url.split('?', 2);
  if (path !== TOKEN_PATH) throw new ApiError('not-found');
  const { description } = findCredentialsInUrl(queryString) ?? METHOD_NOT_ALLOWED;
  return refuse(reply.header('allow', 'POST'), { ...METHOD_NOT_ALLOWED, description });
}

async function answerTokenRequest(
  deps: TokenRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = deps.addressOf(request.raw);
  const waitMs = deps.failures.waitMs(address);
  if (waitMs > 0) return refuse(reply, tooManyFailures(reply, waitMs));
  const inUrl = findCredentialsInUrl(request.url.split('?', 2)[1] ?? '');
  if (inUrl !== undefined) return refuse(reply, inUrl);
  requireEncoding(request.raw, []);
  const parsed = parseTokenRequest({
    authorization: listAuthorizationLines(request.raw.rawHeaders),
    body: {
      mediaType: requireMediaType(request.raw, TOKEN_MEDIA_TYPES),
      bytes: await readBytes(request.raw, BODY_SIZE_BYTES_MAX),
    },
  });
  if (!parsed.ok) return refuse(reply, parsed.rejection);
  const attempt = await deps.failures.begin(address);
  if (attempt === undefined) return refuse(reply.header('retry-after', '1'), UNAVAILABLE);
  if (attempt.waitMs > 0) return refuse(reply, tooManyFailures(reply, attempt.waitMs));
  let isFailure = false;
  try {
    const client = await deps.clients.verifySecret(deps.database.kysely, parsed.credentials);
    // A right secret from a wrong address is answered like a wrong one: a thief learns nothing (A188).
    isFailure = client === undefined || client.allowed?.includes(address) === false;
    if (client === undefined || isFailure) return refuse(reply, INVALID_CLIENT);
    return issue(deps, client.principal, reply);
  } finally {
    attempt.end(isFailure);
  }
}

function issue(deps: TokenRoutesDeps, principal: Principal, reply: FastifyReply): FastifyReply {
  const body: Static<typeof TokenResponse> = {
    access_token: issueAccessToken(deps.realm, principal, deps.tokenTtlSeconds),
    token_type: 'Bearer',
    expires_in: deps.tokenTtlSeconds,
  };
  return forbidStoring(reply).send(body);
}

/** Node's `headers` has the first of several lines only. */
function listAuthorizationLines(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
}

function refuse(reply: FastifyReply, { status, error, description }: TokenRejection): FastifyReply {
  reply.request.errorCode = error;
  const body: Static<typeof TokenError> = { error, error_description: description };
  if (status === 401) reply.header('www-authenticate', 'Basic realm="keyport", charset="UTF-8"');
  return forbidStoring(reply).code(status).send(body);
}

function forbidStoring(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
}

function tooManyFailures(reply: FastifyReply, waitMs: number): TokenRejection {
  reply.header('retry-after', String(Math.ceil(waitMs / 1000)));
  return {
    status: 429,
    error: 'temporarily_unavailable',
    description: 'Too many wrong secrets from this address; wait as long as Retry-After says.',
  };
}

/** What the http layer rejected keeps its status; everything else is a fault of ours, whose details stay inside. */
function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toApiError(thrown);
  const { status } = errorSpec(error.code);
  reply.headers(error.headers);
  if (status < 500) return refuse(reply, { status, error: 'invalid_request', description: error.message });
  request.log.error({ err: error }, 'the token endpoint failed');
  return refuse(reply.header('retry-after', '1'), UNAVAILABLE);
}

/** RFC 8414. There is no authorization endpoint, hence no response type. */
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
