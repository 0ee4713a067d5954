import { deepEqual, equal, notEqual, ok, rejects, throws } from 'node:assert/strict';
import { createPublicKey, createSecretKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { ApiError } from '@keyport/http/replies/api-error';
import type { TokenHolder } from '@keyport/http/server/principal';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { test } from 'vitest';
import type { ClientState } from '../clients/client-states.ts';
import { issueAccessToken } from './access-token.ts';
import { createAuthenticator } from './authenticate.ts';
import type { SigningKey } from './signing-keys.ts';

const ISSUER = 'https://keyport.example';
const TTL_SECONDS = 3600;
const START_MS = 1_795_000_000_000;
const START_SECONDS = START_MS / 1000;
const SECRET_ID = 'aSecretsName';
const ISSUED = { tokenIssuedAtMs: START_MS } as const;
const RESELLER = { role: 'reseller', clientId: 'reseller_1', accountId: randomUUID(), ...ISSUED } as const;
const OPERATOR = { role: 'operator', clientId: 'operator_1', operatorRole: 'support', ...ISSUED } as const;

test('a token authenticates its client until the second in which it expires', async () => {
  for (const principal of [RESELLER, OPERATOR]) {
    const service = createService();
    const token = service.issue(principal);
    deepEqual(await service.authenticate(`Bearer ${token}`), principal);
    service.nowMs = START_MS + TTL_SECONDS * 1000 - 1;
    deepEqual(await service.authenticate(`Bearer ${token}`), principal);
    service.nowMs += 1;
    await refuses(service, `Bearer ${token}`);
    await refuses(service, `Bearer ${token}`);
    equal(service.authenticator.cachedCount(), 0);
  }
});

test('a token has the form of RFC 9068', async () => {
  const service = createService();
  const claims = decodeJwt(service.issue(RESELLER));
  const { jti, ...others } = claims;
  ok(typeof jti === 'string' && jti.length >= 16);
  deepEqual(others, {
    iss: ISSUER,
    aud: ISSUER,
    sub: RESELLER.clientId,
    client_id: RESELLER.clientId,
    role: 'reseller',
    secret_id: SECRET_ID,
    account_id: RESELLER.accountId,
    iat: START_SECONDS,
    exp: START_SECONDS + TTL_SECONDS,
  });
  notEqual(decodeJwt(service.issue(RESELLER)).jti, jti);
});

test('a cached token authenticates synchronously', async () => {
  const service = createService();
  const header = `Bearer ${service.issue(RESELLER)}`;
  ok(service.authenticate(header) instanceof Promise);
  await service.authenticate(header);
  deepEqual(service.authenticate(header), RESELLER);
  deepEqual(service.authenticate([header]), RESELLER);
});

test('a token is cached once for all spellings of its header, and only in its canonical form', async () => {
  const service = createService();
  const token = service.issue(RESELLER);
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ']) {
    deepEqual(await service.authenticate(scheme + token), RESELLER);
    deepEqual(service.authenticator.known(`Bearer ${token}`), RESELLER);
  }
  equal(service.authenticator.cachedCount(), 1);
  // The last character of a signature of 64 bytes has four unused bits.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1) ?? '');
  for (let spare = 1; spare < 16; spare += 1) {
    const loose = token.slice(0, -1) + alphabet[last ^ spare];
    deepEqual(
      Buffer.from(loose.split('.')[2] ?? '', 'base64url'),
      Buffer.from(token.split('.')[2] ?? '', 'base64url'),
    );
    await refuses(service, `Bearer ${loose}`);
  }
  equal(service.authenticator.cachedCount(), 1);
});

test('rejects any header that is not exactly one bearer token', async () => {
  const service = createService();
  const token = service.issue(RESELLER);
  const good = `Bearer ${token}`;
  deepEqual(await service.authenticate(`bearer ${token}`), RESELLER);
  for (const header of [
    undefined,
    [],
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token},`,
    `${good}, ${good}`,
    `Bearer "${token}"`,
    `Bearer ${'x'.repeat(100_000)}.y.z`,
    [good, good],
    [good, 'Bearer x'],
  ]) {
    await refuses(service, header);
  }
});

test('a token with an algorithm other than ES256 is rejected', async () => {
  const service = createService();
  const token = service.issue(RESELLER);
  const [, payload = '', signature = ''] = token.split('.');
  const { kid } = service.key;
  for (const alg of ['none', 'None', 'nOnE', 'NONE']) {
    for (const end of ['', signature]) {
      await refuses(service, `Bearer ${encode({ alg, typ: 'at+jwt', kid })}.${payload}.${end}`);
    }
  }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await refuses(service, `Bearer ${await service.sign({ header: { alg: 'RS256' }, key: rsa.privateKey })}`);
});

test('a token signed with HS256 and our public key as the secret is rejected', async () => {
  const service = createService();
  const pem = service.key.publicKey.export({ format: 'pem', type: 'spki' });
  const der = service.key.publicKey.export({ format: 'der', type: 'spki' });
  const jwk = JSON.stringify(service.key.publicJwk);
  for (const secret of [pem, der, jwk]) {
    const key = createSecretKey(Buffer.from(secret));
    await refuses(service, `Bearer ${await service.sign({ header: { alg: 'HS256' }, key })}`);
  }
});

test('a token whose header contains or names its own key is rejected', async () => {
  const service = createService();
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = own.publicKey.export({ format: 'jwk' });
  for (const header of [
    { jwk },
    { jku: 'https://attacker.example/jwks.json' },
    { kid: '../../etc/passwd' },
  ]) {
    await refuses(service, `Bearer ${await service.sign({ header, key: own.privateKey })}`);
  }
});

test('any flipped bit of a signature, and any changed claim, is detected', async () => {
  const service = createService();
  const token = service.issue(RESELLER);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 5) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    await refuses(service, `Bearer ${header}.${payload}.${changed.toString('base64url')}`);
  }
  const claims = { ...decodeJwt(token), role: 'operator' };
  await refuses(service, `Bearer ${header}.${encode(claims)}.${signature}`);
});

test('a token whose key cannot be looked up gets 503, not 401', async () => {
  const service = createService();
  service.isDatabaseUnreachable = true;
  const header = `Bearer ${await service.sign({ header: { kid: 'made-by-another-node' } })}`;
  await rejects(
    async () => service.authenticate(header),
    (error) => error instanceof ApiError && error.code === 'service-unavailable',
  );
  service.isDatabaseUnreachable = false;
  await refuses(service, header);
});

/** Signed with our own key, so only these members can cause the rejection. */
const WRONG: readonly { name: string; header?: object; claims?: Record<string, unknown> }[] = [
  { name: 'an expiry a second ago', claims: { exp: START_SECONDS - 1 } },
  { name: 'an expiry in the current second', claims: { exp: START_SECONDS } },
  { name: 'a validity that starts in the next second', claims: { nbf: START_SECONDS + 1 } },
  { name: 'an issue time in the future', claims: { iat: START_SECONDS + 6 } },
  { name: 'another issuer', claims: { iss: 'https://sandbox.keyport.example' } },
  { name: 'an issuer with a slash', claims: { iss: `${ISSUER}/` } },
  { name: 'another audience', claims: { aud: 'https://sandbox.keyport.example' } },
  { name: 'a subject that is not the client', claims: { sub: 'reseller_2' } },
  { name: 'the type of an identity token', header: { typ: 'JWT' } },
  { name: 'no type', header: { typ: undefined } },
  { name: 'no key id', header: { kid: undefined } },
  { name: 'an unknown key id', header: { kid: 'unknown' } },
  { name: 'a critical extension', header: { crit: ['exp'], exp: 1 } },
  { name: 'an unknown role', claims: { role: 'admin' } },
  { name: 'a reseller without an account', claims: { account_id: undefined } },
  { name: 'an account that is not text', claims: { account_id: 5 } },
  { name: 'a numeric jti', claims: { jti: 5 } },
  { name: 'an expiry that is text', claims: { exp: String(START_SECONDS + 60) } },
  ...['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti', 'role', 'secret_id'].map((claim) => ({
    name: `no ${claim}`,
    claims: { [claim]: undefined },
  })),
];

for (const { name, header, claims } of WRONG) {
  test(`a token with ${name} is rejected`, async () => {
    const service = createService();
    deepEqual(await service.authenticate(`Bearer ${await service.sign({})}`), RESELLER);
    await refuses(service, `Bearer ${await service.sign({ header: header ?? {}, claims: claims ?? {} })}`);
  });
}

test('a token issued by a node whose clock is five seconds ahead is accepted', async () => {
  const service = createService();
  const token = await service.sign({ claims: { iat: START_SECONDS + 5, exp: START_SECONDS + 60 } });
  const tokenIssuedAtMs = START_MS + 5000;
  deepEqual(await service.authenticate(`Bearer ${token}`), { ...RESELLER, tokenIssuedAtMs });
});

test('a token of another installation is rejected, even if both share their keys', async () => {
  const sandbox = createService({ issuer: 'https://sandbox.keyport.example' });
  const production = createService({ key: sandbox.key });
  await refuses(production, `Bearer ${sandbox.issue(RESELLER)}`);
  await refuses(sandbox, `Bearer ${production.issue(RESELLER)}`);
});

test('a cached token is rejected as soon as its key is retired, its secret has ended or its client is inactive', async () => {
  for (const end of [
    (service: Service) => {
      service.client.secretIds = ['another'];
    },
    (service: Service) => {
      service.key.isRetired = true;
    },
    (service: Service) => {
      service.client.isActive = false;
    },
  ]) {
    const service = createService();
    const header = `Bearer ${service.issue(RESELLER)}`;
    await service.authenticate(header);
    end(service);
    throws(() => service.authenticate(header), unauthorized);
  }
});

test('the token of an inactive client is rejected and not cached', async () => {
  const service = createService();
  service.client.isActive = false;
  await refuses(service, `Bearer ${service.issue(RESELLER)}`);
  equal(service.authenticator.cachedCount(), 0);
});

test('while the database is unreachable, cached tokens work and new ones get 503', async () => {
  const service = createService();
  const header = `Bearer ${service.issue(RESELLER)}`;
  await service.authenticate(header);
  service.isDatabaseUnreachable = true;
  deepEqual(service.authenticate(header), RESELLER);
  const fresh = `Bearer ${service.issue(RESELLER)}`;
  await rejects(
    async () => service.authenticate(fresh),
    (error: unknown) => error instanceof ApiError && error.code === 'service-unavailable',
  );
});

test('the cache is bounded and contains no rejected tokens, and evicted tokens still work', async () => {
  const service = createService({ cacheSizeMax: 3 });
  const headers = Array.from({ length: 5 }, () => `Bearer ${service.issue(RESELLER)}`);
  for (const header of headers) {
    await service.authenticate(header);
    await refuses(service, `${header}x`);
  }
  equal(service.authenticator.cachedCount(), 3);
  for (const header of headers) deepEqual(await service.authenticate(header), RESELLER);
  equal(service.authenticator.cachedCount(), 3);
});

test('a client with more tokens than its share evicts only its own', async () => {
  const service = createService({ cacheSizeMax: 10, clientTokensMax: 3 });
  const other = `Bearer ${service.issue(OPERATOR)}`;
  await service.authenticate(other);
  const headers = Array.from({ length: 20 }, () => `Bearer ${service.issue(RESELLER)}`);
  for (const header of headers) await service.authenticate(header);
  equal(service.authenticator.cachedCount(), 4);
  deepEqual(service.authenticator.known(other), OPERATOR);
  deepEqual(
    headers.map((header) => service.authenticator.known(header) !== undefined),
    headers.map((_, index) => index >= 17),
  );
});

test('a token that is verified twice concurrently is cached once', async () => {
  const service = createService({ cacheSizeMax: 2 });
  const [first, second] = Array.from({ length: 2 }, () => `Bearer ${service.issue(RESELLER)}`);
  await service.authenticate(first);
  await Promise.all([service.authenticate(second), service.authenticate(second)]);
  equal(service.authenticator.cachedCount(), 2);
});

test('every rejection has the same response', async () => {
  const service = createService();
  const headers = [undefined, 'Bearer x.y.z', `Bearer ${await service.sign({ claims: { iss: 'x' } })}`];
  const messages = await Promise.all(
    headers.map(async (header) => {
      try {
        return await service.authenticate(header);
      } catch (error) {
        return error instanceof ApiError ? error.message : error;
      }
    }),
  );
  deepEqual(messages, Array(3).fill(new ApiError('unauthorized').message));
});

type Service = ReturnType<typeof createService>;

type Options = { issuer?: string; key?: SigningKey; cacheSizeMax?: number; clientTokensMax?: number };

function createService({ issuer = ISSUER, key = createKey(), ...sizes }: Options = {}) {
  const client: ClientState = {
    isActive: true,
    secretIds: [SECRET_ID],
    operatorRole: OPERATOR.operatorRole,
    isFollowed: true,
    ownLimits: undefined,
    isReadOnly: false,
    allowed: undefined,
    allowedAddresses: [],
    neededUntilMs: 0,
    appliedRead: 0,
  };
  const realm = {
    keys: {
      current: () => key,
      find(kid: string) {
        if (kid === key.kid) return key;
        if (!service.isDatabaseUnreachable) return undefined;
        return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
      },
    },
    issuer: () => issuer,
    nowMs: () => service.nowMs,
  };
  const authenticator = createAuthenticator({
    realm,
    clientStates: {
      need: async () => {
        if (service.isDatabaseUnreachable) throw new Error('the database is unreachable');
        return client;
      },
    },
    ...sizes,
  });
  const service = {
    nowMs: START_MS,
    isDatabaseUnreachable: false,
    key,
    client,
    authenticator,
    authenticate: authenticator.authenticate,
    issue: (holder: TokenHolder) => issueAccessToken(realm, { holder, secretId: SECRET_ID }, TTL_SECONDS),
    /** A token like ours except for these members; undefined omits a member. */
    sign(token: {
      header?: object;
      claims?: Record<string, unknown>;
      key?: SigningKey['privateKey'];
    }): Promise<string> {
      const claims = {
        iss: issuer,
        aud: issuer,
        sub: RESELLER.clientId,
        client_id: RESELLER.clientId,
        role: RESELLER.role,
        secret_id: SECRET_ID,
        account_id: RESELLER.accountId,
        jti: randomUUID(),
        iat: START_SECONDS,
        exp: START_SECONDS + TTL_SECONDS,
        ...token.claims,
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...token.header })
        .sign(token.key ?? key.privateKey, { crit: { exp: true } });
    },
  };
  return service;
}

function createKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = createPublicKey(privateKey);
  const publicJwk = { ...publicKey.export({ format: 'jwk' }) };
  return { kid: randomUUID(), privateKey, publicKey, publicJwk, isRetired: false };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function refuses(service: Service, header: string | readonly string[] | undefined): Promise<void> {
  await rejects(
    async () => service.authenticate(header),
    unauthorized,
    JSON.stringify(header)?.slice(0, 200),
  );
}

function unauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthorized';
}
