/**
 * Ten thousand known codes go through the service in every way at log level trace. Then everything that was
 * written (files, write-ahead log, rows, outputs, responses except those that deliver keys) is searched for
 * them, in plain text and in encodings that could hide them.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { must } from '@keyport/core/assert';
import { beforeAll, test } from 'vitest';
import { connectTo, onEnd, testEngine } from '../../server/test/support/database.ts';
import { startPostgres } from '../../server/test/support/postgres.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import type { Run } from './support/command-process.ts';
import { type RequestOptions, sendRequest } from './support/http.ts';
import { runKeyport, type Serving, startServing } from './support/keyport.ts';

/** Part of every code, and of nothing else. Only letters and digits, so that no escaping changes it. */
const MARK = `zQ7${randomBytes(9).toString('hex').toUpperCase()}`;
let codeCount = 0;

/** A name that is stored in plain text: finding it shows that the search reads the right files. */
const PRODUCT_NAME = `Star Harbour ${randomBytes(9).toString('hex')}`;

const OPERATOR = { KEYPORT_OPERATOR_ID: 'test-operator', KEYPORT_OPERATOR_SECRET: 'test-operator-secret' };
const OPERATOR_CLIENT = { clientId: 'test-operator', clientSecret: 'test-operator-secret' };
const SELLER_ID = '11111111-1111-4111-8111-111111111111';
const OFFER_ID = '22222222-2222-4222-8222-222222222222';
const PRODUCT_ID = '50000000000017';

const owner = wholeFile;
const folder = await mkdtemp(join(tmpdir(), 'keyport-clear-'));
onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
const postgres =
  testEngine === 'embedded'
    ? undefined
    : await startPostgres({
        durable: true,
        settings: { log_statement: 'all', log_parameter_max_length: '-1' },
      });
if (postgres !== undefined) onEnd(owner, () => postgres.stop());

const settings = {
  ...OPERATOR,
  KEYPORT_PORT: '0',
  KEYPORT_DATA_DIR: join(folder, 'data'),
  KEYPORT_DEMO: 'false',
  KEYPORT_LOG_LEVEL: 'trace',
  KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '0',
  ...(postgres === undefined ? {} : { KEYPORT_DATABASE_URL: postgres.url }),
};

/** The written bytes by place; `beforeAll` fills it. */
const written = new Map<string, Buffer>();
let handedOut = 0;

beforeAll(async () => {
  const lives: Serving[] = [await startServing(settings)];
  onEnd(owner, async () => void (await lives.at(-1)?.stop('SIGKILL')));
  await useService(must(lives[0], 'a service'));
  await killDuringImport(must(lives[0], 'a service'));
  lives.push(await startServing(settings));
  const second = must(lives[1], 'a service');
  equal((await importOverHttp(second, ndjson(codes('again', 500)), 'application/x-ndjson')).status, 200);
  if (postgres !== undefined) await collectRows(postgres.url);
  equal(await second.stop('SIGTERM'), 0);
  for (const [index, life] of lives.entries())
    written.set(`the outputs of service ${index}`, Buffer.from(await life.output()));
  await collectFiles(join(folder, 'data'));
  if (postgres !== undefined) await collectServerFiles(postgres.url);
});

test('the search finds a code in every encoding that could hide it', () => {
  const [code] = codes('control', 1);
  const bytes = Buffer.from(must(code, 'a code'));
  const forms = {
    clear: bytes,
    upper: Buffer.from(bytes.toString().toUpperCase()),
    base64: Buffer.from(bytes.toString('base64')),
    base64url: Buffer.from(Buffer.concat([Buffer.from('x'), bytes]).toString('base64url')),
    shifted: Buffer.from(Buffer.concat([Buffer.from('xy'), bytes]).toString('base64')),
    hex: Buffer.from(bytes.toString('hex')),
    HEX: Buffer.from(bytes.toString('hex').toUpperCase()),
    utf16le: Buffer.from(bytes.toString(), 'utf16le'),
    utf16be: Buffer.from(bytes.toString(), 'utf16le').swap16(),
    json: Buffer.from(JSON.stringify(JSON.stringify({ code: bytes.toString() }))),
    url: Buffer.from(encodeURIComponent(bytes.toString())),
  };
  for (const [form, hidden] of Object.entries(forms)) {
    ok(findMark(Buffer.concat([randomBytes(1001), hidden, randomBytes(1001)])) !== undefined, form);
  }
  equal(findMark(randomBytes(100_000)), undefined);
});

test('codes were imported, sold and delivered, and the search finds what may be in plain text', () => {
  ok(codeCount >= 10_000, `${codeCount} codes`);
  ok(handedOut >= 10, `${handedOut} codes were handed out`);
  const clear = [...written].filter(([, bytes]) => bytes.includes(PRODUCT_NAME)).map(([place]) => place);
  const expected =
    testEngine === 'embedded'
      ? [/data\/.*base\//]
      : [/\/base\//, /\/pg_wal\//, /\/log$/, /the rows of product/];
  for (const place of expected)
    ok(
      clear.some((one) => place.test(one)),
      `${place} of ${clear.join(', ')}`,
    );
  ok(must(written.get('the outputs of service 0'), 'a log').includes('"traceId"'));
});

test('no code is in anything that was written', () => {
  const found = [...written].flatMap(([place, bytes]) => {
    const form = findMark(bytes);
    return form === undefined ? [] : [`${place}: ${form}`];
  });
  deepEqual(found, []);
});

/** Kills the service when the first batch of an import is committed, and the next lines have arrived. */
async function killDuringImport(node: Serving): Promise<void> {
  const token = await toToken(node, OPERATOR_CLIENT);
  const quantity = async () => {
    const response = await call(node, 'GET', `/admin/v1/offers/${OFFER_ID}`, { token });
    return JSON.parse(response.text).data.quantity;
  };
  const before = await quantity();
  // A batch has a thousand lines; the stream does not end.
  const lines = Buffer.from(`${ndjson(codes('killed', 1500))}\n`);
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: new ReadableStream({ start: (controller) => controller.enqueue(lines) }),
    duplex: 'half' as const,
  };
  const dying = fetch(`${node.welcome.url}/admin/v1/imports/keys`, request).catch(() => undefined);
  while ((await quantity()) < before + 1000);
  await node.stop('SIGKILL');
  equal(await dying, undefined);
}

/** Uses every operation that takes or returns codes. */
async function useService(node: Serving): Promise<void> {
  const admin = await toToken(node, OPERATOR_CLIENT);
  const operate = async (method: string, path: string, body: unknown) => {
    const headers = { 'idempotency-key': randomUUID() };
    const response = await call(node, method, `/admin/v1${path}`, { token: admin, body, headers });
    ok(response.status < 300, response.text);
    return JSON.parse(response.text).data;
  };
  await operate('PUT', `/sellers/${SELLER_ID}`, { name: 'Key Cellar' });
  await operate('PUT', `/products/${PRODUCT_ID}`, { name: PRODUCT_NAME, checkoutClass: 'standard' });
  const offer = { productId: PRODUCT_ID, sellerId: SELLER_ID, price: '1.00', status: 'active' };
  await operate('PUT', `/offers/${OFFER_ID}`, offer);

  const held = codes('held', 4000);
  await importByCommand(
    node,
    'keys.ndjson',
    `${ndjson(held)}\n${badLines().join('\n')}\n${ndjson(held.slice(0, 500))}`,
  );
  await importByCommand(node, 'keys.csv', csv(codes('csv', 2000)));
  equal((await importOverHttp(node, ndjson(codes('http', 1000)), 'application/x-ndjson')).status, 200);
  equal((await importOverHttp(node, 'code\nX', 'text/csv')).status, 400);
  // The body of this operation has at most 64 KiB.
  const [keys, more] = [490, 500].map((count) => codes('added', count).map((code) => ({ code })));
  await operate('POST', `/offers/${OFFER_ID}/keys`, { keys: more });
  await operate('POST', `/offers/${OFFER_ID}/keys`, { keys });
  await operate('POST', `/offers/${OFFER_ID}/keys`, {
    keys: [...(keys ?? []), { code: awkward()[0], kind: 'image' }],
  });
  const added = await runKeyport(['keys', 'add', OFFER_ID], {
    settings: { ...settings, KEYPORT_URL: node.welcome.url },
    input: codes('typed', 10).join('\n'),
  });
  equal(added.code, 0, added.stderr);
  collectRun('keys add', added);
  await sendInvalidRequests(node, admin);

  const account = await operate('POST', '/accounts', { name: 'Shop', paymentMethod: 'balance' });
  await operate('POST', `/accounts/${account.id}/deposits`, { amount: '1000.00', reference: 'first' });
  const shop = await toToken(node, await operate('POST', `/accounts/${account.id}/clients`, {}));
  for (let index = 0; index < 10; index += 1) await buyAndRead(node, { admin, shop, refundCase: index % 3 });
  const [sold] = await Promise.all([readSold(node, shop)]);
  // Each path has a code where something else belongs.
  for (const path of [
    `/orders/${sold}/keys`,
    `/orders?orderId=${sold}`,
    `/${sold}`,
    `/product-offers?productIds[]=${sold}`,
  ]) {
    await call(node, 'GET', `/export/v1${path}`, { token: shop });
  }
  const withKey = { token: shop, body: {}, headers: { 'idempotency-key': MARK, 'x-mark': MARK } };
  equal((await call(node, 'POST', '/export/v1/orders', withKey)).status, 400);
  await operate('POST', `/offers/${OFFER_ID}/keys/withdraw`, {
    codes: [...held.slice(100, 120), ...codes('unknown', 5)],
    reason: 'bad batch',
  });
  equal((await call(node, 'GET', '/admin/v1/audit?itemsPerPage=100', { token: admin })).status, 200);
  equal((await call(node, 'GET', '/admin/v1/verify', { token: admin })).status, 200);
}

async function sendInvalidRequests(node: Serving, token: string): Promise<void> {
  const path = `/admin/v1/offers/${OFFER_ID}/keys`;
  const [code = ''] = codes('nonsense', 1);
  const bodies: [string, number][] = [
    [`{"keys":[{"code":"${code}"`, 400],
    [`{"keys":[{"code":["${code}"]}]}`, 400],
    [`{"keys":[{"code":"${code}","kind":"${code}"}]}`, 400],
    [`{"keys":[{"code":"${code}\u0000"}]}`, 400],
    [`{"keys":["${code}"]}`, 400],
    [
      JSON.stringify({ keys: [{ code: `${code}\u0007\u001b[31m${code}` }, { code: `${OFFER_ID},${code}` }] }),
      400,
    ],
    [`{"keys":[{"code":"${code.padEnd(4001, 'x')}"}]}`, 400],
    [`{"keys":[{"code":"${code}","code":"${code}"}]}`, 400],
    [JSON.stringify({ keys: codes('large', 1000).map((each) => ({ code: each.padEnd(100, 'x') })) }), 413],
  ];
  for (const [body, status] of bodies)
    equal((await call(node, 'POST', path, { token, body })).status, status, body.slice(0, 99));
  const other = await call(node, 'POST', path.replace(OFFER_ID, randomUUID()), {
    token,
    body: { keys: [{ code }] },
  });
  equal(other.status, 404);
  equal((await call(node, 'POST', path, { token: 'wrong', body: { keys: [{ code }] } })).status, 401);
}

async function buyAndRead(
  node: Serving,
  { admin, shop, refundCase }: { readonly admin: string; readonly shop: string; readonly refundCase: number },
): Promise<void> {
  const item = { auto: { productId: PRODUCT_ID, quantity: 2, maxPrice: '1.00' } };
  const request = { token: shop, body: { items: [item] }, headers: { 'idempotency-key': randomUUID() } };
  const placed = await call(node, 'POST', '/export/v1/orders', request);
  equal(placed.status, 201, placed.text);
  equal((await call(node, 'POST', '/export/v1/orders', request)).status, 200);
  const { id } = JSON.parse(placed.text).data;
  const act = (body: object) =>
    call(node, 'POST', `/admin/v1/orders/${id}/refund`, {
      token: admin,
      body: { reason: 'test', ...body },
      headers: { 'idempotency-key': randomUUID() },
    });
  if (refundCase === 1) equal((await act({ returnToStock: true })).status, 200);
  const read = await call(node, 'GET', `/export/v1/orders/${id}/keys`, { token: shop, mayHaveCodes: true });
  equal(read.status, refundCase === 1 ? 400 : 200, read.text);
  handedOut += read.text.split(MARK).length - 1;
  await call(node, 'GET', `/export/v1/orders/${id}/keys`, { token: shop, mayHaveCodes: true });
  if (refundCase === 2) equal((await act({ withdrawKeys: true })).status, 200);
}

/** Returns a code that a reseller has. */
async function readSold(node: Serving, token: string): Promise<string> {
  const list = await call(node, 'GET', '/export/v1/orders?status=complete&itemsPerPage=10', { token });
  const { id } = JSON.parse(list.text).data[0];
  const read = await call(node, 'GET', `/export/v1/orders/${id}/keys`, { token, mayHaveCodes: true });
  return encodeURIComponent(JSON.parse(read.text).data[0].keys[0].code);
}

/** Codes that differ in every call; those of the batch `held` begin with the awkward ones. */
function codes(batch: string, count: number): string[] {
  codeCount += count;
  const plain = Array.from({ length: count }, () => `${MARK}-${randomUUID()}`);
  return [...awkward(), ...plain].slice(batch === 'held' ? 0 : awkward().length).slice(0, count);
}

function awkward(): string[] {
  return [
    `${MARK}'; DROP TABLE stock_key; --`,
    `"${MARK}"`,
    `\\${MARK}\\n\\u0041`,
    `%${MARK}%s $1 \${MARK}`,
    ` ${MARK} with  blanks `,
    `ключ-${MARK}-🔑`,
    `https://example.com/?code=${MARK}&a=b#c`,
    `${MARK}${'x'.repeat(3900)}`,
    `{"code":"${MARK}"}`,
    `\u202e${MARK}\u200b[31m`,
  ];
}

function ndjson(list: readonly string[]): string {
  return list.map((code) => JSON.stringify({ offerId: OFFER_ID, code })).join('\n');
}

/** Valid lines, and an invalid line for each kind of CSV error. */
function csv(list: readonly string[]): string {
  const lines = list.map((code) => `${OFFER_ID},"${code.replaceAll('"', '""')}"`);
  const [code] = codes('bad', 1);
  const bad = [
    `${code},${OFFER_ID}`,
    `${OFFER_ID},${code},${code}`,
    `${OFFER_ID},"${code}"x`,
    `${code}`,
    `,${code}`,
  ];
  return ['offerId,code', ...lines, ...bad].join('\n');
}

/** Each line is rejected for a different reason. */
function badLines(): string[] {
  const [code = ''] = codes('bad', 1);
  return [
    `{"offerId":"${OFFER_ID}","code":"${code}`,
    `{"offerId":"${OFFER_ID}","code":"${code}"} ${code}`,
    `{"offerId":"${code}","code":"${OFFER_ID}"}`,
    `{"offerId":"${randomUUID()}","code":"${code}"}`,
    `{"offerId":"${OFFER_ID}","code":"${code}","kind":"${code}"}`,
    `{"offerId":"${OFFER_ID}","code":{"text":"${code}"}}`,
    `{"offerId":"${OFFER_ID}","code":"${code.padEnd(4001, 'x')}"}`,
    `{"offerId":"${OFFER_ID}","code":"${code}","code":"${code}"}`,
    `{"offerId":"${OFFER_ID}","code":"${code}\\r${code}"}`,
    `"${code}"`,
    code,
  ];
}

async function importByCommand(node: Serving, name: string, content: string): Promise<void> {
  const source = await mkdtemp(join(tmpdir(), 'keyport-clear-source-'));
  try {
    await writeFile(join(source, name), content);
    const run = await runKeyport(['import', 'keys', join(source, name)], {
      settings: { ...settings, KEYPORT_URL: node.welcome.url },
    });
    equal(run.code, 1, `some lines are rejected: ${run.stderr}`);
    collectRun(`import ${name}`, run);
  } finally {
    await rm(source, { recursive: true });
  }
}

async function importOverHttp(node: Serving, body: string, contentType: string) {
  const token = await toToken(node, OPERATOR_CLIENT);
  return call(node, 'POST', '/admin/v1/imports/keys', {
    token,
    body,
    headers: { 'content-type': contentType },
  });
}

async function toToken(
  node: Serving,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await call(node, 'POST', '/oauth/token', { body });
  equal(response.status, 200, response.text);
  return JSON.parse(response.text).access_token;
}

let responseCount = 0;

async function call(
  node: Serving,
  method: string,
  path: string,
  { mayHaveCodes, ...options }: RequestOptions & { readonly mayHaveCodes?: true } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { status, headers, text } = await sendRequest(node.welcome.url, method, path, options);
  responseCount += 1;
  if (mayHaveCodes === undefined || status !== 200) {
    const head = [...headers].join('\n');
    written.set(
      `response ${responseCount} to ${method} ${path.slice(0, 40)}`,
      Buffer.from(`${head}\n${text}`),
    );
  }
  return { status, text };
}

function collectRun(name: string, { stdout, stderr }: Run): void {
  written.set(`the outputs of keyport ${name}`, Buffer.from(stdout + stderr));
}

/** Collects every row of every table as text. */
async function collectRows(url: string): Promise<void> {
  const client = await connectTo(owner, url);
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  ok(tables.length > 20);
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT row_of::text AS row FROM ${name} AS row_of`);
    written.set(`the rows of ${name}`, Buffer.from(rows.map(({ row }) => row).join('\n')));
  }
  const { rows: statistics } = await client.query(
    `SELECT tablename, attname, most_common_vals::text, histogram_bounds::text FROM pg_stats WHERE schemaname = 'public'`,
  );
  written.set('the statistics of the planner', Buffer.from(JSON.stringify(statistics)));
  await collectDump(url);
}

/** The installed pg_dump may be too old for the server. */
async function collectDump(url: string): Promise<void> {
  const dump = await promisify(execFile)('pg_dump', ['--dbname', url], { maxBuffer: 1 << 30 }).catch(
    () => undefined,
  );
  hasDump = dump !== undefined;
  if (dump !== undefined) written.set('pg_dump', Buffer.from(dump.stdout));
}

let hasDump = false;

test('the output of pg_dump was searched', (t) => {
  if (!hasDump) t.skip('no installed pg_dump suits the server; the rows were searched instead');
});

/** Collects the server's files, its write-ahead log and its log when everything is on disk. */
async function collectServerFiles(url: string): Promise<void> {
  const client = await connectTo(owner, url);
  await client.query('CHECKPOINT');
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const data = must(rows[0], 'the folder of the server').data_directory;
  await collectFiles(data);
  written.set(join(dirname(data), 'log'), await readFile(join(dirname(data), 'log')));
}

async function collectFiles(root: string): Promise<void> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) written.set(path, await readFile(path));
  }
}

const FORMS = toForms(MARK);

/** Returns the encoding in which the bytes contain the mark. */
function findMark(bytes: Buffer): string | undefined {
  return FORMS.find(({ pattern }) => bytes.includes(pattern))?.form;
}

function toForms(mark: string): { readonly form: string; readonly pattern: Buffer }[] {
  const cases = [mark, mark.toUpperCase(), mark.toLowerCase()];
  return cases.flatMap((text) => [
    { form: 'in clear', pattern: Buffer.from(text) },
    { form: 'as hexadecimal', pattern: Buffer.from(Buffer.from(text).toString('hex')) },
    { form: 'as hexadecimal', pattern: Buffer.from(Buffer.from(text).toString('hex').toUpperCase()) },
    { form: 'as UTF-16', pattern: Buffer.from(text, 'utf16le') },
    { form: 'as UTF-16', pattern: Buffer.from(text, 'utf16le').swap16() },
    // Base64 depends on the offset: for each of the three, the characters that encode only the mark.
    ...[0, 1, 2].map((offset) => ({
      form: 'as base64',
      pattern: Buffer.from(
        Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
          .toString('base64')
          .slice(4, 24),
      ),
    })),
  ]);
}
