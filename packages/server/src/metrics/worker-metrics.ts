/** Counts of workers that have ended, or are too busy to respond, are kept: sums must not decrease. */
import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricValues } from './metrics.ts';

export type WorkerSample = { readonly workerId: number; readonly values: MetricValues };

/** These outlive the worker. */
const GROWING = new Set(['counter', 'histogram']);

export class WorkerMetrics implements Pick<Metrics, 'text' | 'contentType'> {
  readonly contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;
  /** A worker that does not respond keeps its last counts. */
  readonly #ask: () => Promise<readonly WorkerSample[]>;
  readonly #lastOf = new Map<number, MetricValues>();
  /** The last samples of ended workers, added up. */
  #ended: Promise<MetricValues> = Promise.resolve([]);
  /** Per query in progress: the workers that have ended since. */
  readonly #endedSince = new Set<Set<number>>();

  constructor(ask: () => Promise<readonly WorkerSample[]>) {
    this.#ask = ask;
  }

  async text(): Promise<string> {
    const responses = await this.#askRunning();
    const silent = new Map(this.#lastOf);
    for (const { workerId, values } of responses) {
      silent.delete(workerId);
      this.#lastOf.set(workerId, values);
    }
    return AggregatorRegistry.aggregate([
      await this.#ended,
      ...[...silent.values()].map(growing),
      ...responses.map(({ values }) => values),
    ]).metrics();
  }

  /** Workers that ended during the query count as ended. */
  async #askRunning(): Promise<readonly WorkerSample[]> {
    const ended = new Set<number>();
    this.#endedSince.add(ended);
    try {
      return (await this.#ask()).filter(({ workerId }) => !ended.has(workerId));
    } finally {
      this.#endedSince.delete(ended);
    }
  }

  forget(workerId: number): void {
    for (const ended of this.#endedSince) ended.add(workerId);
    const last = this.#lastOf.get(workerId);
    if (last === undefined) return;
    this.#lastOf.delete(workerId);
    this.#ended = this.#ended.then((ended) =>
      AggregatorRegistry.aggregate([ended, growing(last)]).getMetricsAsJSON(),
    );
  }
}

function growing(values: MetricValues): MetricValues {
  return values.filter(({ type }) => GROWING.has(String(type)));
}
