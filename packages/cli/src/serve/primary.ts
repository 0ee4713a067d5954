/**
 * `keyport serve --workers N`: this process starts N workers (node:cluster), accepts connections for them and hands these
 * out in turn. Each worker is a whole node of the service. The first one migrates and prepares the database; the others
 * are started when it is ready. A worker that ends is replaced. SIGHUP replaces all of them, one after the other.
 */
import cluster, { type Worker } from 'node:cluster';
import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@keyport/server/config';
import { serveMetrics } from '@keyport/server/metrics/metrics-server';
import { WorkerMetrics, type WorkerSample } from '@keyport/server/metrics/worker-metrics';
import type { Logger } from 'pino';
import { CommandFailure } from '../failure.ts';
import type { FromPrimary, FromWorker } from './messages.ts';
import { beginStart, endOnFault, onHangup, onSignal, SAME_SIGNAL_MS, STOP_TIMEOUT_MS } from './process.ts';
import type { Welcome } from './welcome.ts';

/** The delay before a worker is replaced; it doubles with each replacement that fails. */
const RESTART_DELAY_MIN_MS = 100;
const RESTART_DELAY_MAX_MS = 10_000;

/** A worker that was ready for this long counts as healthy: its delays start over. */
const STEADY_AFTER_MS = 60_000;

/** Workers are killed this long after their own limit for a shutdown. */
const STOP_MARGIN_MS = 1_000;

/** The last known metrics are shown for a worker that does not answer in this time. */
const COUNT_TIMEOUT_MS = 1_000;

/** Resolves when every worker is ready, or has ended once. Throws CommandFailure when the first one ends. */
export async function serveInWorkers(config: Config, workerCount: number): Promise<Welcome> {
  if (config.databaseUrl === undefined) {
    throw new CommandFailure(
      'several workers need a PostgreSQL server, because only one process can open the embedded database. ' +
        'Set KEYPORT_DATABASE_URL, or leave --workers out.',
    );
  }
  if (config.masterKeyFile === undefined && config.dataDir === 'memory') {
    throw new CommandFailure(
      'several workers need one master key, which KEYPORT_DATA_DIR=memory keeps for one process only. ' +
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
  stopOnSignals(group, log);
  onHangup(() => {
    group.replaceAll().catch((err) => log.error({ err }, 'the workers could not be replaced'));
  });
  const metricsServer =
    config.metricsPort === undefined
      ? undefined
      : await serveMetrics(group.metrics, { host: config.metricsHost, port: config.metricsPort });
  try {
    return await group.start(workerCount);
  } catch (error) {
    await metricsServer?.close();
    throw error;
  }
}

function stopOnSignals(group: WorkerGroup, log: Logger): void {
  let signalledAtMs: number | undefined;
  onSignal((signal) => {
    if (signalledAtMs !== undefined) {
      // If it came from the terminal, the workers got the same signal.
      if (performance.now() - signalledAtMs >= SAME_SIGNAL_MS) group.kill();
      return;
    }
    signalledAtMs = performance.now();
    log.info({ signal }, 'stopping the workers');
    void group.stop(signal).then((isGraceful) => {
      log.info('all workers have ended');
      log.flush(() => process.exit(isGraceful ? 0 : 1));
    });
  });
}

/** The place of a worker. */
type Place = {
  readonly number: number;
  /** Undefined while a new one is waited for. */
  worker: Worker | undefined;
  /** Ends in a row without a healthy worker in between. */
  endCount: number;
};

class WorkerGroup {
  readonly metrics = new WorkerMetrics(() => this.#count());
  readonly #log: Logger;
  readonly #stopTimeoutMs: number;
  #places: Place[] = [];
  /** All that have not ended, with the time since which they are ready: those in a place, and those on their way. */
  readonly #readySinceMs = new Map<Worker, number | undefined>();
  #welcome: Welcome | undefined;
  #hasStarted = false;
  #isStopping = false;
  #isReplacing = false;
  #isGraceful = true;

  /** `stopTimeoutMs`: how long workers have to end before they are killed, milliseconds. */
  constructor(log: Logger, stopTimeoutMs: number) {
    this.#log = log;
    this.#stopTimeoutMs = stopTimeoutMs;
  }

  async start(count: number): Promise<Welcome> {
    this.#places = Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      worker: undefined,
      endCount: 0,
    }));
    const [first, ...others] = this.#places;
    if (first === undefined) throw new RangeError('there must be a worker');
    this.#welcome = await this.#fill(first);
    if (this.#welcome === undefined) {
      throw new CommandFailure('the first worker ended while it started; what it said stands above.');
    }
    await Promise.all(others.map((place) => this.#fill(place)));
    this.#hasStarted = true;
    return this.#welcome;
  }

  /** Resolves when all have ended: true when all of them did so gracefully. */
  async stop(signal: NodeJS.Signals): Promise<boolean> {
    this.#isStopping = true;
    setTimeout(() => this.kill(), this.#stopTimeoutMs).unref();
    const workers = [...this.#readySinceMs.keys()];
    const ends = workers.map(endOf);
    for (const worker of workers) worker.process.kill(signal);
    await Promise.all(ends);
    return this.#isGraceful;
  }

  kill(): void {
    for (const worker of this.#readySinceMs.keys()) worker.process.kill('SIGKILL');
  }

  /**
   * One place after the other: the new worker is ready before the old one leaves. Ends with the first that fails. Does
   * nothing before all have started: they are new.
   */
  async replaceAll(): Promise<void> {
    if (!this.#hasStarted || this.#isReplacing || this.#isStopping) return;
    this.#isReplacing = true;
    this.#log.info('replacing the workers');
    await this.#replaceEach().finally(() => {
      this.#isReplacing = false;
    });
  }

  async #replaceEach(): Promise<void> {
    for (const place of this.#places) {
      const { worker, ready } = this.#begin(place);
      if ((await ready) === undefined) {
        this.#log.error(
          { worker: place.number },
          'a new worker could not start; the others stay as they are',
        );
        break;
      }
      const old = place.worker;
      place.worker = worker;
      if (old !== undefined) await this.#leave(old);
      if (this.#isStopping) break;
    }
  }

  async #leave(worker: Worker): Promise<void> {
    const end = endOf(worker);
    if (this.#isReady(worker)) send(worker, { kind: 'leave' });
    else worker.process.kill('SIGTERM');
    await end;
  }

  /** Starts a worker in the place. Undefined: it ended before it was ready. */
  #fill(place: Place): Promise<Welcome | undefined> {
    const { worker, ready } = this.#begin(place);
    place.worker = worker;
    return ready;
  }

  #begin(place: Place): { readonly worker: Worker; readonly ready: Promise<Welcome | undefined> } {
    const worker = cluster.fork();
    const facts = { worker: place.number, pid: worker.process.pid };
    this.#readySinceMs.set(worker, undefined);
    const ready = new Promise<Welcome | undefined>((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'present') {
          send(worker, { kind: 'start', worker: place.number, demo: this.#welcome?.demo });
        }
        if (message.kind !== 'ready') return;
        this.#log.info(facts, 'a worker is ready');
        this.#readySinceMs.set(worker, performance.now());
        resolve(message.welcome);
      });
      // Of a process that could not be made (no descriptor or process left) there is no `exit`, and without a listener
      // this would end all of them.
      worker.on('error', (err) => {
        this.#log.error({ err, ...facts }, 'a worker could not be started or spoken to');
        if (worker.process.pid !== undefined || !this.#readySinceMs.has(worker)) return;
        this.#onEnd(place, worker, { ...facts, code: null, signal: null });
        resolve(undefined);
      });
      worker.once('exit', (code, signal) => {
        this.#onEnd(place, worker, { ...facts, code, signal });
        resolve(undefined);
      });
    });
    return { worker, ready };
  }

  #onEnd(
    place: Place,
    worker: Worker,
    facts: { readonly code: number | null; readonly signal: string | null },
  ) {
    const readySinceMs = this.#readySinceMs.get(worker);
    this.#readySinceMs.delete(worker);
    this.metrics.forget(worker.id);
    const isGraceful = facts.code === 0;
    const isWanted = this.#isStopping || place.worker !== worker;
    this.#log[isWanted && isGraceful ? 'info' : 'error'](facts, 'a worker has ended');
    // One that was still starting has nothing that could be ended gracefully.
    if (this.#isStopping && readySinceMs !== undefined) this.#isGraceful &&= isGraceful;
    if (isWanted) return;
    place.worker = undefined;
    // `start` reports the end of the very first one.
    if (this.#welcome === undefined) return;
    const wasSteady = readySinceMs !== undefined && performance.now() - readySinceMs >= STEADY_AFTER_MS;
    place.endCount = wasSteady ? 1 : place.endCount + 1;
    const isNoneReady = [...this.#readySinceMs.keys()].every((other) => !this.#isReady(other));
    if (readySinceMs === undefined && isNoneReady) this.#giveUp(place);
    else void this.#refill(place);
  }

  async #refill(place: Place): Promise<void> {
    const delayMs = Math.min(RESTART_DELAY_MIN_MS * 2 ** (place.endCount - 1), RESTART_DELAY_MAX_MS);
    this.#log.warn({ worker: place.number, delayMs }, 'a worker is started again');
    await sleep(delayMs);
    if (this.#isStopping || place.worker !== undefined) return;
    try {
      await this.#fill(place);
    } catch (err) {
      this.#log.error({ err, worker: place.number }, 'a worker could not be started');
      place.endCount += 1;
      void this.#refill(place);
    }
  }

  /** Exits, so that the supervisor of this process notices. */
  #giveUp({ number }: Place): void {
    this.#log.fatal(
      { worker: number },
      'giving up: a worker ended while it started, and no other one is ready',
    );
    void this.stop('SIGTERM').then(() => process.exit(1));
  }

  #isReady(worker: Worker): boolean {
    return this.#readySinceMs.get(worker) !== undefined;
  }

  async #count() {
    const ready = [...this.#readySinceMs.keys()].filter((worker) => this.#isReady(worker));
    const counted = await Promise.all(ready.map(requestSample));
    return counted.filter((metrics) => metrics !== undefined);
  }
}

function send(worker: Worker, message: FromPrimary): void {
  // One that has just ended is known by its end.
  if (worker.isConnected()) worker.send(message, () => {});
}

async function endOf(worker: Worker): Promise<void> {
  if (!worker.isDead()) await once(worker, 'exit');
}

/** Undefined when it does not answer in time. */
async function requestSample(worker: Worker): Promise<WorkerSample | undefined> {
  const late = AbortSignal.timeout(COUNT_TIMEOUT_MS);
  const responses = on(worker, 'message', { signal: late });
  send(worker, { kind: 'count' });
  try {
    for await (const [message] of responses as AsyncIterable<[FromWorker]>) {
      if (message.kind === 'counted') return { workerId: worker.id, values: message.values };
    }
  } catch (error) {
    if (!late.aborted) throw error;
  }
  return undefined;
}
