/**
 * The master key is changed while two nodes take orders, deliver keys and add keys; the command is killed at
 * several points and restarted. No request fails, and in the end the old key opens nothing.
 */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '@keyport/core/assert';
import { NAME_OF, wrap } from '@keyport/server/custody/envelope';
import { readMasterKeys } from '@keyport/server/custody/master-key-file';
import { test } from 'vitest';
import {
  connectTo,
  type Owner,
  onEnd,
  testDatabaseSettings,
  testEngine,
} from '../../server/test/support/database.ts';
import { skipBecause } from '../../server/test/support/vitest.ts';

import { type RequestOptions, sendRequest } from './support/http.ts';
import { runKeyport, type Serving, spawnKeyport, startServing } from './support/keyport.ts';

const OPERATOR = { KEYPORT_OPERATOR_ID: 'test-operator', KEYPORT_OPERATOR_SECRET: 'test-operator-secret' };
const SELLER_ID = '11111111-1111-4111-8111-111111111111';
const OFFER_ID = '22222222-2222-4222-8222-222222222222';
const PRODUCT_ID = '50000000000017';

/** Enough for several transactions. */
const DATA_KEY_COUNT = 450;
const CLIENTS_PER_NODE = 3;

test('two nodes under load lose no request while the master key is changed and the change is killed three times', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'two nodes need a PostgreSQL server');
  const folder = await folderFor(t);
  const { url: databaseUrl = '' } = await testDatabaseSettings(t);
  const sql = await connectTo(t, databaseUrl);
  const [fileA, fileB] = [join(folder, 'a.key'), join(folder, 'b.key')];
  await writeFile(fileA, randomBytes(32).toString('base64'), { mode: 0o600 });
  await copyFile(fileA, fileB);
  const toSettings = (file: string, port = '0') => ({
    ...OPERATOR,
    KEYPORT_PORT: port,
    KEYPORT_DATABASE_URL: databaseUrl,
    KEYPORT_DATA_DIR: folder,
    KEYPORT_MASTER_KEY_FILE: file,
    KEYPORT_DEMO: 'false',
    KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '0',
    KEYPORT_PUBLIC_URL: 'https://export.example',
  });
  const nodeA = await serve(t, toSettings(fileA));
  const nodeB = await serve(t, toSettings(fileB));
  const command = (...args: string[]) => runKeyport(args, { settings: toSettings(fileA) });
  const [old] = await readMasterKeys(fileA);
  ok(old !== undefined);
  await insertDataKeys(sql, old);

  const shop = await openShop(nodeA);
  const load = startLoad(shop, [nodeA, nodeB]);
  onEnd(t, load.stop);
  await load.responses(20);
  const before = must(load.orders.at(0), 'an order');

  match((await command('master-key', 'add')).stdout, /is added to/);
  const [, fresh] = await readMasterKeys(fileA);
  ok(fresh !== undefined);
  const early = await command('master-key', 'rotate', '--wait', '0');
  equal(early.code, 1);
  match(early.stderr, /running node\(s\) do not hold the master key [0-9a-f]{16} yet.*Nothing was changed/);
  await copyFile(fileA, fileB);

  const total = await countUnder(sql, old.id);
  for (const lock of [
    // The locks stop it before the change-over, in the first transaction, and in a later one.
    'SELECT FROM installation FOR UPDATE',
    `SELECT FROM service_secret WHERE name = 'code-mac' FOR UPDATE`,
    'SELECT FROM data_key ORDER BY id OFFSET 250 LIMIT 1 FOR UPDATE',
  ]) {
    await killWhileItWaits({ owner: t, sql, databaseUrl, lock, settings: toSettings(fileA) });
    await load.responses(20);
  }
  const left = await countUnder(sql, old.id);
  ok(left > 0 && left < total, `${left} of ${total} were left at the last kill`);

  const rotation = await command('master-key', 'rotate', '--json');
  equal(rotation.code, 0, rotation.stderr);
  equal(JSON.parse(rotation.stdout).masterKeyId, fresh.id);
  equal(await countUnder(sql, old.id), 0);
  await load.responses(20);

  equal((await command('master-key', 'remove', fresh.id)).code, 1);
  equal((await command('master-key', 'remove', old.id)).code, 0);
  await copyFile(fileA, fileB);
  await load.responses(20);
  await load.stop();
  deepEqual(load.failures, []);

  // Nodes that never held the old key can do everything that the earlier nodes did.
  equal(await nodeA.stop('SIGTERM'), 0);
  equal(await nodeB.stop('SIGKILL'), null);
  const later = await serve(t, toSettings(fileA));
  const codes = await readCodes(later, shop.token, before.id);
  deepEqual(codes, before.codes, 'an old token, an old order, an old data key');
  const replay = await order(later, shop.token, before.key);
  deepEqual([replay.status, replay.body.data.id], [200, before.id]);
  notEqual(await toToken(later, shop.client), '');
  const again = await call(later, 'POST', `/admin/v1/offers/${OFFER_ID}/keys`, {
    token: await operatorToken(later),
    body: { keys: before.codes.map((code) => ({ code })) },
  });
  deepEqual(again.body.data, { added: 0, duplicates: before.codes.length, trimmed: 0 });
  const { keys } = JSON.parse((await command('master-key', 'list', '--json')).stdout);
  const listed = keys.map(({ id, wrapped }: { id: string; wrapped: number }) => [id, wrapped > 0]);
  // The killed node counts as a holder of the old key for half a minute, which may be over.
  const gone = listed.length === 1 ? [] : [[old.id, false]];
  deepEqual(listed, [[fresh.id, true], ...gone]);
  const verify = await command('verify');
  equal(verify.code, 0, verify.stdout);

  await writeFile(fileB, old.key.export().toString('base64'));
  const refused = await runKeyport(['serve'], { settings: toSettings(fileB) });
  equal(refused.code, 1);
  match(refused.stderr, /the master key does not open this database/);
});

test('the master key of a stopped sandbox is changed, and the sandbox starts with the new one alone', async (t) => {
  skipBecause(
    t,
    testEngine === 'postgres' && 'a sandbox that has its database to itself is the embedded one',
  );
  const folder = await folderFor(t);
  const settings = { ...OPERATOR, KEYPORT_PORT: '0', KEYPORT_DATA_DIR: folder, KEYPORT_DEMO: 'false' };
  const first = await serve(t, settings);
  const shop = await openShop(first);
  const placed = await order(first, shop.token, randomUUID());
  equal(placed.status, 201);
  const codes = await readCodes(first, shop.token, placed.body.data.id);
  const running = await runKeyport(['master-key', 'rotate'], { settings });
  equal(running.code, 1);
  match(running.stderr, /is in use/);
  equal(await first.stop('SIGTERM'), 0);
  const [old] = await readMasterKeys(join(folder, 'master.key'));
  for (const args of [['add'], ['rotate'], ['remove', old?.id ?? '']]) {
    const { code, stderr } = await runKeyport(['master-key', ...args], { settings });
    equal(code, 0, stderr);
  }
  equal((await readFile(join(folder, 'master.key'), 'utf8')).trim().split('\n').length, 1);
  const second = await serve(t, settings);
  deepEqual(await readCodes(second, await toToken(second, shop.client), placed.body.data.id), codes);
});

/** Starts the rotation while `lock` is held, and kills it when it waits for the lock. */
async function killWhileItWaits(parts: {
  readonly owner: Owner;
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly lock: string;
  readonly settings: Readonly<Record<string, string>>;
}): Promise<void> {
  const holder = await connectTo(parts.owner, parts.databaseUrl);
  try {
    await holder.query('BEGIN');
    await holder.query(parts.lock);
    const { rows: own } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const child = spawnKeyport(['master-key', 'rotate'], parts.settings);
    const exited = once(child, 'exit');
    await waitUntil(async () => {
      equal(child.exitCode, null, 'the rotation waits for the lock');
      const { rows } = await parts.sql.query(
        `SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))
           AND (query LIKE '%private_wrapped%' OR query LIKE '%NO KEY UPDATE%' OR query LIKE '%installation FOR UPDATE%')`,
        [own[0]?.pid],
      );
      return rows.length > 0;
    });
    child.kill('SIGKILL');
    await exited;
    equal(child.signalCode, 'SIGKILL');
  } finally {
    await holder.query('ROLLBACK');
  }
}

type Sql = Awaited<ReturnType<typeof connectTo>>;

type Order = { readonly id: string; readonly key: string; readonly codes: string[] };

/** Clients of both nodes order and read their keys, and one client adds keys, until they are stopped. */
function startLoad(shop: Awaited<ReturnType<typeof openShop>>, nodes: readonly Serving[]) {
  const failures: string[] = [];
  const orders: Order[] = [];
  let responseCount = 0;
  let isStopping = false;
  const loop = async (work: () => Promise<void>) => {
    while (!isStopping && failures.length === 0) {
      await work().catch((error: unknown) => void failures.push(String(error)));
    }
  };
  const buy = async (node: Serving) => {
    const key = randomUUID();
    const { status, body } = await order(node, shop.token, key);
    equal(status, 201, JSON.stringify(body));
    // The node that did not sell the order opens its keys, too.
    const codes = await readCodes(
      must(nodes[orders.length % nodes.length], 'a node'),
      shop.token,
      body.data.id,
    );
    match(codes[0] ?? '', /^CODE-/);
    orders.push({ id: body.data.id, key, codes });
    responseCount += 1;
  };
  const stock = async (node: Serving) => {
    const { status, body } = await addKeys(node, 20);
    equal(status, 201, JSON.stringify(body));
  };
  const loops = nodes.flatMap((node) => [
    ...Array.from({ length: CLIENTS_PER_NODE }, () => loop(() => buy(node))),
    loop(() => stock(node)),
  ]);
  return {
    failures,
    orders,
    /** Resolves when this many more orders are placed and their keys read. */
    async responses(count: number) {
      const goal = responseCount + count;
      await waitUntil(async () => responseCount >= goal || failures.length > 0);
    },
    async stop() {
      isStopping = true;
      await Promise.all(loops);
    },
  };
}

async function openShop(node: Serving) {
  const token = await operatorToken(node);
  const operate = async (method: string, path: string, body: unknown) => {
    const response = await call(node, method, `/admin/v1${path}`, { token, body });
    ok(response.status < 300, JSON.stringify(response.body));
    return response.body.data;
  };
  await operate('PUT', `/sellers/${SELLER_ID}`, { name: 'Key Cellar' });
  await operate('PUT', `/products/${PRODUCT_ID}`, { name: 'Star Harbour', checkoutClass: 'standard' });
  const offer = { productId: PRODUCT_ID, sellerId: SELLER_ID, price: '1.00', status: 'active' };
  await operate('PUT', `/offers/${OFFER_ID}`, offer);
  equal((await addKeys(node, 1000)).status, 201);
  const account = await operate('POST', '/accounts', { name: 'Shop', paymentMethod: 'balance' });
  await operate('POST', `/accounts/${account.id}/deposits`, { amount: '100000.00', reference: 'first' });
  const client = await operate('POST', `/accounts/${account.id}/clients`, {});
  return { client, token: await toToken(node, client) };
}

async function addKeys(node: Serving, count: number) {
  const keys = Array.from({ length: count }, () => ({ code: `CODE-${randomUUID()}` }));
  return call(node, 'POST', `/admin/v1/offers/${OFFER_ID}/keys`, {
    token: await operatorToken(node),
    body: { keys },
  });
}

function order(node: Serving, token: string, key: string) {
  const item = { auto: { productId: PRODUCT_ID, quantity: 1, maxPrice: '1.00' } };
  return call(node, 'POST', '/export/v1/orders', {
    token,
    body: { items: [item] },
    headers: { 'idempotency-key': key },
  });
}

async function readCodes(node: Serving, token: string, orderId: string): Promise<string[]> {
  const { status, body } = await call(node, 'GET', `/export/v1/orders/${orderId}/keys`, { token });
  equal(status, 200, JSON.stringify(body));
  return body.data.flatMap((item: { keys: { code: string }[] }) => item.keys.map(({ code }) => code));
}

const operatorTokens = new Map<Serving, Promise<string>>();

function operatorToken(node: Serving): Promise<string> {
  const { KEYPORT_OPERATOR_ID: clientId, KEYPORT_OPERATOR_SECRET: clientSecret } = OPERATOR;
  const known = operatorTokens.get(node) ?? toToken(node, { clientId, clientSecret });
  operatorTokens.set(node, known);
  return known;
}

async function toToken(
  node: Serving,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await call(node, 'POST', '/oauth/token', { body });
  equal(response.status, 200, JSON.stringify(response.body));
  return response.body.access_token;
}

async function call(node: Serving, method: string, path: string, options: RequestOptions) {
  const { status, text } = await sendRequest(node.welcome.url, method, path, options);
  return { status, body: JSON.parse(text) };
}

/** Data keys that seal nothing: a rotation handles them like all others. */
async function insertDataKeys(
  sql: Sql,
  { id: masterKeyId, key }: Awaited<ReturnType<typeof readMasterKeys>>[number],
): Promise<void> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT nextval(pg_get_serial_sequence('data_key', 'id'))::text AS id FROM generate_series(1, ${DATA_KEY_COUNT})`,
  );
  const wrapped = rows.map(({ id }) => wrap(key, randomBytes(32), NAME_OF.dataKey(id)));
  await sql.query(
    `INSERT INTO data_key (id, wrapped, master_key_id) OVERRIDING SYSTEM VALUE
     SELECT *, $3 FROM unnest($1::bigint[], $2::bytea[])`,
    [rows.map(({ id }) => id), wrapped, masterKeyId],
  );
}

async function countUnder(sql: Sql, masterKeyId: string): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(
    `SELECT (SELECT count(*) FROM data_key WHERE master_key_id = $1)
          + (SELECT count(*) FROM service_secret WHERE master_key_id = $1)
          + (SELECT count(*) FROM signing_key WHERE master_key_id = $1) AS count`,
    [masterKeyId],
  );
  return Number(rows[0]?.count);
}

async function serve(owner: Owner, settings: Readonly<Record<string, string>>): Promise<Serving> {
  const service = await startServing(settings);
  onEnd(owner, async () => void (await service.stop('SIGKILL')));
  return service;
}

async function folderFor(owner: Owner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-master-key-'));
  onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}
