/** If promtool is installed, it runs the alert rules on made-up metrics. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { skipBecause } from '../support/vitest.ts';
import { toNames } from './scrape.ts';
import { madeUpSources } from './sources.ts';

const ROOT = new URL('../../../../', import.meta.url);
const FOLDER = fileURLToPath(new URL('deploy/monitoring/', ROOT));
const run = promisify(execFile);

const read = (path: string) => readFile(new URL(path, ROOT), 'utf8');

function metricsIn(expression: string): string[] {
  const names = expression.replace(/"[^"]*"/g, '').match(/\b(?:keyport|nodejs|process)_\w+/g) ?? [];
  return names;
}

/** A histogram has three names. */
async function knownNames(): Promise<Set<string>> {
  const metrics = createMetrics('test');
  metrics.watch(madeUpSources());
  const names = toNames(await metrics.text());
  const known = new Set<string>();
  for (const [name, type] of names) {
    if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) known.add(`${name}_${part}`);
    else known.add(name);
  }
  return known;
}

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

test('every metric in the alert rules exists in the service', async () => {
  const known = await knownNames();
  const expressions = (await read('deploy/monitoring/alerts.yml'))
    .split('\n')
    .filter((line) => !/^\s*(#|summary)/.test(line));
  const named = expressions.flatMap(metricsIn);
  ok(named.length > 20);
  deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test('every metric on the dashboard exists in the service, and every metric has a panel', async () => {
  const known = await knownNames();
  const { panels }: { panels: readonly Panel[] } = JSON.parse(
    await read('deploy/monitoring/grafana-dashboard.json'),
  );
  const named = new Set(panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))));
  deepEqual(
    [...named].filter((name) => !known.has(name)),
    [],
  );
  const ofHistogram = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');
  const shown = new Set([...named].map(ofHistogram));
  const ours = [...known].filter((name) => name.startsWith('keyport_')).map(ofHistogram);
  deepEqual(
    ours.filter((name) => !shown.has(name)),
    [],
  );
});

test('the panels do not overlap and fit the width of the grid', async () => {
  const dashboard = JSON.parse(await read('deploy/monitoring/grafana-dashboard.json'));
  const taken = new Map<string, string>();
  for (const { title, gridPos } of dashboard.panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        equal(taken.get(`${x} ${y}`), undefined, `${title} at ${x} ${y}`);
        taken.set(`${x} ${y}`, title);
      }
    }
    ok(gridPos.x + gridPos.w <= 24, title);
  }
});

test('every alert has a section in docs/monitoring.md, and every section has an alert', async () => {
  const rules = await read('deploy/monitoring/alerts.yml');
  const alerts = Array.from(rules.matchAll(/- alert: (\w+)/g), ([, name = '']) => name);
  const runbooks = Array.from(rules.matchAll(/runbook: (.+)/g), ([, place = '']) => place);
  deepEqual(
    runbooks,
    alerts.map((name) => `docs/monitoring.md#${name.toLowerCase()}`),
  );
  const sections = (await read('docs/monitoring.md')).matchAll(/^### (Keyport\w+)$/gm);
  deepEqual(Array.from(sections, ([, name]) => name).toSorted(), alerts.toSorted());
  const tried = await read('deploy/monitoring/alerts.test.yml');
  deepEqual(
    alerts.filter((name) => !tried.includes(`alertname="${name}"`)),
    [],
  );
});

const promtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

test('promtool accepts the configuration and the rules, and the tests of the rules pass', async (t) => {
  skipBecause(t, !promtool && 'promtool is not installed (Debian: the package prometheus)');
  await run('promtool', ['check', 'config', 'prometheus.yml'], { cwd: FOLDER });
  await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: FOLDER });
});
