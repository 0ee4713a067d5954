/** The cluster of deploy/cluster with a shop. Callers come through HAProxy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Cluster,
  type DatabaseNode,
  findLeader,
  isReplicating,
  missingPackages,
  postmasterPid,
  programPid,
  readCluster,
  sendSignal,
  startProgram,
} from '../../../deploy/cluster/cluster.ts';
import { type Owner, onEnd } from '../../../packages/server/test/support/database.ts';
import { OPERATOR } from '../../../packages/server/test/support/killable-service.ts';
import { firstLine } from '../../../packages/server/test/support/processes.ts';
import { audit } from '../../load/audit.ts';
import { type Load, startLoad } from '../../load/load.ts';
import { openShop, type Shop } from '../../load/shop.ts';
import { SHOP_SIZE } from '../rig.ts';
import type { Report } from '../scenario.ts';

const SCRIPT = fileURLToPath(new URL('../../../deploy/cluster/cluster.ts', import.meta.url));

const SETTINGS = {
  KEYPORT_OPERATOR_ID: OPERATOR.client_id,
  KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
  // Otherwise, early retries would get 409 instead of the outcome.
  KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '0',
};

const WAIT_MS = 120_000;
const POLL_MS = 100;

export type ClusterRig = {
  readonly cluster: Cluster;
  readonly shop: Shop;
  /** HAProxy in front of the Keyport nodes. */
  readonly url: string;
  readonly load: Load;
  /** Waits until the cluster is whole, then ends the load and compares its responses with the database. */
  audit(): Promise<Report>;
};

export function clusterObstacle(): string | undefined {
  const missing = missingPackages();
  return missing.length === 0 ? undefined : `Debian's ${missing.join(', ')} not installed`;
}

export async function openClusterRig(owner: Owner, seed: string): Promise<ClusterRig> {
  const cluster = await keepCluster(owner);
  const url = `http://127.0.0.1:${cluster.httpPort}`;
  const shop = await openShop(url, SHOP_SIZE);
  const load = startLoad({ shop, urls: () => [url], seed });
  onEnd(owner, async () => load.abandon());
  return {
    cluster,
    shop,
    url,
    load,
    async audit() {
      await waitUntil('the cluster is whole', () => isReplicating(cluster));
      await load.orderPlaced();
      await load.stop();
      const urls = cluster.keyports.map(({ port }) => `http://127.0.0.1:${port}`);
      const databaseUrl = `postgres://keyport:${cluster.passwords.keyport}@127.0.0.1:${cluster.databasePort}/keyport`;
      return { ...(await audit({ record: load.record, shop, urls, databaseUrl })), ...load.record.summary() };
    },
  };
}

async function keepCluster(owner: Owner): Promise<Cluster> {
  // PostgreSQL's user must reach this folder, and the path of its socket must be short.
  const folder = await mkdtemp('/tmp/keyport-cluster-');
  const set = Object.entries(SETTINGS).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const keeper = spawn(process.execPath, [SCRIPT, 'start', folder, '--until-input-ends', ...set], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onEnd(owner, async () => {
    if (keeper.exitCode !== null) return;
    const ended = once(keeper, 'exit');
    keeper.stdin.end();
    await ended;
  });
  await firstLine(keeper);
  return readCluster(folder);
}

export async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await sleep(POLL_MS);
  }
}

export async function wholeClusterLeader(cluster: Cluster): Promise<DatabaseNode> {
  await waitUntil('the cluster is whole', () => isReplicating(cluster));
  const leader = await findLeader(cluster);
  if (leader === undefined) throw new Error('the cluster has no leader');
  return leader;
}

/** Patroni and every process of its PostgreSQL, as if the machine were gone. */
export async function killDatabaseNode(cluster: Cluster, node: DatabaseNode): Promise<void> {
  const patroni = await programPid(cluster, toPatroni(node));
  const postmaster = await postmasterPid(cluster, node);
  const pids = [patroni, postmaster, ...(await findChildren(postmaster))];
  for (const pid of pids) if (pid !== undefined) sendSignal(pid, 'SIGKILL');
}

export async function killPostmaster(cluster: Cluster, node: DatabaseNode): Promise<void> {
  const pid = await postmasterPid(cluster, node);
  if (pid !== undefined) sendSignal(pid, 'SIGKILL');
}

export async function startDatabaseNode(cluster: Cluster, node: DatabaseNode): Promise<void> {
  await startProgram(cluster, toPatroni(node));
}

export async function signalProgram(cluster: Cluster, name: string, signal: NodeJS.Signals): Promise<void> {
  const pid = await programPid(cluster, name);
  if (pid !== undefined) sendSignal(pid, signal);
}

export function toPatroni({ name }: DatabaseNode): string {
  return `patroni-${name}`;
}

/** The relay through which this node reaches etcd. */
export function toGateway({ name }: DatabaseNode): string {
  return `gateway-${name}`;
}

async function findChildren(pid: number | undefined): Promise<number[]> {
  if (pid === undefined) return [];
  const text = await readFile(join('/proc', String(pid), 'task', String(pid), 'children'), 'utf8').catch(
    () => '',
  );
  return text.split(' ').filter(Boolean).map(Number);
}
