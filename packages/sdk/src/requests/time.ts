/** A longer timer would fire immediately. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Unlike the wall clock, it never steps. */
export function monotonicMs(): number {
  return performance.now();
}

/** Rejects with the signal's reason once aborted. Leaves no timer or listener behind. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, TIMER_MS_MAX),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Ends at the time limit or when the caller aborts, even if the work ignores its signal. */
export async function within<T>(
  limit: { readonly ms: number; readonly signal: AbortSignal | undefined; readonly reason: () => unknown },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  limit.signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = () => controller.abort(limit.signal?.reason);
  limit.signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => controller.abort(limit.reason()), Math.min(limit.ms, TIMER_MS_MAX));
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    limit.signal?.removeEventListener('abort', onAbort);
  }
}
