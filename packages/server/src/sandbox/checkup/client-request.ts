/** Never contains a body, a token or a product key. */
import { createHash } from 'node:crypto';
import type { OperationName } from '@keyport/contract/operations';
import type { ProbedCheck } from '@keyport/contract/sandbox/checks';
import type { ReservationStatus } from '@keyport/core/orders/reservations';

export type ClientRequest = {
  /** `gap`: requests too frequent to be recorded. `probe`: sent by the service. */
  readonly operation: OperationName | 'token' | 'gap' | 'probe';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Such as `GET /export/v1/orders?page=2`; for some rejections without values that may be secret. */
  readonly request: string;
  /** If `request` lacks values: the beginning of a hash of the full address. */
  readonly address?: string | undefined;
  /** Null: no response. */
  readonly status: number | null;
  readonly code?: string | undefined;
  readonly traceId?: string | undefined;
  readonly scenario?: string | undefined;
  /** In lower case. */
  readonly key?: string | undefined;
  readonly payload?: string | undefined;
  /** Products or offers of a valid order, or its reservation. */
  readonly wanted?: readonly string[] | undefined;
  readonly bodyBytes?: number | undefined;
  /** The beginning of a hash. */
  readonly token?: string | undefined;
  /** Undefined behind a proxy. */
  readonly connection?: string | undefined;
  readonly retryAfterMs?: number | undefined;
};

export type PlacedOrder = {
  readonly id: string;
  /** Null: imported. */
  readonly key: string | null;
  readonly productId: string | null;
  readonly wasHeld: boolean;
  readonly isComplete: boolean;
  readonly isHourOld: boolean;
  /** The keys window has ended. */
  readonly isOver: boolean;
  readonly areKeysRead: boolean;
};

export type PlacedReservation = {
  readonly id: string;
  readonly key: string;
  readonly status: ReservationStatus;
};

export type Surroundings = {
  readonly productCount: number;
  readonly placed: readonly PlacedOrder[];
  readonly reservations: readonly PlacedReservation[];
  readonly productOf: ReadonlyMap<string, string>;
  readonly probes: Probes;
};

export type Fault = { readonly seen: ClientRequest; readonly note: string };

/** `isSeen`: the client could pass or fail the check. */
export type Verdict = { readonly isSeen: boolean; readonly faults: readonly Fault[] };
export type Probes = Readonly<Record<ProbedCheck, Verdict>>;

export type Judge = (history: readonly ClientRequest[], surroundings: Surroundings) => Verdict;

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

export function isAfter(later: ClientRequest, earlier: ClientRequest): boolean {
  return later.startedAtMs >= earlier.endedAtMs && later !== earlier;
}

export function isSuccess({ status }: ClientRequest): boolean {
  return status !== null && status < 400;
}

export function orderIdOf({ request }: ClientRequest): string {
  return /\/orders\/(\d+)/.exec(request)?.[1] ?? '';
}

export function haveOneAddress(one: ClientRequest, other: ClientRequest): boolean {
  if (one.address === undefined && other.address === undefined) return one.request === other.request;
  return (one.address ?? shortHash(one.request)) === (other.address ?? shortHash(other.request));
}

export function queryOf({ request }: ClientRequest): URLSearchParams {
  return new URLSearchParams(request.split('?')[1] ?? '');
}

/** After a gap, a missing request proves nothing. */
export function hasGapAfter(history: readonly ClientRequest[], { endedAtMs }: ClientRequest): boolean {
  return history.some((seen) => seen.operation === 'gap' && seen.endedAtMs >= endedAtMs);
}

type Limit = { readonly count: number; readonly withinMs: number };

/** Blames the last of `count` consecutive requests within `withinMs`, for the first limit reached. */
export function findRun(
  sequence: readonly ClientRequest[],
  limits: readonly Limit[],
  noteOf: (count: number) => string,
  isBroken: (seen: ClientRequest, before: ClientRequest) => boolean = () => false,
): Fault | undefined {
  for (const { count, withinMs } of limits) {
    let run: ClientRequest[] = [];
    for (const seen of sequence) {
      const before = run.at(-1);
      if (before !== undefined && (!isAfter(seen, before) || isBroken(seen, before))) run = [];
      run = [...run.slice(1 - count), seen];
      const [first] = run;
      if (run.length === count && first !== undefined && seen.startedAtMs - first.startedAtMs <= withinMs)
        return { seen, note: noteOf(count) };
    }
  }
  return undefined;
}

export function findInGroups(
  requests: readonly ClientRequest[],
  nameOf: (seen: ClientRequest) => string | undefined,
  find: (group: readonly ClientRequest[]) => Fault | undefined,
): Fault[] {
  return Array.from(Map.groupBy(requests, nameOf).values()).flatMap((group) => find(group) ?? []);
}

export function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [fault.seen, fault])).values()];
}
