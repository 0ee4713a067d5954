/** A316. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';
import { startReceiver, waitUntil } from '../../support/webhook-receiver.ts';

const h = await startHarness(wholeFile);
const receiver = await startReceiver(wholeFile);

async function createEndpoint(url = receiver.url) {
  const { token, accountId } = await h.seed.reseller();
  const call = (method: string, path: string, body?: unknown) =>
    h.call(method, `/export/v1/webhook-endpoints${path}`, { token, ...(body === undefined ? {} : { body }) });
  const { id } = (await call('POST', '', { url, types: ['*'] })).body.data;
  const sendTest = () => call('POST', `/${id}/test`);
  return { call, sendTest, id, path: `/accounts/${accountId}/webhook-endpoints/${id}` };
}

type Endpoint = Awaited<ReturnType<typeof createEndpoint>>;

async function testUntilLimited({ sendTest }: Endpoint) {
  for (let accepted = 0; ; accepted += 1) {
    const response = await sendTest();
    if (response.status === 429) return { accepted, response };
    equal(response.status, 202);
  }
}

const redeliverByOperator = async ({ path }: Endpoint) => {
  const [{ id }] = await waitUntil(async () => {
    const deliveries = await h.operate('GET', `${path}/deliveries`);
    return deliveries.length > 0 && deliveries;
  }, 'a delivery');
  const { status } = await h.admin('POST', `${path}/deliveries/${id}/redeliver`);
  return { status, id };
};

test('an account has one budget for the tests, redeliveries and replays of all its endpoints', async () => {
  const endpoint = await createEndpoint();
  const { accepted, response } = await testUntilLimited(endpoint);
  ok(accepted >= 60, `${accepted} tests`);
  const { error } = response.body;
  deepEqual([error.code, error.data.limit], ['too-many-requests', 1]);
  match(error.message, /account/);
  equal(response.headers.get('retry-after'), '1');
  // The account's budget does not limit operators.
  const { status, id: deliveryId } = await redeliverByOperator(endpoint);
  equal(status, 202);
  const { data: second } = (
    await endpoint.call('POST', '', { url: 'http://localhost:9/second', types: ['*'] })
  ).body;
  const period = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
  const others = [
    () => endpoint.call('POST', `/${endpoint.id}/deliveries/${deliveryId}/redeliver`),
    () => endpoint.call('POST', `/${endpoint.id}/replay`, period),
    () => endpoint.call('POST', `/${second.id}/test`),
  ];
  for (const act of others) {
    let accepted = 0;
    while ((await act()).status !== 429) accepted += 1;
    // The budget is used up, except for what has been refilled since.
    ok(accepted < 30, `${accepted} beyond the budget`);
  }
  equal((await (await createEndpoint()).sendTest()).status, 202);
});

test('a host has one budget for all accounts and operators', async () => {
  const [first, other] = [await createEndpoint(), await createEndpoint('http://localhost:9/elsewhere')];
  await first.sendTest();
  let limited: Awaited<ReturnType<Endpoint['sendTest']>> | undefined;
  for (let accounts = 0; accounts < 10 && limited === undefined; accounts += 1) {
    // A different port or spelling is still the same host.
    const { response } = await testUntilLimited(await createEndpoint('http://127.1:9/hook'));
    if (/host/.test(response.body.error.message)) limited = response;
  }
  equal(limited?.body.error.data.limit, 5);
  equal(limited?.headers.get('retry-after'), '1');
  await waitUntil(async () => (await redeliverByOperator(first)).status === 429, 'the budget to be used up');
  equal((await other.sendTest()).status, 202);
});
