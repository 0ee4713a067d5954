/**
 * A complete installation with fail-over on one machine, for trials and tests: three etcd members, three database nodes
 * under Patroni, HAProxy, and two Keyport nodes, on free ports of 127.0.0.1 and in one folder. See README.md.
 *
 *     npx node deploy/cluster/cluster.ts start|status|stop FOLDER
 *
 * Linux, with Debian's packages patroni, etcd-server, haproxy and postgresql.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const run = promisify(execFile);

const PROGRAMS = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', haproxy: '/usr/sbin/haproxy' };
const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const KEYPORT = fileURLToPath(new URL('../../packages/cli/bin/keyport.js', import.meta.url));

const START_TIMEOUT_MS = 120_000;
/** Patroni stops its PostgreSQL gracefully, with a checkpoint. */
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 200;

/** The ports, passwords and paths that `start` chose; cluster.json keeps them for later starts. */
export type Cluster = {
  readonly folder: string;
  /** The user that PostgreSQL runs as, since it rejects root; undefined for the current user. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  readonly postgresBin: string;
  readonly etcd: readonly { readonly name: string; readonly clientPort: number; readonly peerPort: number }[];
  readonly databases: readonly DatabaseNode[];
  readonly keyports: readonly { readonly name: string; readonly port: number }[];
  /** HAProxy's ports for the leading database and for the Keyport nodes. */
  readonly databasePort: number;
  readonly httpPort: number;
  readonly passwords: Readonly<Record<'superuser' | 'replicator' | 'rewinder' | 'rest' | 'keyport', string>>;
  readonly operator: { readonly id: string; readonly secret: string };
  readonly settings: Readonly<Record<string, string>>;
};

export type DatabaseNode = {
  readonly name: string;
  readonly postgresPort: number;
  readonly restPort: number;
  /** The gateway through which only this node reaches etcd. */
  readonly etcdPort: number;
};

type Program = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Runs as the user who started the cluster, who can read the checkout. */
  readonly isKeyport?: true;
};

export function missingPackages(): string[] {
  const missing = [];
  if (!existsSync(PROGRAMS.patroni)) missing.push('patroni');
  if (!existsSync(PROGRAMS.etcd)) missing.push('etcd-server');
  if (!existsSync(PROGRAMS.haproxy)) missing.push('haproxy');
  if (!existsSync(POSTGRES_VERSIONS)) missing.push('postgresql');
  return missing;
}

/** Starts a new or existing cluster in the folder, and resolves when it can take orders. */
export async function startCluster(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const missing = missingPackages();
  if (missing.length > 0) throw new Error(`Not installed: apt-get install ${missing.join(' ')}`);
  const cluster = existsSync(join(folder, 'cluster.json'))
    ? await readCluster(folder)
    : await prepareCluster(resolve(folder), settings);
  for (const { name } of cluster.etcd) await startProgram(cluster, name);
  // If Patroni connects earlier, it negotiates an older version of etcd's API and keeps it.
  await waitUntil('the members of etcd agree on their version', () => isEtcdReady(cluster));
  for (const { isKeyport, name } of toPrograms(cluster)) {
    if (isKeyport !== true) await startProgram(cluster, name);
  }
  await waitUntil('every database node follows a leader', () => isReplicating(cluster));
  await waitUntil('the database can be reached through HAProxy', () => ensureDatabase(cluster));
  for (const { name } of cluster.keyports) await startProgram(cluster, name);
  await waitUntil('the Keyport nodes are ready', async () => (await readyKeyports(cluster)) === 2);
  await waitUntil(
    'the Keyport nodes can be reached through HAProxy',
    async () => (await fetchFrom(cluster.httpPort, '/health/ready'))?.status === 200,
  );
  return cluster;
}

export async function stopCluster(cluster: Cluster): Promise<void> {
  for (const { name } of toPrograms(cluster).reverse()) await stopProgram(cluster, name);
  // PostgreSQL still runs if its Patroni was killed.
  for (const node of cluster.databases) await endProcess(await postmasterPid(cluster, node), 'SIGQUIT');
}

export async function readCluster(folder: string): Promise<Cluster> {
  return JSON.parse(await readFile(join(folder, 'cluster.json'), 'utf8'));
}

/** Members as Patroni sees them; empty when this node's Patroni does not respond. */
export async function listMembers(
  node: DatabaseNode,
): Promise<{ readonly name: string; readonly role: string; readonly state: string }[]> {
  const response = await fetchFrom(node.restPort, '/cluster');
  return response === undefined ? [] : (await response.json()).members;
}

/** The node that holds the leader key and is primary, found in the same way as HAProxy finds it. */
export async function findLeader(cluster: Cluster): Promise<DatabaseNode | undefined> {
  for (const node of cluster.databases) {
    if ((await fetchFrom(node.restPort, '/primary'))?.status === 200) return node;
  }
  return undefined;
}

/** True when there are a leader and a synchronous standby, and every node is in step. */
export async function isReplicating(cluster: Cluster): Promise<boolean> {
  const leader = await findLeader(cluster);
  if (leader === undefined) return false;
  const members = await listMembers(leader);
  const isRunning = ({ state }: { state: string }) => state === 'running' || state === 'streaming';
  const has = (role: string) => members.some((member) => member.role === role);
  return (
    members.length === cluster.databases.length &&
    members.every(isRunning) &&
    has('leader') &&
    has('sync_standby')
  );
}

/** Starts a program unless it is running. Names are those of the pid files: etcd1, gateway-pg1, patroni-pg1, … */
export async function startProgram(cluster: Cluster, name: string): Promise<void> {
  const program = toPrograms(cluster).find((one) => one.name === name);
  if (program === undefined) throw new Error(`there is no program ${name}`);
  if ((await programPid(cluster, name)) !== undefined) return;
  const log = openSync(join(cluster.folder, 'log', name), 'a');
  const child = spawn(program.command, program.args, {
    cwd: cluster.folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...program.env },
    stdio: ['ignore', log, log],
    detached: true,
    ...(program.isKeyport === true ? {} : cluster.user),
  });
  child.unref();
  if (child.pid === undefined) throw new Error(`${program.command} could not be started`);
  await writeFile(pidFile(cluster, name), `${child.pid} ${await startTime(child.pid)}`);
}

export async function programPid(cluster: Cluster, name: string): Promise<number | undefined> {
  const text = await readFile(pidFile(cluster, name), 'utf8').catch(() => '');
  const [pid = 0, startedAt] = text.split(' ').map(Number);
  return pid > 0 && startedAt === (await startTime(pid)) ? pid : undefined;
}

export async function stopProgram(cluster: Cluster, name: string): Promise<void> {
  await endProcess(await programPid(cluster, name), 'SIGTERM');
}

export async function postmasterPid(cluster: Cluster, node: DatabaseNode): Promise<number | undefined> {
  const file = join(toFolder(cluster, node.name), 'data', 'postmaster.pid');
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (!(pid > 0)) return undefined;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes(toFolder(cluster, node.name)) ? pid : undefined;
}

async function prepareCluster(folder: string, settings: Readonly<Record<string, string>>): Promise<Cluster> {
  const user = process.getuid?.() === 0 ? await toUser('postgres') : undefined;
  const [version = ''] = (await readdir(POSTGRES_VERSIONS)).sort((a, b) => Number(b) - Number(a));
  const ports = await freePorts(19);
  const port = () => ports.pop() ?? 0;
  const password = () => randomBytes(24).toString('hex');
  const cluster: Cluster = {
    folder,
    user,
    postgresBin: join(POSTGRES_VERSIONS, version, 'bin'),
    etcd: ['etcd1', 'etcd2', 'etcd3'].map((name) => ({ name, clientPort: port(), peerPort: port() })),
    databases: ['pg1', 'pg2', 'pg3'].map((name) => ({
      name,
      postgresPort: port(),
      restPort: port(),
      etcdPort: port(),
    })),
    keyports: ['keyport1', 'keyport2'].map((name) => ({ name, port: port() })),
    databasePort: port(),
    httpPort: port(),
    passwords: {
      superuser: password(),
      replicator: password(),
      rewinder: password(),
      rest: password(),
      keyport: password(),
    },
    operator: { id: 'operator', secret: password() },
    settings,
  };
  await writeFiles(cluster);
  return cluster;
}

async function writeFiles(cluster: Cluster): Promise<void> {
  const { folder, passwords } = cluster;
  const places = [...cluster.etcd, ...cluster.databases].map(({ name }) => toFolder(cluster, name));
  for (const place of [folder, join(folder, 'log'), join(folder, 'run'), ...places]) {
    await mkdir(place, { recursive: true });
    await giveToUser(cluster, place, 0o700);
  }
  const members = cluster.etcd.map(({ name, peerPort }) => `${name}=http://127.0.0.1:${peerPort}`);
  for (const { name, clientPort, peerPort } of cluster.etcd) {
    await fillIn(cluster, 'etcd.yml', `${name}.yml`, {
      NAME: name,
      FOLDER: toFolder(cluster, name),
      CLIENT_PORT: clientPort,
      PEER_PORT: peerPort,
      MEMBERS: members.join(','),
    });
  }
  for (const { name, postgresPort, restPort, etcdPort } of cluster.databases) {
    await fillIn(cluster, 'patroni.yml', `${name}.yml`, {
      NAME: name,
      FOLDER: toFolder(cluster, name),
      POSTGRES_PORT: postgresPort,
      POSTGRES_BIN: cluster.postgresBin,
      REST_PORT: restPort,
      ETCD_PORT: etcdPort,
      REST_PASSWORD: passwords.rest,
      SUPERUSER_PASSWORD: passwords.superuser,
      REPLICATOR_PASSWORD: passwords.replicator,
      REWINDER_PASSWORD: passwords.rewinder,
    });
  }
  const servers = cluster.databases.flatMap(({ name, postgresPort, restPort }, index) => [
    [`NODE_${index + 1}`, name],
    [`POSTGRES_${index + 1}`, postgresPort],
    [`REST_${index + 1}`, restPort],
  ]);
  await fillIn(cluster, 'haproxy.cfg', 'haproxy.cfg', {
    ...Object.fromEntries(servers),
    DATABASE_PORT: cluster.databasePort,
    HTTP_PORT: cluster.httpPort,
    KEYPORT_1: cluster.keyports[0]?.port ?? 0,
    KEYPORT_2: cluster.keyports[1]?.port ?? 0,
  });
  await writeFile(join(folder, 'master.key'), randomBytes(32).toString('base64'), { mode: 0o600 });
  await writeFile(join(folder, 'cluster.json'), JSON.stringify(cluster, undefined, 2), { mode: 0o600 });
}

function toPrograms(cluster: Cluster): Program[] {
  const { folder, databasePort, httpPort, passwords, operator } = cluster;
  const endpoints = cluster.etcd.map(({ clientPort }) => `127.0.0.1:${clientPort}`).join(',');
  return [
    ...cluster.etcd.map(({ name }) => ({
      name,
      command: PROGRAMS.etcd,
      args: ['--config-file', join(folder, `${name}.yml`)],
    })),
    ...cluster.databases.map(({ name, etcdPort }) => ({
      name: `gateway-${name}`,
      command: PROGRAMS.etcd,
      args: ['gateway', 'start', '--listen-addr', `127.0.0.1:${etcdPort}`, '--endpoints', endpoints]
        // The default delay is a minute.
        .concat('--retry-delay', '1s'),
    })),
    ...cluster.databases.map(({ name }) => ({
      name: `patroni-${name}`,
      command: PROGRAMS.patroni,
      args: [join(folder, `${name}.yml`)],
    })),
    { name: 'haproxy', command: PROGRAMS.haproxy, args: ['-db', '-f', join(folder, 'haproxy.cfg')] },
    ...cluster.keyports.map(({ name, port }) => ({
      name,
      command: process.execPath,
      args: [KEYPORT, 'serve'],
      isKeyport: true as const,
      env: {
        KEYPORT_MODE: 'live',
        KEYPORT_PORT: String(port),
        KEYPORT_PUBLIC_URL: `http://127.0.0.1:${httpPort}`,
        KEYPORT_DATABASE_URL: `postgres://keyport:${passwords.keyport}@127.0.0.1:${databasePort}/keyport`,
        KEYPORT_MASTER_KEY_FILE: join(folder, 'master.key'),
        KEYPORT_OPERATOR_ID: operator.id,
        KEYPORT_OPERATOR_SECRET: operator.secret,
        KEYPORT_LOG_LEVEL: 'warn',
        KEYPORT_TRUSTED_PROXIES: '127.0.0.1',
        ...cluster.settings,
      },
    })),
  ];
}

async function fillIn(
  cluster: Cluster,
  example: string,
  name: string,
  values: Readonly<Record<string, string | number>>,
): Promise<void> {
  const text = await readFile(new URL(example, import.meta.url), 'utf8');
  const filled = text.replace(/\$\{(\w+)\}/g, (_match, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${example} needs ${key}, which is missing`);
    return String(value);
  });
  const file = join(cluster.folder, name);
  await writeFile(file, filled);
  await giveToUser(cluster, file, 0o600);
}

async function giveToUser({ user }: Cluster, path: string, mode: number): Promise<void> {
  await chmod(path, mode);
  if (user !== undefined) await chown(path, user.uid, user.gid);
}

/** Creates Keyport's role and database if they are missing. False while the leader cannot be reached. */
async function ensureDatabase({ postgresBin, databasePort, passwords }: Cluster): Promise<boolean> {
  const psql = (...args: string[]) =>
    run(
      join(postgresBin, 'psql'),
      ['-h', '127.0.0.1', '-p', String(databasePort), '-U', 'postgres', ...args],
      {
        env: { PGPASSWORD: passwords.superuser, PGCONNECT_TIMEOUT: '5', PATH: '/usr/bin:/bin' },
      },
    );
  try {
    const { stdout } = await psql('-tAc', "SELECT count(*) FROM pg_database WHERE datname = 'keyport'");
    if (stdout.trim() === '1') return true;
    await psql('-c', `CREATE ROLE keyport LOGIN PASSWORD '${passwords.keyport}'`);
    await psql('-c', 'CREATE DATABASE keyport OWNER keyport');
    return true;
  } catch {
    return false;
  }
}

async function isEtcdReady({ etcd }: Cluster): Promise<boolean> {
  const versions = await Promise.all(
    etcd.map(async ({ clientPort }) => (await fetchFrom(clientPort, '/version'))?.json()),
  );
  return versions.every((version) => version?.etcdcluster === version?.etcdserver.replace(/\d+$/, '0'));
}

async function readyKeyports(cluster: Cluster): Promise<number> {
  const responses = await Promise.all(cluster.keyports.map(({ port }) => fetchFrom(port, '/health/ready')));
  return responses.filter((response) => response?.status === 200).length;
}

async function fetchFrom(port: number, path: string): Promise<Response | undefined> {
  return fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(
    () => undefined,
  );
}

async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}; see log/ in the folder`);
    await sleep(POLL_MS);
  }
}

async function endProcess(pid: number | undefined, signal: NodeJS.Signals): Promise<void> {
  if (pid === undefined) return;
  const startedAt = await startTime(pid);
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  sendSignal(pid, signal);
  // Continues a process that a test has stopped.
  sendSignal(pid, 'SIGCONT');
  while ((await startTime(pid)) === startedAt) {
    if (Date.now() > deadline) sendSignal(pid, 'SIGKILL');
    await sleep(POLL_MS / 4);
  }
}

/** A process that has just ended needs no signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The start of the process, in ticks since the machine started: with the pid it identifies a process forever. */
async function startTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field, a name in brackets, can contain spaces and brackets. A zombie has ended.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === '' ? Number.NaN : Number(fields[19]);
}

function toFolder(cluster: Cluster, name: string): string {
  return join(cluster.folder, name);
}

function pidFile(cluster: Cluster, name: string): string {
  return join(cluster.folder, 'run', `${name}.pid`);
}

async function toUser(name: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Holds all ports until the last one is known, so that none is returned twice. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  return Promise.all(
    servers.map(async (server) => {
      if (!server.listening) await new Promise((done) => server.once('listening', done));
      const address = server.address();
      return new Promise<number>((done) => {
        server.close(() => done(address !== null && typeof address === 'object' ? address.port : 0));
      });
    }),
  );
}

async function printStatus(cluster: Cluster): Promise<void> {
  const leader = await findLeader(cluster);
  const members = leader === undefined ? [] : await listMembers(leader);
  for (const { name, postgresPort } of cluster.databases) {
    const { role, state } = members.find((member) => member.name === name) ?? { role: '-', state: 'unknown' };
    console.log(`${name.padEnd(9)} ${role} ${state} 127.0.0.1:${postgresPort}`);
  }
  for (const { name, port } of cluster.keyports) {
    const isReady = (await fetchFrom(port, '/health/ready'))?.status === 200;
    console.log(`${name.padEnd(9)} ${isReady ? 'ready' : 'not ready'} http://127.0.0.1:${port}`);
  }
  console.log(
    `database  postgres://keyport:${cluster.passwords.keyport}@127.0.0.1:${cluster.databasePort}/keyport`,
  );
  console.log(`service   http://127.0.0.1:${cluster.httpPort}`);
  console.log(`operator  ${cluster.operator.id} ${cluster.operator.secret}`);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      set: { type: 'string', multiple: true, default: [] },
      'until-input-ends': { type: 'boolean', default: false },
    },
  });
  const [command, folder] = positionals;
  if (folder === undefined || !['start', 'status', 'stop'].includes(command ?? '')) {
    throw new Error(
      'Usage: npx node deploy/cluster/cluster.ts start|status|stop FOLDER [--set KEYPORT_…=VALUE]',
    );
  }
  if (command === 'start') {
    const settings = values.set.map((one) => one.split(/=(.*)/s).slice(0, 2));
    await startCluster(folder, Object.fromEntries(settings));
  }
  const cluster = await readCluster(folder);
  if (command === 'stop') return stopCluster(cluster);
  await printStatus(cluster);
  if (!values['until-input-ends']) return;
  // However the process that started the cluster ends, the cluster and its folder are removed.
  for await (const _ of process.stdin);
  await stopCluster(cluster);
  await rm(cluster.folder, { recursive: true, force: true });
}

if (import.meta.main) await main();
