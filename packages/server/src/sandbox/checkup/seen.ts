/** What the service keeps of a request of a client for the check-up. Never a body, a token or a key code. */
import { createHash } from 'node:crypto';
import type { ProbedCheck } from '@keyport/contract/checks';
import type { OperationName } from '@keyport/contract/operations';

export type Seen = {
  /** `token`: a token was issued. `gap`: requests that came too fast to be kept. `probe`: sent by the service. */
  readonly operation: OperationName | 'token' | 'gap' | 'probe';
  /** Milliseconds since 1970, by the clock of the node that answered. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Method and address, such as `GET /export/v1/orders?page=2`; of a rejected one without what names nothing. */
  readonly request: string;
  /** Stands for method and address when `request` lacks something: the beginning of their hash. */
  readonly address?: string | undefined;
  /** Null: the connection ended without an answer. */
  readonly status: number | null;
  readonly code?: string | undefined;
  readonly traceId?: string | undefined;
  /** Of the header Keyport-Scenario. */
  readonly scenario?: string | undefined;
  /** In lower case. */
  readonly key?: string | undefined;
  /** Of a valid order: equal for equal orders. */
  readonly payload?: string | undefined;
  /** Stands for the token: the beginning of its hash. */
  readonly token?: string | undefined;
  readonly retryAfterMs?: number | undefined;
};

/** What a judgement needs beside the requests. */
export type Surroundings = {
  /** Products on offer now. */
  readonly productCount: number;
  /** Orders whose keys were read, of those whose keys the client asked for. */
  readonly readOrders: ReadonlySet<string>;
  /** What the webhook endpoints did when they were tried. */
  readonly probes: Probes;
};

export type Fault = { readonly seen: Seen; readonly note: string };

/** Whether there was an occasion, and what went wrong. */
export type Verdict = { readonly isSeen: boolean; readonly faults: readonly Fault[] };

export type Probes = Readonly<Record<ProbedCheck, Verdict>>;

export type Judge = (history: readonly Seen[], surroundings: Surroundings) => Verdict;

/** The beginning of a hash. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

export function haveOneAddress(one: Seen, other: Seen): boolean {
  if (one.address === undefined && other.address === undefined) return one.request === other.request;
  return (one.address ?? shortHash(one.request)) === (other.address ?? shortHash(other.request));
}

export function queryOf({ request }: Seen): URLSearchParams {
  return new URLSearchParams(request.split('?')[1] ?? '');
}

/** Requests may have been sent that were not kept, so nothing can be said about what did not come. */
export function hasGapAfter(history: readonly Seen[], { endedAtMs }: Seen): boolean {
  return history.some((seen) => seen.operation === 'gap' && seen.endedAtMs >= endedAtMs);
}
