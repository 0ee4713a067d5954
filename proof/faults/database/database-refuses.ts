/** R27. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { startPostgres } from '../../../packages/server/test/support/postgres.ts';
import { call } from '../../load/operator.ts';
import type { Scenario } from '../scenario.ts';
import { type LoadFault, runUnderLoad } from '../under-load.ts';
import { closeAdmin, openAdmin } from './admin-session.ts';

const MAX_CONNECTIONS = 40;
/** The service must respond before its callers give up. */
const CALLER_TIMEOUT_MS = 60_000;
const FULL_FOR_MS = 3_000;
/** Longer than an order may take. */
const LOCKED_FOR_MS = 25_000;
const READ_ONLY_FOR_MS = 3_000;

const SESSIONS = `FROM pg_stat_activity WHERE application_name LIKE 'keyport%' AND pid <> pg_backend_pid()`;

export const endSessions: LoadFault = {
  name: 'end-sessions',
  promise:
    'one or all database sessions ended, or the process of one killed, under load: each order is placed once',
  count: 30,
  async round({ rig, round, random }) {
    const admin = await openAdmin(rig.postgres.url);
    const { rows } = await admin.query(`SELECT pid ${SESSIONS} ORDER BY pid`);
    const pids: number[] = rows.map(({ pid }) => pid);
    if (round % 3 === 0) await admin.query('SELECT pg_terminate_backend($1)', [random.pick(pids)]);
    else if (round % 3 === 1) await admin.query(`SELECT pg_terminate_backend(pid) ${SESSIONS}`);
    // PostgreSQL ends all sessions and recovers: the dead one may have left shared memory inconsistent.
    else process.kill(random.pick(pids), 'SIGKILL');
    await closeAdmin(admin);
    return undefined;
  },
};

export const noConnectionLeft: Scenario = {
  name: 'no-connection-left',
  promise:
    'all connections of PostgreSQL taken by others: requests get an error in time, and succeed afterwards',
  count: 5,
  async run(run) {
    const postgres = await startPostgres({
      durable: true,
      settings: { max_connections: String(MAX_CONNECTIONS) },
    });
    return runUnderLoad(run, {
      rig: { postgres },
      async round({ rig }) {
        const taken = await takeAllConnections(rig.postgres.url);
        await sleep(FULL_FOR_MS);
        await Promise.all(taken.map(closeAdmin));
        return undefined;
      },
    });
  },
};

export const lockedTable: LoadFault = {
  name: 'locked-table',
  promise:
    'the table of orders locked for 25 s: orders get a response in time, catalogue reads continue, and orders succeed afterwards',
  count: 5,
  load: { timeoutMs: CALLER_TIMEOUT_MS, callerCount: 150, pauseMs: 300 },
  isAnsweredInTime: true,
  async round({ rig }) {
    const admin = await openAdmin(rig.postgres.url);
    await admin.query('BEGIN; LOCK TABLE "order" IN ACCESS EXCLUSIVE MODE');
    const lockedAt = performance.now();
    while (performance.now() - lockedAt < LOCKED_FOR_MS) {
      for (const url of rig.urls()) {
        const token = rig.shop.buyers[0]?.token;
        const { status } = await call(url, { path: '/export/v1/product-offers', token });
        assert.equal(status, 200, 'catalogue reads continue');
      }
      await sleep(50);
    }
    await admin.query('COMMIT');
    await closeAdmin(admin);
    return undefined;
  },
};

export const readOnlyDatabase: LoadFault = {
  name: 'read-only-database',
  promise:
    'PostgreSQL rejects writes for a while: no order is acknowledged in that time, and orders continue afterwards',
  count: 5,
  async round({ rig, load }) {
    const admin = await openAdmin(rig.postgres.url);
    await admin.query('SET default_transaction_read_only = off');
    await setReadOnly(admin, 'on');
    const acknowledged = () => load.record.counts['POST 201'] ?? 0;
    // Orders in progress may still be committed and acknowledged.
    await sleep(READ_ONLY_FOR_MS / 2);
    const before = acknowledged();
    await sleep(READ_ONLY_FOR_MS);
    assert.equal(acknowledged(), before, 'nothing is acknowledged that was not written');
    await setReadOnly(admin, 'off');
    await closeAdmin(admin);
    return undefined;
  },
};

async function setReadOnly(admin: Client, value: 'on' | 'off'): Promise<void> {
  await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await admin.query('SELECT pg_reload_conf()');
}

async function takeAllConnections(url: string): Promise<Client[]> {
  const admin = await openAdmin(url);
  const taken = [admin];
  for (;;) {
    await admin.query(`SELECT pg_terminate_backend(pid) ${SESSIONS}`);
    const opened = await Promise.allSettled(Array.from({ length: MAX_CONNECTIONS }, () => openAdmin(url)));
    for (const each of opened) if (each.status === 'fulfilled') taken.push(each.value);
    const { rows } = await admin.query(`SELECT count(*)::int AS count ${SESSIONS}`);
    if (rows[0].count === 0) return taken;
  }
}
