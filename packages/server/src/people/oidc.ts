/** Single sign-on with an authorization code, PKCE, state and nonce. */
import { ROLES, type Role } from '@keyport/contract/roles';
import { must } from '@keyport/core/assert';
import type { Configuration } from 'openid-client';

const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;

export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined: this service's admins set the roles. */
  readonly roleClaim: string | undefined;
};

export type Departure = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };

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

  function discover(): Promise<Configuration> {
    discovered ??= load(settings).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
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
    async arrive(query: string, { state, nonce, codeVerifier }: Departure): Promise<Visitor> {
      const client = await import('openid-client');
      const configuration = await discover();
      const tokens = await client.authorizationCodeGrant(
        configuration,
        new URL(`${callbackUrl()}?${query}`),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true },
      );
      const identity = must(tokens.claims(), 'the ID token');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore
        ? await client.fetchUserInfo(configuration, tokens.access_token, identity.sub)
        : {};
      return readClaims(identity, more, settings.roleClaim);
    },
  };
}

async function load({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await import('openid-client');
  // Live mode requires https.
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  return client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    // A proxy may terminate TLS, so signatures are verified.
    execute: [client.enableNonRepudiationChecks, ...insecure],
    timeout: TIMEOUT_SECONDS,
  });
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
