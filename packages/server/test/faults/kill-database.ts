/**
 * PostgreSQL's postmaster is killed with SIGKILL at random moments under load and started again, which recovers from its
 * log; or it is restarted in either way that an operator may choose. Faults F 90, F 92.
 */
import type { Run, Scenario } from './scenario.ts';
import { runUnderLoad } from './under-load.ts';

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

function endAgainAndAgain(run: Run, signals: readonly ('SIGKILL' | 'SIGINT' | 'SIGQUIT')[]) {
  return runUnderLoad(run, {
    async round({ rig, round }) {
      const startedAt = performance.now();
      await rig.postgres.end(signals[round % signals.length] ?? 'SIGKILL');
      await rig.postgres.start();
      return { databaseGoneForMs: performance.now() - startedAt };
    },
  });
}
