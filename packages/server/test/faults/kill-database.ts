/**
 * PostgreSQL's postmaster is killed with SIGKILL at random moments under load and started again, which recovers from its
 * log; or it is restarted in either way that an operator may choose. Faults F 90, F 92.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openRig } from './rig.ts';
import { type Run, randomDelayMs, type Scenario, spread } from './scenario.ts';

const DELAY_MAX_MS = 1000;

export const killDatabase: Scenario = {
  name: 'kill-database',
  promise:
    "PostgreSQL's postmaster killed under load: every acknowledged order is there, once, and the books are right",
  count: 200,
  run: (run) => endAgainAndAgain(run, ['SIGKILL']),
};

export const restartDatabase: Scenario = {
  name: 'restart-database',
  promise: 'PostgreSQL restarted under load, fast and immediate: every acknowledged order is there, once',
  count: 20,
  run: (run) => endAgainAndAgain(run, ['SIGINT', 'SIGQUIT']),
};

async function endAgainAndAgain(
  { owner, count, seed, random, progress }: Run,
  signals: readonly ('SIGKILL' | 'SIGINT' | 'SIGQUIT')[],
) {
  const rig = await openRig({ owner, seed });
  const load = rig.startLoad();
  const backAfterMs: number[] = [];
  await load.orderPlaced();
  for (let round = 1; round <= count; round += 1) {
    await sleep(randomDelayMs(random, DELAY_MAX_MS));
    await rig.postgres.end(signals[round % signals.length] ?? 'SIGKILL');
    await rig.postgres.start();
    const startedAt = performance.now();
    await Promise.all(rig.nodes.map((node) => load.orderPlaced({ url: node.url() })));
    backAfterMs.push(performance.now() - startedAt);
    if (round % 10 === 0) progress(`${round} times, ${load.log.sent.length} orders sent`);
  }
  const audited = await rig.audit(load);
  return { times: count, bothNodesBackAfterMs: spread(backAfterMs), ...audited, ...load.log.summary() };
}
