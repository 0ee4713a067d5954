/** Single sign-on by OpenID Connect: authorization code with PKCE, state and nonce, by openid-client, which is loaded when it is used. */
import { ROLES, type Role } from '@keyport/contract/roles';
import { must } from '@keyport/core/assert';
import type { Configuration } from 'openid-client';

const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;

export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Which claim has the role; undefined: roles are given here. */
  readonly roleClaim: string | undefined;
};

/** The browser keeps it, sealed, until it comes back. */
export type Departure = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };

/** A person that the provider vouches for. */
export type Visitor = {
  /** Issuer and subject. */
  readonly subject: string;
  readonly email: string | undefined;
  /** Undefined: the provider does not say. */
  readonly isEmailVerified: boolean | undefined;
  readonly name: string | undefined;
  /** Undefined: no claim is configured. Null: the claim has none of ours. */
  readonly role: Role | null | undefined;
};

export type Oidc = ReturnType<typeof createOidc>;

export function createOidc(settings: OidcSettings, callbackUrl: () => string) {
  let discovered: Promise<Configuration> | undefined;

  /** Loaded once, and again after a failure. */
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

    /** `query`: what the provider has sent the browser back with. Throws when anything about it is wrong. */
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
  // For a provider in the sandbox; live mode accepts https only.
  const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  return client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    // The signature of the ID token is checked although it comes over TLS: a proxy may end that.
    execute: [client.enableNonRepudiationChecks, ...insecure],
    timeout: TIMEOUT_SECONDS,
  });
}

type Claims = Readonly<Record<string, unknown>>;

/** `identity`: of the ID token. `more`: of the userinfo endpoint. */
function readClaims(identity: Claims, more: Claims, roleClaim: string | undefined): Visitor {
  const claims = { ...more, ...identity };
  const { iss, sub, name } = claims;
  // Both members from one source: one source may confirm another address than the other names.
  const { email: given, email_verified: isVerified } = 'email' in identity ? identity : more;
  const email = typeof given === 'string' && given.includes('@') ? given : undefined;
  return {
    subject: `${iss} ${sub}`,
    email,
    // Some providers send it as a text.
    isEmailVerified: isVerified === undefined ? undefined : isVerified === true || isVerified === 'true',
    name: typeof name === 'string' && name.trim() !== '' ? name : undefined,
    role: roleClaim === undefined ? undefined : (roleIn(claims[roleClaim]) ?? null),
  };
}

/** A text or a list; of several roles the one that may most. */
function roleIn(claim: unknown): Role | undefined {
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return ROLES.findLast((role) => given.includes(role));
}
