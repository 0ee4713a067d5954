/**
 * A real PgBouncer with the settings of deploy/pgbouncer/pgbouncer.ini, if installed, in front of a test's
 * own server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Owner, onEnd } from './database.ts';
import { freePort, UNPRIVILEGED_USER_ID } from './postgres.ts';
import { endProcess } from './processes.ts';

const SETTINGS_FILE = fileURLToPath(new URL('../../../../deploy/pgbouncer/pgbouncer.ini', import.meta.url));
const PLACES = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];
const program = PLACES.find((path) => existsSync(path));

export const noPgBouncer = program === undefined && 'PgBouncer is not installed';

export type PgBouncer = {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
};

/** It ends with its owner. `role` needs no password. */
export async function startPgBouncer(
  owner: Owner,
  { databaseUrl, role }: { readonly databaseUrl: string; readonly role: string },
): Promise<PgBouncer> {
  if (program === undefined) throw new Error('PgBouncer is not installed');
  const folder = await mkdtemp('/tmp/keyport-pgbouncer-');
  onEnd(owner, () => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users');
  await writeFile(users, `"${role}" ""\n`);
  await writeFile(file, await settingsFor({ databaseUrl, port, users }));
  // Neither PgBouncer nor PostgreSQL runs as root.
  const user =
    process.getuid?.() === 0 ? { uid: UNPRIVILEGED_USER_ID, gid: UNPRIVILEGED_USER_ID } : undefined;
  if (user !== undefined) for (const path of [folder, file, users]) await chown(path, user.uid, user.gid);
  await chmod(folder, 0o700);

  let child: ChildProcess | undefined;
  const kill = async () => void (await endProcess(child));
  const start = async () => {
    child = spawn(program, ['-q', file], { ...user, stdio: ['ignore', 'ignore', 'inherit'] });
    while (!(await isAccepting(port))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
      await sleep(20);
    }
  };
  onEnd(owner, kill);
  await start();
  return { url: `postgres://${role}@127.0.0.1:${port}/keyport`, kill, start };
}

/** The shipped settings, with other addresses and passwords. */
async function settingsFor({
  databaseUrl,
  port,
  users,
}: {
  databaseUrl: string;
  port: number;
  users: string;
}): Promise<string> {
  const { hostname, port: serverPort, pathname } = new URL(databaseUrl);
  const replaced: Record<string, string> = {
    keyport: `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`,
    listen_port: String(port),
    auth_type: 'trust',
    auth_file: users,
  };
  let text = await readFile(SETTINGS_FILE, 'utf8');
  for (const [name, value] of Object.entries(replaced)) {
    const line = new RegExp(`^${name} = .*$`, 'm');
    if (!line.test(text)) throw new Error(`pgbouncer.ini has no ${name}`);
    text = text.replace(line, `${name} = ${value}`);
  }
  return text;
}

function isAccepting(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
