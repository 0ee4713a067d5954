/** Single sign-on with an authorization code, PKCE, state and nonce. */
import { ROLES, type Role } from '@keyport/contract/roles';
import { must } from '@keyport/core/assert';
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';

const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;

export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined: this service's admins set the roles. */
  readonly roleClaim: string | undefined;
};

export type Departure = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly atMs: number;
};

export type Visitor = {
  /** Issuer and subject. */
  readonly subject: string;
  readonly email: string | undefined;
  /** Undefined: the provider does not state it. */
  readonly isEmailVerified: boolean | undefined;
  readonly name: string | undefined;
  /** Undefined: no claim is configured. Null: the claim has none of our roles. */
  readonly role: Role | null | undefined;
};

export type Oidc = ReturnType<typeof createOidc>;

export function createOidc(settings: OidcSettings, callbackUrl: () => string) {
  let discovered: Promise<Configuration> | undefined;
  /** Whether the provider rejected the way of authentication that it announces. */
  let isOtherWay = false;

  function discover(): Promise<Configuration> {
    discovered ??= load(settings, () => isOtherWay).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  }

  /** Tries both ways of authentication, since some providers announce a wrong one. */
  async function grant(url: URL, { state, nonce, codeVerifier }: Departure) {
    const client = await import('openid-client');
    const configuration = await discover();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
    const ask = () => client.authorizationCodeGrant(configuration, url, { ...checks, idTokenExpected: true });
    const isFirst = isOtherWay;
    return ask().catch((first: unknown) => {
      if (!isInvalidClient(first)) throw first;
      isOtherWay = !isFirst;
      return ask().catch((second: unknown) => {
        isOtherWay = isFirst;
        throw isInvalidClient(second) ? first : second;
      });
    });
  }

  return {
    name: new URL(settings.issuer).hostname,

    async depart(): Promise<{ readonly url: string; readonly departure: Departure }> {
      const client = await import('openid-client');
      const configuration = await discover();
      const departure = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
        atMs: Date.now(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl(),
        scope: SCOPE,
        state: departure.state,
        nonce: departure.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(departure.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, departure };
    },

    /** `query`: from the URL to which the provider redirected the browser. */
    async arrive(query: string, departure: Departure): Promise<Visitor> {
      const client = await import('openid-client');
      const configuration = await discover();
      const tokens = await grant(new URL(`${callbackUrl()}?${query}`), departure);
      const identity = must(tokens.claims(), 'the ID token');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore
        ? await client.fetchUserInfo(configuration, tokens.access_token, identity.sub)
        : {};
      return readClaims(identity, more, settings.roleClaim);
    },
  };
}

async function load(settings: OidcSettings, isOtherWay: () => boolean): Promise<Configuration> {
  const client = await import('openid-client');
  const { issuer, clientId, clientSecret } = settings;
  // Live mode requires https.
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  const basic = client.ClientSecretBasic(clientSecret);
  const post = client.ClientSecretPost(clientSecret);
  const authenticate: ClientAuth = (server, ...rest) =>
    (prefersBasic(server) === isOtherWay() ? post : basic)(server, ...rest);
  const discover = (from: string) =>
    client.discovery(new URL(from), clientId, clientSecret, authenticate, {
      // A proxy may terminate TLS, so signatures are verified.
      execute: [client.enableNonRepudiationChecks, ...insecure],
      timeout: TIMEOUT_SECONDS,
    });
  return discover(issuer).catch((error: unknown) => {
    const announced = announcedIssuer(error);
    if (announced === undefined) throw error;
    // Only a slash at the end may differ: providers write it one way, and people copy it the other way.
    if (withoutSlash(announced) === withoutSlash(issuer)) return discover(announced);
    throw new Error(`the provider names its issuer ${announced}, but KEYPORT_OIDC_ISSUER is ${issuer}`);
  });
}

/** By the standard, a provider that announces no way takes Basic. */
function prefersBasic({ token_endpoint_auth_methods_supported: ways }: ServerMetadata): boolean {
  return ways === undefined || ways.includes('client_secret_basic') || !ways.includes('client_secret_post');
}

function isInvalidClient(error: unknown): boolean {
  return error instanceof Error && 'error' in error && error.error === 'invalid_client';
}

/** Undefined unless the discovery failed because the issuer is not the expected one. */
function announcedIssuer(error: unknown): string | undefined {
  const { cause } = Object(error) as { cause?: { attribute?: unknown; body?: { issuer?: unknown } } };
  const announced = cause?.attribute === 'issuer' ? cause.body?.issuer : undefined;
  return typeof announced === 'string' ? announced : undefined;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

type Claims = Readonly<Record<string, unknown>>;

/** `more`: from the userinfo endpoint. */
function readClaims(identity: Claims, more: Claims, roleClaim: string | undefined): Visitor {
  const claims = { ...more, ...identity };
  const { iss, sub, name } = claims;
  // Both from one source, since the other may confirm a different address.
  const { email: given, email_verified: isVerified } = 'email' in identity ? identity : more;
  const email = typeof given === 'string' && given.includes('@') ? given : undefined;
  return {
    subject: `${iss} ${sub}`,
    email,
    // Some providers send a string.
    isEmailVerified: isVerified === undefined ? undefined : isVerified === true || isVerified === 'true',
    name: typeof name === 'string' && name.trim() !== '' ? name : undefined,
    role: roleClaim === undefined ? undefined : (roleIn(claims[roleClaim]) ?? null),
  };
}

/** The most powerful of several roles. */
function roleIn(claim: unknown): Role | undefined {
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return ROLES.findLast((role) => given.includes(role));
}
