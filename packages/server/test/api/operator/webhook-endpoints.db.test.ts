/** A315. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { readList } from '../../support/lists.ts';
import { sharedHarness, wholeFile } from '../../support/vitest.ts';
import { startReceiver, waitUntil } from '../../support/webhook-receiver.ts';

const h = await sharedHarness();
const { admin } = h;

const receiver = await startReceiver(wholeFile);

async function createEndpoint(name: string, url = receiver.url) {
  const reseller = await h.seed.reseller({ account: { name } });
  const { body } = await h.call('POST', '/export/v1/webhook-endpoints', {
    token: reseller.token,
    body: { url, types: ['*'], description: `Of ${name}` },
  });
  const { id } = body.data;
  const test = () => h.call('POST', `/export/v1/webhook-endpoints/${id}/test`, { token: reseller.token });
  return { ...reseller, id, test, path: `/accounts/${reseller.accountId}/webhook-endpoints/${id}` };
}

test('an endpoint is listed with its account and failure, disabled with a reason, and enabled again', async () => {
  const [one, other] = [
    await createEndpoint('Acme'),
    await createEndpoint('Borealis', `${receiver.url}/other`),
  ];
  receiver.respond((response) => void response.writeHead(410).end('gone'));
  equal((await one.test()).status, 202);
  const listed = await waitUntil(async () => {
    const [endpoint] = await readList(h, `/webhook-endpoints?accountId=${one.accountId}&status=disabled`);
    return endpoint;
  }, 'the endpoint to be disabled');
  const { createdAt: _createdAt, failingSince: _failingSince, ...rest } = listed;
  deepEqual(rest, {
    id: one.id,
    url: receiver.url,
    types: ['*'],
    description: 'Of Acme',
    status: 'disabled',
    disabledReason: 'It returned 410 Gone.',
    accountId: one.accountId,
    accountName: 'Acme',
    pendingDeliveries: 0,
    failedDeliveries: 1,
  });
  const [delivery] = (await admin('GET', `${one.path}/deliveries`)).body.data;
  equal((await admin('POST', `${one.path}/deliveries/${delivery.id}/redeliver`)).status, 409);

  receiver.respond((response) => void response.writeHead(204).end());
  const enabled = await admin('PATCH', one.path, { status: 'enabled' });
  deepEqual([enabled.status, enabled.body.data.status], [200, 'enabled']);
  const sent = await admin('POST', `${one.path}/deliveries/${delivery.id}/redeliver`);
  deepEqual([sent.status, sent.body.data], [202, { deliveries: 1 }]);
  await waitUntil(
    async () => (await admin('GET', `${one.path}/deliveries?status=delivered`)).body.data.length === 1,
    'the delivery',
  );
  const test = await admin('POST', `${one.path}/test`);
  equal(test.status, 202);
  const event = await admin('GET', `/accounts/${one.accountId}/events/${delivery.eventId}`);
  deepEqual([event.body.data.id, event.body.data.type], [delivery.eventId, 'webhook.test']);
  equal((await admin('GET', `/accounts/${other.accountId}/events/${delivery.eventId}`)).status, 404);
  const disabled = await admin('PATCH', other.path, { status: 'disabled' });
  equal((await admin('POST', `${other.path}/test`)).status, 409);
  match(disabled.body.data.disabledReason, /marketplace/);
  const actions = (await readList(h, `/audit?accountId=${one.accountId}&actionsOnly=true`)).map(
    ({ action }) => action,
  );
  deepEqual(actions.slice(0, 4), ['webhook.test', 'webhook.redeliver', 'webhook.update', 'webhook.create']);
});

test('endpoints are found by words, ids, account, status and failures', async () => {
  const [one, other] = [
    await createEndpoint('Cirrus', 'http://127.0.0.1:9/hooks'),
    await createEndpoint('Delta'),
  ];
  await admin('PATCH', other.path, { status: 'disabled' });
  const toIds = async (query: string) =>
    (await readList(h, `/webhook-endpoints?${query}`)).map(({ id }) => id);
  deepEqual(await toIds('query=hooks'), [one.id]);
  deepEqual(await toIds('query=of+cirrus'), [one.id]);
  deepEqual(await toIds(`query=${one.id}`), [one.id]);
  deepEqual(await toIds(`accountId=${other.accountId}`), [other.id]);
  deepEqual(await toIds('query=delta&status=enabled'), []);
  deepEqual(await toIds('query=delta&status=disabled'), [other.id]);
  await one.test();
  await waitUntil(async () => (await toIds('failing=true')).includes(one.id), 'a failure');
  const [failing] = await readList(h, '/webhook-endpoints?query=cirrus');
  equal(failing.pendingDeliveries, 1);
  const all = await toIds('sort=createdAt');
  deepEqual(await toIds('sort=-createdAt'), all.toReversed());
  await h.call('DELETE', `/export/v1/webhook-endpoints/${one.id}`, { token: one.token });
  ok(!(await toIds('')).includes(one.id));
});

test('only operators see the address of a host that is not public', async () => {
  const one = await createEndpoint('Hotel');
  const { eventId } = (await one.test()).body.data;
  const toDelivery = async (caller: typeof admin, path: string) =>
    waitUntil(async () => {
      const [delivery] = (await caller('GET', `${path}/deliveries?eventId=${eventId}`)).body.data;
      return delivery?.status === 'delivered' && delivery;
    }, 'the delivery');
  await toDelivery(admin, one.path);
  const attempt = { error: 'The host has no public address.', address: '10.0.0.1' };
  const attempts = [{ at: '2026-11-23T00:00:00.000000Z', durationMs: 1, ...attempt }];
  await sql`UPDATE webhook_delivery SET attempts = ${JSON.stringify(attempts)}::jsonb
    WHERE endpoint = (SELECT number FROM webhook_endpoint WHERE id = ${one.id})`.execute(h.database.db);
  const own: typeof admin = (method, path) => h.call(method, `/export/v1${path}`, { token: one.token });
  const ownPath = `/webhook-endpoints/${one.id}`;
  const shown = [await toDelivery(own, ownPath), (await own('GET', ownPath)).body];
  equal(JSON.stringify(shown).includes('10.0.0.1'), false, JSON.stringify(shown));
  deepEqual((await toDelivery(admin, one.path)).attempts[0], attempts[0]);
});

test('deliveries are counted up to a thousand', async () => {
  const { id } = await createEndpoint('Echo', 'http://127.0.0.1:9/');
  await sql`INSERT INTO webhook_delivery (endpoint, event_id)
    SELECT number, -n FROM webhook_endpoint, generate_series(1, 1200) AS n WHERE id = ${id}`.execute(
    h.database.db,
  );
  const [listed] = await readList(h, `/webhook-endpoints?query=${id}`);
  equal(listed.failedDeliveries, 1000);
  await sql`DELETE FROM webhook_delivery WHERE event_id < 0`.execute(h.database.db);
});

test('an endpoint is not found under a different account', async () => {
  const [one, other] = [await createEndpoint('Foxtrot'), await createEndpoint('Golf')];
  const wrong = `/accounts/${other.accountId}/webhook-endpoints/${one.id}`;
  equal((await admin('PATCH', wrong, { status: 'disabled' })).status, 404);
  equal((await admin('POST', `${wrong}/deliveries/whd_x_1/redeliver`)).status, 404);
});
