import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { startService } from '../../src/service.ts';
import { type Owner, onEnd, testDatabaseSettings } from '../support/database.ts';
import { manual, startHarness, testConfig } from '../support/harness.ts';
import { type CollectedSpan, type Collector, startCollector, toAttributes } from './collector.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const traceparent = (flags: string) => ({ traceparent: `00-${TRACE_ID}-${PARENT_ID}-${flags}` });

async function startTraced(owner: Owner, url: string, settings: Readonly<Record<string, string>> = {}) {
  const database = await testDatabaseSettings(owner);
  const config = testConfig({ KEYPORT_OTLP_URL: url, ...settings });
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const service = await startService(config, { database, log });
  onEnd(owner, () => service.close());
  return { service, lines };
}

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return {
    status: response.status,
    traceId: response.headers.get('x-trace-id'),
    text: await response.text(),
  };
}

function only(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.filter((span) => span.name === name);
  equal(found.length, 1, `${name} in ${spans.map((span) => span.name).join(', ')}`);
  return found[0] as CollectedSpan;
}

const toParts = (spans: readonly CollectedSpan[], whole: CollectedSpan) =>
  spans.filter(({ traceId, parentSpanId }) => traceId === whole.traceId && parentSpanId === whole.spanId);

async function waitFor(collector: Collector, text: string): Promise<void> {
  while (!collector.spans.some(({ name, traceId }) => [name, traceId].includes(text)))
    await new Promise((done) => setTimeout(done, 20));
}

test('an order is a span of its caller’s trace, and is linked to the transaction that placed it', async (t) => {
  const collector = await startCollector(t);
  const h = await startHarness(t, { KEYPORT_OTLP_URL: collector.url });
  const { offerId, codes } = await h.seed.listing({ stock: 3 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const answer = await reseller.order(manual(offerId), randomUUID(), traceparent('01'));
  equal(answer.status, 201);
  equal(answer.body.traceId, TRACE_ID);
  const keys = await reseller.get(`/orders/${answer.body.data.id}/keys`);
  equal(keys.status, 200);
  const refused = await reseller.order(manual(offerId, { maxPrice: '0.01' }));
  equal(refused.status, 400);
  await waitFor(collector, 'GET /export/v1/orders/{orderId}/keys');
  await waitFor(collector, refused.body.traceId);
  await waitFor(collector, 'pull the catalogue');

  const order = collector.spans.find(({ traceId, kind }) => traceId === TRACE_ID && kind === 2);
  ok(order !== undefined);
  equal(order.name, 'POST /export/v1/orders');
  deepEqual([order.parentSpanId, order.kind], [PARENT_ID, 2]);
  const { 'keyport.client_id': clientId, ...attributes } = toAttributes(order);
  equal(clientId, reseller.clientId);
  deepEqual(attributes, {
    'http.request.method': 'POST',
    'http.route': '/export/v1/orders',
    'http.response.status_code': 201,
  });
  ok(BigInt(order.endTimeUnixNano) > BigInt(order.startTimeUnixNano));

  const batch = collector.spans.find(({ links }) => links?.some(({ spanId }) => spanId === order.spanId));
  ok(batch !== undefined, 'the transaction is linked to the request');
  equal(batch.name, 'place orders');
  equal(batch.parentSpanId, undefined);
  notEqual(batch.traceId, TRACE_ID);
  equal(toAttributes(batch)['keyport.batch_size'], 1);
  deepEqual(
    toParts(collector.spans, batch).map(({ name }) => name),
    ['transaction'],
  );

  const read = only(collector.spans, 'GET /export/v1/orders/{orderId}/keys');
  equal(read.traceId, keys.body.traceId);
  equal(read.parentSpanId, undefined);
  deepEqual(
    toParts(collector.spans, read).map(({ name }) => name),
    ['transaction'],
  );

  const failed = collector.spans.find(({ traceId }) => traceId === refused.body.traceId);
  equal(failed && toAttributes(failed)['error.type'], 'max-price-exceeded');
  equal(failed?.status.code ?? 0, 0, 'a rejection is not an error of the service');

  const pull = collector.spans.find(({ name }) => name === 'pull the catalogue');
  equal(pull?.parentSpanId, undefined);
  for (const secret of [reseller.token, reseller.clientSecret, h.operatorToken, ...codes]) {
    ok(!collector.text().includes(secret));
  }
  ok(!/select|insert|update/i.test(collector.text()), 'no SQL');
});

test('reads of the catalogue are traced unless the caller decides otherwise', async (t) => {
  const collector = await startCollector(t);
  const h = await startHarness(t, { KEYPORT_OTLP_URL: collector.url });
  const reseller = await h.seed.reseller();
  const url = `${h.url}/export/v1/product-offers`;
  const authorization = `Bearer ${reseller.token}`;
  const first = await get(url, { authorization });
  const second = await get(url, { authorization });
  const kept = await get(url, { authorization, ...traceparent('01') });
  deepEqual([first.status, second.status, kept.traceId], [200, 200, TRACE_ID]);
  const dropped = await get(url, { authorization, traceparent: `00-${'a'.repeat(32)}-${PARENT_ID}-00` });
  equal(dropped.traceId, 'a'.repeat(32));
  const broken = await get(url, { authorization, traceparent: `00-${'0'.repeat(32)}-${PARENT_ID}-01` });
  equal((await get(`${h.url}/health/live`)).status, 200);
  await waitFor(collector, 'GET /health/live');
  const reads = collector.spans.filter(({ name }) => name === 'GET /export/v1/product-offers');
  deepEqual(
    reads.map(({ traceId }) => traceId),
    [first.traceId, second.traceId, TRACE_ID, broken.traceId],
  );
  deepEqual(
    reads.map(({ parentSpanId }) => parentSpanId),
    [undefined, undefined, PARENT_ID, undefined],
  );
});

test('a ratio of 0 traces only requests that a caller samples, with their transactions', async (t) => {
  const collector = await startCollector(t);
  const h = await startHarness(t, { KEYPORT_OTLP_URL: collector.url, KEYPORT_TRACE_RATIO: '0' });
  const { offerId } = await h.seed.listing({ stock: 3 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  equal((await reseller.order(manual(offerId))).status, 201);
  const wanted = await reseller.order(manual(offerId), randomUUID(), traceparent('01'));
  equal(wanted.status, 201);
  await waitFor(collector, 'POST /export/v1/orders');
  await waitFor(collector, 'place orders');
  await waitFor(collector, 'transaction');
  deepEqual(collector.spans.map(({ name }) => name).toSorted(), [
    'POST /export/v1/orders',
    'place orders',
    'transaction',
  ]);
});

test('a fault of the service is traced as an error without its text', async (t) => {
  const collector = await startCollector(t);
  const { service } = await startTraced(t, collector.url);
  await sql`ALTER TABLE client_secret RENAME TO client_secret_away`.execute(service.database.db);
  const response = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'a',
      client_secret: 'b-hidden',
    }),
  });
  equal(response.status, 503);
  await service.close();
  const span = only(collector.spans, 'POST /oauth/token');
  equal(span.status.code, 2);
  equal(toAttributes(span)['error.type'], 'temporarily_unavailable');
  ok(!/hidden|client_secret_away|relation/.test(collector.text()));
});

for (const [title, answer] of [
  ['that never responds', () => {}],
  [
    'that responds with 500',
    (_request: unknown, response: { writeHead(status: number): { end(): void } }) =>
      void response.writeHead(500).end(),
  ],
] as const) {
  test(`a collector ${title} affects no request, and causes at most a warning`, async (t) => {
    const collector = await startCollector(t, answer);
    const { service, lines } = await startTraced(t, collector.url);
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async () => (await get(`${service.url}/health/live`)).status),
    );
    deepEqual(new Set(statuses), new Set([200]));
    while (collector.requestCount() === 0) await new Promise((done) => setTimeout(done, 20));
    equal((await get(`${service.url}/health/live`)).status, 200);
    await service.close();
    const warnings = lines.filter((line) => line.includes('traces dropped'));
    ok(warnings.length <= 1, warnings.join(''));
  });
}

test('an unreachable collector affects no request', async (t) => {
  const { service } = await startTraced(t, 'http://127.0.0.1:1');
  equal((await get(`${service.url}/health/live`)).status, 200);
  await service.close();
});
