/** A durable PostgreSQL, nodes in their own processes, and a shop. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Owner, onEnd } from '../../packages/server/test/support/database.ts';
import { OPERATOR } from '../../packages/server/test/support/killable-service.ts';
import { type PostgresServer, startPostgres } from '../../packages/server/test/support/postgres.ts';
import { PROCESS_ENVIRONMENT } from '../../packages/server/test/support/processes.ts';
import { type Audited, audit } from '../load/audit.ts';
import { type Load, type LoadOptions, startLoad } from '../load/load.ts';
import { CallRecord } from '../load/record.ts';
import { openShop, type Shop, type ShopSize } from '../load/shop.ts';
import { type LogPlace, type NodeProcess, nodeProcess } from './node-process.ts';

export type RigOptions = {
  readonly owner: Owner;
  readonly seed: string;
  /** Two by default. */
  readonly nodeCount?: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly nodeSettings?: (index: number) => Readonly<Record<string, string>>;
  /** Replaces the PostgreSQL that the rig would start. */
  readonly postgres?: PostgresServer;
  /** The address of a proxy in front of PostgreSQL. */
  readonly databaseUrl?: string;
  /** A command that runs each node, such as prlimit. */
  readonly nodeWrapper?: readonly string[];
  readonly shop?: ShopSize;
  /** Logs by the node's number; files by default. */
  readonly logs?: readonly LogPlace[];
};

/** One reseller in four runs out of money. */
export const SHOP_SIZE: ShopSize = {
  products: 6,
  offersEach: 2,
  stockEach: 400,
  resellers: 8,
  clientsEach: 2,
  poorOneIn: 4,
};

export type Rig = {
  readonly postgres: PostgresServer;
  readonly nodes: readonly NodeProcess[];
  readonly shop: Shop;
  readonly masterKeyFile: string;
  readonly environment: Readonly<Record<string, string>>;
  urls(): readonly string[];
  startLoad(options?: Partial<LoadOptions>): Load;
  /** Ends the loads, which must be all of them. */
  audit(...loads: readonly Load[]): Promise<Audited>;
};

export async function openRig(options: RigOptions): Promise<Rig> {
  const { owner, seed, nodeCount = 2, settings = {}, nodeSettings = () => ({}) } = options;
  const folder = await mkdtemp(join(tmpdir(), 'keyport-faults-'));
  onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const postgres = options.postgres ?? (await startPostgres({ durable: true }));
  onEnd(owner, () => postgres.stop());
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const environment = {
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    ...PROCESS_ENVIRONMENT,
    KEYPORT_MODE: 'live',
    KEYPORT_PORT: '0',
    KEYPORT_PUBLIC_URL: 'https://keyport.test',
    KEYPORT_DATABASE_URL: options.databaseUrl ?? postgres.url,
    KEYPORT_DATA_DIR: join(folder, 'data'),
    KEYPORT_MASTER_KEY_FILE: masterKeyFile,
    KEYPORT_OPERATOR_ID: OPERATOR.client_id,
    KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
    // Otherwise, early retries would get 409 instead of the outcome.
    KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '0',
    KEYPORT_LOG_LEVEL: 'warn',
    ...settings,
  };
  const nodes: NodeProcess[] = [];
  for (let index = 0; index < nodeCount; index += 1) {
    const log = options.logs?.[index] ?? { file: join(folder, `node-${index}.log`) };
    const { nodeWrapper: wrapper } = options;
    const ownEnvironment = { ...environment, ...nodeSettings(index) };
    const node = nodeProcess(owner, {
      environment: ownEnvironment,
      log,
      ...(wrapper === undefined ? {} : { wrapper }),
    });
    await node.start();
    nodes.push(node);
  }
  const urls = () => nodes.map((node) => node.url()).filter((url) => url !== undefined);
  const [url = ''] = urls();
  const shop = await openShop(url, options.shop ?? SHOP_SIZE);
  return {
    postgres,
    nodes,
    shop,
    masterKeyFile,
    environment,
    urls,
    startLoad: (loadOptions = {}) => startLoad({ shop, urls, seed, ...loadOptions }),
    async audit(...loads) {
      for (const load of loads) await load.stop();
      const record = CallRecord.merge(loads.map((load) => load.record));
      return audit({ record, shop, urls: urls(), databaseUrl: postgres.url });
    },
  };
}
