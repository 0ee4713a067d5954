import { deepEqual, equal, match } from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { PROBED } from '@keyport/contract/sandbox/checks';
import type { Check } from '@keyport/contract/sandbox/sandbox';
import { Webhook } from 'standardwebhooks';
import { type TestContext, test } from 'vitest';
import { type Reseller, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);

type Respond = (request: IncomingMessage, body: string, response: ServerResponse) => number | undefined;

async function startReceiver(t: TestContext, respond: Respond): Promise<string> {
  const server = createServer(async (request, response) => {
    const status = respond(request, await text(request), response);
    if (status === undefined) response.destroy();
    else response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

async function createEndpoint({ token }: Reseller, url: string): Promise<{ id: string; secret: string }> {
  const body = { url, types: ['order.refunded'] };
  const { status, body: created } = await h.call('POST', '/export/v1/webhook-endpoints', { token, body });
  equal(status, 201);
  return created.data;
}

async function probedBy({ token }: Reseller): Promise<Record<string, Check>> {
  const { body } = await h.call('GET', '/sandbox/v1/checkup', { token });
  const checks = body.data.checks.filter(({ id }: Check) => PROBED.some((one) => one === id));
  return Object.fromEntries(checks.map((check: Check) => [check.id, check]));
}

const toStatuses = (checks: Record<string, Check>) => PROBED.map((id) => checks[id]?.status);

test('a receiver that verifies signatures and accepts duplicates passes all three checks', async (t) => {
  const reseller = await h.seed.reseller();
  let secret = '';
  const seen = new Set<string>();
  const url = await startReceiver(t, ({ headers }, body) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
    } catch {
      return 401;
    }
    seen.add(String(headers['webhook-id']));
    return 204;
  });
  ({ secret } = await createEndpoint(reseller, url));
  deepEqual(toStatuses(await probedBy(reseller)), ['passed', 'passed', 'passed']);
  equal(seen.size, 1);
});

test('a receiver that accepts everything fails, with its address as evidence', async (t) => {
  const reseller = await h.seed.reseller();
  const url = await startReceiver(t, () => 200);
  await createEndpoint(reseller, url);
  const checks = await probedBy(reseller);
  deepEqual(toStatuses(checks), ['failed', 'failed', 'passed']);
  const [evidence] = checks['webhook-signature']?.evidence ?? [];
  deepEqual([evidence?.request, evidence?.status], [`POST ${url}`, 200]);
  match(evidence?.note ?? '', /wrong signature/);
});

test('a receiver that rejects a duplicate fails', async (t) => {
  const reseller = await h.seed.reseller();
  const seen = new Set<unknown>();
  const url = await startReceiver(t, ({ headers }) => {
    const id = headers['webhook-id'];
    if (seen.has(id)) return 409;
    seen.add(id);
    return 200;
  });
  await createEndpoint(reseller, url);
  equal((await probedBy(reseller))['webhook-duplicate']?.status, 'failed');
});

test('a receiver that is down or accepts nothing is not judged', async (t) => {
  for (const respond of [() => undefined, () => 500, () => 302]) {
    const reseller = await h.seed.reseller();
    await createEndpoint(reseller, await startReceiver(t, respond));
    deepEqual(toStatuses(await probedBy(reseller)), ['not-seen', 'not-seen', 'not-seen']);
  }
});

test('a disabled endpoint is not probed, and probes are not deliveries', async (t) => {
  const reseller = await h.seed.reseller();
  let requests = 0;
  const url = await startReceiver(t, () => {
    requests += 1;
    return 200;
  });
  const { id } = await createEndpoint(reseller, url);
  await probedBy(reseller);
  const path = `/export/v1/webhook-endpoints/${id}`;
  const { body } = await h.call('GET', `${path}/deliveries`, { token: reseller.token });
  deepEqual(body.data, []);
  await h.call('PATCH', path, { token: reseller.token, body: { status: 'disabled' } });
  const before = requests;
  deepEqual(toStatuses(await probedBy(reseller)), ['not-seen', 'not-seen', 'not-seen']);
  equal(requests, before);
});

test('one bad endpoint among several fails the check, and 410 does not disable it', async (t) => {
  const reseller = await h.seed.reseller();
  const good = await startReceiver(t, ({ headers }) =>
    headers['webhook-signature'] === undefined ? 400 : 200,
  );
  let calls = 0;
  const gone = await startReceiver(t, () => {
    calls += 1;
    return calls === 1 ? 200 : 410;
  });
  await createEndpoint(reseller, good);
  const { id } = await createEndpoint(reseller, gone);
  equal((await probedBy(reseller))['webhook-duplicate']?.status, 'failed');
  const endpoint = await h.call('GET', `/export/v1/webhook-endpoints/${id}`, { token: reseller.token });
  equal(endpoint.body.data.status, 'enabled');
});
