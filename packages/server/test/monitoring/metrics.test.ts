import { equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { createMetrics, type Metrics } from '../../src/metrics/metrics.ts';
import type { MetricSources } from '../../src/metrics/sources.ts';
import { madeUpSources } from './sources.ts';

function started(sources: Partial<MetricSources> = {}): Metrics {
  const metrics = createMetrics('1.2.3');
  metrics.watch({ ...madeUpSources(), ...sources });
  return metrics;
}

function response(metrics: Metrics, durationMs: number, status = 200, code?: string): void {
  const answered = {
    method: 'GET',
    route: '/export/v1/orders',
    status,
    durationMs,
    traceId: '0'.repeat(32),
    clientId: undefined,
    code,
    responseBytes: undefined,
  };
  metrics.onRequestEnd(answered);
}

const REQUEST = 'operation="/export/v1/orders",method="GET",status="200"';

function assertLines(text: string, lines: readonly string[]): void {
  const all = new Set(text.split('\n'));
  for (const line of lines) ok(all.has(line), `${line} in\n${text}`);
}

test('the histogram of requests counts each request in all buckets above its duration', async () => {
  const metrics = started();
  for (const durationMs of [0.4, 1, 1.1, 40_000]) response(metrics, durationMs);
  response(metrics, 3, 503, 'service-unavailable');
  assertLines(await metrics.text(), [
    '# TYPE keyport_request_duration_seconds histogram',
    `keyport_request_duration_seconds_bucket{le="0.001",${REQUEST}} 2`,
    `keyport_request_duration_seconds_bucket{le="0.0025",${REQUEST}} 3`,
    `keyport_request_duration_seconds_bucket{le="30",${REQUEST}} 3`,
    `keyport_request_duration_seconds_bucket{le="+Inf",${REQUEST}} 4`,
    `keyport_request_duration_seconds_sum{${REQUEST}} 40.0025`,
    `keyport_request_duration_seconds_count{${REQUEST}} 4`,
    'keyport_request_duration_seconds_count{operation="/export/v1/orders",method="GET",status="503"} 1',
    'keyport_error_responses_total{operation="/export/v1/orders",method="GET",code="service-unavailable"} 1',
  ]);
});

test('readings that are taken at a scrape have their own lines', async () => {
  const metrics = started({
    catalogueLagSeconds: () => 7,
    catalogue: { listedCount: 99, productCount: 120 },
    lastComparison: () => ({ finishedAtSeconds: 900, checked: 110, broken: 3 }),
  });
  metrics.onBreaker('open');
  assertLines(await metrics.text(), [
    'keyport_order_queue_depth 5',
    'keyport_open_connections 10',
    'keyport_transactions_total{outcome="committed"} 7',
    'keyport_requests_refused_total{reason="late"} 4',
    'keyport_catalogue_lag_seconds 7',
    'keyport_catalogue_products{state="listed"} 99',
    'keyport_catalogue_last_comparison_timestamp_seconds 900',
    'keyport_invariant_broken_rows{invariant="I66"} 3',
    'keyport_invariant_broken_rows{invariant="I3"} 0',
    'keyport_gateway_breaker_state 2',
    `keyport_build_info{version="1.2.3",node="${process.version}"} 1`,
  ]);
});

test('an unresponsive database hides no other metric, and is queried once for concurrent reads', async () => {
  let asked = 0;
  const silent = () => {
    asked += 1;
    return new Promise<never>(() => {});
  };
  const metrics = started({ catalogueBehindSeconds: silent, lastVerifyRun: silent });
  const texts = await Promise.all([metrics.text(), metrics.text()]);
  for (const text of texts) {
    assertLines(text, ['keyport_order_queue_depth 5', 'keyport_catalogue_lag_seconds 0.2']);
    ok(!/^keyport_catalogue_behind_seconds /m.test(text));
  }
  equal(asked, 2, 'one query for each metric');
});
