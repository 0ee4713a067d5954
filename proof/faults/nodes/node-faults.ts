/** A node lacks memory, file descriptors, time, a reader of its log or its key file. R31. */
import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDatabase } from '../database/admin-session.ts';
import type { Scenario } from '../scenario.ts';
import { type LoadFault, runUnderLoad } from '../under-load.ts';

const BLOCKED_FOR_MS = 5_000;
const HOUR_MS = 3_600_000;
const STEPPED_FOR_MS = 4_000;
const FILES_MAX = 64;
const IDLE_SOCKETS = 100;
const SOCKETS_OPEN_FOR_MS = 3_000;
/** Nodes read the key file every 5 s. */
const KEY_FILE_GONE_FOR_MS = 6_000;
/** A pipe holds 64 KiB, and a line of a request is more than 100 bytes. */
const UNREAD_REQUESTS = 1_500;
const LOOK_INTERVAL_MS = 50;

export const crashNode: Scenario = {
  name: 'crash-node',
  promise:
    'a node that reaches its heap limit or meets an unhandled rejection ends, and nothing is lost when it restarts',
  count: 10,
  run: (run) =>
    runUnderLoad(run, {
      rig: { settings: { NODE_OPTIONS: '--max-old-space-size=160' } },
      async round({ rig, random, round }) {
        const node = random.pick(rig.nodes);
        const ended = node.ended();
        node.command({ kind: round % 2 === 0 ? 'use up the heap' : 'reject' });
        assert.notEqual(await ended, 0);
        await node.start();
        return undefined;
      },
    }),
};

export const blockedNode: LoadFault = {
  name: 'blocked-node',
  promise:
    "a node's event loop blocked for 5 s: the other one continues selling, and the blocked one does so again afterwards",
  count: 10,
  async round({ rig, load, random }) {
    const [blocked, other] = random.shuffled(rig.nodes);
    blocked?.command({ kind: 'block', ms: BLOCKED_FOR_MS });
    const otherSellsAfterMs = await load.orderPlaced({ url: other?.url() });
    await load.orderPlaced({ url: blocked?.url() });
    return { otherSellsAfterMs };
  },
};

export const steppedClock: LoadFault = {
  name: 'stepped-clock',
  promise:
    'the clock of one node or both stepped by an hour either way: tokens are renewed, and orders have the time of the database',
  count: 10,
  load: { mayTokensExpire: true },
  async round({ rig, load, random }) {
    const nodes = random.chance(0.5) ? rig.nodes : [random.pick(rig.nodes)];
    const offsetMs = random.pick([-HOUR_MS, HOUR_MS]);
    for (const node of nodes) node.command({ kind: 'step the clock', offsetMs });
    await Promise.all(nodes.map((node) => load.orderPlaced({ url: node.url() })));
    await sleep(STEPPED_FOR_MS);
    for (const node of rig.nodes) node.command({ kind: 'step the clock', offsetMs: 0 });
    await assertTimes(rig.postgres.url);
    return undefined;
  },
};

export const fewFiles: Scenario = {
  name: 'few-files',
  promise: 'a node with 64 file descriptors and more connections than that: it survives and sells afterwards',
  count: 5,
  run: (run) =>
    runUnderLoad(run, {
      rig: { nodeWrapper: ['sh', '-c', `ulimit -n ${FILES_MAX}; exec "$@"`, 'sh'] },
      async round({ rig }) {
        const sockets = rig.nodes.flatMap((node) =>
          Array.from({ length: IDLE_SOCKETS }, () => openIdle(node.url() ?? '')),
        );
        await sleep(SOCKETS_OPEN_FOR_MS);
        for (const socket of sockets) socket.destroy();
        return undefined;
      },
    }),
};

export const unreadLog: Scenario = {
  name: 'unread-log',
  promise: 'the log is not read, or its disk is full: requests continue, and the node still stops on request',
  count: 2,
  run: (run) =>
    runUnderLoad(run, {
      rig: {
        settings: { KEYPORT_LOG_LEVEL: 'trace', KEYPORT_STOP_DELAY_MS: '0' },
        logs: ['not read', 'disk full'],
      },
      async round({ rig, load }) {
        const requestCount = () => Object.values(load.record.counts).reduce((sum, count) => sum + count, 0);
        const enough = requestCount() + UNREAD_REQUESTS * rig.nodes.length;
        while (requestCount() < enough) await sleep(LOOK_INTERVAL_MS);
        await Promise.all(rig.nodes.map((node) => load.orderPlaced({ url: node.url() })));
        for (const node of rig.nodes) {
          const ended = node.ended();
          node.terminate();
          assert.equal(await ended, 0);
          await node.start();
        }
        return undefined;
      },
    }),
};

export const missingKeyFile: LoadFault = {
  name: 'missing-key-file',
  promise: 'the key file goes missing while nodes run: orders and keys continue',
  count: 2,
  async round({ rig, load }) {
    const errors = () => Object.entries(load.record.counts).filter(([name]) => / 5\d\d$/.test(name));
    const before = errors();
    const away = `${rig.masterKeyFile}.away`;
    await rename(rig.masterKeyFile, away);
    await sleep(KEY_FILE_GONE_FOR_MS);
    await rename(away, rig.masterKeyFile);
    assert.deepEqual(errors(), before);
    return undefined;
  },
};

function openIdle(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  return socket;
}

async function assertTimes(url: string): Promise<void> {
  const { count } = await askDatabase(
    url,
    `SELECT count(*)::int AS count FROM "order"
     WHERE created_at NOT BETWEEN pg_postmaster_start_time() AND clock_timestamp()`,
  );
  assert.equal(count, 0, 'every order has the time of the database');
}
