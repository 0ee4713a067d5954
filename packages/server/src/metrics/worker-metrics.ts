/**
 * The figures of all workers of one machine as those of one node: counts and histograms added up, of the rest what each
 * figure names (`aggregator` in metrics.ts). What workers counted that have ended stays counted, as sums must not sink.
 */
import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricValues } from './metrics.ts';

export type WorkerFigures = { readonly workerId: number; readonly values: MetricValues };

/** What adds up over time and so outlives the worker. */
const GROWING = new Set(['counter', 'histogram']);

export class WorkerMetrics implements Pick<Metrics, 'text' | 'contentType'> {
  readonly contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;
  /** Asks the workers that there are; those that do not answer are left out. */
  readonly #ask: () => Promise<readonly WorkerFigures[]>;
  readonly #lastOf = new Map<number, MetricValues>();
  /** What workers that have ended told last, added up. */
  #ended: Promise<MetricValues> = Promise.resolve([]);

  constructor(ask: () => Promise<readonly WorkerFigures[]>) {
    this.#ask = ask;
  }

  async text(): Promise<string> {
    const answers = await this.#ask();
    for (const { workerId, values } of answers) this.#lastOf.set(workerId, values);
    return AggregatorRegistry.aggregate([
      await this.#ended,
      ...answers.map(({ values }) => values),
    ]).metrics();
  }

  /** The worker has ended. */
  forget(workerId: number): void {
    const last = this.#lastOf.get(workerId);
    if (last === undefined) return;
    this.#lastOf.delete(workerId);
    const growing = last.filter(({ type }) => GROWING.has(String(type)));
    this.#ended = this.#ended.then((ended) =>
      AggregatorRegistry.aggregate([ended, growing]).getMetricsAsJSON(),
    );
  }
}
