import type { KeyObject } from 'node:crypto';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import { toQueryText } from '@keyport/http/validation/query';
import type { Logger } from 'pino';
import { explainConnectionFailure } from '../connection-failure.ts';
import { unwrap, wrap } from '../custody/envelope.ts';
import { admitVisitor, type Failure, isFirstReturn, NotSignedIn, recordFailure } from './admit-visitor.ts';
import { AUDIENCES } from './audiences.ts';
import type { Departure, Oidc, Visitor } from './oidc.ts';
import { buildCookie, readCookies, toCookieName } from './sessions/sessions.ts';
import { beginSession, SESSION_PATH, type SignInDeps, toActing } from './sessions/sign-in.ts';
import type { Token } from './sessions/tokens.ts';
import type { Ways } from './ways.ts';

const OIDC_PATH = `${AUDIENCES.operator.path}${SESSION_PATH}/oidc`;
export const OIDC_CALLBACK_PATH = `${OIDC_PATH}/callback`;
const COOKIE_NAME = 'keyport_oidc';
const COOKIE_LIFETIME_SECONDS = 600;
const SEAL_NAME = 'oidc-departure';

export type OidcDeps = SignInDeps & {
  readonly oidc: Oidc | undefined;
  readonly ways: Ways;
  readonly sealingKey: KeyObject;
  readonly log: Logger;
};

export function oidcRoutes(deps: OidcDeps): Route[] {
  const { oidc } = deps;
  if (oidc === undefined) return [];
  return [
    { method: 'GET', path: OIDC_PATH, handle: () => depart(deps, oidc) },
    { method: 'GET', path: OIDC_CALLBACK_PATH, handle: (exchange) => arrive(deps, oidc, exchange) },
  ];
}

async function depart(deps: OidcDeps, oidc: Oidc): Promise<Reply> {
  const { publicUrl, sealingKey, log } = deps;
  try {
    const { url, departure } = await oidc.depart();
    const sealed = wrap(sealingKey, Buffer.from(JSON.stringify(departure)), SEAL_NAME).toString('base64url');
    const cookie = buildCookie(publicUrl(), {
      name: COOKIE_NAME,
      value: sealed,
      path: 'console/session/oidc',
      ageSeconds: COOKIE_LIFETIME_SECONDS,
      // The browser returns from another site.
      sameSite: 'Lax',
    });
    return redirect(url, { 'set-cookie': cookie });
  } catch (error) {
    log.warn(
      toCause(error),
      'single sign-on cannot begin; check the provider and the settings KEYPORT_OIDC_…',
    );
    return toSignIn(deps, 'failed');
  }
}

async function arrive(deps: OidcDeps, oidc: Oidc, exchange: Exchange): Promise<Reply> {
  const { sessions, guesses, toAddress, publicUrl, log } = deps;
  let failure: Failure = 'failed';
  try {
    // Each attempt asks the provider, and failures write to the audit log, so both are limited like guesses.
    const token = await guesses.allow({ address: toAddress(exchange.request) }, async () => {
      const visitor = await askProvider(deps, oidc, exchange).catch((error: unknown) => {
        log.warn(toCause(error), 'single sign-on failed');
      });
      if (visitor === undefined) return undefined;
      return enter(deps, exchange, visitor).catch(async (error: unknown) => {
        if (!(error instanceof NotSignedIn)) throw error;
        failure = error.failure;
        await recordFailure(deps, exchange, visitor, error);
        return undefined;
      });
    });
    if (token === undefined) return toSignIn(deps, failure);
    return redirect(`${publicUrl()}/console/`, { 'set-cookie': sessions.toCookie(token) });
  } catch (error) {
    log.warn(toCause(error), 'single sign-on failed');
    return toSignIn(deps, 'failed');
  }
}

/** `reason` is present if the service could not connect to the provider. */
function toCause(error: unknown) {
  return { err: error, reason: explainConnectionFailure(error) };
}

/** A departure counts once, for ten minutes, even if the browser keeps its cookie. */
async function askProvider(deps: OidcDeps, oidc: Oidc, exchange: Exchange): Promise<Visitor> {
  const departure = readDeparture(deps, exchange);
  const lifetimeMs = COOKIE_LIFETIME_SECONDS * 1000;
  const ageMs = Date.now() - departure.atMs;
  if (ageMs > lifetimeMs) throw new Error(`the sign-in began ${Math.round(ageMs / 1000)} s ago`);
  if (!(await isFirstReturn(deps, departure, lifetimeMs)))
    throw new Error('the browser has returned from this sign-in before');
  return oidc.arrive(toQueryText(exchange.url), departure);
}

function enter(deps: OidcDeps, exchange: Exchange, visitor: Visitor): Promise<Token> {
  return beginSession(deps, exchange, {
    method: 'oidc',
    prove: (tx) => admitVisitor(tx, visitor, deps.ways, (person) => toActing(deps, exchange, person)),
    rejection: 'The operator is disabled.',
  });
}

function readDeparture({ sealingKey, publicUrl }: OidcDeps, { request }: Exchange): Departure {
  const [sealed = ''] = readCookies(request, toCookieName(publicUrl(), COOKIE_NAME));
  return JSON.parse(unwrap(sealingKey, Buffer.from(sealed, 'base64url'), SEAL_NAME).toString('utf8'));
}

function toSignIn({ publicUrl }: OidcDeps, failure: Failure): Reply {
  return redirect(`${publicUrl()}/console/sign-in#error=${failure}`);
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 303, headers: { ...headers, location } };
}
