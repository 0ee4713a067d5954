import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@keyport/server/config';
import type { MetricValues } from '@keyport/server/metrics/metrics';
import { serveMetrics } from '@keyport/server/metrics/metrics-server';
import { WorkerMetrics } from '@keyport/server/metrics/worker-metrics';
import type { Logger } from 'pino';
import { CommandFailure } from '../failure.ts';
import { beginStart, endOnFault, onHangup, onSignal, SAME_SIGNAL_MS, STOP_TIMEOUT_MS } from './process.ts';
import type { Welcome } from './welcome.ts';
import type { WorkerStart } from './worker.ts';

const RESTART_DELAY_MIN_MS = 100;
const RESTART_DELAY_MAX_MS = 10_000;

const STEADY_AFTER_MS = 60_000;

/** Workers are killed this long after their own limit. */
const STOP_MARGIN_MS = 1_000;

const COUNT_TIMEOUT_MS = 1_000;

/** Resolves when every worker is ready or has ended once. Throws CommandFailure if the first ends. */
export async function serveInWorkers(config: Config, count: number): Promise<Welcome> {
  if (config.databaseUrl === undefined) {
    throw new CommandFailure(
      'several workers need a PostgreSQL server, because only one process can open the embedded database. ' +
        'Set KEYPORT_DATABASE_URL, or leave --workers out.',
    );
  }
  if (config.masterKeyFile === undefined && config.dataDir === 'memory') {
    throw new CommandFailure(
      'several workers need one master key, and KEYPORT_DATA_DIR=memory keeps it for one process only. ' +
        'Set KEYPORT_MASTER_KEY_FILE, or name a folder in KEYPORT_DATA_DIR.',
    );
  }
  const { log, addresses } = await beginStart(config);
  // Workers accept connections through this process.
  await addresses.release();
  endOnFault(log);
  // Metrics may be NaN or infinite, which JSON lacks.
  cluster.setupPrimary({ serialization: 'advanced' });
  const group = new WorkerGroup(log, config.stopDelayMs + STOP_TIMEOUT_MS + STOP_MARGIN_MS);
  let signalledAtMs: number | undefined;
  onSignal((signal) => {
    if (signalledAtMs === undefined) {
      signalledAtMs = performance.now();
      void group.end(signal);
    } else if (performance.now() - signalledAtMs >= SAME_SIGNAL_MS) group.kill();
  });
  onHangup(() => {
    group.replaceAll().catch((err) => log.error({ err }, 'the workers could not be replaced'));
  });
  const { metricsHost: host, metricsPort: port } = config;
  const metricsServer = port === undefined ? undefined : await serveMetrics(group.metrics, { host, port });
  try {
    return await group.start(count);
  } catch (error) {
    await metricsServer?.close();
    throw error;
  }
}

/** One process. `ready` resolves with undefined if it ends first, `ended` with true after a graceful end. */
type Run = {
  readonly worker: Worker;
  readonly ready: Promise<Welcome | undefined>;
  readonly ended: Promise<boolean>;
  readyAtMs?: number;
};

type Place = { readonly number: number; run: Run };

class WorkerGroup {
  readonly metrics = new WorkerMetrics(() => this.#count());
  readonly #log: Logger;
  readonly #stopTimeoutMs: number;
  #state: 'starting' | 'running' | 'replacing' | 'stopping' = 'starting';
  #places: readonly Place[] = [];
  /** Includes replacements, and replaced processes until they end. */
  readonly #live = new Set<Run>();
  #welcome: Welcome | undefined;

  constructor(log: Logger, stopTimeoutMs: number) {
    this.#log = log;
    this.#stopTimeoutMs = stopTimeoutMs;
  }

  async start(count: number): Promise<Welcome> {
    const first = { number: 1, run: this.#launch(1) };
    this.#welcome = await first.run.ready;
    if (this.#welcome === undefined) {
      throw new CommandFailure('the first worker ended while it started; see its message above.');
    }
    const others = Array.from({ length: count - 1 }, (_, index) => index + 2);
    this.#places = [first, ...others.map((number) => ({ number, run: this.#launch(number) }))];
    for (const place of this.#places) void this.#keep(place);
    await Promise.all(this.#places.map(({ run }) => run.ready));
    if (this.#state === 'starting') this.#state = 'running';
    return this.#welcome;
  }

  /** Each new worker is ready before its predecessor leaves. Stops at the first failure. */
  async replaceAll(): Promise<void> {
    if (this.#state !== 'running') return;
    this.#state = 'replacing';
    this.#log.info('replacing the workers');
    try {
      for (const place of this.#places) {
        if (this.#isStopping() || !(await this.#replace(place))) break;
      }
    } finally {
      if (!this.#isStopping()) this.#state = 'running';
    }
  }

  async #replace(place: Place): Promise<boolean> {
    const run = this.#launch(place.number);
    if ((await run.ready) === undefined) {
      this.#log.error({ worker: place.number }, 'a new worker could not start; keeping the others');
      return false;
    }
    const old = place.run;
    place.run = run;
    if (old.readyAtMs === undefined) old.worker.process.kill('SIGTERM');
    else send(old.worker, 'leave');
    await old.ended;
    return true;
  }

  async end(signal: NodeJS.Signals, exitCode = 0): Promise<void> {
    this.#log.info({ signal }, 'stopping the workers');
    this.#state = 'stopping';
    setTimeout(() => this.kill(), this.#stopTimeoutMs).unref();
    const ends = [...this.#live].map(async ({ worker, ended, readyAtMs }) => {
      worker.process.kill(signal);
      return (await ended) || readyAtMs === undefined;
    });
    const areGraceful = (await Promise.all(ends)).every(Boolean);
    this.#log.info('all workers have ended');
    this.#log.flush(() => process.exit(areGraceful ? exitCode : 1));
  }

  kill(): void {
    for (const { worker } of this.#live) worker.process.kill('SIGKILL');
  }

  async #keep(place: Place): Promise<void> {
    let delayMs = RESTART_DELAY_MIN_MS;
    for (;;) {
      const { run } = place;
      await run.ended;
      if (this.#isStopping()) return;
      if (place.run !== run) continue;
      const readyMs = run.readyAtMs === undefined ? undefined : performance.now() - run.readyAtMs;
      if (readyMs === undefined && [...this.#live].every(({ readyAtMs }) => readyAtMs === undefined)) {
        // This process's supervisor notices the exit.
        this.#log.fatal({ worker: place.number }, 'giving up: no worker is ready, and a new one ended');
        return this.end('SIGTERM', 1);
      }
      if (readyMs !== undefined && readyMs >= STEADY_AFTER_MS) delayMs = RESTART_DELAY_MIN_MS;
      this.#log.warn({ worker: place.number, delayMs }, 'restarting the worker');
      await sleep(delayMs);
      delayMs = Math.min(delayMs * 2, RESTART_DELAY_MAX_MS);
      if (this.#isStopping()) return;
      try {
        if (place.run === run) place.run = this.#launch(place.number);
      } catch (err) {
        this.#log.error({ err, worker: place.number }, 'a worker could not be started');
      }
    }
  }

  #launch(number: number): Run {
    const worker = cluster.fork();
    const facts = { worker: number, pid: worker.process.pid };
    const { promise: ended, resolve: end } = Promise.withResolvers<boolean>();
    const { promise: ready, resolve: becomeReady } = Promise.withResolvers<Welcome | undefined>();
    const run: Run = { worker, ready, ended };
    this.#live.add(run);
    const onEnd = (code: number | null, signal: string | null) => {
      this.#live.delete(run);
      this.metrics.forget(worker.id);
      const isWanted = this.#isStopping() || this.#places.every((place) => place.run !== run);
      this.#log[isWanted && code === 0 ? 'info' : 'error']({ ...facts, code, signal }, 'a worker has ended');
      becomeReady(undefined);
      end(code === 0);
    };
    worker.once('exit', onEnd);
    // A process that could not be created (no descriptor or process left) never exits.
    worker.on('error', (err) => {
      this.#log.error({ err, ...facts }, 'a worker could not be started or reached');
      if (worker.process.pid === undefined) onEnd(null, null);
    });
    worker.once('message', (welcome: Welcome) => {
      this.#log.info(facts, 'a worker is ready');
      run.readyAtMs = performance.now();
      becomeReady(welcome);
    });
    send(worker, { worker: number, demo: this.#welcome?.demo } satisfies WorkerStart);
    return run;
  }

  #isStopping(): boolean {
    return this.#state === 'stopping';
  }

  async #count() {
    const ready = [...this.#live].filter(({ readyAtMs }) => readyAtMs !== undefined);
    const samples = await Promise.all(ready.map(({ worker }) => requestSample(worker)));
    return samples.filter((sample) => sample !== undefined);
  }
}

/** A worker that just ended gets nothing: `exit` reports it. */
function send(worker: Worker, message: WorkerStart | 'leave' | 'count'): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

async function requestSample(worker: Worker) {
  const response = once(worker, 'message', { signal: AbortSignal.timeout(COUNT_TIMEOUT_MS) });
  send(worker, 'count');
  const [values]: MetricValues[] = await response.catch(() => []);
  return values && { workerId: worker.id, values };
}
