/** A source may run as many concurrent attempts as it has failures left; further attempts wait. A63. */
import { toNetwork } from '@keyport/http/admission/addresses';

const SECRET_FAILURES = { failuresMax: 100, windowMs: 60_000 };
/** A person who mistypes gets some attempts, however many nodes share the limit. */
const SHARE_MIN = 5;
const SOURCES_MAX = 10_000;
const WAITING_MAX = 200;

type Window = {
  readonly endsAtMs: number;
  failureCount: number;
  openCount: number;
  readonly waiting: (() => void)[];
};

export type FailureLimit = ReturnType<typeof createFailureLimit>;

/** Each node enforces its share of the limit. A63. */
export function createFailureLimit(
  nowMs: () => number,
  nodeCount: () => number,
  { failuresMax, windowMs } = SECRET_FAILURES,
) {
  const shareMax = () => Math.max(SHARE_MIN, Math.ceil(failuresMax / nodeCount()));
  // Sorted by end time.
  const windows = new Map<string, Window>();

  function openWindow(source: string): Window {
    const known = findOpen(source);
    if (known !== undefined) return known;
    const [oldest] = windows.keys();
    if (windows.size >= SOURCES_MAX && oldest !== undefined) windows.delete(oldest);
    const window = { endsAtMs: nowMs() + windowMs, failureCount: 0, openCount: 0, waiting: [] };
    windows.set(source, window);
    return window;
  }

  function findOpen(source: string): Window | undefined {
    const window = windows.get(source);
    if (window === undefined || window.endsAtMs > nowMs()) return window;
    windows.delete(source);
    return undefined;
  }

  function toWaitMs(window: Window | undefined): number {
    return window === undefined || window.failureCount < shareMax() ? 0 : window.endsAtMs - nowMs();
  }

  function end(source: string, window: Window, isFailure: boolean): void {
    window.openCount -= 1;
    if (isFailure) openWindow(source).failureCount += 1;
    // Wakes all waiting attempts: a single one might continue in the next window and never wake the others.
    for (const go of window.waiting.splice(0)) go();
  }

  return {
    /** `address` can be any text that names a source. */
    waitMs: (address: string) => toWaitMs(findOpen(toNetwork(address))),
    /** If `waitMs` is 0, call `end` once. Undefined if too many attempts of this source wait. */
    async begin(address: string) {
      const source = toNetwork(address);
      for (;;) {
        const window = openWindow(source);
        const waitMs = toWaitMs(window);
        if (waitMs > 0) return { waitMs, end() {} };
        if (window.failureCount + window.openCount < shareMax()) {
          window.openCount += 1;
          return { waitMs, end: (isFailure: boolean) => end(source, window, isFailure) };
        }
        if (window.waiting.length >= WAITING_MAX) return undefined;
        await new Promise<void>((resolve) => window.waiting.push(resolve));
      }
    },
  };
}
