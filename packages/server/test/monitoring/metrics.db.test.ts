import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import manifest from '@keyport/server/package.json' with { type: 'json' };
import { test } from 'vitest';
import { manual, startHarness } from '../support/harness.ts';
import { scrape, toNames, toSample } from './scrape.ts';

test('an order, a retry and rejected requests are counted', async (t) => {
  const h = await startHarness(t, { KEYPORT_METRICS_PORT: '0' });
  const { offerId } = await h.seed.listing({ stock: 1 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const key = crypto.randomUUID();
  equal((await reseller.order(manual(offerId), key)).status, 201);
  equal((await reseller.order(manual(offerId), key)).status, 200);
  equal((await reseller.order(manual(offerId))).status, 400);
  equal((await reseller.order(manual(offerId), 'not a key')).status, 400);
  equal((await h.call('GET', '/export/v1/orders')).status, 401);

  const url = h.service.metricsUrl ?? '';
  const text = await scrape(url);
  const request = (operation: string, method: string, status: number) =>
    toSample(
      text,
      `keyport_request_duration_seconds_count{operation="${operation}",method="${method}",status="${status}"}`,
    );
  equal(request('/export/v1/orders', 'POST', 201), 1);
  equal(request('/export/v1/orders', 'POST', 400), 2);
  equal(request('/export/v1/orders', 'GET', 401), 1);
  const outcome = (name: string) => toSample(text, `keyport_orders_total{outcome="${name}"}`);
  deepEqual([outcome('placed'), outcome('repeated'), outcome('refused')], [1, 1, 1]);
  equal(toSample(text, 'keyport_order_batch_size_count'), 3);
  equal(toSample(text, 'keyport_order_batch_duration_seconds_count'), 3);
  const code = (operation: string, method: string, name: string) =>
    toSample(
      text,
      `keyport_error_responses_total{operation="${operation}",method="${method}",code="${name}"}`,
    );
  equal(code('/export/v1/orders', 'POST', 'offer-not-available'), 1);
  equal(code('/export/v1/orders', 'POST', 'validation-error'), 1);
  equal(code('/export/v1/orders', 'GET', 'unauthorized'), 1);
  equal(toSample(text, 'keyport_token_requests_total{outcome="issued"}'), 2);
  equal(toSample(text, 'keyport_order_queue_depth'), 0);
  equal(toSample(text, 'keyport_held_requests'), 0);
  ok(toSample(text, 'keyport_open_connections') >= 1);
  equal(toSample(text, 'keyport_catalogue_products{state="known"}'), 1);
  ok(toSample(text, 'keyport_transactions_total{outcome="committed"}') >= 3);
  equal(toSample(text, 'keyport_transactions_total{outcome="unknown"}'), 0);
  ok(toSample(text, 'keyport_database_sessions_opened_total') >= 1);
  equal(toSample(text, 'keyport_database_session_errors_total'), 0);
  ok(toSample(text, 'keyport_event_loop_active_seconds_total') > 0);
  equal(toSample(text, `keyport_build_info{version="${manifest.version}",node="${process.version}"}`), 1);
  ok(toSample(text, 'keyport_catalogue_lag_seconds') < 60);
  equal(toSample(text, 'keyport_catalogue_last_comparison_timestamp_seconds'), 0);
  const connections = (state: string) => toSample(text, `keyport_database_connections{state="${state}"}`);
  ok(connections('in_use') + connections('idle') >= 1);
  // A worker may be waiting for the only session of the embedded engine.
  ok(connections('waiting') >= 0);
  equal(toSample(text, 'keyport_requests_refused_total{reason="orders"}'), 0);
  ok(toSample(text, 'nodejs_eventloop_lag_p99_seconds') >= 0);
  equal(toSample(text, 'keyport_verify_last_run_timestamp_seconds'), 0);

  equal((await fetch(new URL('/', url))).status, 404);
  equal((await fetch(url, { method: 'POST' })).status, 405);
  equal((await fetch(`${h.url}/metrics`)).status, 404, 'the public port does not serve metrics');
});

test('no metrics are served without a metrics port', async (t) => {
  const h = await startHarness(t);
  equal(h.service.metricsUrl, undefined);
});

test('imports, calls to the payment provider and wrong secrets are counted', async (t) => {
  const h = await startHarness(t, { KEYPORT_METRICS_PORT: '0' });
  const { offerId } = await h.seed.listing({ stock: 1 });
  const payer = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_declined' },
  });
  equal((await payer.order(manual(offerId))).status, 402);
  const imported = await fetch(`${h.url}/admin/v1/imports/sellers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${h.operatorToken}`, 'content-type': 'application/x-ndjson' },
    body: `{"id":"${crypto.randomUUID()}","name":"One"}\n{"id":"nobody"}\n`,
  });
  equal(imported.status, 200);
  const wrong = await h.call('POST', '/oauth/token', {
    body: { grant_type: 'client_credentials', client_id: payer.clientId, client_secret: 'wrong' },
  });
  equal(wrong.status, 401);
  const text = await scrape(h.service.metricsUrl);
  const calls = 'keyport_gateway_call_duration_seconds_count{call="charge",outcome="declined"}';
  equal(toSample(text, calls), 1);
  equal(toSample(text, 'keyport_gateway_breaker_state'), 0);
  const lines = (outcome: string) =>
    toSample(text, `keyport_import_lines_total{kind="sellers",outcome="${outcome}"}`);
  deepEqual([lines('written'), lines('rejected')], [1, 1]);
  equal(toSample(text, 'keyport_token_requests_total{outcome="invalid_client"}'), 1);
});

test('every metric that docs/monitoring.md names exists', async (t) => {
  const h = await startHarness(t, { KEYPORT_METRICS_PORT: '0' });
  const names = toNames(await scrape(h.service.metricsUrl));
  const document = await readFile(new URL('../../../../docs/monitoring.md', import.meta.url), 'utf8');
  const named = document.match(/\bkeyport_[a-z0-9_]+/g) ?? [];
  ok(named.length > 0);
  deepEqual(
    named.filter((name) => !names.has(name)),
    [],
  );
});
