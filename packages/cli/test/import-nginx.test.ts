/** A proxy that buffers bodies and stops sending them once the response has begun. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { freePort } from '../../server/test/support/postgres.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { runKeyport } from './support/keyport.ts';
import { startOwnService } from './support/own-service.ts';

const NGINX = '/usr/sbin/nginx';
const NEEDS_NGINX = { skip: !existsSync(NGINX) };

const own = NEEDS_NGINX.skip ? undefined : await startOwnService(wholeFile);
const LINES = 25_000;

async function startNginx(name: string, lines: string) {
  if (own === undefined) throw new Error('nginx is not installed');
  const port = await freePort();
  const folder = join(own.folder, name);
  await mkdir(folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    // Workers of root run as another user, who may not enter the folder.
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http { access_log off; ${temporary.join(' ')}
server { listen 127.0.0.1:${port}; ${lines} location / { proxy_pass ${own.service.welcome.url}; } } }`,
  );
  const nginx = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (nginx.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
  }
  return { url, stop: () => void nginx.kill('SIGQUIT') };
}

async function bigFile(name: string): Promise<string> {
  const path = join(own?.folder ?? '', name);
  const long = 'x'.repeat(450);
  const lines = Array.from({ length: LINES }, () => JSON.stringify({ id: randomUUID(), name: long }));
  await writeFile(path, lines.join('\n'));
  return path;
}

test('a rejection before the body has arrived passes nginx', NEEDS_NGINX, async (t) => {
  const nginx = await startNginx('early', 'client_max_body_size 0;');
  t.onTestFinished(nginx.stop);
  const body = Buffer.alloc(30 * 1024 * 1024, 'x');
  const send = async (path: string, headers: Record<string, string>) =>
    (await fetch(nginx.url + path, { method: 'POST', headers, body })).status;
  const { clientId, clientSecret } = own?.service.welcome.operator ?? {};
  const grant = {
    grant_type: 'client_credentials',
    client_id: clientId ?? '',
    client_secret: clientSecret ?? '',
  };
  const granted = await fetch(`${nginx.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(grant),
  });
  const { access_token: token } = await granted.json();
  const authorization = `Bearer ${token}`;
  const csv = { 'content-type': 'text/csv' };
  const json = { 'content-type': 'application/json', authorization };
  const rows: [path: string, headers: Record<string, string>, status: number][] = [
    ['/admin/v1/imports/keys', csv, 401],
    ['/admin/v1/imports/keys?dryRun=maybe', { ...csv, authorization }, 400],
    ['/admin/v1/imports/keys', { 'content-type': 'text/plain', authorization }, 415],
    [`/admin/v1/offers/${randomUUID()}/keys`, json, 413],
    ['/export/v1/orders', json, 403],
    ['/nowhere', csv, 404],
  ];
  for (const [path, headers, status] of rows)
    for (let time = 0; time < 3; time += 1) equal(await send(path, headers), status, `${path} ${status}`);
});

test('a large import through nginx is complete', NEEDS_NGINX, async (t) => {
  const nginx = await startNginx('whole', 'client_max_body_size 0;');
  t.onTestFinished(nginx.stop);
  const args = ['import', 'sellers', await bigFile('whole.ndjson'), '--json'];
  const run = await runKeyport(args, { settings: { ...own?.settings, KEYPORT_URL: nginx.url } });
  equal(run.code, 0, run.stderr);
  const { read, written } = JSON.parse(run.stdout).data;
  deepEqual([read, written], [LINES, LINES]);
});

test(
  'an import that nginx rejects as too large says so, and what the service has stored',
  NEEDS_NGINX,
  async (t) => {
    const nginx = await startNginx('small', 'client_max_body_size 1m;');
    t.onTestFinished(nginx.stop);
    const args = ['import', 'sellers', await bigFile('small.ndjson')];
    const run = await runKeyport(args, { settings: { ...own?.settings, KEYPORT_URL: nginx.url } });
    deepEqual([run.code, run.stdout], [1, '']);
    match(run.stderr, /rejected the upload as too large \(413\).*client_max_body_size 0/);
    match(run.stderr, /The service has read no line of this import, so nothing was imported\./);
  },
);
