/** After each round, every node must sell again. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load, LoadOptions } from '../load/load.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';
import { type Report, type Run, randomDelayMs, type Scenario, spread } from './scenario.ts';

type Round = Pick<Run, 'count' | 'random'> & {
  readonly rig: Rig;
  readonly load: Load;
  readonly round: number;
};

type Rounds = {
  readonly load?: Partial<LoadOptions>;
  /** Every response must arrive within the promised time (R27). */
  readonly isAnsweredInTime?: true;
  /** Returns the measured milliseconds by name. */
  readonly round: (round: Round) => Promise<Readonly<Record<string, number>> | undefined>;
};

/** A fault for any rig: alone in a manual run, or with others in a test file. */
export type LoadFault = Pick<Scenario, 'name' | 'promise' | 'count'> & Rounds;

const DELAY_MAX_MS = 1000;
const PROGRESS_EVERY = 10;

export function loadScenario(fault: LoadFault): Scenario {
  const { name, promise, count } = fault;
  return { name, promise, count, run: (run) => runUnderLoad(run, fault) };
}

export async function runUnderLoad(
  run: Run,
  options: Rounds & { readonly rig?: Partial<RigOptions> },
): Promise<Report> {
  const rig = await openRig({ owner: run.owner, seed: run.seed, ...options.rig });
  const { load, metrics } = await injectFault(rig, options, run);
  run.progress(`the audit begins, ${load.record.sent.length} orders sent`);
  return { ...metrics, ...(await rig.audit(load)), ...load.record.summary() };
}

export async function injectFault(
  rig: Rig,
  { load: loadOptions, isAnsweredInTime, round: injectOnce }: Rounds,
  { count, random, progress }: Pick<Run, 'count' | 'random' | 'progress'>,
): Promise<{ readonly load: Load; readonly metrics: Report }> {
  const load = rig.startLoad(loadOptions);
  try {
    const metrics = await runRounds({ rig, load, count, random, progress }, injectOnce);
    await load.stop();
    if (isAnsweredInTime) assertAnsweredInTime(load);
    return { load, metrics: { times: count, ...metrics } };
  } catch (error) {
    load.abandon();
    throw error;
  }
}

async function runRounds(
  { rig, load, count, random, progress }: Omit<Round, 'round'> & Pick<Run, 'progress'>,
  injectOnce: Rounds['round'],
): Promise<Report> {
  const allNodesSell = () => Promise.all(rig.nodes.map((node) => load.orderPlaced({ url: node.url() })));
  const metrics: Record<string, number[]> = {};
  await allNodesSell();
  progress('all nodes sell');
  for (let round = 0; round < count; round += 1) {
    await sleep(randomDelayMs(random, DELAY_MAX_MS));
    const measured = await injectOnce({ count, random, rig, load, round });
    const endedAt = performance.now();
    await allNodesSell();
    const allNodesBackAfterMs = performance.now() - endedAt;
    for (const [name, ms] of Object.entries({ ...measured, allNodesBackAfterMs })) {
      metrics[name] = [...(metrics[name] ?? []), ms];
    }
    const done = round + 1;
    if (done % PROGRESS_EVERY === 0) progress(`${done} times, ${load.record.sent.length} orders sent`);
  }
  return Object.fromEntries(Object.entries(metrics).map(([name, timesMs]) => [name, spread(timesMs)]));
}

/** R27. */
const ORDER_ANSWERED_WITHIN_MS = 20_000;

function assertAnsweredInTime({ record }: Load): void {
  const tookMs = record.longestResponseMs['POST'] ?? 0;
  assert.ok(tookMs < ORDER_ANSWERED_WITHIN_MS, `an order took ${tookMs} ms`);
}
