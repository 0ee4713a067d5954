/**
 * Counts failed attempts by source address, so that guessing at the token endpoint costs the guesser and not the
 * database. Secrets cannot be guessed anyway (A26): this is about load and noise. Bounded: of too many addresses the
 * ones whose minute began first are forgotten.
 */
const WINDOW_MS = 60_000;
const FAILURES_MAX = 100;
const ADDRESSES_MAX = 10_000;

type Window = { readonly endsAtMs: number; failureCount: number };

export type FailureLimit = {
  /** How long the address must wait before it may try again, in milliseconds; 0: it may. */
  waitMs(address: string): number;
  recordFailure(address: string): void;
  /** Other nodes have seen so many. */
  recordElsewhere(address: string, count: number): void;
};

/** `onFailure` is told of each one that was seen here. */
export function createFailureLimit(nowMs: () => number, onFailure?: (address: string) => void): FailureLimit {
  // In the order in which the windows begin, which is also the order in which they end.
  const windows = new Map<string, Window>();

  function findOpen(address: string): Window | undefined {
    const window = windows.get(address);
    if (window === undefined || window.endsAtMs > nowMs()) return window;
    windows.delete(address);
    return undefined;
  }

  function add(address: string, count: number): void {
    const window = findOpen(address);
    if (window !== undefined) {
      window.failureCount += count;
      return;
    }
    const [oldest] = windows.keys();
    if (windows.size >= ADDRESSES_MAX && oldest !== undefined) windows.delete(oldest);
    windows.set(address, { endsAtMs: nowMs() + WINDOW_MS, failureCount: count });
  }

  return {
    waitMs(address) {
      const window = findOpen(address);
      return window === undefined || window.failureCount < FAILURES_MAX ? 0 : window.endsAtMs - nowMs();
    },
    recordFailure(address) {
      add(address, 1);
      onFailure?.(address);
    },
    recordElsewhere: add,
  };
}
