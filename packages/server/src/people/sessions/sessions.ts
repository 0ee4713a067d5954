/**
 * Nodes remember nothing between requests, so every change takes effect immediately on all of them. A421,
 * A422.
 */
import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Principal } from '@keyport/http/server/principal';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { type Audience, type Identity, toCaller } from '../audiences.ts';
import { lockPerson } from '../people.sql.ts';
import type { Ways } from '../ways.ts';
import * as sql from './sessions.sql.ts';
import { issueToken, readToken, type Token, toCsrfToken } from './tokens.ts';

const LIFETIME_SECONDS = 12 * 60 * 60;
/** Nodes with a larger skew are not ready. */
const CLOCK_SKEW_MS = 60_000;
const BACKGROUND_HEADER = 'keyport-background';
const CSRF_HEADER = 'x-csrf-token';

export type Session = {
  readonly token: Token;
  readonly person: Identity;
  readonly ownLimits: sql.SessionRow['ownLimits'];
  readonly method: sql.SignInMethod;
  readonly isProven: boolean;
  readonly csrfToken: string;
  readonly endsAtMicros: number;
};

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({
  database: { db },
  key,
  publicUrl,
  ways: { isLocal },
  audience,
}: {
  readonly database: Database;
  readonly key: KeyObject;
  readonly publicUrl: () => string;
  readonly ways: Ways;
  readonly audience: Audience;
}) {
  const { path, cookieName } = audience;
  const sessionCookie = { name: cookieName, path: '', sameSite: 'Strict' } as const;

  function requireOwnOrigin(request: IncomingMessage): void {
    if (!isOwnOrigin(request, publicUrl())) throw foreignPage();
  }

  function foreignPage(): ApiError {
    return new ApiError('forbidden', {
      message: `Only the pages at ${publicUrl()}${path} may do this: the request must have their Origin.`,
    });
  }

  function toToken(request: IncomingMessage): Token | undefined {
    // A cookie of a wider path or domain may have the same name.
    const values = readCookies(request, toCookieName(publicUrl(), cookieName));
    return values.map((value) => readToken(key, 'session', value)).find((token) => token !== undefined);
  }

  /** Throws unauthorized, and forbidden for requests from other pages. */
  async function require(request: IncomingMessage): Promise<Session> {
    const token = toToken(request);
    if (token === undefined) throw sessionEnded();
    // Reading keys is a GET, after which they cannot be returned: a page of another port must not cause it.
    if (/^(?:cross|same)-site$/.test(String(request.headers['sec-fetch-site']))) throw foreignPage();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      requireOwnOrigin(request);
      if (request.headers[CSRF_HEADER] !== toCsrfToken(key, token))
        throw new ApiError('forbidden', {
          message: `The header X-CSRF-Token must contain the csrfToken of GET ${path}/session.`,
          data: { reason: 'csrf-token' },
        });
    }
    return load(token, request.headers[BACKGROUND_HEADER] === undefined);
  }

  async function load(token: Token, isUse: boolean): Promise<Session> {
    const found = await sql.findSession(db, token.mac, audience);
    if (found === undefined) throw sessionEnded();
    const { id, accountId, name, email, role, ownLimits, method, isProven } = found;
    if (!isLocal && (method === 'password' || method === 'passkey')) throw sessionEnded();
    const endsAtMicros =
      isUse && found.isUseDue ? await sql.updateSessionUse(db, token.mac) : found.endsAtMicros;
    if (endsAtMicros === undefined) throw sessionEnded();
    const csrfToken = toCsrfToken(key, token);
    const person = { id, accountId, name, email, role };
    return { token, person, ownLimits, method, isProven, csrfToken, endsAtMicros };
  }

  return {
    require,
    requireOwnOrigin,
    load: (token: Token) => load(token, false),

    /** After a sign-out everywhere or a new password, no earlier session's request takes effect. */
    async hold(tx: Tx, { token, person }: Session): Promise<void> {
      await lockPerson(tx, person.id);
      if ((await sql.findSession(tx, token.mac, audience)) === undefined) throw sessionEnded();
    },

    /** Decides without the database. */
    isOurs(request: IncomingMessage): boolean {
      const { issuedAtMs = 0 } = toToken(request) ?? {};
      const ageMs = Date.now() - issuedAtMs;
      return ageMs > -CLOCK_SKEW_MS && ageMs < LIFETIME_SECONDS * 1000;
    },

    /** Undefined: no session cookie. */
    authenticate(request: IncomingMessage): Promise<Principal> | undefined {
      if (readCookies(request, toCookieName(publicUrl(), cookieName)).length === 0) return undefined;
      return require(request).then(({ person, ownLimits, isProven }) => ({
        ...toCaller(person),
        ownLimits,
        session: { isProven },
      }));
    },

    /** Always a new token, against session fixation. */
    async begin(
      tx: Tx,
      request: IncomingMessage,
      person: { readonly personId: string; readonly method: sql.SignInMethod },
    ): Promise<Token> {
      const before = toToken(request);
      if (before !== undefined) await sql.deleteSession(tx, before.mac);
      const token = issueToken(key, 'session');
      await sql.insertSession(tx, { mac: token.mac, ...person });
      return token;
    },

    toCookie: (token: Token) =>
      buildCookie(publicUrl(), { ...sessionCookie, value: token.text, ageSeconds: LIFETIME_SECONDS }),
    endedCookie: () => buildCookie(publicUrl(), { ...sessionCookie, value: '', ageSeconds: 0 }),
  };
}

/** With __Host-, no sibling domain can plant a cookie. A422. */
export function toCookieName(publicUrl: string, name: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

/** `path` is below the public path, and counts only without https: __Host- needs `/`. */
export function buildCookie(
  publicUrl: string,
  cookie: {
    readonly name: string;
    readonly value: string;
    readonly path: string;
    readonly ageSeconds: number;
    readonly sameSite: 'Strict' | 'Lax';
  },
): string {
  const { pathname } = new URL(publicUrl);
  const base = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const path = isSecure(publicUrl) ? '/' : base + cookie.path;
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  return `${toCookieName(publicUrl, cookie.name)}=${cookie.value}; Path=${path}; Max-Age=${cookie.ageSeconds}; HttpOnly; SameSite=${cookie.sameSite}${secure}`;
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

/** The cookie with the longest path comes first. */
export function readCookies({ headers }: IncomingMessage, name: string): string[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const text = pair.trim();
    return text.startsWith(`${name}=`) ? [text.slice(name.length + 1)] : [];
  });
}

/** The Host header also counts, since a sandbox is opened as localhost or 127.0.0.1. */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, protocol } = new URL(publicUrl);
  const sent = headers.origin;
  return sent !== undefined && (sent === origin || sent === `${protocol}//${headers.host?.toLowerCase()}`);
}

function sessionEnded(): ApiError {
  return new ApiError('unauthorized', { message: 'There is no session, or it has ended: sign in.' });
}
