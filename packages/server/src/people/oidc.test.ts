/** Providers that differ in what they announce and what they accept. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { test } from 'vitest';
import { type Owner, onEnd } from '../../test/support/database.ts';
import { createOidc } from './oidc.ts';

type Way = 'client_secret_basic' | 'client_secret_post';
const BASIC = 'client_secret_basic';
const POST = 'client_secret_post';
const CALLBACK = 'http://127.0.0.1/console/session/oidc/callback';
const SECRET = 'a+secret/of the provider&';

type ProviderOptions = {
  readonly path: string;
  /** In its metadata; by default the path. */
  readonly issuerPath?: string;
  readonly announced?: readonly Way[];
  readonly accepted?: readonly Way[];
  /** The issuer in the response to the browser; absent if undefined. */
  readonly returned?: string;
};

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' };
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function startProvider(
  owner: Owner,
  { path, issuerPath = path, announced, accepted = [BASIC, POST], returned }: ProviderOptions,
) {
  let origin = '';
  let nonce: string | null = null;
  const ways: Way[] = [];
  const root = path.replace(/\/$/, '');
  const toSecret = (authorization: string | undefined, form: URLSearchParams) => {
    if (authorization === undefined) return form.get('client_secret');
    const [, secret = ''] = Buffer.from(authorization.slice(6), 'base64').toString().split(':');
    return new URLSearchParams(`secret=${secret}`).get('secret');
  };
  const server = createServer(async (request, response) => {
    const reply = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    let body = '';
    for await (const chunk of request) body += chunk;
    const issuer = origin + issuerPath;
    const base = origin + root;
    if (request.url === `${root}/.well-known/openid-configuration`) {
      return reply(200, {
        ...{ issuer, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` },
        ...{
          jwks_uri: `${base}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
        },
        id_token_signing_alg_values_supported: ['RS256'],
        ...(announced === undefined ? {} : { token_endpoint_auth_methods_supported: announced }),
      });
    }
    if (request.url === `${root}/jwks`) return reply(200, { keys: [jwk] });
    if (request.url !== `${root}/token`) return reply(404, {});
    const form = new URLSearchParams(body);
    const way = request.headers.authorization === undefined ? POST : BASIC;
    ways.push(way);
    if (!accepted.includes(way) || toSecret(request.headers.authorization, form) !== SECRET)
      return reply(401, { error: 'invalid_client', error_description: `${way} is not allowed` });
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: 'keyport', sub: 'ada', nonce, iat: seconds, exp: seconds + 300 };
    const text = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64url');
    return reply(200, { access_token: 'a', token_type: 'Bearer', id_token: `${text}.${signature}` });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(owner, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the provider has no port');
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    ways,
    /** Signs in through a service with this issuer. */
    async signIn(oidc: ReturnType<typeof createOidc>) {
      const { url, departure } = await oidc.depart();
      nonce = new URL(url).searchParams.get('nonce');
      const iss = returned === undefined ? undefined : { iss: origin + returned };
      return oidc.arrive(
        String(new URLSearchParams({ code: randomUUID(), state: departure.state, ...iss })),
        departure,
      );
    },
  };
}

function oidcWith(issuer: string) {
  return createOidc(
    { issuer, clientId: 'keyport', clientSecret: SECRET, roleClaim: undefined },
    () => CALLBACK,
  );
}

const ISSUERS = [
  ['/application/o/keyport/', '/application/o/keyport/'],
  ['/application/o/keyport/', '/application/o/keyport'],
  ['/realms/shop', '/realms/shop'],
  ['/realms/shop', '/realms/shop/'],
  ['', ''],
  ['', '/'],
  ['/', ''],
  ['/', '/'],
] as const;

test.for(ISSUERS)(
  'a provider with the issuer path "%s" signs in if the setting has "%s"',
  async ([path, configured], t) => {
    const provider = await startProvider(t, { path, returned: path });
    const visitor = await provider.signIn(oidcWith(provider.origin + configured));
    equal(visitor.subject, `${provider.origin}${path} ada`);
  },
);

test('the error for another issuer has both texts', async (t) => {
  const { origin } = await startProvider(t, { path: '/realms/shop', issuerPath: '/realms/other' });
  await rejects(oidcWith(`${origin}/realms/shop`).depart(), {
    message: `the provider names its issuer ${origin}/realms/other, but KEYPORT_OIDC_ISSUER is ${origin}/realms/shop`,
  });
});

test('an issuer of another provider in the response to the browser is rejected', async (t) => {
  const provider = await startProvider(t, { path: '/a', returned: '/b' });
  await rejects(provider.signIn(oidcWith(`${provider.origin}/a`)));
  deepEqual(provider.ways, []);
});

const WAYS: readonly (readonly [string, Omit<ProviderOptions, 'path'>, readonly Way[]])[] = [
  ['announces Basic', { announced: [BASIC], accepted: [BASIC] }, [BASIC]],
  ['announces the body', { announced: [POST], accepted: [POST] }, [POST]],
  ['announces nothing and takes Basic', { accepted: [BASIC] }, [BASIC]],
  ['announces nothing and takes the body', { accepted: [POST] }, [BASIC, POST]],
  ['announces both and takes Basic', { announced: [POST, BASIC], accepted: [BASIC] }, [BASIC]],
  ['announces both and takes the body', { announced: [POST, BASIC], accepted: [POST] }, [BASIC, POST]],
  ['announces the body and takes Basic', { announced: [POST], accepted: [BASIC] }, [POST, BASIC]],
];

test.for(WAYS)(
  'a provider that %s signs in, and the way that works is remembered',
  async ([, options, tried], t) => {
    const provider = await startProvider(t, { path: '/x', ...options });
    const oidc = oidcWith(`${provider.origin}/x`);
    await provider.signIn(oidc);
    deepEqual(provider.ways, tried);
    await provider.signIn(oidc);
    deepEqual(provider.ways, [...tried, tried.at(-1)]);
  },
);

test('if a provider rejects both ways, the error is its response to the announced one', async (t) => {
  const provider = await startProvider(t, { path: '/x', announced: [BASIC], accepted: [] });
  const oidc = oidcWith(`${provider.origin}/x`);
  for (const _ of [1, 2]) {
    await rejects(provider.signIn(oidc), { error_description: 'client_secret_basic is not allowed' });
  }
  deepEqual(provider.ways, [BASIC, POST, BASIC, POST]);
});
