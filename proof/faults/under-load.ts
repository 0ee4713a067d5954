/** A fault that is brought about round after round under load; after each, every node has to sell again. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load, LoadOptions } from '../load/load.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';
import { type Report, type Run, randomDelayMs, spread } from './scenario.ts';

type Round = Run & { readonly rig: Rig; readonly load: Load; readonly round: number };

const DELAY_MAX_MS = 1000;
const PROGRESS_EVERY = 10;

export async function runUnderLoad(
  run: Run,
  options: {
    readonly rig?: Partial<RigOptions>;
    readonly load?: Partial<LoadOptions>;
    /** Whether callers wait for every response, and each has to come in the time that is promised (A155). */
    readonly isAnsweredInTime?: true;
    /** Brings the fault about, ends it, and returns what it measured, milliseconds by name. */
    readonly round: (round: Round) => Promise<Readonly<Record<string, number>> | undefined>;
  },
): Promise<Report> {
  const { owner, seed, count, random, progress } = run;
  const rig = await openRig({ owner, seed, ...options.rig });
  const load = rig.startLoad(options.load);
  const allNodesSell = () => Promise.all(rig.nodes.map((node) => load.orderPlaced({ url: node.url() })));
  const metrics: Record<string, number[]> = {};
  await allNodesSell();
  progress('all nodes sell');
  for (let round = 0; round < count; round += 1) {
    await sleep(randomDelayMs(random, DELAY_MAX_MS));
    const measured = await options.round({ ...run, rig, load, round });
    const endedAt = performance.now();
    await allNodesSell();
    const allNodesBackAfterMs = performance.now() - endedAt;
    for (const [name, ms] of Object.entries({ ...measured, allNodesBackAfterMs })) {
      metrics[name] = [...(metrics[name] ?? []), ms];
    }
    const done = round + 1;
    if (done % PROGRESS_EVERY === 0) progress(`${done} times, ${load.record.sent.length} orders sent`);
  }
  progress(`the audit begins, ${load.record.sent.length} orders sent`);
  const audited = await rig.audit(load);
  if (options.isAnsweredInTime) assertAnsweredInTime(load);
  const spreads = Object.entries(metrics).map(([name, timesMs]) => [name, spread(timesMs)]);
  return { times: count, ...Object.fromEntries(spreads), ...audited, ...load.record.summary() };
}

/** A155. */
const ORDER_ANSWERED_WITHIN_MS = 20_000;

function assertAnsweredInTime({ record }: Load): void {
  const tookMs = record.longestResponseMs['POST'] ?? 0;
  assert.ok(tookMs < ORDER_ANSWERED_WITHIN_MS, `an order was answered after ${tookMs} ms`);
}
