import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '@keyport/core/assert';
import { test } from 'vitest';
import { runKeyport, startServing } from './support/keyport.ts';

test('keyport checkup prints a list with marks, and exits with 1 when a check failed', async (t) => {
  const service = await startServing({ KEYPORT_DATA_DIR: 'memory', KEYPORT_PORT: '0' });
  t.onTestFinished(async () => void (await service.stop('SIGKILL')));
  const { url } = service.welcome;
  const demo = must(service.welcome.demo, 'a sandbox has a demo reseller');
  const settings = { KEYPORT_URL: url };
  const credentials = { CLIENT_ID: demo.clientId, CLIENT_SECRET: demo.clientSecret };
  const fresh = await runKeyport(['checkup'], { settings: { ...settings, ...credentials } });
  deepEqual([fresh.code, fresh.stderr], [0, '']);
  match(fresh.stdout, /^· A retried order has the same key and the same payload$/m);

  const token = await (
    await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: demo.clientId,
        client_secret: demo.clientSecret,
      }),
    })
  ).json();
  for (const scenario of ['unavailable', 'delay:1']) {
    await fetch(`${url}/export/v1/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token.access_token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        'keyport-scenario': scenario,
      },
      body: JSON.stringify({
        items: [{ auto: { productId: demo.productId, quantity: 1, maxPrice: '500.00' } }],
      }),
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'keyport-secret-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'secret');
  await writeFile(file, `${demo.clientSecret}\n`);
  const options = ['--client-id', demo.clientId, '--client-secret-file', file];
  const failed = await runKeyport(['checkup', ...options], { settings });
  equal(failed.code, 1);
  match(
    failed.stdout,
    /^✗ A retried order has the same key[\s\S]*POST \/export\/v1\/orders, key [0-9a-f-]{36}: A new key for the same product[\s\S]*\n3 of 14 checks seen; 67 % of these passed, in \d+ requests\./m,
  );
  const json = await runKeyport(['checkup', '--json', ...options], { settings });
  equal(JSON.parse(json.stdout).checks[0].status, 'failed');
  equal(
    (await runKeyport(['checkup', ...options, '--since', new Date().toISOString()], { settings })).code,
    0,
  );
  match((await runKeyport(['checkup'], { settings })).stderr, /CLIENT_ID and CLIENT_SECRET/);
});
