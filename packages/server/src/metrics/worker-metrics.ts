/** Keeps counts of workers that ended or do not respond, since sums must not decrease. */
import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricValues } from './metrics.ts';

export type WorkerSample = { readonly workerId: number; readonly values: MetricValues };

const GROWING = new Set(['counter', 'histogram']);

export class WorkerMetrics implements Pick<Metrics, 'text' | 'contentType'> {
  readonly contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;
  readonly #query: () => Promise<readonly WorkerSample[]>;
  readonly #lastOf = new Map<number, MetricValues>();
  /** Sums of ended workers. */
  #ended: Promise<MetricValues> = Promise.resolve([]);
  /** For each query in progress, the workers that ended since it began. */
  readonly #endedSince = new Set<Set<number>>();

  constructor(query: () => Promise<readonly WorkerSample[]>) {
    this.#query = query;
  }

  async text(): Promise<string> {
    const responses = await this.#queryRunning();
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

  async #queryRunning(): Promise<readonly WorkerSample[]> {
    const ended = new Set<number>();
    this.#endedSince.add(ended);
    try {
      return (await this.#query()).filter(({ workerId }) => !ended.has(workerId));
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
