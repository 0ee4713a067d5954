/**
 * PostgreSQL is killed at random times under load and recovers from its log, or is restarted in fast or
 * immediate mode. R26.
 */
import { findProcesses } from '../processes.ts';
import type { LoadFault } from '../under-load.ts';

export const killDatabase: LoadFault = {
  name: 'kill-database',
  promise:
    "PostgreSQL's postmaster killed under load: every acknowledged order is stored once, and the books are right",
  count: 200,
  round: endBy(['SIGKILL']),
};

export const crashDatabase: LoadFault = {
  name: 'crash-database',
  promise:
    'all processes of PostgreSQL killed simultaneously under load: every acknowledged order is stored once',
  count: 100,
  async round({ rig }) {
    const startedAt = performance.now();
    // A process that the postmaster starts during the kills would wait for a killed one's lock.
    process.kill(rig.postgres.pid(), 'SIGSTOP');
    // If the postmaster alone were killed, a session would finish its statement.
    for (const pid of await findProcesses(rig.postgres.pid())) kill(pid);
    await rig.postgres.end('SIGKILL');
    await rig.postgres.start();
    return { databaseGoneForMs: performance.now() - startedAt };
  },
};

/** The process may have ended since it was listed. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

export const restartDatabase: LoadFault = {
  name: 'restart-database',
  promise: 'PostgreSQL restarted under load, fast and immediate: every acknowledged order is stored once',
  count: 20,
  round: endBy(['SIGINT', 'SIGQUIT']),
};

function endBy(signals: readonly ('SIGKILL' | 'SIGINT' | 'SIGQUIT')[]): LoadFault['round'] {
  return async ({ rig, round }) => {
    const startedAt = performance.now();
    await rig.postgres.end(signals[round % signals.length] ?? 'SIGKILL');
    await rig.postgres.start();
    return { databaseGoneForMs: performance.now() - startedAt };
  };
}
