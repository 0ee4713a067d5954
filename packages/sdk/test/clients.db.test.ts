import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { test } from 'vitest';
import { passMinutes } from '../../server/test/support/clock.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { Keyport } from '../src/keyport.ts';
import { KeyportError } from '../src/requests/errors.ts';

const h = await startHarness(wholeFile);

test('a client that rotates its own secret continues with the new one', async () => {
  const { clientId, clientSecret } = await h.seed.reseller();
  const sent: string[] = [];
  const keyport = new Keyport({
    ...{ baseUrl: h.url, clientId, clientSecret },
    // Tokens expire immediately, so each request needs the secret.
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (!String(url).endsWith('/oauth/token')) return response;
      sent.push(new URLSearchParams(String(init?.body)).get('client_secret') ?? '');
      const token = (await response.json()) as object;
      return Response.json({ ...token, expires_in: 0.001 });
    },
  });
  const [before] = await keyport.clients.list();
  equal(before?.clientId, clientId);
  const rotated = await keyport.clients.rotateSecret(clientId, { overlapHours: 0 });
  equal((await keyport.account.get()).name, 'Shop');
  equal(sent.at(-1), rotated.clientSecret);
  const stale = new Keyport({ baseUrl: h.url, clientId, clientSecret });
  await rejects(stale.account.get().then(), { status: 401, code: 'invalid_client' });
  const supplied = new Keyport({ baseUrl: h.url, clientId, clientSecret: async () => rotated.clientSecret });
  equal((await supplied.account.get()).name, 'Shop');
  const changed = await keyport.clients.update(clientId, { name: 'Shop server' });
  deepEqual([changed.name, changed.access], ['Shop server', 'full']);
  await rejects(keyport.clients.update(clientId, { access: 'read-only' }).then(), { code: 'conflict' });
});

test('a change of the own client fetches a new token once if the service says that the token is too old', async () => {
  const { accountId, clientId, clientSecret } = await h.seed.reseller();
  const paths: string[] = [];
  const watched: typeof fetch = (url, init) => {
    paths.push(new URL(String(url)).pathname);
    return fetch(url, init);
  };
  const keyport = new Keyport({ baseUrl: h.url, clientId, clientSecret, fetch: watched });
  await keyport.account.get();
  await passMinutes(h, 6);
  paths.length = 0;
  equal((await keyport.clients.update(clientId, { name: 'Shop' })).name, 'Shop');
  const own = `/export/v1/clients/${clientId}`;
  deepEqual(paths, [own, '/oauth/token', own]);
  const other = await h.operate('POST', `/accounts/${accountId}/clients`, {});
  await rejects(keyport.clients.rotateSecret(other.clientId).then(), { code: 'forbidden', status: 403 });
  const old = new Keyport({ baseUrl: h.url, accessToken: async () => h.tokenFor(clientId, clientSecret) });
  equal((await old.clients.rotateSecret(clientId)).clientId, clientId);
});

test('the request log finds a failed request by its trace or among writes, and counts reads', async () => {
  const { clientId, clientSecret } = await h.seed.reseller();
  const keyport = new Keyport({ baseUrl: h.url, clientId, clientSecret });
  const error = await keyport.orders.get('1').then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  ok(error instanceof KeyportError);
  await keyport.account.get();
  const { data, meta } = await keyport.requests.list({ traceId: error.traceId }).page();
  deepEqual(
    [data[0]?.code, data[0]?.status, meta.omitted, meta.hasMore],
    ['validation-error', 400, 0, false],
  );
  const all = [];
  for await (const request of keyport.requests.list()) all.push(request.id);
  deepEqual(all, [data[0]?.id]);
  await keyport.clients.update(clientId, { name: 'Shop' });
  const failed = [];
  for await (const { id, status } of keyport.requests.failures({ limit: 1 })) failed.push([id, status]);
  deepEqual(failed, [[data[0]?.id, 400]]);
  const counts = await keyport.requests.counts();
  ok(counts.some(({ operation, count }) => operation === 'getOwnAccount' && count === 1));
});
