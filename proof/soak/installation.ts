/** What is soaked: a durable PostgreSQL and two nodes in live mode, each with an address for its metrics. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Owner, onEnd } from '../../packages/server/test/support/database.ts';
import { OPERATOR } from '../../packages/server/test/support/killable-service.ts';
import { freePort, startPostgres } from '../../packages/server/test/support/postgres.ts';
import { nodeProcess } from '../faults/node-process.ts';

export type Node = {
  readonly name: string;
  readonly url: string;
  readonly metricsUrl: string;
  /** False once the process has ended, by whatever. */
  isRunning(): boolean;
  /** Lines of the log since the start, at the level warn. */
  log(): Promise<string[]>;
};

export type Installation = { readonly databaseUrl: string; readonly nodes: readonly Node[] };

/** Short enough that tokens run out many times in an hour. */
const TOKEN_TTL_SECONDS = 600;

/** Everything ends with the owner; what nodes write is in `folder`. */
export async function startInstallation(owner: Owner, folder: string): Promise<Installation> {
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const postgres = await startPostgres({ durable: true });
  onEnd(owner, () => postgres.stop());
  const nodes: Node[] = [];
  for (const name of ['first', 'second']) {
    const metricsPort = await freePort();
    const log = { file: join(folder, `${name}.log`) };
    const node = nodeProcess(owner, {
      log,
      environment: {
        PATH: process.env['PATH'] ?? '',
        KEYPORT_MODE: 'live',
        KEYPORT_PORT: '0',
        KEYPORT_PUBLIC_URL: 'https://keyport.test',
        KEYPORT_DATABASE_URL: postgres.url,
        KEYPORT_DATA_DIR: join(folder, name),
        KEYPORT_MASTER_KEY_FILE: masterKeyFile,
        KEYPORT_OPERATOR_ID: OPERATOR.client_id,
        KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
        KEYPORT_TOKEN_TTL_SECONDS: String(TOKEN_TTL_SECONDS),
        KEYPORT_METRICS_PORT: String(metricsPort),
        KEYPORT_LOG_LEVEL: 'warn',
      },
    });
    await node.start();
    const linesOfStart = (await readLines(log.file)).length;
    nodes.push({
      name,
      url: node.url() ?? '',
      metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      isRunning: () => node.url() !== undefined,
      log: async () => (await readLines(log.file)).slice(linesOfStart),
    });
  }
  return { databaseUrl: postgres.url, nodes };
}

async function readLines(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}
