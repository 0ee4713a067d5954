/** Charges have their own slots, so that the worker can settle payments while charges hang. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BrokenCircuitError,
  type BulkheadPolicy,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  handleWhen,
  TaskCancelledError,
} from 'cockatiel';
import type { Logger } from 'pino';
import type { BreakerState } from '../metrics/metrics.ts';
import { type Charge, type ChargeResult, type Gateway, NotCharged } from './gateway.ts';

/** Opens when more than half of the last 20 calls failed (at the start, of the first 10). */
const BREAKER_WINDOW = { threshold: 0.5, size: 20, minimumNumberOfCalls: 10 };
const PAUSED = 'requests to the payment provider are paused: it failed too often recently';
/** After this time a single call probes the provider. */
const BREAK_MS = 10_000;
/** Charges wait no longer than their own time limit. */
const WAITING_PER_PLACE = 4;
/** The worker's claims bound the waiting calls. */
const WORKER_CONCURRENCY = 8;
const RETRY_DELAY_MS = 200;

export type GuardOptions = {
  readonly concurrency: number;
  readonly log: Logger;
  readonly onBreaker?: ((state: BreakerState) => void) | undefined;
};

const STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
  // Never used.
  [CircuitState.Isolated]: 'open',
};

export function guardGateway(gateway: Gateway, { concurrency, log, onBreaker }: GuardOptions): Gateway {
  const breaker = circuitBreaker(handleWhen(isProviderFailure), {
    halfOpenAfter: BREAK_MS,
    breaker: new CountBreaker(BREAKER_WINDOW),
  });
  breaker.onStateChange((state) => {
    onBreaker?.(STATES[state]);
    if (state === CircuitState.Open) log.error('payment provider failing; pausing requests to it');
    if (state === CircuitState.Closed) log.info('payment provider responding again');
  });
  const charges = bulkhead(concurrency, concurrency * WAITING_PER_PLACE);
  const workerCalls = bulkhead(WORKER_CONCURRENCY, Number.POSITIVE_INFINITY);
  // Takes the signal, because a caller that waits for a probe must not call after its time limit.
  const call = <Result>(signal: AbortSignal, work: () => Promise<Result>) =>
    breaker.execute(work, signal).catch(explainUnsent<Result>);
  const inPlace = <Result>(places: BulkheadPolicy, signal: AbortSignal, work: () => Promise<Result>) =>
    places.execute(work, signal).catch(explainUnsent<Result>);
  return {
    charge: (charge, signal) =>
      inPlace(charges, signal, () =>
        chargeTwice(() => call(signal, () => gateway.charge(charge, signal)), { charge, signal, log }),
      ),
    find: (charge, signal) =>
      inPlace(workerCalls, signal, () => call(signal, () => gateway.find(charge, signal))),
    refund: (refund, signal) =>
      inPlace(workerCalls, signal, () => call(signal, () => gateway.refund(refund, signal))),
    // The breaker does not count this call: it reveals nothing about charges.
    findRefund: (refund, signal) =>
      inPlace(workerCalls, signal, async () => {
        if (breaker.state !== CircuitState.Closed) throw new NotCharged(PAUSED);
        return gateway.findRefund(refund, signal);
      }),
  };
}

/** False if one customer cannot be charged or no call was made. */
function isProviderFailure(error: unknown): boolean {
  return !(error instanceof TaskCancelledError) && !(error instanceof NotCharged && error.isCustomerFault);
}

function explainUnsent<Result>(error: unknown): Promise<Result> {
  if (error instanceof BrokenCircuitError) throw new NotCharged(PAUSED);
  if (error instanceof BulkheadRejectedError || error instanceof TaskCancelledError)
    throw new NotCharged(
      'the charge did not reach the payment provider in time: too many charges are in progress',
    );
  throw error;
}

/** Retries once if the outcome is unknown: the first attempt may have charged, even if the second did not. */
async function chargeTwice(
  attempt: () => Promise<ChargeResult>,
  { charge, signal, log }: { charge: Charge; signal: AbortSignal; log: Logger },
): Promise<ChargeResult> {
  try {
    return await attempt();
  } catch (first) {
    if (first instanceof NotCharged || signal.aborted) throw first;
    log.warn({ err: first, orderId: charge.orderId }, 'charge outcome unknown; querying the provider again');
    try {
      await sleep(RETRY_DELAY_MS, undefined, { signal });
      return await attempt();
    } catch {
      throw first;
    }
  }
}
