/** Several services share one PostgreSQL database. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { startService } from '../../src/service.ts';
import { type Owner, onEnd, testEngine } from '../support/database.ts';
import { testConfig } from '../support/harness.ts';
import { startTwoNodes } from '../support/two-nodes.ts';
import { skipBecause } from '../support/vitest.ts';

const skip =
  testEngine === 'embedded' && 'the embedded engine has one process, which does not check periodically';

type Line = {
  readonly level: number;
  readonly msg: string;
  readonly broken?: unknown;
  readonly examples?: unknown;
};

async function startNode(owner: Owner, settings: Readonly<Record<string, string>>, url: string) {
  const lines = new EventEmitter<{ run: [Line]; differs: [Line] }>();
  const write = (text: string) => {
    const line = JSON.parse(text);
    if (line.invariants !== undefined) lines.emit('run', line);
    if (line.invariant === 'I66') lines.emit('differs', line);
  };
  const config = testConfig({ ...settings, KEYPORT_VERIFY_INTERVAL_SECONDS: '1', KEYPORT_METRICS_PORT: '0' });
  const log = pino({ level: 'info' }, { write });
  const service = await startService(config, { database: { url, dataDir: 'memory' }, log });
  onEnd(owner, () => service.close());
  return {
    service,
    nextRun: async (): Promise<Line> => (await once(lines, 'run'))[0],
    nextDifference: async (): Promise<Line> => (await once(lines, 'differs'))[0],
  };
}

test('one of two services checks, another takes over, and all show the violations', async (t) => {
  skipBecause(t, skip);
  const { h, settings, databaseUrl = '' } = await startTwoNodes(t);
  const first = await startNode(t, settings, databaseUrl);
  const second = await startNode(t, settings, databaseUrl);
  const [name, run] = await Promise.race([
    first.nextRun().then((line) => ['first', line] as const),
    second.nextRun().then((line) => ['second', line] as const),
  ]);
  deepEqual(run.broken, []);
  const [leaver, stayer] = name === 'first' ? [first, second] : [second, first];
  await leaver.service.close();
  await sql`INSERT INTO account (id, name, statement_line) VALUES (gen_random_uuid(), 'without books', 1)`.execute(
    h.database.db,
  );
  let found = await stayer.nextRun();
  // A run in progress when the account was inserted may not have seen it.
  if (found.msg !== 'violated invariants: I3, I5') found = await stayer.nextRun();
  deepEqual(found.broken, ['I3', 'I5']);
  equal(found.msg, 'violated invariants: I3, I5');

  const third = await startNode(t, settings, databaseUrl);
  for (const { service } of [stayer, third]) {
    const text = await (await fetch(service.metricsUrl ?? '')).text();
    match(text, /^keyport_invariant_broken_rows\{invariant="I5"\} 1$/m);
    match(text, /^keyport_invariant_broken_rows\{invariant="I6"\} 0$/m);
    match(text, /^keyport_verify_last_run_timestamp_seconds [1-9]/m);
    match(text, /^keyport_verify_last_run_checked_rows [1-9]/m);
  }
  await sql`WITH mended AS (UPDATE account SET statement_line = 0 WHERE name = 'without books' RETURNING id)
    INSERT INTO ledger_account (kind, account_id) SELECT 'prepaid', id FROM mended`.execute(h.database.db);
});

test('each service compares its catalogue, and shows differences until they end', async (t) => {
  skipBecause(t, skip);
  const { h, settings, databaseUrl = '' } = await startTwoNodes(t);
  const { productId } = await h.seed.listing();
  const started = [await startNode(t, settings, databaseUrl), await startNode(t, settings, databaseUrl)];
  const differences = Promise.all(started.map(({ nextDifference }) => nextDifference()));
  const move = (cents: number) =>
    sql`UPDATE offer SET price_minor = price_minor + ${cents} WHERE product_id = ${productId}`.execute(
      h.database.db,
    );
  await move(1);
  for (const line of await differences) {
    deepEqual([line.level, line.broken], [50, 1]);
    deepEqual(line.examples, [`product ${productId} differs from the database`]);
  }
  const brokenRows = async ({ service }: (typeof started)[number]) => {
    const text = await (await fetch(service.metricsUrl ?? '')).text();
    match(text, /^keyport_catalogue_last_comparison_timestamp_seconds [1-9]/m);
    match(text, /^keyport_catalogue_last_comparison_products 1$/m);
    match(text, /^keyport_catalogue_behind_seconds [0-9.e-]+$/m);
    return /^keyport_invariant_broken_rows\{invariant="I66"\} (\d+)$/m.exec(text)?.[1];
  };
  for (const node of started) equal(await brokenRows(node), '1');
  await move(-1);
  for (const node of started) while ((await brokenRows(node)) !== '0') await sleep(50);
});
