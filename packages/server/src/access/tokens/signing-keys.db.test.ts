import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { createLocalJWKSet } from 'jose/jwks/local';
import { jwtVerify } from 'jose/jwt/verify';
import { test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { testMasterKeys } from '../../../test/support/master-keys.ts';
import { UnwrapError } from '../../custody/envelope.ts';
import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Database } from '../../db/engines/database.ts';
import { sql } from '../../db/sql.ts';
import { issueAccessToken } from './access-token.ts';
import { createAuthenticator } from './authenticate.ts';
import { openSigningKeys } from './signing-keys.ts';

const ISSUER = 'https://keyport.example';
const OPERATOR = { role: 'operator', clientId: 'operator_1', operatorRole: 'admin' } as const;
const TTL_SECONDS = 3600;
const START_MS = Date.now();

test('nodes that start concurrently on an empty database, and later ones, sign with the same key', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const nodes = await Promise.all([1, 2, 3, 4].map(() => openNode(database, masterKeys)));
  const later = await openNode(database, masterKeys);
  equal(new Set([...nodes, later].map(({ keys }) => keys.current().kid)).size, 1);
  equal(later.keys.listPublicJwks().length, 1);
  await rejects(openNode(database, testMasterKeys()), UnwrapError);
});

test('a new key signs only after every node has read it', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const [one, other] = [await openNode(database, masterKeys), await openNode(database, masterKeys)];
  await other.keys.reload();
  const newKid = await one.keys.rotate();
  deepEqual(await other.authenticate(one.issueHeader()), OPERATOR);
  notEqual(one.keys.current().kid, newKid);
  equal(one.keys.listPublicJwks().length, 2);
  await age(database, 41);
  await one.keys.reload();
  equal(one.keys.current().kid, newKid);
  const youngest = await one.keys.rotate();
  for (const { kid } of one.keys.listPublicJwks()) if (kid !== youngest) await one.keys.retire(String(kid));
  equal(one.keys.current().kid, youngest);
  notEqual(youngest, newKid);
});

test('after a rotation new tokens are signed with the new key, old tokens still work, and every node has both keys', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const [one, other] = [await openNode(database, masterKeys), await openNode(database, masterKeys)];
  const oldHeader = one.issueHeader();
  const oldKid = one.keys.current().kid;
  const newKid = await one.keys.rotate();
  await age(database, 41);
  await one.keys.reload();
  equal(one.keys.current().kid, newKid);
  notEqual(newKid, oldKid);
  deepEqual(await one.authenticate(oldHeader), OPERATOR);
  // The other node reads the keys again because it does not know the id.
  other.nowMs += 1_000;
  deepEqual(await other.authenticate(one.issueHeader()), OPERATOR);
  equal(other.keys.current().kid, newKid);
  deepEqual(
    one.keys.listPublicJwks().map(({ kid }) => kid),
    [newKid, oldKid],
  );
});

test('a node rejects a manually removed key after it has read the keys again, even for cached tokens', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const [one, other] = [await openNode(database, masterKeys), await openNode(database, masterKeys)];
  const header = one.issueHeader();
  await one.authenticate(header);
  await other.authenticate(header);
  const removed = one.keys.current().kid;
  equal(await one.keys.retire(removed), true);
  equal(await one.keys.retire(removed), false);
  await rejects(one.authenticate(header), /valid access token/);
  await other.keys.reload();
  await rejects(other.authenticate(header), /valid access token/);
  deepEqual(await other.authenticate(one.issueHeader()), OPERATOR);
  ok(one.keys.listPublicJwks().every(({ kid }) => kid !== removed));
});

test('a superseded key is retired only when every token that it signed has expired', async (t) => {
  const database = await testDatabase(t);
  const node = await openNode(database, testMasterKeys());
  const oldKid = node.keys.current().kid;
  const newKid = await node.keys.rotate();
  await age(database, TTL_SECONDS + 30);
  await node.keys.reload();
  deepEqual(
    node.keys.listPublicJwks().map(({ kid }) => kid),
    [newKid, oldKid],
  );
  await age(database, 60);
  await node.keys.reload();
  deepEqual(
    node.keys.listPublicJwks().map(({ kid }) => kid),
    [newKid],
  );
});

test('the first node that reads a month-old key creates one successor', async (t) => {
  const database = await testDatabase(t);
  const masterKeys = testMasterKeys();
  const nodes = [await openNode(database, masterKeys), await openNode(database, masterKeys)];
  const [oldKid] = nodes.map(({ keys }) => keys.current().kid);
  const DAY_SECONDS = 86_400;
  await age(database, 29 * DAY_SECONDS);
  await Promise.all(nodes.map(({ keys }) => keys.reload()));
  deepEqual(new Set(nodes.map(({ keys }) => keys.current().kid)), new Set([oldKid]));
  await age(database, DAY_SECONDS);
  await Promise.all(nodes.map(({ keys }) => keys.reload()));
  equal(new Set(nodes.flatMap(({ keys }) => keys.listPublicJwks().map(({ kid }) => kid))).size, 2);
  await age(database, 41);
  await Promise.all(nodes.map(({ keys }) => keys.reload()));
  const newKids = new Set(nodes.map(({ keys }) => keys.current().kid));
  equal(newKids.size, 1);
  ok(!newKids.has(oldKid ?? ''));
  ok(nodes.every(({ keys }) => keys.listPublicJwks().length === 2));
});

test('unknown key ids cause at most one read of the keys per second', async (t) => {
  const database = await testDatabase(t);
  let connectCount = 0;
  const counted: Database = {
    ...database,
    connect: () => {
      connectCount += 1;
      return database.connect();
    },
  };
  const node = await openNode(counted, testMasterKeys());
  node.nowMs += 1_000;
  connectCount = 0;
  const found = await Promise.all(
    Array.from({ length: 50 }, (_, index) => node.keys.find(`made-up-${index}`)),
  );
  deepEqual(found, Array(50).fill(undefined));
  equal(connectCount, 1);
  equal(await node.keys.find('made-up'), undefined);
  equal(connectCount, 1);
});

test('the JWKS verifies tokens and contains no private key', async (t) => {
  const node = await openNode(await testDatabase(t), testMasterKeys());
  const jwks = { keys: node.keys.listPublicJwks() };
  for (const jwk of jwks.keys) {
    deepEqual(Object.keys(jwk).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  }
  const token = node.issueHeader().slice('Bearer '.length);
  const parsed: Parameters<typeof createLocalJWKSet>[0] = JSON.parse(JSON.stringify(jwks));
  const { payload } = await jwtVerify(token, createLocalJWKSet(parsed));
  equal(payload['client_id'], OPERATOR.clientId);
});

test('the keys stay unchanged while the database is unreachable', async (t) => {
  const database = await testDatabase(t);
  const away = { value: false };
  const failing: Database = {
    ...database,
    connect: () => (away.value ? Promise.reject(new Error('away')) : database.connect()),
  };
  const node = await openNode(failing, testMasterKeys());
  const header = node.issueHeader();
  await node.authenticate(header);
  away.value = true;
  await rejects(node.keys.reload(), /away/);
  deepEqual(await node.authenticate(header), OPERATOR);
  deepEqual(await node.authenticate(node.issueHeader()), OPERATOR);
});

async function age(database: Database, seconds: number): Promise<void> {
  await sql`UPDATE signing_key SET created_at = created_at - make_interval(secs => ${seconds})`.execute(
    database.db,
  );
}

async function openNode(database: Database, masterKeys: MasterKeys) {
  const clock = { nowMs: START_MS };
  const nowMs = () => clock.nowMs;
  const keys = await openSigningKeys({
    database,
    masterKeys,
    tokenTtlSeconds: TTL_SECONDS,
    nowMs,
  });
  const realm = { keys, issuer: () => ISSUER, nowMs };
  const client = {
    isActive: true,
    secretIds: ['secret'],
    operatorRole: 'admin' as const,
    isFollowed: true,
    ownLimits: undefined,
    isReadOnly: false,
    allowed: undefined,
    allowedAddresses: [],
    neededUntilMs: 0,
    appliedRead: 0,
  };
  const authenticator = createAuthenticator({ realm, clientStates: { need: async () => client } });
  return Object.assign(clock, {
    keys,
    authenticate: async (header: string) => {
      const { tokenIssuedAtMs, ...principal } = await authenticator.authenticate(header);
      ok(Number(tokenIssuedAtMs) >= START_MS - 1_000);
      return principal;
    },
    issueHeader: () =>
      `Bearer ${issueAccessToken(realm, { holder: OPERATOR, secretId: 'secret' }, TTL_SECONDS)}`,
  });
}
