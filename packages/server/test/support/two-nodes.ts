/**
 * Two nodes on one PostgreSQL database, as behind a load balancer. The embedded engine serves one process:
 * with it, both are the same node.
 */
import { equal } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import type { DatabaseOptions } from '../../src/db/engines/database.ts';
import { type RunningService, startService } from '../../src/service.ts';
import { type Owner, onEnd, testDatabaseSettings } from './database.ts';
import { type DatabaseLink, openDatabaseLink } from './database-link.ts';
import { type Harness, startHarness, testConfig } from './harness.ts';

type TwoNodes = {
  readonly h: Harness;
  readonly nodes: readonly [RunningService, RunningService];
  toNode(index: number): RunningService;
  readonly settings: Readonly<Record<string, string>>;
  /** Undefined for the embedded engine. */
  readonly databaseUrl: string | undefined;
  /** Links the second node to PostgreSQL; undefined without `isLinked` and for the embedded engine. */
  readonly link: DatabaseLink | undefined;
};

/** Asserts when their owner ends that no deadlock has happened in the database. */
export async function startTwoNodes(
  owner: Owner,
  ownSettings: Readonly<Record<string, string>> = {},
  options: {
    /** The second node reaches the database over a link that the test breaks. */
    readonly isLinked?: boolean;
    /** The database to use instead of a new one. */
    readonly database?: DatabaseOptions;
  } = {},
): Promise<TwoNodes> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-nodes-'));
  onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const settings = {
    KEYPORT_MASTER_KEY_FILE: masterKeyFile,
    // Tokens name their issuer, and the nodes accept each other's tokens.
    KEYPORT_PUBLIC_URL: 'http://keyport.localhost',
    ...ownSettings,
  };
  const database = options.database ?? (await testDatabaseSettings(owner));
  const { url: databaseUrl } = database;
  if (databaseUrl !== undefined) onEnd(owner, () => assertNoDeadlock(databaseUrl));
  const h = await startHarness(owner, settings, database);
  let second = h.service;
  let link: DatabaseLink | undefined;
  if (databaseUrl !== undefined) {
    if (options.isLinked) link = await openDatabaseLink(owner, databaseUrl);
    second = await startService(testConfig(settings), {
      database: { ...database, url: link?.url ?? databaseUrl },
      log: pino({ level: 'silent' }),
    });
    const { close } = second;
    onEnd(owner, close);
    await h.service.countNodes();
  }
  const nodes = [h.service, second] as const;
  return { h, nodes, toNode: (index) => (index % 2 === 0 ? h.service : second), settings, databaseUrl, link };
}

/** Sessions report what they counted when they end, so the nodes are closed by now. */
async function assertNoDeadlock(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    equal(Number(rows[0].deadlocks), 0, 'no deadlock happened in the database');
  } finally {
    await client.end();
  }
}
