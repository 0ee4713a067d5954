import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { must } from '@keyport/core/assert';
import { type TestContext, test } from 'vitest';
import { signatureHeaders } from '../../src/webhooks/signature.ts';
import { auto, startHarness } from '../support/harness.ts';
import { endProcess } from '../support/processes.ts';
import { skipBecause } from '../support/vitest.ts';
import { waitUntil } from '../support/webhook-receiver.ts';

const DOCS = join(import.meta.dirname, '../../../../docs');

type Language = {
  readonly name: string;
  readonly file: string;
  readonly command: string;
  readonly args: (path: string, port: number) => readonly string[];
};

const LANGUAGES: readonly Language[] = [
  { name: 'TypeScript', file: 'webhook-receiver.mts', command: process.execPath, args: (path) => [path] },
  { name: 'Python', file: 'webhook_receiver.py', command: 'python3', args: (path) => [path] },
  {
    name: 'PHP',
    file: 'webhook-receiver.php',
    command: 'php',
    args: (path, port) => ['-S', `127.0.0.1:${port}`, path],
  },
];

for (const language of LANGUAGES) {
  test(`the ${language.name} receiver accepts a signed order once, and rejects anything unsigned`, async (t) => {
    skipBecause(t, !canRun(language.command) && `${language.command} is not installed`);
    match(await readFile(join(DOCS, 'webhooks.md'), 'utf8'), new RegExp(`\\(examples/${language.file}\\)`));
    const h = await startHarness(t);
    const reseller = await h.seed.reseller({ balance: '10.00' });
    const port = await freePort();
    const body = { url: `http://127.0.0.1:${port}/`, types: ['order.complete'] };
    const created = await h.call('POST', '/export/v1/webhook-endpoints', { token: reseller.token, body });
    const { secret } = created.body.data;
    const output = await startReceiver(t, language, port, secret);
    const { productId } = await h.seed.listing({ price: '1.00' });
    const { id } = (await reseller.order(auto(productId))).body.data;
    await waitUntil(async () => output.text.endsWith('\n'), 'the order');
    equal(output.text, `order.complete ${id}\n`);

    const [event] = (await reseller.get('/events')).body.data;
    const text = JSON.stringify(event);
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const nowSeconds = Math.floor(Date.now() / 1000);
    const send = async (timestampSeconds: number, signedBody: string, keys = [key]) => {
      const headers = signatureHeaders({ id: event.id, timestampSeconds, body: signedBody }, keys);
      return (await fetch(body.url, { method: 'POST', headers, body: text })).status;
    };
    const other = Buffer.alloc(32, 7);
    const statuses = [
      await send(nowSeconds, text),
      await send(nowSeconds, text, [other, key]),
      await send(nowSeconds, `${text} `),
      await send(nowSeconds, text, [other]),
      await send(nowSeconds - 400, text),
      await send(nowSeconds + 400, text),
    ];
    deepEqual(statuses, [204, 204, 400, 400, 400, 400]);
    equal((await fetch(body.url, { method: 'POST', body: text })).status, 400);
    equal(output.text, `order.complete ${id}\n`, 'the event is handled once');
  });
}

/** The lines before the work of an example that make its first run fail. */
const FAILURES: Readonly<Record<string, string>> = {
  TypeScript:
    "const tried = globalThis as { tried?: boolean };\n  if (!tried.tried) {\n    tried.tried = true;\n    throw new Error('failed');\n  }\n",
  Python:
    'if not hasattr(handle, "tried"):\n            handle.tried = True\n            raise RuntimeError("failed")\n',
  PHP: "if (!is_file(__FILE__ . '.tried')) {\n        touch(__FILE__ . '.tried');\n        throw new Exception('failed');\n    }\n",
};

test.for(LANGUAGES)('the $name receiver does the work of an event again that failed', async (language, t) => {
  skipBecause(t, !canRun(language.command) && `${language.command} is not installed`);
  const folder = await mkdtemp(join(tmpdir(), 'keyport-receiver-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  // `npm init -y` makes such a folder.
  await writeFile(join(folder, 'package.json'), '{"name":"shop","version":"1.0.0","type":"commonjs"}');
  const example = await readFile(join(DOCS, 'examples', language.file), 'utf8');
  const file = join(folder, language.file);
  const changed = example.replace(/^( *)(?=(?:\/\/|#) Your work)/m, `$1${FAILURES[language.name]}$1`);
  ok(changed.length > example.length);
  await writeFile(file, changed);
  const port = await freePort();
  const key = Buffer.alloc(24, 1);
  const output = await startReceiver(t, language, port, `whsec_${key.toString('base64')}`, file);
  const id = `evt_${randomUUID()}`;
  const body = JSON.stringify({ id, type: 'order.complete', data: { order: { id: '2174556001234567' } } });
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id, timestampSeconds, body }, [key]);
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1)
    statuses.push((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status);
  deepEqual(statuses, [500, 204, 204]);
  await waitUntil(async () => output.text.endsWith('\n'), 'the order');
  equal(output.text, 'order.complete 2174556001234567\n');
});

for (const { name, file, command, args } of LANGUAGES.filter((language) => language.name !== 'PHP')) {
  test(`the ${name} receiver does not start without a secret`, async (t) => {
    skipBecause(t, !canRun(command) && `${command} is not installed`);
    const env = { ...process.env, WEBHOOK_SECRET: 'whsec_', PORT: '0' };
    const run = promisify(execFile)(command, args(join(DOCS, 'examples', file), 0), { env, timeout: 60_000 });
    await rejects(run, /set WEBHOOK_SECRET/);
  });
}

test('the PHP receiver accepts nothing without a secret', async (t) => {
  const php = must(
    LANGUAGES.find(({ name }) => name === 'PHP'),
    'there is a PHP example',
  );
  skipBecause(t, !canRun(php.command) && `${php.command} is not installed`);
  const port = await freePort();
  await startReceiver(t, php, port, 'whsec_');
  const message = { id: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1000), body: '{}' };
  const headers = signatureHeaders(message, [Buffer.alloc(0)]);
  equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: '{}' })).status, 500);
});

async function startReceiver(
  t: TestContext,
  language: Language,
  port: number,
  secret: string,
  file = join(DOCS, 'examples', language.file),
) {
  const output = { text: '' };
  const child: ChildProcess = spawn(language.command, language.args(file, port), {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.onTestFinished(async () => void (await endProcess(child)));
  child.stdout?.on('data', (chunk) => (output.text += chunk));
  await waitUntil(() => canConnect(port), 'the receiver');
  return output;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function canRun(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
