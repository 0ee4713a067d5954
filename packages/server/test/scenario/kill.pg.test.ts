/**
 * The service process is killed with SIGKILL in the middle of orders and started again on the same data. Every client
 * repeats its request with the same key: each key ends as exactly one order, and what was acknowledged is still there,
 * unchanged. Faults D 65 to 67.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onEnd, testDatabaseSettings } from '../support/database.ts';

const OPERATOR = { client_id: 'test-operator', client_secret: 'test-operator-secret' };
const KILL_COUNT = 2;
/** Orders in flight at once. */
const CLIENT_COUNT = 16;
/** Orders of each life of the process that are answered before it is killed. */
const ANSWERS_BEFORE_KILL = 25;

const folder = await mkdtemp(join(tmpdir(), 'keyport-kill-'));
const owner = { after };
onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
const masterKeyFile = join(folder, 'master.key');
await writeFile(masterKeyFile, randomBytes(32).toString('base64'));
const { url: databaseUrl } = await testDatabaseSettings(owner);

const environment = {
  PATH: process.env['PATH'] ?? '',
  KEYPORT_PORT: '0',
  KEYPORT_DEMO: 'false',
  KEYPORT_DATA_DIR: join(folder, 'data'),
  ...(databaseUrl === undefined ? {} : { KEYPORT_DATABASE_URL: databaseUrl }),
  // Tokens name their issuer, and every life of the process has another port.
  KEYPORT_PUBLIC_URL: 'http://keyport.test',
  KEYPORT_MASTER_KEY_FILE: masterKeyFile,
  KEYPORT_OPERATOR_ID: OPERATOR.client_id,
  KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
  KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '0',
  KEYPORT_LOG_LEVEL: 'error',
};

type Life = { readonly url: string; readonly process: ChildProcess };

async function start(): Promise<Life> {
  const script = fileURLToPath(new URL('../support/service-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  onEnd(owner, () => kill(child));
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => assert.fail('the service ended before it was ready')),
  ]);
  return { url, process: child };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into
type Answer = { readonly status: number; readonly body: any };

async function call(
  method: string,
  url: string,
  options: { token?: string; body?: unknown; key?: string },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
      'content-type': 'application/json',
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function tokenOf(life: Life, client: typeof OPERATOR): Promise<string> {
  const answer = await call('POST', `${life.url}/oauth/token`, {
    body: { grant_type: 'client_credentials', ...client },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.access_token;
}

async function operate(life: Life, method: string, path: string, body?: unknown) {
  const token = await tokenOf(life, OPERATOR);
  const answer = await call(method, `${life.url}/admin/v1${path}`, { token, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

/** A shop with 1000 units at 1.00 and a reseller with 1000.00. */
async function seed(life: Life) {
  const productId = '10000000000001';
  const [sellerId, offerId] = [randomUUID(), randomUUID()];
  await operate(life, 'PUT', `/sellers/${sellerId}`, { name: 'Seller' });
  await operate(life, 'PUT', `/products/${productId}`, { name: 'Product', checkoutClass: 'standard' });
  await operate(life, 'PUT', `/offers/${offerId}`, { productId, sellerId, price: '1.00', status: 'active' });
  const keys = Array.from({ length: 1000 }, (_, index) => ({ code: `CODE-${index}` }));
  await operate(life, 'POST', `/offers/${offerId}/keys`, { keys });
  const account = await operate(life, 'POST', '/accounts', { name: 'Shop', paymentMethod: 'balance' });
  const deposit = { amount: '1000.00', reference: 'first' };
  await operate(life, 'POST', `/accounts/${account.id}/deposits`, deposit);
  const { clientId, clientSecret } = await operate(life, 'POST', `/accounts/${account.id}/clients`, {});
  return { offerId, client: { client_id: clientId, client_secret: clientSecret } };
}

/** Every key that was sent, with the order that was acknowledged for it. */
type Sent = Map<string, { readonly id: string } | undefined>;

test(`killed ${KILL_COUNT} times in the middle of orders: every key is one order, nothing acknowledged is lost`, async () => {
  let life = await start();
  const { offerId, client } = await seed(life);
  const body = { items: [{ manual: { offerId, quantity: 1, maxPrice: '1.00' } }] };
  const sent: Sent = new Map();

  const order = (token: string, key: string) =>
    call('POST', `${life.url}/export/v1/orders`, { token, key, body });

  /** Orders without a pause until the process is gone; it is killed once enough were answered. */
  async function orderUntilKilled(token: string) {
    let answers = 0;
    const clientLoop = async () => {
      for (;;) {
        const key = randomUUID();
        sent.set(key, undefined);
        const answer = await order(token, key).catch(() => undefined);
        if (answer === undefined) return;
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        sent.set(key, answer.body.data);
        answers += 1;
        if (answers === ANSWERS_BEFORE_KILL) life.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: CLIENT_COUNT }, clientLoop));
    await kill(life.process);
  }

  /** Every key is sent again; the acknowledged ones answer what they had answered. */
  async function repeatAll(token: string) {
    for (const [key, acknowledged] of sent) {
      const answer = await order(token, key);
      if (acknowledged === undefined) assert.ok([200, 201].includes(answer.status), String(answer.status));
      else assert.deepEqual([answer.status, answer.body.data], [200, acknowledged]);
      sent.set(key, answer.body.data);
    }
  }

  for (let round = 0; round < KILL_COUNT; round += 1) {
    await orderUntilKilled(await tokenOf(life, client));
    life = await start();
    await repeatAll(await tokenOf(life, client));
  }

  const token = await tokenOf(life, client);
  const history = await call('GET', `${life.url}/export/v1/orders?itemsPerPage=10`, { token });
  assert.equal(history.body.meta.totalResults, sent.size);
  const account = await call('GET', `${life.url}/export/v1/account`, { token });
  assert.equal(account.body.data.balance, `${1000 - sent.size}.00`);
  const codes = new Set<string>();
  for (const acknowledged of sent.values()) {
    const keys = await call('GET', `${life.url}/export/v1/orders/${acknowledged?.id}/keys`, { token });
    codes.add(keys.body.data[0].keys[0].code);
  }
  assert.equal(codes.size, sent.size, 'no code was handed out twice');
  const invariants: { broken: number }[] = await operate(life, 'GET', '/verify');
  assert.deepEqual(
    invariants.filter((result) => result.broken > 0),
    [],
  );
});
