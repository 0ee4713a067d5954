/**
 * Limits the concurrent deliveries to a host, across all endpoints and accounts. The limit shrinks while all
 * deliveries fail; slow ones have a separate limit of the same size. Endpoints that fail or hang get half of
 * it, so that one account's wrong URL does not stop others. A491.
 */
import type { EndpointLane } from './endpoint-lane.ts';

const LIMIT_MIN = 8;
const LIMIT_MAX = 256;
/** For this time after a 2xx response, the limit does not shrink. */
const TRUSTED_MS = 1_000;

type Limit = { readonly limit: number; readonly succeededAtMs: number };
const INITIAL: Limit = { limit: LIMIT_MIN, succeededAtMs: Number.NEGATIVE_INFINITY };

export class HostLimits {
  readonly #limits = new Map<string, Limit>();
  nodeCount = 1;

  note(host: string, isDelivered: boolean, nowMs: number): void {
    const { limit, succeededAtMs } = this.#limits.get(host) ?? INITIAL;
    if (isDelivered) this.#limits.set(host, { limit: Math.min(LIMIT_MAX, limit + 1), succeededAtMs: nowMs });
    else if (nowMs - succeededAtMs > TRUSTED_MS)
      this.#limits.set(host, { limit: Math.max(LIMIT_MIN, limit - 1), succeededAtMs });
  }

  /** Deliveries that take longer than `slowMs` are slow. */
  count(lanes: readonly EndpointLane[], nowMs: number, slowMs: number) {
    const loads = new Map<string, { fresh: number; slow: number }>();
    const loadOf = ({ host }: EndpointLane) => {
      const load = loads.get(host) ?? { fresh: 0, slow: 0 };
      loads.set(host, load);
      return load;
    };
    for (const lane of lanes) {
      const slow = lane.countSlow(nowMs, slowMs);
      const load = loadOf(lane);
      load.fresh += lane.size - slow;
      load.slow += slow;
    }
    for (const host of this.#limits.keys()) if (!loads.has(host)) this.#limits.delete(host);
    return {
      hasRoom: (lane: EndpointLane) => {
        const { limit } = this.#limits.get(lane.host) ?? INITIAL;
        const share = Math.ceil(limit / this.nodeCount);
        const { fresh, slow } = loadOf(lane);
        const isSick = lane.isFailing || lane.countSlow(nowMs, slowMs) > 0;
        return isSick ? fresh < share / 2 && slow < share : fresh < share;
      },
      begin: (lane: EndpointLane) => {
        loadOf(lane).fresh += 1;
      },
    };
  }
}
