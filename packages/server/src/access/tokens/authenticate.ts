/** A cached token works without the database. R5, A23, A24, A25. */
import { must } from '@keyport/core/assert';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Principal, TokenHolder } from '@keyport/http/server/principal';
import { transientError } from '../../operations/transient-error.ts';
import type { ClientState, ClientStates } from '../clients/client-states.ts';
import { type TokenRealm, type VerifiedToken, verifyAccessToken } from './access-token.ts';

/** A cached token takes about 1.5 KB. */
const CACHE_SIZE_MAX = 20_000;
/** One client must not evict the tokens of all others. Verifying a token again takes 0.1 ms. */
const CLIENT_TOKENS_MAX = 200;
/** Our tokens have about 700 characters. */
const TOKEN_LENGTH_MAX = 4_096;
const PREFIX = 'Bearer ';
/** RFC 9110 section 11.1. */
const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i;

type CachedToken = VerifiedToken & {
  readonly caller: TokenHolder & Pick<Principal, 'tokenIssuedAtMs'>;
  readonly client: ClientState;
};

export function createAuthenticator({
  realm,
  clientStates,
  cacheSizeMax = CACHE_SIZE_MAX,
  clientTokensMax = CLIENT_TOKENS_MAX,
}: {
  realm: TokenRealm;
  clientStates: Pick<ClientStates, 'need'>;
  cacheSizeMax?: number;
  clientTokensMax?: number;
}) {
  // The maps and sets are sorted by time of insertion.
  const cache = new Map<string, CachedToken>();
  const tokensOf = new Map<string, Set<string>>();

  function remember(token: string, known: CachedToken): void {
    forget(token);
    const { clientId } = known.holder;
    const [oldestOwn] = tokensOf.get(clientId) ?? [];
    const [oldest] = cache.keys();
    if ((tokensOf.get(clientId)?.size ?? 0) >= clientTokensMax) forget(oldestOwn);
    else if (cache.size >= cacheSizeMax) forget(oldest);
    cache.set(token, known);
    tokensOf.set(clientId, (tokensOf.get(clientId) ?? new Set()).add(token));
  }

  function forget(token = ''): void {
    const clientId = cache.get(token)?.holder.clientId ?? '';
    cache.delete(token);
    tokensOf.get(clientId)?.delete(token);
    if (tokensOf.get(clientId)?.size === 0) tokensOf.delete(clientId);
  }

  /** Also undefined if the client's state is no longer refreshed. */
  function recall(authorization: string): CachedToken | undefined {
    const token = authorization.startsWith(PREFIX)
      ? authorization.slice(PREFIX.length)
      : toToken(authorization);
    const known = token === undefined ? undefined : cache.get(token);
    if (token === undefined || !known?.client.isFollowed) return undefined;
    if (known.expiresAtMs <= realm.nowMs()) forget(token);
    return known;
  }

  async function verify(token: string): Promise<Principal> {
    if (!token.split('.').every(isCanonical)) throw unauthorized(new Error('the base64url is not canonical'));
    const verified = await verifyAccessToken(realm, token).catch((cause: unknown) => {
      // After a transient error the token may still be valid.
      throw transientError(cause) === undefined ? unauthorized(cause) : unavailable(cause);
    });
    const client = await clientStates
      .need(verified.holder.clientId, verified.expiresAtMs)
      .catch((cause: unknown) => {
        throw unavailable(cause);
      });
    const caller = Object.freeze({ ...verified.holder, tokenIssuedAtMs: verified.issuedAtMs });
    const known = { ...verified, caller, client };
    requireLive(known, realm.nowMs());
    remember(token, known);
    return toPrincipal(known);
  }

  return {
    /** Synchronous for a cached token. Throws unauthorized, or service-unavailable without a database. */
    authenticate(authorization: string | readonly string[] | undefined): Principal | Promise<Principal> {
      const header = onlyValue(authorization);
      const known = recall(header);
      if (known === undefined) {
        const token = toToken(header);
        if (token === undefined)
          throw unauthorized(new Error('the Authorization header is not a bearer token'));
        return verify(token);
      }
      requireLive(known, realm.nowMs());
      return toPrincipal(known);
    },
    /** Undefined if the token is not cached or no longer valid. */
    known(authorization: string): Principal | undefined {
      const known = recall(authorization);
      return known && toEnd(known, realm.nowMs()) === undefined ? toPrincipal(known) : undefined;
    },
    cachedCount: () => cache.size,
  };
}

/** Returns the same object every time for a reseller. */
function toPrincipal({ caller, client }: CachedToken): Principal {
  if (caller.role === 'reseller') return caller;
  return { ...caller, operatorRole: must(client.operatorRole, 'the role of an operator') };
}

function toToken(headerValue: string): string | undefined {
  return headerValue.length <= TOKEN_LENGTH_MAX ? BEARER.exec(headerValue)?.[1] : undefined;
}

/** A token must have only one spelling. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

function onlyValue(authorization: string | readonly string[] | undefined): string {
  if (typeof authorization === 'string') return authorization;
  const [value, ...others] = authorization ?? [];
  if (value === undefined || others.length > 0)
    throw unauthorized(new Error('the request does not have exactly one Authorization header'));
  return value;
}

function toEnd({ expiresAtMs, key, secretId, client }: CachedToken, nowMs: number): string | undefined {
  if (expiresAtMs <= nowMs) return 'the token has expired';
  if (key.isRetired) return 'the key of the token is retired';
  if (!client.isActive) return 'the client is disabled or its account is closed';
  return client.secretIds.includes(secretId) ? undefined : 'the secret of the token has ended';
}

function requireLive(token: CachedToken, nowMs: number): void {
  const end = toEnd(token, nowMs);
  if (end !== undefined) throw unauthorized(new Error(end));
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('service-unavailable', { cause, headers: { 'retry-after': '1' } });
}

/** Only the log contains the reason. */
function unauthorized(cause: unknown): ApiError {
  return new ApiError('unauthorized', { cause });
}
