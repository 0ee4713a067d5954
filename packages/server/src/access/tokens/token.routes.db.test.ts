import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { TokenError, TokenResponse } from '@keyport/contract/token';
import { HttpServer } from '@keyport/http/server/server';
import fc from 'fast-check';
import * as oauth4webapi from 'oauth4webapi';
import * as openidClient from 'openid-client';
import { pino } from 'pino';
import { Check } from 'typebox/value';
import { afterAll, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { testMasterKeys } from '../../../test/support/master-keys.ts';
import { wholeFile } from '../../../test/support/vitest.ts';
import { sql } from '../../db/sql.ts';
import { runTransaction } from '../../db/transaction.ts';
import { transientError } from '../../operations/transient-error.ts';
import { createClientStates } from '../clients/client-states.ts';
import { findClaimedClient } from '../clients/clients.sql.ts';
import { type ClientCredentials, createClients } from '../clients/clients.ts';
import { createFailureLimit } from '../clients/failure-limit.ts';
import { createAuthenticator } from './authenticate.ts';
import { openSigningKeys } from './signing-keys.ts';
import { createTokenErrorForm, TOKEN_PREFIX, tokenRoutes } from './token.routes.ts';

const TTL_SECONDS = 1800;
const FORM = 'application/x-www-form-urlencoded';
const GRANT = { grant_type: 'client_credentials' };

const database = await testDatabase(wholeFile);
const clients = createClients(createSecretKey(randomBytes(32)));
const masterKeys = testMasterKeys();
const accountId = randomUUID();
await sql`INSERT INTO account (id, name) VALUES (${accountId}, 'Account')`.execute(database.db);
const client = await runTransaction(database, {}, (tx) =>
  clients.create(tx, { role: 'reseller', accountId }, null),
);
const service = await startService();

async function requireAuthenticated(accessToken: unknown): Promise<void> {
  const { tokenIssuedAtMs, ...holder } = await service.authenticate(`Bearer ${accessToken}`);
  deepEqual(holder, { role: 'reseller', clientId: client.clientId, accountId });
  equal(tokenIssuedAtMs, Math.floor(service.clock.nowMs / 1000) * 1000);
}

test('a form, JSON and HTTP Basic each get a token that authenticates the client', async () => {
  const body = { ...GRANT, client_id: client.clientId, client_secret: client.clientSecret };
  const requests = [
    service.requestForm(body),
    service.request({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    service.requestForm(GRANT, { authorization: basic(client) }),
  ];
  for (const response of await Promise.all(requests)) {
    equal(response.status, 200);
    ok(Check(TokenResponse, response.json));
    equal(response.json.expires_in, TTL_SECONDS);
    equal(response.headers.get('cache-control'), 'no-store');
    equal(response.headers.get('pragma'), 'no-cache');
    match(response.headers.get('content-type') ?? '', /^application\/json/);
    await requireAuthenticated(response.json.access_token);
  }
});

test('a wrong secret and an unknown client get the same 401 with a Basic challenge', async () => {
  const wrong = { ...client, clientSecret: `kpsec_${'x'.repeat(43)}` };
  const unknown = { clientId: `reseller_${'x'.repeat(16)}`, clientSecret: client.clientSecret };
  const responses = await Promise.all(
    [wrong, unknown].flatMap((credentials) => [
      service.requestForm(GRANT, { authorization: basic(credentials) }),
      service.requestForm({
        ...GRANT,
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
      }),
    ]),
  );
  for (const response of responses) {
    equal(response.status, 401);
    equal(response.text, responses[0]?.text);
    match(response.headers.get('www-authenticate') ?? '', /^Basic realm=/);
    equal(response.headers.get('cache-control'), 'no-store');
    ok(Check(TokenError, response.json));
    equal(response.json.error, 'invalid_client');
  }
});

test('rejections follow RFC 6749, forbid caching and repeat no secret', async () => {
  const { clientId, clientSecret } = client;
  const whole = { ...GRANT, client_id: clientId, client_secret: clientSecret };
  const json = { 'content-type': 'application/json' };
  const rows = [
    [400, 'invalid_request', service.requestForm(whole, { authorization: basic(client) })],
    [400, 'invalid_request', service.requestForm(whole, {}, `?client_secret=${clientSecret}`)],
    [400, 'invalid_request', service.requestForm({}, {}, `?${new URLSearchParams(whole)}`)],
    [400, 'unsupported_grant_type', service.requestForm({ ...whole, grant_type: 'password' })],
    [400, 'invalid_request', service.request({ headers: json, body: '{"a":1,"a":2}' })],
    // Without a body, credentials in the URL are reported first.
    [
      400,
      'invalid_request',
      service.request({ headers: {}, body: '', query: `?${new URLSearchParams(whole)}` }),
    ],
    [401, 'invalid_client', service.requestForm(GRANT)],
    [413, 'invalid_request', service.requestForm({ ...whole, pad: 'x'.repeat(65_536) })],
    [415, 'invalid_request', service.request({ headers: { 'content-type': 'text/plain' }, body: 'x' })],
    [
      415,
      'invalid_request',
      service.request({ headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' }),
    ],
  ] as const;
  for (const [status, error, responding] of rows) {
    const response = await responding;
    deepEqual([response.status, response.json['error']], [status, error]);
    ok(Check(TokenError, response.json));
    equal(response.headers.get('cache-control'), 'no-store');
    ok(!response.text.includes(clientSecret));
  }
});

test('a source gets 429 after a hundred wrong secrets in a minute, and other sources still get tokens', async (t) => {
  const other = await startService();
  t.onTestFinished(() => other.close());
  const send = (source: string, credentials: ClientCredentials) =>
    other.requestFrom(source, basic(credentials));
  const wrong = { ...client, clientSecret: 'wrong-client-secret' };
  for (let count = 0; count < 100; count += 1) equal((await send('192.0.2.1', wrong)).status, 401);
  const refused = await send('192.0.2.1', wrong);
  equal(refused.status, 429);
  const waitSeconds = Number(refused.headers.get('retry-after'));
  ok(waitSeconds >= 1 && waitSeconds <= 60);
  ok(Check(TokenError, refused.json));
  equal((await send('192.0.2.2', client)).status, 200);
  other.clock.nowMs += 60_000;
  equal((await send('192.0.2.1', client)).status, 200);
});

test('only 100 of 300 concurrent wrong secrets are checked', async (t) => {
  const other = await startService();
  t.onTestFinished(() => other.close());
  const authorization = basic({ ...client, clientSecret: 'wrong-client-secret' });
  const guess = () => other.requestFrom('192.0.2.1', authorization);
  const answers = await Promise.all(Array.from({ length: 300 }, guess));
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  deepEqual([count(401), count(429)], [100, 200]);
});

test('one of 301 concurrent attempts of a source gets 503 with Retry-After, and the others get tokens', async (t) => {
  const whenSent = Promise.withResolvers<void>();
  const other = await startService({
    verifySecret: (...parts) => whenSent.promise.then(() => clients.verifySecret(...parts)),
  });
  t.onTestFinished(() => other.close());
  const send = () => other.requestFrom('192.0.2.1', basic(client));
  const sent = Array.from({ length: 301 }, send);
  const refused = await Promise.race(sent);
  deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
  ok(Check(TokenError, refused.json));
  equal(refused.json.error, 'temporarily_unavailable');
  whenSent.resolve();
  const answers = await Promise.all(sent);
  equal(answers.filter(({ status }) => status === 200).length, 300);
});

test('methods other than POST get 405 in the form of RFC 6749, which repeats no secret from the URL', async () => {
  const { clientId, clientSecret } = client;
  const query = new URLSearchParams({ ...GRANT, client_id: clientId, client_secret: clientSecret });
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const response = await fetch(`${service.url}/oauth/token?${query}`, { method });
    const text = await response.text();
    deepEqual([response.status, response.headers.get('allow')], [405, 'POST']);
    equal(response.headers.get('cache-control'), 'no-store');
    ok(Check(TokenError, JSON.parse(text)));
    match(text, /must not be in the URL/);
    ok(!text.includes(clientSecret));
  }
});

test('returns 503 with Retry-After, in the same form, while the database is unreachable', async (t) => {
  const away = await startService({
    verifySecret: () => Promise.reject(new Error('secret database detail')),
  });
  t.onTestFinished(() => away.close());
  const response = await away.requestForm(GRANT, { authorization: basic(client) });
  equal(response.status, 503);
  equal(response.headers.get('retry-after'), '1');
  ok(Check(TokenError, response.json));
  doesNotMatch(response.text, /secret database detail/);
});

test('a disabled client is rejected even if the clock was two hours ahead for a while', async (t) => {
  const stepped = await startService();
  t.onTestFinished(() => stepped.close());
  const client = await runTransaction(database, {}, (tx) =>
    clients.create(tx, { role: 'reseller', accountId }, null),
  );
  const { json } = await stepped.requestForm({
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  const header = `Bearer ${json['access_token']}`;
  await stepped.authenticate(header);
  stepped.clock.nowMs += 2 * 3_600_000;
  await stepped.readClientStates();
  stepped.clock.nowMs -= 2 * 3_600_000;
  await stepped.authenticate(header);
  await runTransaction(database, {}, (tx) => clients.disable(tx, client.clientId));
  await stepped.readClientStates();
  await rejects(async () => stepped.authenticate(header), { code: 'unauthorized' });
});

test('the metadata names existing endpoints', async () => {
  const metadata = await (await fetch(`${service.url}/.well-known/oauth-authorization-server`)).json();
  equal(metadata.issuer, service.url);
  equal(metadata.token_endpoint, `${service.url}/oauth/token`);
  deepEqual(metadata.response_types_supported, []);
  const jwks = await (await fetch(metadata.jwks_uri)).json();
  equal(jwks.keys.length, 1);
  equal(jwks.keys[0].alg, 'ES256');
  equal(jwks.keys[0].d, undefined);
});

test('oauth4webapi discovers the service and gets a token with Basic and with body credentials', async () => {
  const issuer = new URL(service.url);
  const insecure = { [oauth4webapi.allowInsecureRequests]: true };
  const discovered = await oauth4webapi.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  const server = await oauth4webapi.processDiscoveryResponse(issuer, discovered);
  for (const authentication of [oauth4webapi.ClientSecretBasic, oauth4webapi.ClientSecretPost]) {
    const response = await oauth4webapi.clientCredentialsGrantRequest(
      server,
      { client_id: client.clientId },
      authentication(client.clientSecret),
      new URLSearchParams(),
      insecure,
    );
    const token = await oauth4webapi.processClientCredentialsResponse(
      server,
      { client_id: client.clientId },
      response,
    );
    await requireAuthenticated(token.access_token);
    equal(token.refresh_token, undefined);
  }
});

test('openid-client discovers the service and gets a token with Basic and with body credentials', async () => {
  for (const authentication of [openidClient.ClientSecretBasic, openidClient.ClientSecretPost]) {
    const configuration = await openidClient.discovery(
      new URL(service.url),
      client.clientId,
      undefined,
      authentication(client.clientSecret),
      { algorithm: 'oauth2', execute: [openidClient.allowInsecureRequests] },
    );
    const token = await openidClient.clientCredentialsGrant(configuration);
    await requireAuthenticated(token.access_token);
    equal(token.expires_in, TTL_SECONDS);
  }
});

/** The library has no type declarations. */
const simpleOauth2: {
  ClientCredentials: new (
    options: object,
  ) => { getToken(parameters: object): Promise<{ token: Readonly<Record<string, unknown>> }> };
} = createRequire(import.meta.url)('simple-oauth2');

test('simple-oauth2 gets a token with Basic, a form and JSON', async () => {
  for (const options of [
    { authorizationMethod: 'header' },
    { authorizationMethod: 'body', bodyFormat: 'form' },
    { authorizationMethod: 'body', bodyFormat: 'json' },
  ]) {
    const { token } = await new simpleOauth2.ClientCredentials({
      client: { id: client.clientId, secret: client.clientSecret },
      auth: { tokenHost: service.url, tokenPath: '/oauth/token' },
      options,
    }).getToken({});
    await requireAuthenticated(token['access_token']);
  }
});

const SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
const SPELLED = 'reseller_spelled';
const formEncoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
const toBasic = (secret: string) => ({
  authorization: `Basic ${btoa(`${SPELLED}:${secret}`)}`,
  body: 'grant_type=client_credentials',
});
const toForm = (secret: string) => ({
  body: `grant_type=client_credentials&client_id=${SPELLED}&client_secret=${secret}`,
});

/** Curl, simple-oauth2 and most libraries send a secret in one of these forms. */
const SPELLINGS: readonly (readonly [
  string,
  (secret: string) => { readonly body: string; readonly authorization?: string },
])[] = [
  ['Basic, as it is', toBasic],
  ['Basic, form-encoded', (secret) => toBasic(formEncoded(secret))],
  ['Basic, percent-encoded', (secret) => toBasic(encodeURIComponent(secret))],
  ['Basic, encoded without the plus sign', (secret) => toBasic(encodeURI(secret))],
  // An & that is not encoded ends the value.
  ['a form, as it is', (secret) => toForm(secret.includes('&') ? formEncoded(secret) : secret)],
  ['a form, form-encoded', (secret) => toForm(formEncoded(secret))],
  ['a form, percent-encoded', (secret) => toForm(encodeURIComponent(secret))],
];

/** Changes one character; the result is no spelling of the secret. */
function spoil(secret: string, index: number): string {
  const at = index % secret.length;
  const spoiled = SAFE[(SAFE.indexOf(secret[at] ?? '') + 1) % SAFE.length];
  return secret.slice(0, at) + spoiled + secret.slice(at + 1);
}

test('any secret works however a client encodes it, and a wrong one never does', async (t) => {
  const other = await startService();
  t.onTestFinished(() => other.close());
  const give = (clientSecret: string) =>
    runTransaction(database, {}, (tx) => {
      const given = { clientId: SPELLED, clientSecret, name: null, isSecretNeeded: true };
      return clients.ensure(tx, { role: 'reseller', accountId }, given);
    });
  const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const secrets = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    fc.string({ unit: printable, minLength: 32, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('%', '+', '2', 'B', '&', '=', ':'), minLength: 32, maxLength: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(secrets, fc.nat(), async (secret, index) => {
      await give(secret);
      // Wrong secrets are limited by the minute.
      other.clock.nowMs += 60_000;
      for (const [name, send] of SPELLINGS) {
        const toStatus = async ({ body, ...headers }: ReturnType<typeof send>) =>
          (await other.request({ headers: { 'content-type': FORM, ...headers }, body })).status;
        equal(await toStatus(send(secret)), 200, name);
        equal(await toStatus(send(spoil(secret, index))), 401, name);
      }
    }),
    { numRuns: 20 },
  );
});

test('the 401 names form encoding if an & may have cut the secret in a form', async () => {
  const respond = async (body: string) =>
    (await service.request({ headers: { 'content-type': FORM }, body })).json['error_description'];
  match(String(await respond(toForm('wrong&secret').body)), /must be form-encoded/);
  doesNotMatch(String(await respond(toForm('wrongsecret').body)), /encoded/);
});

async function startService({ verifySecret = clients.verifySecret } = {}) {
  const clock = { nowMs: Date.now() };
  const nowMs = () => clock.nowMs;
  const keys = await openSigningKeys({
    database,
    masterKeys,
    tokenTtlSeconds: TTL_SECONDS,
    nowMs,
  });
  let url = '';
  const log = pino({ level: 'silent' });
  const server = new HttpServer({ publicUrl: () => url, logger: log, transientError });
  const realm = { keys, issuer: () => url, nowMs };
  const routes = tokenRoutes({
    clients: { verifySecret },
    find: (clientId) => findClaimedClient(database.db, clientId),
    realm,
    keys,
    failures: createFailureLimit(nowMs, () => 1),
    toAddress: ({ headers }) => String(headers['x-source'] ?? '127.0.0.1'),
    tokenTtlSeconds: TTL_SECONDS,
  });
  server.add(routes);
  server.setErrorForm(TOKEN_PREFIX, createTokenErrorForm(log));
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${port}`;
  const clientStates = createClientStates({ database, nowMs, onError: () => {} });
  const { authenticate } = createAuthenticator({ realm, clientStates });

  async function request(sent: { headers: Record<string, string>; body: string; query?: string }) {
    const { headers, body, query = '' } = sent;
    const response = await fetch(`${url}/oauth/token${query}`, { method: 'POST', headers, body });
    const text = await response.text();
    const json: Readonly<Record<string, unknown>> = JSON.parse(text);
    return { status: response.status, headers: response.headers, text, json };
  }

  return {
    url,
    clock,
    authenticate,
    readClientStates: clientStates.tick,
    request,
    requestForm: (body: Record<string, string>, headers: Record<string, string> = {}, query = '') =>
      request({
        headers: { 'content-type': FORM, ...headers },
        body: new URLSearchParams(body).toString(),
        query,
      }),
    requestFrom: (source: string, authorization: string) =>
      request({
        headers: { 'content-type': FORM, 'x-source': source, authorization },
        body: new URLSearchParams(GRANT).toString(),
      }),
    close: () => server.close(),
  };
}

function basic({ clientId, clientSecret }: ClientCredentials): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
}

afterAll(() => service.close());
