import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'vitest';
import { type Owner, onEnd } from '../../../packages/server/test/support/database.ts';
import { type Direction, MessageSplitter } from './cuts-framing.ts';
import { CUT_KINDS, CUT_POSITIONS, type Cut, type CutPlace, openCutProxy } from './cuts-proxy.ts';

const STALL_MAX_MS = 60;

const STARTUP = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
const BEGIN = message('Q', 'BEGIN\0');
const COMMIT = message('Q', 'COMMIT\0');
const REPLIES = new Map([
  [BEGIN.toString(), [message('C', 'BEGIN\0'), message('Z', 'T')]],
  [COMMIT.toString(), [message('C', 'COMMIT\0'), message('Z', 'I')]],
]);
const EXCHANGE: Readonly<Record<Direction, readonly Buffer[]>> = {
  'to-server': [BEGIN, COMMIT],
  'to-node': [...REPLIES.values()].flat(),
};

function message(type: string, payload: string): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(payload.length + 4, 1);
  return Buffer.concat([head, Buffer.from(payload)]);
}

type Received = { bytes: Buffer; readonly ended: Promise<'fin' | 'rst'> };

function record(socket: Socket): Received {
  const ended = Promise.withResolvers<'fin' | 'rst'>();
  const received: Received = { bytes: Buffer.alloc(0), ended: ended.promise };
  socket.on('data', (chunk: Buffer) => {
    received.bytes = Buffer.concat([received.bytes, chunk]);
  });
  socket.on('error', () => ended.resolve('rst'));
  socket.on('end', () => ended.resolve('fin'));
  return received;
}

async function openServer(owner: Owner) {
  const sessions: Received[] = [];
  const server = createServer((socket) => {
    sessions.push(record(socket));
    const splitter = new MessageSplitter('to-server');
    socket.on('data', (chunk: Buffer) => {
      for (const { bytes } of splitter.push(chunk)) {
        for (const reply of REPLIES.get(bytes.toString()) ?? []) if (socket.writable) socket.write(reply);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(owner, async () => void server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address !== 'string');
  return { url: `postgres://127.0.0.1:${address.port}/any`, sessions };
}

async function openPair(t: TestContext) {
  const server = await openServer(t);
  const proxy = await openCutProxy(t, server.url, {
    opens: ({ bytes }) => bytes.equals(BEGIN),
    stallMaxMs: STALL_MAX_MS,
    lateMs: 20,
  });
  const dial = () => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    t.onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { server, proxy, dial };
}

function passedOf({ direction, messageIndex, position }: CutPlace): Buffer {
  const whole = EXCHANGE[direction].slice(0, messageIndex);
  const cut = EXCHANGE[direction][messageIndex] ?? assert.fail('the exchange has no message with this index');
  const share = { before: 0, middle: Math.ceil(cut.length / 2), after: cut.length }[position];
  return Buffer.concat([...(direction === 'to-server' ? [STARTUP] : []), ...whole, cut.subarray(0, share)]);
}

for (const direction of ['to-server', 'to-node'] as const) {
  for (const kind of CUT_KINDS) {
    test(`${kind} at every message ${direction}: what comes before gets through, nothing after`, async (t) => {
      const { server, proxy, dial } = await openPair(t);
      for (const messageIndex of EXCHANGE[direction].keys()) {
        for (const position of CUT_POSITIONS) {
          const cut: Cut = { direction, messageIndex, position, kind };
          const watch = proxy.watch({ on: 'first', cut });
          const socket = dial();
          const node = record(socket);
          socket.write(Buffer.concat([STARTUP, BEGIN, COMMIT]));
          const nodeEnd = await node.ended;
          const session = server.sessions.at(-1) ?? assert.fail('no connection reached the server');
          const serverEnd = await session.ended;
          assert.ok(watch.isCut);
          assert.equal(watch.messages[direction].length, messageIndex + 1);
          const end = direction === 'to-server' ? session : node;
          const isAllLate = kind === 'late' && direction === 'to-server';
          const expected = isAllLate ? Buffer.concat([STARTUP, BEGIN, COMMIT]) : passedOf(cut);
          assert.deepEqual(end.bytes, expected, JSON.stringify(cut));
          if (kind === 'fin' || kind === 'rst') assert.deepEqual([nodeEnd, serverEnd], [kind, kind]);
          if (kind === 'late') assert.deepEqual([nodeEnd, serverEnd], ['rst', 'fin']);
        }
      }
    });
  }
}

test('if a node disappears during a stall, its server notices only at the end of the stall', async (t) => {
  const { server, proxy, dial } = await openPair(t);
  proxy.watch({
    on: 'first',
    cut: { direction: 'to-server', messageIndex: 1, position: 'before', kind: 'stall' },
  });
  const socket = dial();
  const startedAt = performance.now();
  socket.write(Buffer.concat([STARTUP, BEGIN, COMMIT]));
  await once(socket, 'data');
  socket.destroy();
  const session = server.sessions[0] ?? assert.fail('no connection reached the server');
  await session.ended;
  // A timer may be a millisecond early.
  assert.ok(performance.now() - startedAt >= STALL_MAX_MS - 1, 'the server noticed at the end of the stall');
  assert.deepEqual(session.bytes, Buffer.concat([STARTUP, BEGIN]));
});

test('a watch waits for a connection of its kind and does not affect earlier exchanges', async (t) => {
  const { proxy, dial } = await openPair(t);
  const socket = dial();
  const watch = proxy.watch({
    on: 'later',
    cut: { direction: 'to-node', messageIndex: 3, position: 'before', kind: 'fin' },
  });
  const node = record(socket);
  socket.write(Buffer.concat([STARTUP, BEGIN, COMMIT]));
  while (node.bytes.length < Buffer.concat(EXCHANGE['to-node']).length) await once(socket, 'data');
  assert.deepEqual([watch.hasBegun, proxy.usedConnections()], [false, 1]);
  socket.write(Buffer.concat([BEGIN, COMMIT]));
  await node.ended;
  assert.deepEqual([watch.isCut, proxy.usedConnections()], [true, 0]);
  assert.deepEqual(watch.messages, { 'to-server': ['Q', 'Q'], 'to-node': ['C', 'Z', 'C', 'Z'] });
});

test('a slow link changes no byte', async (t) => {
  const { server, proxy, dial } = await openPair(t);
  proxy.setPace({ latencyMs: 5, bytesPerSecond: 50_000, pieceBytes: 1 });
  const socket = dial();
  const node = record(socket);
  socket.write(Buffer.concat([STARTUP, BEGIN, COMMIT]));
  const replies = Buffer.concat(EXCHANGE['to-node']);
  while (node.bytes.length < replies.length) await once(socket, 'data');
  assert.deepEqual(node.bytes, replies);
  assert.deepEqual(server.sessions[0]?.bytes, Buffer.concat([STARTUP, BEGIN, COMMIT]));
});
