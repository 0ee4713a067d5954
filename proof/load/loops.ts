import { setTimeout as sleep } from 'node:timers/promises';

/** A closed loop: every caller does one action after another while `goesOn` returns true. */
export async function runClosed(
  callers: number,
  goesOn: () => boolean,
  act: (caller: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (goesOn()) await act(caller);
    }),
  );
}

export type OpenLoop = {
  readonly perSecond: number;
  readonly durationMs: number;
  /** Actions that fall due while this many are outstanding are skipped. */
  readonly outstandingMax: number;
  readonly act: () => Promise<unknown>;
  readonly signal?: AbortSignal;
};

export type OpenLoopResult = {
  readonly begun: number;
  readonly skipped: number;
  readonly seconds: number;
  /** Delays in milliseconds; they mean that the generator itself lacked processor time. */
  readonly lateness: readonly number[];
  readonly outstanding: ReadonlySet<Promise<unknown>>;
};

/** An open loop: starts actions at a fixed rate. `act` must not reject. */
export async function runOpen(loop: OpenLoop): Promise<OpenLoopResult> {
  const { perSecond, durationMs, outstandingMax, act, signal } = loop;
  const outstanding = new Set<Promise<unknown>>();
  const lateness: number[] = [];
  const startedAt = performance.now();
  let skipped = 0;
  for (let due = 0; due < (durationMs / 1000) * perSecond && !signal?.aborted; ) {
    const elapsedMs = performance.now() - startedAt;
    for (const dueByNow = (Math.min(elapsedMs, durationMs) * perSecond) / 1000; due < dueByNow; due += 1) {
      if (outstanding.size >= outstandingMax) {
        skipped += 1;
        continue;
      }
      const action = act().finally(() => outstanding.delete(action));
      outstanding.add(action);
      lateness.push(performance.now() - startedAt - (due / perSecond) * 1000);
    }
    await sleep(1);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { begun: lateness.length, skipped, seconds, lateness, outstanding };
}
