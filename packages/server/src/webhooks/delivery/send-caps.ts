/**
 * Caps the concurrent deliveries of this node to each endpoint, to each host over all endpoints and accounts,
 * and in total. An endpoint begins with one delivery at a time: a 2xx response allows one more, and a failure
 * halves the number. Only endpoints whose latest delivery succeeded within a second may use all of a host and
 * of the node. The others, which may hang, have half of both, and so leave the rest to those that respond. A314.
 */

export const ENDPOINT_MAX = 32;
const HOST_MAX = 512;
const NODE_MAX = 1_000;
const QUICK_MS = 1_000;
/** An endpoint that is down to one delivery rests after a failure. */
const REST_MS = 1_000;

export type Place = { readonly number: number; readonly host: string };
export type Share = { readonly endpoint: number; readonly count: number };

type Lane = { limit: number; inFlight: number; isQuick: boolean; restsUntilMs: number };
type Load = { quick: number; other: number };

export class SendCaps {
  readonly #nodeCount: () => number;
  readonly #lanes = new Map<number, Lane>();
  readonly #hosts = new Map<string, Load>();
  readonly #node: Load = { quick: 0, other: 0 };

  /** The nodes share the caps of endpoints and hosts equally. */
  constructor(nodeCount: () => number) {
    this.#nodeCount = nodeCount;
  }

  get inFlight(): number {
    return this.#node.quick + this.#node.other;
  }

  /** The endpoints that may get no further delivery now. */
  listFull(nowMs: number): number[] {
    return [...this.#lanes.keys()].filter((number) => this.#roomOf(this.#laneOf(number), nowMs) === 0);
  }

  /** Endpoints with the fewest deliveries in progress come first, and then those without a recent failure. */
  share(due: readonly (Place & { readonly due: number })[], nowMs: number): Share[] {
    const hosts = new Map<string, Load>();
    const node = { ...this.#node };
    const lanes = due
      .map((endpoint) => ({ ...endpoint, lane: this.#laneOf(endpoint.number) }))
      .toSorted(
        (one, other) =>
          one.lane.inFlight - other.lane.inFlight || one.lane.restsUntilMs - other.lane.restsUntilMs,
      );
    const shares: Share[] = [];
    for (const { number, host, due: wanted, lane } of lanes) {
      const load = hosts.get(host) ?? { ...(this.#hosts.get(host) ?? { quick: 0, other: 0 }) };
      hosts.set(host, load);
      const count = Math.min(
        wanted,
        this.#roomOf(lane, nowMs),
        roomIn(load, Math.ceil(HOST_MAX / this.#nodeCount()), lane),
        roomIn(node, NODE_MAX, lane),
      );
      if (count <= 0) continue;
      add(load, count, lane);
      add(node, count, lane);
      shares.push({ endpoint: number, count });
    }
    return shares;
  }

  /** Returns the function to call with the outcome. */
  begin({ number, host }: Place, startedAtMs: number): (isDelivered: boolean, nowMs: number) => void {
    const lane = this.#laneOf(number);
    const load = this.#hosts.get(host) ?? { quick: 0, other: 0 };
    this.#hosts.set(host, load);
    const { isQuick } = lane;
    const count = (change: 1 | -1) => {
      lane.inFlight += change;
      add(load, change, { isQuick });
      add(this.#node, change, { isQuick });
    };
    count(1);
    return (isDelivered, nowMs) => {
      count(-1);
      if (load.quick + load.other === 0) this.#hosts.delete(host);
      lane.limit = isDelivered ? Math.min(ENDPOINT_MAX, lane.limit + 1) : Math.ceil(lane.limit / 2);
      lane.isQuick = isDelivered && nowMs - startedAtMs < QUICK_MS;
      lane.restsUntilMs = isDelivered || lane.limit > 1 ? 0 : nowMs + REST_MS;
    };
  }

  #laneOf(number: number): Lane {
    const lane = this.#lanes.get(number) ?? { limit: 1, inFlight: 0, isQuick: false, restsUntilMs: 0 };
    this.#lanes.set(number, lane);
    return lane;
  }

  #roomOf({ limit, inFlight, restsUntilMs }: Lane, nowMs: number): number {
    const share = Math.ceil(ENDPOINT_MAX / this.#nodeCount());
    return nowMs < restsUntilMs ? 0 : Math.max(0, Math.min(limit, share) - inFlight);
  }
}

function add(load: Load, count: number, { isQuick }: Pick<Lane, 'isQuick'>): void {
  load[isQuick ? 'quick' : 'other'] += count;
}

function roomIn({ quick, other }: Load, max: number, { isQuick }: Lane): number {
  const room = max - quick - other;
  return isQuick ? room : Math.min(room, Math.ceil(max / 2) - other);
}
