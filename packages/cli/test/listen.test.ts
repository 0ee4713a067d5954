import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { must } from '@keyport/core/assert';
import { EVENT_TYPES } from '@keyport/core/events';
import { Webhook } from 'standardwebhooks';
import { beforeAll, test } from 'vitest';
import { onEnd } from '../../server/test/support/database.ts';
import { endProcess } from '../../server/test/support/processes.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { runKeyport, type Serving, startKeyport, startServing } from './support/keyport.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let service: Serving;
let settings: Record<string, string>;

beforeAll(async () => {
  service = await startServing({ KEYPORT_DATA_DIR: 'memory', KEYPORT_PORT: '0' });
  onEnd(wholeFile, async () => void (await service.stop('SIGKILL')));
  const demo = must(service.welcome.demo, 'a sandbox has a demo reseller');
  settings = {
    KEYPORT_URL: service.welcome.url,
    CLIENT_ID: demo.clientId,
    CLIENT_SECRET: demo.clientSecret,
  };
});

const trigger = (type: string, ...args: string[]) => runKeyport(['trigger', type, ...args], { settings });

test('trigger causes and prints each type of event that the sandbox can make', async () => {
  for (const type of EVENT_TYPES.filter((each) => each !== 'order.processing' && each !== 'webhook.test')) {
    const { code, stdout, stderr } = await trigger(type, '--json');
    deepEqual([code, stderr], [0, ''], type);
    equal(JSON.parse(stdout).type, type);
  }
  match((await trigger('order.processing')).stderr, /do not stay in this status/);
  match((await trigger('webhook.test')).stderr, /no webhook endpoint/);
  match((await trigger('order.lost')).stderr, /one of order\.pending_payment/);
});

test('events are printed and forwarded as they happen, with a signature that receivers accept', async (t) => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  t.onTestFinished(() => void receiver.close());
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const { child } = startKeyport(['listen', '--forward-to', `http://127.0.0.1:${port}/hook`], {
    settings: { ...settings, WEBHOOK_SECRET: SECRET },
  });
  t.onTestFinished(async () => void (await endProcess(child)));
  const notices = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  const readNext = async (reader: typeof notices) => String((await reader.next()).value);
  equal(await readNext(notices), `Signed with the secret ${SECRET}`);
  match(await readNext(notices), /Waiting for events/);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { stdout } = await trigger('order.refunded', '--json');
  const refunded = JSON.parse(stdout);
  const types: string[] = [];
  while (types.at(-1) !== 'order.closed') {
    const line = await readNext(lines);
    match(line, /→ 204 in \d+ ms$/);
    types.push(must(line.split('  ')[1], 'a type'));
  }
  deepEqual(types, ['order.complete', 'order.refunded', 'order.closed']);
  const { headers, body } = must(received[1], 'the refund');
  deepEqual(new Webhook(SECRET).verify(body, headers), refunded);
  equal(headers['webhook-id'], refunded.id);
});

test('listen resumes at its position after lost connections, with increasing delays', async (t) => {
  const event = { id: 'evt_1', type: 'order.complete', createdAt: '2026-01-01T00:00:00.000000Z', data: {} };
  const cursors: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const answer = (body: object) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (pathname === '/oauth/token') return answer({ access_token: 'token', expires_in: 3600 });
    const cursor = searchParams.get('cursor') ?? '';
    cursors.push(cursor);
    // Two calls with five attempts each.
    if (cursors.length <= 10) return void request.socket.destroy();
    if (cursor === 'now') return answer({ data: [event], meta: { nextCursor: 'later', hasMore: false } });
    // Held until the end of the test.
    response.flushHeaders();
  }).listen(0, '127.0.0.1');
  t.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { child } = startKeyport(['listen', '--cursor', 'now'], {
    settings: { ...settings, KEYPORT_URL: `http://127.0.0.1:${port}` },
  });
  t.onTestFinished(async () => void (await endProcess(child)));
  const notices: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => notices.push(line));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  match(String((await lines.next()).value), /order\.complete {2}evt_1/);
  deepEqual(
    notices.filter((line) => line.startsWith('Retrying')),
    ['Retrying in 1 s.', 'Retrying in 2 s.'],
  );
  deepEqual(new Set(cursors.slice(0, 11)), new Set(['now']));
});
