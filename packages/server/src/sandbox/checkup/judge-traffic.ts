import {
  type ClientRequest,
  type Fault,
  findInGroups,
  findRun,
  hasGapAfter,
  haveOneAddress,
  isAfter,
  isSuccess,
  type Judge,
} from './client-request.ts';
import { isBlindRepeatCode, isOrder } from './judge-orders.ts';

/** Clocks and queues can make a wait look shorter. */
const WAIT_TOLERANCE_MS = 100;
/** The SDK's first three retries take at least 700 ms. */
const HASTY = [{ count: 4, withinMs: 500 }];
const TOKENS = [{ count: 5, withinMs: 60_000 }];
const REQUESTS_PER_TOKEN_MIN = 3;

const FINAL_REPEATS = [
  { count: 3, withinMs: 2000 },
  { count: 5, withinMs: 10 * 60_000 },
];

const POLLS = [{ count: 6, withinMs: 2000 }];
const STARTS = [
  { count: 5, withinMs: 60_000 },
  { count: 20, withinMs: 3_600_000 },
];

const CONNECTIONS = [{ count: 10, withinMs: 10_000 }];
/** So many connections that each read an address twice within a second are a load test. */
const LOAD_CONNECTIONS = 8;

function isRepeat(later: ClientRequest, earlier: ClientRequest): boolean {
  if (later.startedAtMs < earlier.endedAtMs || !haveOneAddress(later, earlier)) return false;
  if (isOrder(later)) return later.key !== undefined && later.key === earlier.key;
  return later.token === earlier.token && later.key === earlier.key;
}

export const judgeRetryAfter: Judge = (history) => {
  const faults: Fault[] = [];
  let isSeen = false;
  for (const [index, asked] of history.entries()) {
    const { retryAfterMs } = asked;
    if (retryAfterMs === undefined) continue;
    const next = history.slice(index + 1).find((seen) => isRepeat(seen, asked));
    if (next === undefined) continue;
    isSeen = true;
    const waitedMs = next.startedAtMs - asked.endedAtMs;
    if (waitedMs >= retryAfterMs - WAIT_TOLERANCE_MS) continue;
    const note = `Sent after ${Math.round(waitedMs)} ms, although Retry-After was ${retryAfterMs} ms.`;
    faults.push({ seen: next, note });
  }
  const hasty = findHasty(history);
  return { isSeen, faults: [...faults, ...hasty] };
};

function findHasty(history: readonly ClientRequest[]): Fault[] {
  const requests = history.filter(({ operation }) => operation !== 'gap');
  return findInGroups(
    requests,
    (seen) => [seen.operation, addressOf(seen), seen.token, seen.key].join(' '),
    (sequence) =>
      findRun(
        sequence,
        HASTY,
        (count) => `The last of ${count - 1} retries without a pause.`,
        (_, before) => !isTemporary(before),
      ),
  );
}

function isTemporary({ status, code }: ClientRequest): boolean {
  return status === null || status >= 500 || status === 408 || code === 'idempotency-key-processing';
}

/** Other errors have their own checks. */
function isFinal({ status, code }: ClientRequest): boolean {
  if (status === null || status < 400 || status >= 500) return false;
  if ([401, 402, 408, 409, 429].includes(status)) return false;
  return code !== 'order-not-complete' && !isBlindRepeatCode(code);
}

export const judgeFinalErrors: Judge = (history) => {
  const isChanged = changesBetween(history);
  const finals = withoutLoadTests(history).filter(isFinal);
  const faults = findInGroups(
    finals,
    (seen) => [seen.operation, addressOf(seen), seen.code, seen.payload ?? seen.bodyBytes].join(' '),
    (sequence) =>
      findRun(
        sequence,
        FINAL_REPEATS,
        (count) =>
          `The last of ${count} requests of the same kind with the final error ${sequence[0]?.code}.`,
        (later, before) => isRead(later) && isChanged(later, before),
      ),
  );
  return { isSeen: finals.length > 0, faults };
};

const POLLED: readonly ClientRequest['operation'][] = [
  'getOrder',
  'listOrders',
  'listEvents',
  'getOwnAccount',
];

export const judgePolling: Judge = (history) => {
  const reads = history.filter(({ operation }) => POLLED.includes(operation));
  const faults = [...findFastPolls(history, POLLED), ...findStarts(history, 'listEvents')];
  return { isSeen: reads.length > 1, faults };
};

export function findFastPolls(
  history: readonly ClientRequest[],
  operations: readonly ClientRequest['operation'][],
): Fault[] {
  const isChanged = changesBetween(history);
  const polls = withoutLoadTests(history).filter(
    (seen) => operations.includes(seen.operation) && isSuccess(seen),
  );
  return findInGroups(
    polls,
    (seen) => `${addressOf(seen)} ${seen.token}`,
    (sequence) =>
      findRun(sequence, POLLS, (count) => `The last of ${count} reads within two seconds.`, isChanged),
  );
}

function changesBetween(
  history: readonly ClientRequest[],
): (later: ClientRequest, before: ClientRequest) => boolean {
  const writes = history.filter((seen) => seen.operation !== 'token' && !isRead(seen));
  return (later, before) => writes.some((write) => isAfter(write, before) && isAfter(later, write));
}

function isRead({ request }: ClientRequest): boolean {
  return /^(GET|HEAD) /.test(request);
}

export function findStarts(
  history: readonly ClientRequest[],
  operation: ClientRequest['operation'],
): Fault[] {
  const reads = history.filter((seen) => seen.operation === operation && seen.status === 200);
  const isStart = ({ request }: ClientRequest) => !/[?&]cursor=/.test(request);
  return findInGroups(
    reads,
    ({ token }) => token,
    (sequence) =>
      findRun(
        sequence.filter(isStart),
        STARTS,
        (count) => `The last of ${count} reads of the feed from its start.`,
        (later, before) =>
          sequence.some((seen) => !isStart(seen) && isAfter(seen, before) && isAfter(later, seen)),
      ),
  );
}

export const judgeConnections: Judge = (history) => {
  const requests = history.filter(
    ({ operation, connection }) => operation !== 'token' && connection !== undefined,
  );
  const byConnection = Map.groupBy(requests, ({ connection }) => connection);
  const isSeen = Array.from(byConnection.values()).some((over) => over.length > 1);
  // The service closes the connection after a lost response; errors may close it too.
  const isReused = (seen: ClientRequest) =>
    !isSuccess(seen) || byConnection.get(seen.connection)?.length !== 1;
  const faults = findInGroups(
    requests,
    ({ token }) => token,
    (sequence) =>
      findRun(
        sequence,
        CONNECTIONS,
        (count) => `The last of ${count} requests within ten seconds, each over its own connection.`,
        (later, before) => isReused(later) || isReused(before),
      ),
  );
  return { isSeen, faults };
};

/** A521. */
function withoutLoadTests(history: readonly ClientRequest[]): readonly ClientRequest[] {
  const nameOf = (seen: ClientRequest, seconds: number) =>
    `${Math.floor(seen.startedAtMs / 1000) + seconds} ${addressOf(seen)}`;
  const groups = Map.groupBy(history, (seen) => nameOf(seen, 0));
  const loaded = new Set<string>();
  for (const [name, group] of groups) {
    const connections = new Set(group.map(({ connection }) => connection)).size;
    if (connections >= LOAD_CONNECTIONS && group.length >= 2 * connections) loaded.add(name);
  }
  if (loaded.size === 0) return history;
  return history.filter((seen) => ![-1, 0, 1].some((seconds) => loaded.has(nameOf(seen, seconds))));
}

function addressOf({ address, request }: ClientRequest): string {
  return address ?? request;
}

export const judgeTokenAfter401: Judge = (history) => {
  const rejected = history.filter(({ status, operation }) => status === 401 && operation !== 'token');
  let isSeen = false;
  const faults = rejected.flatMap((rejection): Fault[] => {
    // An unused token renews nothing.
    const isRenewed = history.some(
      ({ startedAtMs, token }) =>
        startedAtMs >= rejection.endedAtMs && token !== undefined && token !== rejection.token,
    );
    isSeen ||= isRenewed;
    if (isRenewed || hasGapAfter(history, rejection)) return [];
    const repeat = history.find((seen) => isRepeat(seen, rejection) && seen.token === rejection.token);
    return repeat === undefined
      ? []
      : [{ seen: repeat, note: 'Sent with a token that had just been rejected.' }];
  });
  return { isSeen, faults };
};

export const judgeTokenReuse: Judge = (history) => {
  const issues = history.filter(({ operation, status }) => operation === 'token' && status === 200);
  const requests = history.filter(({ operation, token }) => operation !== 'token' && token !== undefined);
  const uses = Map.groupBy(requests, ({ token }) => token);
  const isSeen = Array.from(uses.values()).some((ofToken) => ofToken.length > 1);
  const keyed = Map.groupBy(
    requests.filter(({ key }) => key !== undefined),
    ({ key }) => key,
  );
  /** The token served one or two requests, and the client did not restart after a crash. */
  const isWasted = (issue: ClientRequest, next: ClientRequest) => {
    const between = requests.filter((seen) => isAfter(seen, issue) && isAfter(next, seen));
    const [first] = between;
    if (first === undefined || between.length !== uses.get(first.token)?.length) return false;
    const isRestart = between.some(
      ({ status, key }) => status === null || new Set(keyed.get(key)?.map(({ token }) => token)).size > 1,
    );
    return between.length < REQUESTS_PER_TOKEN_MIN && !isRestart;
  };
  // Different connections may belong to processes that end early.
  const fault = findRun(
    issues,
    TOKENS,
    (count) => `The last of ${count} tokens within a minute, each used for one or two requests.`,
    (next, issue) => !isWasted(issue, next) || next.connection !== issue.connection,
  );
  return { isSeen, faults: fault === undefined ? [] : [fault] };
};
