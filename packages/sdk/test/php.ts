/** Runs the PHP library of clients/php. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { Harness, Reseller } from '../../server/test/support/harness.ts';
import { startPostgres } from '../../server/test/support/postgres.ts';
import { waitUntil } from '../../server/test/support/webhook-receiver.ts';

export const LIBRARY = join(import.meta.dirname, '../../../clients/php');
const PROGRAM = join(LIBRARY, 'test/program.php');

const modules = spawnSync('php', ['-m'], { encoding: 'utf8' });
const hasModule = (name: string) => modules.stdout?.split('\n').includes(name) === true;
const missing = ['curl', 'pdo_sqlite', 'posix'].filter((name) => !hasModule(name));
export const noPhp =
  modules.error !== undefined || missing.length > 0
    ? `PHP with ${missing.join(', ')} is not installed`
    : undefined;

export const buy = (offerId: string, maxPrice = '10.00') => ({ manual: { offerId, quantity: 1, maxPrice } });

export async function openFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-php-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** The program's output; undefined if it was killed at the step. */
export function runPhp(what: string, input: object, step = 0): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CRASH_AT: String(step) };
    execFile('php', [PROGRAM, what, JSON.stringify(input)], { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (error.signal === 'SIGKILL') resolve(undefined);
      else reject(new Error(stdout + stderr, { cause: error }));
    });
  });
}

export async function finishPhp(what: string, input: object) {
  const printed = await runPhp(what, input);
  if (printed === undefined) throw new Error(`${what} was killed`);
  return JSON.parse(printed);
}

export function credentials(h: Harness, { clientId, clientSecret }: Reseller, baseUrl = h.url) {
  return { baseUrl, clientId, clientSecret };
}

type PhpDatabase = {
  /** Why it cannot be used here, or false. */
  readonly missing: string | false;
  /** The members of the input that name the database. */
  readonly open: (t: TestContext) => Promise<object>;
};

const MARIADB = '/usr/sbin/mariadbd';

export const PHP_DATABASES: Readonly<Record<'SQLite' | 'PostgreSQL' | 'MariaDB', PhpDatabase>> = {
  SQLite: {
    missing: false,
    open: async (t) => ({ database: join(await openFolder(t), 'shop.sqlite') }),
  },
  PostgreSQL: {
    missing: !hasModule('pdo_pgsql') && 'PHP with pdo_pgsql is not installed',
    async open(t) {
      const server = await startPostgres({ durable: false });
      t.onTestFinished(() => server.stop());
      const { hostname, port, pathname, username } = new URL(server.url);
      return { dsn: `pgsql:host=${hostname};port=${port};dbname=${pathname.slice(1)}`, user: username };
    },
  },
  MariaDB: {
    missing:
      !(hasModule('pdo_mysql') && existsSync(MARIADB)) && 'MariaDB, or PHP with pdo_mysql, is not installed',
    async open(t) {
      const folder = await openFolder(t);
      const [data, socket] = [join(folder, 'data'), join(folder, 'socket')];
      const common = ['--no-defaults', `--datadir=${data}`, `--user=${userInfo().username}`];
      const { status, stderr } = spawnSync('mariadb-install-db', [
        ...common,
        '--auth-root-authentication-method=normal',
      ]);
      if (status !== 0) throw new Error(String(stderr));
      const server = spawn(MARIADB, [...common, `--socket=${socket}`, '--skip-networking'], {
        stdio: 'ignore',
      });
      const ended = once(server, 'exit');
      t.onTestFinished(async () => {
        server.kill('SIGKILL');
        await ended;
      });
      await waitUntil(async () => existsSync(socket), 'MariaDB');
      return { dsn: `mysql:unix_socket=${socket};dbname=mysql`, user: 'root' };
    },
  },
};
