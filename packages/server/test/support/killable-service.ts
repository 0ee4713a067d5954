/** The service in its own process, on data that outlives it. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Owner, onEnd, processDatabase } from './database.ts';
import { endProcess, firstLine, PROCESS_ENVIRONMENT } from './processes.ts';

export const OPERATOR = {
  client_id: 'test-operator',
  client_secret: 'test-operator-secret-2Xn7Vt3Yb9Lp4Mc6',
};

export type ClientCredentials = typeof OPERATOR;

export type Life = { readonly url: string; readonly process: ChildProcess };

type Place = Pick<Life, 'url'>;

// biome-ignore lint/suspicious/noExplicitAny: tests read any member
export type ServiceResponse = { readonly status: number; readonly body: any };

/** Adds `settings` to the variables that every such test needs. */
export async function prepareKillableService(owner: Owner, settings: Record<string, string> = {}) {
  const environment = await prepareEnvironment(owner, settings);
  return {
    database: { url: environment['KEYPORT_DATABASE_URL'], dataDir: environment['KEYPORT_DATA_DIR'] ?? '' },
    async start(): Promise<Life> {
      const script = fileURLToPath(new URL('./service-process.ts', import.meta.url));
      const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
      const child = spawn(process.execPath, [script], { env: environment, stdio });
      onEnd(owner, async () => void (await endProcess(child)));
      return { url: await firstLine(child), process: child };
    },
  };
}

/** A database and a master key that are removed when the owner ends. */
async function prepareEnvironment(
  owner: Owner,
  settings: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-kill-'));
  onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  return {
    ...PROCESS_ENVIRONMENT,
    KEYPORT_PORT: '0',
    KEYPORT_DEMO: 'false',
    ...(await processDatabase(owner, folder)),
    // Tokens name their issuer, and the process has a new port after each restart.
    KEYPORT_PUBLIC_URL: 'http://keyport.localhost',
    KEYPORT_MASTER_KEY_FILE: masterKeyFile,
    KEYPORT_OPERATOR_ID: OPERATOR.client_id,
    KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
    KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '0',
    KEYPORT_LOG_LEVEL: 'fatal',
    KEYPORT_VERIFY_INTERVAL_SECONDS: '0',
    ...settings,
  };
}

export async function callService(
  life: Place,
  method: string,
  path: string,
  options: { token?: string; body?: unknown; key?: string; signal?: AbortSignal } = {},
): Promise<ServiceResponse> {
  const response = await fetch(`${life.url}${path}`, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
      'content-type': 'application/json',
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return { status: response.status, body: await response.json() };
}

export async function toToken(life: Place, client: ClientCredentials): Promise<string> {
  const body = { grant_type: 'client_credentials', ...client };
  const answer = await callService(life, 'POST', '/oauth/token', { body });
  equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.access_token;
}

export async function operateService(life: Place, method: string, path: string, body?: unknown) {
  const token = await toToken(life, OPERATOR);
  const answer = await callService(life, method, `/admin/v1${path}`, { token, body });
  ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

export async function seedClient(life: Place, account: Record<string, unknown>): Promise<ClientCredentials> {
  const { id } = await operateService(life, 'POST', '/accounts', { name: 'Shop', ...account });
  if (account['paymentMethod'] === 'balance') {
    await operateService(life, 'POST', `/accounts/${id}/deposits`, { amount: '1000.00', reference: 'first' });
  }
  const { clientId, clientSecret } = await operateService(life, 'POST', `/accounts/${id}/clients`, {});
  return { client_id: clientId, client_secret: clientSecret };
}

export async function seedOffer(life: Place, price: string, stock: number): Promise<string> {
  const productId = '10000000000001';
  const [sellerId, offerId] = [crypto.randomUUID(), crypto.randomUUID()];
  await operateService(life, 'PUT', `/sellers/${sellerId}`, { name: 'Seller' });
  await operateService(life, 'PUT', `/products/${productId}`, { name: 'Product', checkoutClass: 'standard' });
  await operateService(life, 'PUT', `/offers/${offerId}`, { productId, sellerId, price, status: 'active' });
  const keys = Array.from({ length: stock }, (_, index) => ({ code: `CODE-${index}` }));
  await operateService(life, 'POST', `/offers/${offerId}/keys`, { keys });
  return offerId;
}

export async function assertSound(life: Place): Promise<void> {
  const invariants: { broken: number }[] = await operateService(life, 'GET', '/verify');
  deepEqual(
    invariants.filter((result) => result.broken > 0),
    [],
  );
}
