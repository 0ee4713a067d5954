import { equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { createMetrics, type Metrics } from '../../src/metrics/metrics.ts';
import type { MetricSources } from '../../src/metrics/sources.ts';
import { WorkerMetrics } from '../../src/metrics/worker-metrics.ts';
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

test('counts of several processes are added, and other metrics show the worst value', async () => {
  const one = started();
  const other = started({
    catalogueLagSeconds: () => 7,
    catalogue: { listedCount: 99, productCount: 120 },
    lastComparison: () => ({ finishedAtSeconds: 900, checked: 110, broken: 3 }),
  });
  response(one, 0.4);
  response(other, 2);
  other.onBreaker('open');
  const workers = new WorkerMetrics(async () => [
    { workerId: 1, values: await one.values() },
    { workerId: 2, values: await other.values() },
  ]);
  const text = await workers.text();
  assertLines(text, [
    `keyport_request_duration_seconds_bucket{le="0.001",${REQUEST}} 1`,
    `keyport_request_duration_seconds_count{${REQUEST}} 2`,
    'keyport_processes 2',
    'keyport_order_queue_depth 10',
    'keyport_open_connections 20',
    'keyport_transactions_total{outcome="committed"} 14',
    'keyport_requests_refused_total{reason="late"} 8',
    'keyport_catalogue_lag_seconds 7',
    'keyport_catalogue_products{state="listed"} 100',
    'keyport_catalogue_last_comparison_timestamp_seconds 900',
    'keyport_invariant_broken_rows{invariant="I66"} 3',
    'keyport_invariant_broken_rows{invariant="I1"} 0',
    'keyport_gateway_breaker_state 2',
    `keyport_build_info{version="1.2.3",node="${process.version}"} 1`,
  ]);
});

test('counts never decrease when a worker is silent, ends, or ends during a query', async () => {
  const [one, other] = [started(), started()];
  response(one, 1);
  response(other, 1);
  let whileAsked = () => {};
  let asked: readonly Metrics[] = [one, other];
  const workers = new WorkerMetrics(async () => {
    const responses = asked.map(async (metrics) => ({
      workerId: metrics === one ? 1 : 2,
      values: await metrics.values(),
    }));
    const all = await Promise.all(responses);
    whileAsked();
    return all;
  });
  const count = `keyport_request_duration_seconds_count{${REQUEST}}`;
  assertLines(await workers.text(), [`${count} 2`, 'keyport_processes 2']);
  asked = [other];
  assertLines(await workers.text(), [`${count} 2`, 'keyport_processes 1']);
  asked = [one, other];
  whileAsked = () => workers.forget(1);
  assertLines(await workers.text(), [`${count} 2`, 'keyport_processes 1']);
  whileAsked = () => {};
  asked = [other];
  assertLines(await workers.text(), [`${count} 2`, 'keyport_processes 1']);
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
