import { OPERATION_LIST, OPERATIONS, type OperationName } from '@keyport/contract/operations';
import type { CreateOrderBody } from '@keyport/contract/orders/orders';
import type { ProbedCheck } from '@keyport/contract/sandbox/checks';
import { HUNG_UP } from '@keyport/http/server/request-record';
import { compileCheck } from '@keyport/http/validation/validation';
import type { SandboxDeps } from '../deps.ts';

type LoggedRow = Awaited<ReturnType<SandboxDeps['readHistory']>>['rows'][number];

export type ClientRequest = {
  /** `probe`: sent by the service. */
  readonly operation: OperationName | 'probe';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Such as `GET /export/v1/orders?page=2`. The log hides values that may be secret. */
  readonly request: string;
  /** Null: no response. */
  readonly status: number | null;
  readonly code?: string | null;
  readonly traceId?: string;
  /** In lower case. */
  readonly key?: string | undefined;
  readonly payload?: string | undefined;
  /** Products or offers of a valid order or reservation; the reservation that is ordered. */
  readonly wanted?: readonly string[] | undefined;
  readonly reference?: string | undefined;
  /** The ids of orders and their items in the path, the query and the body. */
  readonly ids?: readonly string[];
  readonly token?: string | null;
  readonly retryAfterMs?: number | undefined;
};

export type PlacedOrder = {
  readonly id: string;
  /** Null: imported. */
  readonly key: string | null;
  readonly productId: string | null;
  readonly createdAtMs: number;
  /** When it was canceled or closed; null until then. */
  readonly endedAtMs: number | null;
  readonly isComplete: boolean;
  readonly isHourOld: boolean;
  /** The keys window has ended. */
  readonly isOver: boolean;
  readonly areKeysRead: boolean;
};

export type MadeReservation = {
  readonly id: string;
  readonly key: string;
  /** When it expired or its order ended; null until then. */
  readonly endedAtMs: number | null;
};

/** The product and the reference of an offer or a reservation; an offer has no reference. */
export type Meaning = { readonly productId: string; readonly reference: string | null };

export type Surroundings = {
  /** Before this time, a missing request proves nothing. */
  readonly gapUntilMs: number;
  readonly productCount: number;
  readonly placed: readonly PlacedOrder[];
  readonly reserved: readonly MadeReservation[];
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly probes: Probes;
};

export type Fault = { readonly seen: ClientRequest; readonly note: string };

/** `isSeen`: the client could pass or fail the check. */
export type Verdict = { readonly isSeen: boolean; readonly faults: readonly Fault[] };
export type Probes = Readonly<Record<ProbedCheck, Verdict>>;

export type Judge = (history: readonly ClientRequest[], surroundings: Surroundings) => Verdict;

/** Paths without parameters first, because a parameter matches any segment. */
const ROUTES = OPERATION_LIST.filter(({ audience }) => audience === 'reseller')
  .map(({ name, method, path }) => ({ name, method, pattern: toPattern(path) }))
  .toSorted((one, other) => one.pattern.source.split('[').length - other.pattern.source.split('[').length);

const RESERVATION_ID = /rsv_[0-9a-f]{32}/;
/** The log rounds durations to milliseconds. A request must not seem to end after the next one began. */
const ROUNDING_MS = 0.5;
/** The log has no headers, and 503 has no `retryAfterMs`. This is the shortest Retry-After of a 503. */
const UNAVAILABLE_RETRY_AFTER_MS = 1000;

const LONG_ID = /(?<![\d.])\d{16,18}(?![\d.])/g;

const CHECKS = {
  createOrder: compileCheck(OPERATIONS.createOrder.body, 'body'),
  createReservation: compileCheck(OPERATIONS.createReservation.body, 'body'),
};

/** Undefined unless the request is for an operation of resellers. */
export function describeRequest(
  row: LoggedRow,
  fingerprint: SandboxDeps['fingerprint'],
): ClientRequest | undefined {
  const { path, query, status, code, traceId, idempotencyKey } = row;
  // The log has HEAD, which is judged like GET.
  const method = row.method === 'HEAD' ? 'GET' : row.method;
  const route = ROUTES.find((one) => one.method === method && one.pattern.test(path));
  if (route === undefined) return undefined;
  const startedAtMs = row.atMicros / 1000;
  const request = `${row.method} ${path}${query === '' ? '' : `?${query}`}`;
  const order = isStart(route.name) ? parseOrder(route.name, row.requestBody) : undefined;
  return {
    operation: route.name,
    startedAtMs,
    endedAtMs: startedAtMs + Math.max(0, row.durationMs - ROUNDING_MS),
    request,
    status: status === HUNG_UP ? null : status,
    code,
    traceId,
    key: idempotencyKey ?? undefined,
    token: row.tokenHash,
    retryAfterMs: toRetryAfter(row),
    ids: `${request} ${row.requestBody ?? ''}`.match(LONG_ID) ?? [],
    ...(order !== undefined && {
      payload: fingerprint(order),
      wanted: listWanted(order),
      reference: order.reference,
    }),
    ...(route.name === 'orderReservation' && { wanted: path.match(RESERVATION_ID) ?? [] }),
  };
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** Undefined unless the body is valid; the log cuts and masks others. */
function parseOrder(name: keyof typeof CHECKS, body: string | null): CreateOrderBody | undefined {
  try {
    const order: unknown = JSON.parse(body ?? '');
    return CHECKS[name](order).length === 0 ? (order as CreateOrderBody) : undefined;
  } catch {
    return undefined;
  }
}

function listWanted({ items }: CreateOrderBody): string[] {
  return items.flatMap(({ auto, manual }) => auto?.productId ?? manual?.offerId.toLowerCase() ?? []);
}

function toRetryAfter({ code, status, responseBody }: LoggedRow): number | undefined {
  if (code === 'service-unavailable') return UNAVAILABLE_RETRY_AFTER_MS;
  const found = status < 400 ? null : /"retryAfterMs":(\d+)/.exec(responseBody ?? '');
  return found === null ? undefined : Number(found[1]);
}

export function isAfter(later: ClientRequest, earlier: ClientRequest): boolean {
  return later.startedAtMs >= earlier.endedAtMs && later !== earlier;
}

export function isSuccess({ status }: ClientRequest): boolean {
  return status !== null && status < 400;
}

function isStart(operation: ClientRequest['operation']): operation is keyof typeof CHECKS {
  return operation in CHECKS;
}

export type KeyedOrder = ClientRequest & { readonly key: string };

export function toOrders(history: readonly ClientRequest[]): KeyedOrder[] {
  return history.filter((seen): seen is KeyedOrder => isOrder(seen) && seen.key !== undefined);
}

/** The orders and reservations that begin a purchase; the order of a reservation continues one. */
export function toStarts(history: readonly ClientRequest[]): KeyedOrder[] {
  return history.filter((seen): seen is KeyedOrder => isStart(seen.operation) && seen.key !== undefined);
}

/** By product and reference: customers with different references make different purchases. */
export function namePurchase(
  wanted: string,
  reference: string | undefined,
  meanings: Surroundings['meanings'],
): string {
  const meaning = meanings.get(wanted);
  return JSON.stringify([meaning?.productId ?? wanted, reference ?? meaning?.reference ?? null]);
}

export function isOrder({ operation }: ClientRequest): boolean {
  return operation === 'createOrder' || operation === 'orderReservation';
}

export function toOrderId({ request }: ClientRequest): string {
  return /\/orders\/(\d+)/.exec(request)?.[1] ?? '';
}

export function toQuery({ request }: ClientRequest): URLSearchParams {
  return new URLSearchParams(request.split('?')[1] ?? '');
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
  toName: (seen: ClientRequest) => string | null | undefined,
  find: (group: readonly ClientRequest[]) => Fault | undefined,
): Fault[] {
  return Array.from(Map.groupBy(requests, toName).values()).flatMap((group) => find(group) ?? []);
}

export function distinct(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [fault.seen, fault])).values()];
}
