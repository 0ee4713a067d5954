/**
 * Builds the image with Podman and runs it as deploy/docker describes. The real base image cannot be had everywhere, so a
 * stand-in has the same parts: a few Debian packages, Node and npm, all from this machine.
 */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type TestContext, test } from 'vitest';
import { onEnd } from '../support/database.ts';
import { freePort, startPostgres } from '../support/postgres.ts';
import { skipBecause, wholeFile } from '../support/vitest.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const DOCKER = join(ROOT, 'deploy/docker');
const RUNC = ['/usr/sbin/runc', '/usr/bin/runc'].find(existsSync);
const PROGRAMS = ['/usr/bin/podman', '/usr/bin/catatonit', '/usr/bin/psql', '/usr/bin/openssl'];
const skip =
  (process.getuid?.() !== 0 && 'containers need root') ||
  (!(RUNC && PROGRAMS.every(existsSync)) &&
    'Podman is not installed (Debian: the packages podman, runc, catatonit and postgresql)');

/** The Debian packages of `node:…-bookworm-slim` that the build or the service uses. */
const DEBIAN_PACKAGES =
  'libc6 libgcc-s1 libstdc++6 libatomic1 dash coreutils libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10';
const LOOK_INTERVAL_MS = 50;
/** After this time Podman kills a container, which then has not ended with the status 0. */
const STOP_SECONDS = '15';

const run = promisify(execFile);

type Podman = (...args: readonly string[]) => Promise<string>;

let building: Promise<Podman> | undefined;
/** Podman with a separate image store, which has `keyport` and `keyport:next`. The first test builds both. */
const openPodman = () => (building ??= build());

async function build(): Promise<Podman> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-container-'));
  const storage = join(folder, 'storage.conf');
  const engine = join(folder, 'containers.conf');
  const graph = join(folder, 'graph');
  await writeFile(
    storage,
    `[storage]\ndriver = "overlay"\ngraphroot = "${graph}"\nrunroot = "${join(folder, 'run')}"\n`,
  );
  // The settings need no systemd, work with every version of cgroups, and set only limits that every root may set.
  await writeFile(
    engine,
    `[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\nevents_logger = "file"\ntmp_dir = "${join(folder, 'tmp')}"\n`,
  );
  const env = { ...process.env, CONTAINERS_CONF: engine, CONTAINERS_STORAGE_CONF: storage };
  const podman: Podman = async (...args) => {
    const { stdout } = await run('/usr/bin/podman', args, { env, cwd: ROOT, maxBuffer: 2 ** 26 });
    return stdout.trim();
  };
  onEnd(wholeFile, async () => {
    await podman('rm', '--all', '--force');
    await podman('volume', 'rm', '--all', '--force');
    await podman('rmi', '--all', '--force');
    await run('umount', [join(graph, 'overlay')]).catch(() => {});
    await rm(folder, { recursive: true });
  });

  const base = join(folder, 'base');
  await makeBase(base);
  await podman('build', '--quiet', '--tag', 'base', base);
  const { stdout: cache } = await run('npm', ['config', 'get', 'cache']);
  await podman(
    ...['build', '--quiet', '--format', 'docker', '--layers=false', '--pull=never', '--network', 'host'],
    ...['--volume', `${cache.trim()}:/root/.npm`, '--build-arg', 'NODE_IMAGE=localhost/base'],
    ...['--file', 'deploy/docker/Dockerfile', '--tag', 'keyport', '.'],
  );
  const next = join(folder, 'next');
  await mkdir(next);
  await writeFile(join(next, 'Containerfile'), 'FROM localhost/keyport\nLABEL version=next\n');
  await podman('build', '--quiet', '--format', 'docker', '--tag', 'keyport:next', next);
  return podman;
}

async function makeBase(folder: string): Promise<void> {
  const path = (...parts: string[]) => join(folder, ...parts);
  for (const name of [
    'etc',
    'root',
    'var/lib',
    'usr/local/bin',
    'usr/local/etc',
    'usr/local/lib/node_modules',
  ])
    await mkdir(path(name), { recursive: true });
  await mkdir(path('tmp'));
  await chmod(path('tmp'), 0o1777);
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(path('usr', name), { recursive: true });
    await symlink(`usr/${name}`, path(name));
  }
  const { stdout: listed } = await run('dpkg-query', ['--listfiles', ...DEBIAN_PACKAGES.split(' ')]);
  const { stdout: files } = await run('sh', [
    ...['-c', 'for path; do if [ -f "$path" ]; then echo "$path"; fi; done', 'sh'],
    ...new Set(listed.split('\n').filter((name) => /^\/(?!usr\/share)/.test(name))),
  ]);
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  await run('cp', ['--archive', '--parents', ...files.trim().split('\n'), certificates, folder], {
    cwd: '/',
  });
  await cp(process.execPath, path('usr/local/bin/node'));
  const { stdout: modules } = await run('npm', ['root', '--global']);
  await cp(join(modules.trim(), 'npm'), path('usr/local/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', path('usr/local/bin/npm'));
  // npm uses this machine's registry and authorities.
  const { stdout: registry } = await run('npm', ['config', 'get', 'registry']);
  await writeFile(
    path('usr/local/etc/npmrc'),
    `registry=${registry.trim()}\ncafile=${certificates}\nprefer-offline=true\n`,
  );
  await writeFile(path('etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  await writeFile(path('etc/group'), 'root:x:0:\nnode:x:1000:\n');
  await writeFile(
    path('Containerfile'),
    'FROM scratch\nCOPY . /\nENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n',
  );
}

type Container = {
  readonly keyport: (...args: string[]) => Promise<string>;
  readonly node: (script: string) => Promise<unknown>;
  readonly log: () => Promise<string>;
  readonly health: () => Promise<unknown>;
  /** Returns the exit status of the service. */
  readonly stop: () => Promise<number>;
  readonly remove: () => Promise<unknown>;
};

/** Resolves when the container's service is ready at this address. */
async function start(
  t: TestContext,
  podman: Podman,
  url: string,
  flags: readonly string[],
  command: readonly string[],
): Promise<Container> {
  const id = await podman('run', '--detach', ...flags, ...command);
  onEnd(t, async () => void (await podman('rm', '--force', '--ignore', id)));
  const inspect = (member: string) => podman('inspect', '--format', `{{.State.${member}}}`, id);
  const log = () => podman('logs', id);
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    equal(await inspect('Running'), 'true', await podman('logs', id).catch(String));
    await sleep(LOOK_INTERVAL_MS);
  }
  return {
    keyport: (...args) => podman('exec', id, 'node', 'packages/cli/bin/keyport.js', ...args),
    node: async (script) => JSON.parse(await podman('exec', id, 'node', '--eval', script)),
    log,
    health: () => podman('healthcheck', 'run', id),
    stop: async () => {
      await podman('stop', '--time', STOP_SECONDS, id);
      return Number(await inspect('ExitCode'));
    },
    remove: () => podman('rm', id),
  };
}

async function call(url: string, path: string, token: string | undefined, body?: unknown, method = 'POST') {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const received = await response.json();
  equal(response.ok, true, `${path}: ${JSON.stringify(received)}`);
  return received.data ?? received;
}

async function tokenFor(url: string, clientId: string, clientSecret: string): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return (await call(url, '/oauth/token', undefined, body)).access_token;
}

function placeOrder(url: string, token: string, productId: string) {
  return call(url, '/export/v1/orders', token, {
    items: [{ auto: { productId, quantity: 1, maxPrice: '100.00' } }],
  });
}

test('a sandbox keeps its orders on a volume through a restart and an upgrade', async (t) => {
  skipBecause(t, skip);
  const podman = await openPodman();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = [
    ...['--read-only', '--read-only-tmpfs=false', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--init'],
    ...['--publish', `127.0.0.1:${port}:8080`, '--volume', 'keyport-data:/var/lib/keyport'],
  ];
  const serve = (image: string) => start(t, podman, url, flags, [image, 'serve', '--json']);

  const first = await serve('keyport');
  await first.health();
  const { demo } = JSON.parse((await first.log()).split('\n').find((line) => line.includes('"demo"')) ?? '');
  const token = await tokenFor(url, demo.clientId, demo.clientSecret);
  const { id } = await placeOrder(url, token, demo.productId);
  const keys = await call(url, `/export/v1/orders/${id}/keys`, token);
  equal(await first.stop(), 0);
  await first.remove();

  for (const image of ['keyport', 'keyport:next']) {
    const later = await serve(image);
    const again = await tokenFor(url, demo.clientId, demo.clientSecret);
    deepEqual(await call(url, `/export/v1/orders/${id}/keys`, again), keys, image);
    notEqual((await placeOrder(url, again, demo.productId)).id, id);
    equal(await later.stop(), 0, image);
    await later.remove();
  }
});

test('the README and compose.yaml start a confined live node whose secrets are only in files', async (t) => {
  skipBecause(t, skip);
  const podman = await openPodman();
  const folder = await mkdtemp(join(tmpdir(), 'keyport-compose-'));
  onEnd(t, () => rm(folder, { recursive: true }));
  const server = await startPostgres({ durable: true });
  onEnd(t, () => server.stop());
  const databasePort = new URL(server.url).port;

  await cp(DOCKER, join(folder, 'deploy/docker'), { recursive: true });
  await runReadme(folder);
  const secrets = join(folder, 'deploy/docker/secrets');
  const createRole = (await readFile(join(DOCKER, 'create-role.sh'), 'utf8')).replace(
    '/run/secrets',
    secrets,
  );
  await run('sh', ['-c', createRole], {
    env: { PATH: process.env['PATH'], PGHOST: '127.0.0.1', PGPORT: databasePort },
  });
  // In the compose file's network the database has its usual port; here it has one of this machine.
  const databaseUrl = join(secrets, 'database_url');
  await writeFile(databaseUrl, (await readFile(databaseUrl, 'utf8')).replace(':5432', `:${databasePort}`));

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const flags = [
    ...(await readComposeFlags(join(folder, 'deploy/docker'))),
    ...['--network', 'host', '--add-host', 'database:127.0.0.1'],
    ...['--env', 'KEYPORT_HOST=127.0.0.1', '--env', `KEYPORT_PORT=${port}`],
  ];
  const serve = (image: string) => start(t, podman, url, flags, [image]);

  const first = await serve('keyport');
  await first.health();
  deepEqual(await first.node(CONFINEMENT), {
    Uid: '1000',
    Gid: '1000',
    CapPrm: '0000000000000000',
    CapBnd: '0000000000000000',
    NoNewPrivs: '1',
    writable: ['/tmp'],
    secretsInEnvironment: [],
  });
  const operatorSecret = (await readFile(join(secrets, 'operator_secret'), 'utf8')).trim();
  const operator = await tokenFor(url, 'operator', operatorSecret);
  const { token, productId } = await openShop(url, operator);
  const { id } = await placeOrder(url, token, productId);
  match(await first.keyport('verify'), /hold/);
  match(await first.keyport('account', 'list'), /Shop/);
  equal(await first.stop(), 0);
  const log = await first.log();
  for (const name of ['database_url', 'keyport_password', 'master_key', 'operator_secret'])
    equal(log.includes((await readFile(join(secrets, name), 'utf8')).trim()), false, name);
  await first.remove();

  const upgraded = await serve('keyport:next');
  equal((await call(url, `/export/v1/orders/${id}`, token)).id, id);
  equal(await upgraded.stop(), 0);
});

/** Runs the README's commands, with stand-ins for the programs that are not here. */
async function runReadme(folder: string): Promise<void> {
  const text = await readFile(join(DOCKER, 'README.md'), 'utf8');
  const commands = [...text.matchAll(/^ {4}(.*)$/gm)].map(([, line]) => line).join('\n');
  const script = `sudo() { "$@"; }\ndocker() { echo "docker $*"; }\nset -eu\n${commands}\n`;
  const shell = spawn('sh', ['-s'], { cwd: folder, stdio: ['pipe', 'inherit', 'inherit'] });
  shell.stdin.end(script);
  const [code] = await once(shell, 'exit');
  equal(code, 0);
}

/** The options of `podman run` that mean the same as the service `keyport` of compose.yaml. */
async function readComposeFlags(folder: string): Promise<string[]> {
  const compose = await readFile(join(folder, 'compose.yaml'), 'utf8');
  const service = compose.slice(compose.indexOf('\n  keyport:\n'), compose.indexOf('\nnetworks:'));
  const list = (name: string) =>
    (new RegExp(`^ {4}${name}: \\[(.+)\\]$`, 'm').exec(service)?.[1] ?? '').split(', ').filter(Boolean);
  match(service, /^ {4}read_only: true$/m);
  match(service, /^ {4}init: true$/m);
  const dotEnv = await readFile(join(folder, '.env'), 'utf8');
  const settings = [...service.matchAll(/^ {6}(KEYPORT_\w+): (.+)$/gm)].map(([, name = '', value = '']) => {
    const variable = /^\$\{(\w+):\?/.exec(value)?.[1];
    const given = new RegExp(`^${variable}=(.*)$`, 'm').exec(dotEnv)?.[1];
    return `${name}=${variable === undefined ? value : given}`;
  });
  const secretFile = (name: string) =>
    join(folder, new RegExp(`^ {2}${name}:\n {4}file: (.+)$`, 'm').exec(compose)?.[1] ?? name);
  return [
    ...['--read-only', '--read-only-tmpfs=false', '--init'],
    ...list('tmpfs').flatMap((path) => ['--tmpfs', path]),
    ...list('cap_drop').flatMap((name) => ['--cap-drop', name]),
    ...list('security_opt').flatMap((option) => ['--security-opt', option]),
    ...list('secrets').flatMap((name) => ['--volume', `${secretFile(name)}:/run/secrets/${name}:ro`]),
    ...settings.flatMap((setting) => ['--env', setting]),
  ];
}

/** The rights of the service, which is the child of the container's first process. */
const CONFINEMENT = `
const { readFileSync, writeFileSync } = require('node:fs');
const status = readFileSync('/proc/' + readFileSync('/proc/1/task/1/children', 'utf8').trim() + '/status', 'utf8');
const members = ['Uid', 'Gid', 'CapPrm', 'CapBnd', 'NoNewPrivs'].map((name) => [
  name,
  status.match(new RegExp('^' + name + ':\\\\s*(\\\\S+)', 'm'))[1],
]);
const folders = ['/', '/etc', '/opt/keyport', '/opt/keyport/node_modules', '/root', '/run', '/run/secrets', '/tmp',
  '/usr', '/var', '/var/lib/keyport', '/var/tmp'];
const isWritable = (folder) => {
  try {
    writeFileSync(folder + '/probe', '');
    return true;
  } catch {
    return false;
  }
};
const secrets = ['database_url', 'master_key', 'operator_secret']
  .map((name) => readFileSync('/run/secrets/' + name, 'utf8').trim());
console.log(JSON.stringify({
  ...Object.fromEntries(members),
  writable: folders.filter(isWritable),
  secretsInEnvironment: Object.keys(process.env).filter((name) => secrets.includes(process.env[name])),
}));`;

/** Creates a reseller and something to order. */
async function openShop(url: string, operator: string): Promise<{ token: string; productId: string }> {
  const operate = (method: string, path: string, body: unknown) =>
    call(url, `/admin/v1${path}`, operator, body, method);
  const [productId, sellerId, offerId] = ['10000000000001', randomUUID(), randomUUID()];
  await operate('PUT', `/products/${productId}`, { name: 'Star Harbour', checkoutClass: 'standard' });
  await operate('PUT', `/sellers/${sellerId}`, { name: 'Key Cellar' });
  await operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '10.00', status: 'active' });
  await operate('POST', `/offers/${offerId}/keys`, { keys: [{ code: 'CODE-1', kind: 'text' }] });
  const account = await operate('POST', '/accounts', { name: 'Shop', paymentMethod: 'balance' });
  await operate('POST', `/accounts/${account.id}/deposits`, { amount: '100.00', reference: 'first' });
  const { clientId, clientSecret } = await operate('POST', `/accounts/${account.id}/clients`, {});
  const token = await tokenFor(url, clientId, clientSecret);
  // The catalogue follows the database within a moment.
  while ((await call(url, `/export/v1/products?productIds[]=${productId}`, token)).length === 0)
    await sleep(LOOK_INTERVAL_MS);
  return { token, productId };
}
