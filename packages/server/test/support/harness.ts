/**
 * The whole service with its own database, used through real sockets and tokens. Every response is checked
 * against the contract, and every invariant when the test ends.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ERRORS } from '@keyport/contract/errors';
import { type Logger, pino } from 'pino';
import { type Config, parseConfig } from '../../src/config.ts';
import type { DatabaseOptions } from '../../src/db/engines/database.ts';
import { sql } from '../../src/db/sql.ts';
import { startService } from '../../src/service.ts';
import { assertContract } from './contract.ts';
import { type Owner, onEnd, testDatabaseSettings } from './database.ts';
import { operatorClient } from './operator-client.ts';

export type ApiResponse = {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the response has no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies that the contract check has validated
  readonly body: any;
};

export type CallOptions = {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Reseller = {
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  order(item: unknown, key?: string, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  at(url: string): Reseller;
};

export type Harness = Awaited<ReturnType<typeof startHarness>>;

const TEST_SETTINGS: Readonly<Record<string, string>> = {
  KEYPORT_PORT: '0',
  KEYPORT_DATA_DIR: 'memory',
  KEYPORT_DEMO: 'false',
  KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '0',
  KEYPORT_OPERATOR_ID: 'test-operator',
  KEYPORT_OPERATOR_SECRET: 'test-operator-secret',
  KEYPORT_LOG_LEVEL: 'silent',
  // Tests verify the invariants themselves.
  KEYPORT_VERIFY_INTERVAL_SECONDS: '0',
};

export function testConfig(settings: Readonly<Record<string, string>>): Config {
  return parseConfig({ ...TEST_SETTINGS, ...settings });
}

const ISSUED = /"(?:code|secret|clientSecret|access_token|invitationUrl)":"([^"\\]{6,})"/g;

/** Uses a new empty database unless one is given. */
export async function startHarness(
  owner: Owner,
  settings: Readonly<Record<string, string>> = {},
  ownDatabase?: DatabaseOptions,
  ownLog?: Logger,
) {
  const database = ownDatabase ?? (await testDatabaseSettings(owner));
  const config = testConfig(settings);
  const log = ownLog ?? pino({ level: 'error' }, { write: (line) => console.error(JSON.parse(line)) });
  const service = await startService(config, { database, log });
  onEnd(owner, () =>
    assertInvariants()
      .then(assertNothingLogged)
      .finally(() => service.close()),
  );
  const issued = new Set<string>();

  /** The log of requests has no code, secret or token that was ever in a response. A703. */
  async function assertNothingLogged(): Promise<void> {
    await service.requestsWritten();
    const { rows } = await sql<{ text: string }>`
      SELECT request_entry::text AS text FROM request_entry`.execute(service.database.db);
    const stored = rows.map(({ text }) => text).join('\n');
    for (const secret of issued) ok(!stored.includes(secret), `the log of requests has ${secret}`);
  }

  async function assertInvariants(): Promise<void> {
    const broken = (await service.verify()).filter((result) => result.broken > 0);
    deepEqual(broken, [], 'every invariant holds when the test ends');
  }

  /** A different text means that money or stock has moved; deposits and new stock are what tests begin with. */
  async function movements(): Promise<string> {
    const { rows } = await sql<{ text: string }>`
      SELECT concat_ws(' ', (SELECT count(*) FROM ledger_transfer WHERE kind <> 'deposit'),
        (SELECT count(*) FROM "order"), (SELECT count(*) FROM reservation),
        (SELECT count(*) FROM stock_key WHERE is_withdrawn)) AS text`.execute(service.database.db);
    return rows[0]?.text ?? '';
  }

  const call = (method: string, path: string, options: CallOptions = {}) =>
    callAt(service.url, method, path, options);

  async function callAt(
    url: string,
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<ApiResponse> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined
        ? {}
        : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
    });
    const text = await response.text();
    const body = text === '' ? undefined : JSON.parse(text);
    if (response.ok) {
      // Sums of rejections contain error codes, which look like issued secrets.
      for (const [, code = ''] of text.matchAll(ISSUED)) if (!Object.hasOwn(ERRORS, code)) issued.add(code);
    }
    const answer = { status: response.status, headers: response.headers, body };
    const { pathname } = new URL(path, url);
    if (/^\/(?:export|admin|sandbox)\//.test(pathname)) assertContract(method, pathname, answer);
    return answer;
  }

  async function tokenFor(clientId: string, clientSecret: string): Promise<string> {
    const answer = await call('POST', '/oauth/token', {
      body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    });
    equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.access_token;
  }

  const operatorToken = await tokenFor('test-operator', 'test-operator-secret');

  /** Sends a request as the tests' operator. */
  const admin = (method: string, path: string, body?: unknown) =>
    call(method, `/admin/v1${path}`, { token: operatorToken, body });

  async function operate(method: string, path: string, body: unknown = method === 'POST' ? {} : undefined) {
    const answer = await call(method, `/admin/v1${path}`, {
      token: operatorToken,
      ...(body === undefined ? {} : { body }),
      headers: method === 'GET' ? {} : { 'idempotency-key': randomUUID() },
    });
    ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body?.data;
  }

  let productCount = 0;
  let codeCount = 0;

  const seed = {
    async reseller(options: { balance?: string; account?: Record<string, unknown> } = {}): Promise<Reseller> {
      const account = await operate('POST', '/accounts', {
        name: 'Shop',
        paymentMethod: 'balance',
        ...options.account,
      });
      if (options.balance !== undefined) await seed.deposit(account.id, options.balance);
      const { clientId, clientSecret } = await operate('POST', `/accounts/${account.id}/clients`, {});
      const token = await tokenFor(clientId, clientSecret);
      const credentials = { accountId: account.id, clientId, clientSecret, token };
      const resellerAt = (url: string): Reseller => ({
        ...credentials,
        order: (item, key = randomUUID(), headers = {}) =>
          callAt(url, 'POST', '/export/v1/orders', {
            token,
            body: { items: [item] },
            headers: { 'idempotency-key': key, ...headers },
          }),
        get: (path) => callAt(url, 'GET', `/export/v1${path}`, { token }),
        at: resellerAt,
      });
      return resellerAt(service.url);
    },
    async deposit(accountId: string, amount: string): Promise<void> {
      const body = { amount, reference: randomUUID() };
      const { id, status } = await operate('POST', `/accounts/${accountId}/deposits`, body);
      if (status !== 'pending') return;
      const token = await operatorClient({ operate, tokenFor, service });
      const approved = await call('POST', `/admin/v1/approvals/${id}/approve`, { token, body: {} });
      equal(approved.status, 200, JSON.stringify(approved.body));
    },
    async product(fields: Record<string, unknown> = {}): Promise<string> {
      productCount += 1;
      const id = String(10_000_000_000_000 + productCount);
      await operate('PUT', `/products/${id}`, {
        name: `Product ${productCount}`,
        checkoutClass: 'standard',
        ...fields,
      });
      return id;
    },
    async seller(name = 'Seller'): Promise<string> {
      const id = randomUUID();
      await operate('PUT', `/sellers/${id}`, { name });
      return id;
    },
    async offer(fields: {
      productId: string;
      price?: string;
      stock?: number;
      images?: number;
      sellerId?: string;
      status?: string;
    }) {
      const id = randomUUID();
      const { productId, price = '10.00', stock = 5, images = 0, status = 'active' } = fields;
      const sellerId = fields.sellerId ?? (await seed.seller());
      await operate('PUT', `/offers/${id}`, { productId, sellerId, price, status });
      const codes = await seed.keys(id, stock);
      if (images > 0) await seed.keys(id, images, 'image');
      await seed.inStep();
      return { id, sellerId, codes };
    },
    async keys(offerId: string, count: number, kind: 'text' | 'image' = 'text'): Promise<string[]> {
      const codes = Array.from({ length: count }, () => {
        codeCount += 1;
        return `CODE-${String(codeCount).padStart(8, '0')}`;
      });
      if (count > 0)
        await operate('POST', `/offers/${offerId}/keys`, { keys: codes.map((code) => ({ code, kind })) });
      return codes;
    },
    /** Creates what most tests order. */
    async listing(
      fields: {
        price?: string;
        stock?: number;
        images?: number;
        product?: Record<string, unknown>;
        sellerId?: string;
      } = {},
    ) {
      const productId = await seed.product(fields.product);
      const offer = await seed.offer({ ...fields, productId });
      return { productId, offerId: offer.id, sellerId: offer.sellerId, codes: offer.codes };
    },
    inStep: () => service.catalogueInStep(),
  };

  return {
    service,
    url: service.url,
    database: service.database,
    call,
    callAt,
    admin,
    operate,
    operatorToken,
    tokenFor,
    seed,
    assertInvariants,
    movements,
  };
}

export function auto(productId: string, options: { quantity?: unknown; maxPrice?: unknown } = {}) {
  return { auto: { productId, quantity: options.quantity ?? 1, maxPrice: options.maxPrice ?? '100.00' } };
}

export function manual(offerId: string, options: { quantity?: unknown; maxPrice?: unknown } = {}) {
  return { manual: { offerId, quantity: options.quantity ?? 1, maxPrice: options.maxPrice ?? '100.00' } };
}
