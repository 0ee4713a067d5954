/**
 * Migrated empty databases on the engine that KEYPORT_TEST_ENGINE names. The runner (vitest.config.ts)
 * or else this file prepares their source.
 */
import { randomUUID } from 'node:crypto';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/engines/database.ts';
import { migrateToLatest } from '../../src/db/migrations/migrate.ts';
import { verifyInvariants } from '../../src/verify/verify.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

export type TestEngine = 'embedded' | 'postgres';

/** The context of a test, or the whole file. */
export type Owner = { onTestFinished(work: () => Promise<void>): void };

const cleanUps = new WeakMap<Owner, (() => Promise<void>)[]>();

/** Runs the last registered work first, and all of it even if some fails. */
export function onEnd(owner: Owner, work: () => Promise<void>): void {
  const registered = cleanUps.get(owner);
  if (registered !== undefined) {
    registered.push(work);
    return;
  }
  const works = [work];
  cleanUps.set(owner, works);
  owner.onTestFinished(async () => {
    cleanUps.delete(owner);
    const errors: unknown[] = [];
    // An open resource would keep the process from ending.
    for (const each of works.reverse()) await each().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  });
}

const TEMPLATE = 'keyport_template';

export const testEngine: TestEngine = parseEngine(process.env['KEYPORT_TEST_ENGINE']);

/** An open database with the current schema and no rows. */
export async function testDatabase(owner: Owner, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({ ...(await testDatabaseSettings(owner)), ...options });
  onEnd(owner, () => database.close());
  if (database.kind === 'embedded') await migrateToLatest(database);
  return database;
}

/** Settings for a whole server. An embedded database is migrated only if the runner made a dump. */
export async function testDatabaseSettings(owner: Owner): Promise<DatabaseOptions> {
  if (testEngine === 'embedded') {
    const initialDumpFile = process.env['KEYPORT_TEST_EMBEDDED_DUMP'];
    const dump = initialDumpFile === undefined ? {} : { initialDumpFile };
    return { url: undefined, dataDir: 'memory', ...dump };
  }
  const adminUrl = process.env['KEYPORT_TEST_POSTGRES_URL'] ?? (await borrowServer(owner));
  // A busy machine can take longer than callers wait in production.
  return { url: await cloneTemplate(owner, adminUrl), dataDir: 'memory', connectionWaitMaxMs: 10_000 };
}

/** Variables for a service in its own process; its data is in the folder. */
export async function processDatabase(
  owner: Owner,
  folder: string,
): Promise<{ KEYPORT_DATA_DIR: string; KEYPORT_DATABASE_URL?: string }> {
  const { url } = await testDatabaseSettings(owner);
  const dataDir = join(folder, 'data');
  const template = process.env['KEYPORT_TEST_EMBEDDED_FOLDER'];
  if (url === undefined && template !== undefined) await cp(template, dataDir, { recursive: true });
  return { KEYPORT_DATA_DIR: dataDir, ...(url === undefined ? {} : { KEYPORT_DATABASE_URL: url }) };
}

/** Creates a database on a server that has the template; returns its URL. */
export async function cloneTemplate(owner: Owner, adminUrl: string): Promise<string> {
  const name = `keyport_${randomUUID().replaceAll('-', '')}`;
  await administer(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  onEnd(owner, async () => void (await administer(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`)));
  return withDatabase(adminUrl, name);
}

export async function connectTo(owner: Owner, url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onEnd(owner, () => client.end());
  return client;
}

export async function createTemplate(adminUrl: string): Promise<void> {
  await administer(adminUrl, `CREATE DATABASE ${TEMPLATE}`);
  const database = await openDatabase({ url: withDatabase(adminUrl, TEMPLATE), dataDir: 'memory' });
  try {
    await migrateToLatest(database);
  } finally {
    await database.close();
  }
}

/** Verifies the invariants of every database that the workers shared: the others are gone when their test or file ends. */
export async function verifyDatabases(adminUrl: string): Promise<void> {
  const names = await administer<{ datname: string }>(
    adminUrl,
    `SELECT datname FROM pg_database WHERE datname LIKE 'keyport\\_%' AND datname <> '${TEMPLATE}'`,
  );
  for (const { datname } of names) {
    const database = await openDatabase({ url: withDatabase(adminUrl, datname), dataDir: 'memory' });
    try {
      // A reservation may have ended after its service did, and only a running service takes it back (I26).
      const violated = (await verifyInvariants(database)).filter(
        ({ id, broken }) => broken > 0 && id !== 'I26',
      );
      if (violated.length > 0) throw new Error(`failed at the end of a worker: ${JSON.stringify(violated)}`);
    } finally {
      await database.close();
    }
  }
}

/** Creates the source of embedded test databases: a dump, or the folder for a service in its own process. */
export async function createEmbeddedTemplate({
  dump,
  folder,
}: {
  dump: string;
  folder: string;
}): Promise<void> {
  const database = await openDatabase({ url: undefined, dataDir: folder });
  try {
    await migrateToLatest(database);
    await writeFile(dump, await database.dump());
  } finally {
    await database.close();
  }
  for (const own of ['lock', 'pid']) await rm(join(folder, own), { force: true });
}

let ownServer: Promise<PostgresServer> | undefined;
let ownServerUserCount = 0;

/** Returns this process's server, which runs for as long as it is in use. */
async function borrowServer(owner: Owner): Promise<string> {
  ownServerUserCount += 1;
  ownServer ??= startWithTemplate();
  const server = await ownServer;
  onEnd(owner, async () => {
    ownServerUserCount -= 1;
    if (ownServerUserCount > 0) return;
    ownServer = undefined;
    await server.stop();
  });
  return server.url;
}

async function startWithTemplate(): Promise<PostgresServer> {
  const server = await startPostgres({ durable: false });
  await createTemplate(server.url);
  return server;
}

async function administer<Row extends object>(adminUrl: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

function withDatabase(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function parseEngine(value: string | undefined): TestEngine {
  if (value === undefined || value === 'embedded') return 'embedded';
  if (value === 'postgres') return 'postgres';
  throw new Error(`KEYPORT_TEST_ENGINE is embedded or postgres, not ${value}`);
}
