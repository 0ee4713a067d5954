import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../packages/server/test/support/random.ts';
import { runClosed } from './loops.ts';
import { Traffic, type TrafficOptions } from './traffic.ts';

export type LoadOptions = Pick<TrafficOptions, 'shop' | 'urls'> &
  Partial<TrafficOptions> & {
    readonly seed: string;
    readonly callerCount?: number;
    /** The average pause. */
    readonly pauseMs?: number;
  };

export type Load = Pick<Traffic, 'record' | 'orderPlaced'> & {
  /** Resolves after the last response or timeout. */
  stop(): Promise<void>;
  /** Stops and leaves unknown outcomes unknown. */
  abandon(): void;
};

const SHARES = { order: 14, keys: 4, events: 2, page: 1, product: 1, history: 1, account: 1 };
const RESTOCK_UNITS = 500;
const OPERATOR_PAUSE_MS = 300;

export function startLoad(options: LoadOptions): Load {
  const { seed, callerCount = 12, pauseMs = 30 } = options;
  const traffic = new Traffic({ shares: SHARES, timeoutMs: 10_000, repeatsMax: 3, ...options });
  let isStopping = false;

  async function runOperator(): Promise<void> {
    const random = createRandom(`${seed}/operator`);
    while (!isStopping) {
      await sleep(OPERATOR_PAUSE_MS);
      await traffic.topUp(random);
      await traffic.restock(random, RESTOCK_UNITS);
    }
  }

  const randoms = Array.from({ length: callerCount }, (_, index) => createRandom(`${seed}/caller ${index}`));
  const callers = randoms.map((random) =>
    runClosed(
      1,
      () => !isStopping,
      async () => {
        await traffic.act(random);
        await sleep(2 * pauseMs * random.unit());
      },
    ),
  );
  const running = [...callers, runOperator()];
  // Failures are reported when the load is stopped.
  for (const one of running) one.catch(() => {});
  return {
    record: traffic.record,
    orderPlaced: (wanted) => traffic.orderPlaced(wanted),
    async stop() {
      isStopping = true;
      await Promise.all(running);
      traffic.close();
    },
    abandon() {
      isStopping = true;
      traffic.abandon();
    },
  };
}
