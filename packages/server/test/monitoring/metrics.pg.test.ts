/** What monitoring reads: /metrics on an address of its own, over a socket. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manual, startHarness } from '../support/harness.ts';

async function scrape(url: string): Promise<string> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** The value of the one line that begins so. */
function sampleOf(text: string, line: string): number {
  const found = text.split('\n').filter((each) => each.startsWith(`${line} `));
  assert.equal(found.length, 1, `${line} in\n${text}`);
  return Number(found[0]?.slice(line.length + 1));
}

test('an order, a repeat and refused requests are counted', async (t) => {
  const h = await startHarness(t, { KEYPORT_METRICS_PORT: '0' });
  const { offerId } = await h.seed.listing({ stock: 1 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const key = crypto.randomUUID();
  assert.equal((await reseller.order(manual(offerId), key)).status, 201);
  assert.equal((await reseller.order(manual(offerId), key)).status, 200);
  assert.equal((await reseller.order(manual(offerId))).status, 400);
  assert.equal((await reseller.order(manual(offerId), 'not a key')).status, 400);
  assert.equal((await h.call('GET', '/export/v1/orders')).status, 401);

  const url = h.service.metricsUrl ?? '';
  const text = await scrape(url);
  const request = (operation: string, method: string, status: number) =>
    sampleOf(
      text,
      `keyport_request_duration_seconds_count{operation="${operation}",method="${method}",status="${status}"}`,
    );
  assert.equal(request('/export/v1/orders', 'POST', 201), 1);
  assert.equal(request('/export/v1/orders', 'POST', 400), 2);
  assert.equal(request('/export/v1/orders', 'GET', 401), 1);
  const outcome = (name: string) => sampleOf(text, `keyport_orders_total{outcome="${name}"}`);
  assert.deepEqual([outcome('placed'), outcome('repeated'), outcome('refused')], [1, 1, 1]);
  assert.equal(sampleOf(text, 'keyport_order_batch_size_count'), 3);
  assert.equal(sampleOf(text, 'keyport_order_batch_duration_seconds_count'), 3);
  assert.equal(sampleOf(text, 'keyport_order_queue_depth'), 0);
  assert.ok(sampleOf(text, 'keyport_catalogue_lag_seconds') < 60);
  assert.equal(sampleOf(text, 'keyport_catalogue_last_comparison_timestamp_seconds'), 0);
  const connections = (state: string) => sampleOf(text, `keyport_database_connections{state="${state}"}`);
  assert.ok(connections('in_use') + connections('idle') >= 1);
  assert.equal(connections('waiting'), 0);
  assert.equal(sampleOf(text, 'keyport_requests_refused_total{reason="orders"}'), 0);
  assert.ok(sampleOf(text, 'nodejs_eventloop_lag_p99_seconds') >= 0);
  assert.equal(sampleOf(text, 'keyport_verify_last_run_timestamp_seconds'), 0);

  assert.equal((await fetch(new URL('/', url))).status, 404);
  assert.equal((await fetch(url, { method: 'POST' })).status, 405);
  assert.equal((await fetch(`${h.url}/metrics`)).status, 404, 'resellers find nothing there');
});

test('without a port nothing is served', async (t) => {
  const h = await startHarness(t);
  assert.equal(h.service.metricsUrl, undefined);
});
