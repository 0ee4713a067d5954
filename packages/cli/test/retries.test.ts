/** Commands whose responses get lost take effect once and report an unknown outcome. docs/daily-work.md, "Retrying a write". */
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { must } from '@keyport/core/assert';
import { test } from 'vitest';
import { type Owner, onEnd } from '../../server/test/support/database.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { runKeyport, startServing } from './support/keyport.ts';

const operator = { KEYPORT_OPERATOR_ID: 'test-operator', KEYPORT_OPERATOR_SECRET: 'test-operator-secret' };
const service = await startServing({
  ...operator,
  KEYPORT_PORT: '0',
  KEYPORT_DATA_DIR: 'memory',
  KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '200',
});
onEnd(wholeFile, async () => void (await service.stop('SIGKILL')));

const keyportAt = (url: string, ...args: string[]) =>
  runKeyport(args, { settings: { ...operator, KEYPORT_URL: url } });
const keyport = (...args: string[]) => keyportAt(service.welcome.url, ...args);

/**
 * Withholds the responses to the next `count` requests of the method: it returns `status` instead, as a proxy
 * does, or breaks the connection.
 */
async function startLosing(
  owner: Owner,
  count: number,
  status?: number,
  { lost = 'POST', paths = [] as string[] } = {},
): Promise<string> {
  let left = count;
  const { hostname, port } = new URL(service.welcome.url);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const onwards = request({ hostname, port, method, path, headers }, (response) => {
      if (path?.startsWith('/admin/') === true) paths.push(path);
      const isLost = method === lost && path?.startsWith('/admin/') === true && left > 0;
      if (isLost) {
        left -= 1;
        response.resume().once('end', () => {
          if (status === undefined) incoming.socket.destroy();
          else outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No answer</h1>');
        });
        return;
      }
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(onwards);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(owner, async () => void server.close().closeAllConnections());
  const address = must(server.address(), 'an address');
  return `http://127.0.0.1:${typeof address === 'object' ? address.port : ''}`;
}

/** Returns a complete order of the demo with a line of several units, and one unit of it for `--items`. */
async function refundable() {
  const { stdout } = await keyport('order', 'list', '--status', 'complete', '--json');
  for (const { id, transactions } of JSON.parse(stdout).data) {
    const [item] = transactions[0].items;
    if (item.quantity.ordered - item.quantity.refunded < 2) continue;
    const refund = ['order', 'refund', id, '--reason', 'Bad key'];
    return { id, refund: [...refund, '--items', JSON.stringify([{ id: item.id, quantity: 1 }])] };
  }
  throw new Error('the demo has no order to refund in part');
}

async function toRefunds(orderId: string): Promise<number> {
  const { stdout } = await keyport('audit', '--order-id', orderId, '--action', 'order.refund', '--json');
  return JSON.parse(stdout).data.length;
}

test('a partial refund whose responses are lost is retried with its key, and booked once', async (t) => {
  const { id, refund } = await refundable();
  const before = await toRefunds(id);
  const { code, stderr } = await keyportAt(await startLosing(t, 2), ...refund, '--json');
  deepEqual([code, stderr], [0, '']);
  equal(await toRefunds(id), before + 1);
});

for (const status of [500, 502, 504]) {
  test(`a partial refund whose responses become ${status} on the way is retried with its key, and booked once`, async (t) => {
    const { id, refund } = await refundable();
    const before = await toRefunds(id);
    const { code, stderr } = await keyportAt(await startLosing(t, 1, status), ...refund, '--json');
    deepEqual([code, stderr], [0, '']);
    equal(await toRefunds(id), before + 1);
  });
}

test('a command that gets nothing but 502 names its key', async (t) => {
  const { refund } = await refundable();
  const { code, stderr } = await keyportAt(await startLosing(t, 99, 502), ...refund);
  equal(code, 1);
  match(
    stderr,
    /returned 502 .*\nIt is unknown whether the command took effect.* --idempotency-key [0-9a-f-]{36}/,
  );
});

test('a read that gets no response or 503 is retried; --all reads the largest pages unless --limit is set', async (t) => {
  for (const status of [undefined, 503]) {
    const paths: string[] = [];
    const url = await startLosing(t, 2, status, { lost: 'GET', paths });
    const { code, stdout, stderr } = await keyportAt(url, 'seller', 'list', '--all', '--json');
    deepEqual([code, stderr], [0, '']);
    equal(JSON.parse(stdout).data.length > 0, true);
    deepEqual(
      paths,
      Array.from({ length: 3 }, () => '/admin/v1/sellers?limit=1000'),
    );
  }
  const paths: string[] = [];
  const url = await startLosing(t, 0, undefined, { paths });
  equal((await keyportAt(url, 'seller', 'list', '--all', '--limit', '1')).code, 0);
  equal(paths[0], '/admin/v1/sellers?limit=1');
});

test('the error of a read without a response states the lost connection and mentions no key', async (t) => {
  const { code, stderr } = await keyportAt(
    await startLosing(t, 99, undefined, { lost: 'GET' }),
    'seller',
    'list',
  );
  equal(code, 1);
  match(stderr, /the connection .* was lost/);
  doesNotMatch(stderr, /idempotency|took effect/);
});

test('two runs of one command are two requests', async () => {
  const { id, refund } = await refundable();
  const before = await toRefunds(id);
  for (let run = 0; run < 2; run += 1) equal((await keyport(...refund)).code, 0);
  equal(await toRefunds(id), before + 2);
});

test('a command without a response names its key, and takes effect once when rerun with it', async (t) => {
  const { id, refund } = await refundable();
  const before = await toRefunds(id);
  const { code, stdout, stderr } = await keyportAt(await startLosing(t, 99), ...refund);
  deepEqual([code, stdout], [1, '']);
  const key = /--idempotency-key ([0-9a-f-]{36})/.exec(stderr)?.[1] ?? '';
  match(stderr, /the connection .* was lost .*\nIt is unknown whether the command took effect/);
  const again = await keyport(...refund, '--idempotency-key', key);
  deepEqual([again.code, again.stderr], [0, '']);
  match(again.stdout, /^The response of an earlier request with this key:\n/);
  equal(await toRefunds(id), before + 1);
});

test('--idempotency-key sets the key, even for commands that read codes from a file', async () => {
  const key = randomUUID();
  const create = ['account', 'create', '--name', 'Once', '--payment-method', 'null', '--json'];
  const first = await keyport(...create, '--idempotency-key', key);
  const second = await keyport(...create, '--idempotency-key', key);
  deepEqual([first.code, second.code], [0, 0]);
  equal(JSON.parse(second.stdout).data.id, JSON.parse(first.stdout).data.id);
  const other = await keyport(...create.with(3, 'Other'), '--idempotency-key', key);
  equal(other.code, 1);
  match(other.stderr, /idempotency-key-already-used/);
  const bad = await keyport(...create, '--idempotency-key', 'x');
  equal(bad.code, 1);
  match(bad.stderr, /idempotency-key must be/);
  for (const command of [['keys', 'add'], ['keys', 'withdraw'], ['deposit'], ['order', 'hold']])
    match((await keyport(...command, '--help')).stdout, /--idempotency-key <uuid>/);
  doesNotMatch((await keyport('account', 'list', '--help')).stdout, /idempotency/);
});

test('a service that does not exist is reported immediately, without a key, because nothing was sent', async () => {
  const { code, stderr } = await keyportAt('http://127.0.0.1:65533', 'account', 'list');
  equal(code, 1);
  match(stderr, /does not respond/);
  doesNotMatch(stderr, /idempotency/);
});
