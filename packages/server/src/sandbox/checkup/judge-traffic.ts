import { type ClientRequest, findInGroups, findRun, isAfter, isOrder, type Judge } from './client-request.ts';

/** Clocks and queues can make a wait look shorter. */
const WAIT_TOLERANCE_MS = 100;
/** The SDK's first three retries take at least 700 ms. */
const HASTY = [{ count: 4, withinMs: 500 }];
/** A person who runs a command for each request takes longer. */
const TOKENS = [
  { count: 5, withinMs: 10_000 },
  { count: 10, withinMs: 60_000 },
  { count: 30, withinMs: 3_600_000 },
];
const REQUESTS_PER_TOKEN_MIN = 3;
/** The log hides values that may be secret. Two such requests may differ. */
const HIDDEN = '***';

function isRepeat(later: ClientRequest, earlier: ClientRequest): boolean {
  const { request, key, token } = later;
  if (!isAfter(later, earlier) || request !== earlier.request || request.includes(HIDDEN)) return false;
  if (isOrder(later)) return key !== undefined && key === earlier.key;
  return token === earlier.token && key === earlier.key;
}

export const judgeRetryAfter: Judge = (history) => {
  let isSeen = false;
  const faults = history.flatMap((asked, index) => {
    const { retryAfterMs } = asked;
    if (retryAfterMs === undefined) return [];
    const next = history.slice(index + 1).find((seen) => isRepeat(seen, asked));
    if (next === undefined) return [];
    isSeen = true;
    const waitedMs = next.startedAtMs - asked.endedAtMs;
    if (waitedMs >= retryAfterMs - WAIT_TOLERANCE_MS) return [];
    const note = `Sent after ${Math.round(waitedMs)} ms, although Retry-After was ${retryAfterMs} ms.`;
    return [{ seen: next, note }];
  });
  const hasty = findInGroups(
    history,
    ({ request, token, key }) => [request, token, key].join(' '),
    (sequence) =>
      findRun(
        sequence,
        HASTY,
        (count) => `The last of ${count - 1} retries without a pause.`,
        (_, before) => !isTemporary(before),
      ),
  );
  return { isSeen, faults: [...faults, ...hasty] };
};

function isTemporary({ status, code }: ClientRequest): boolean {
  return status === null || status >= 500 || status === 408 || code === 'idempotency-key-processing';
}

export const judgeTokenAfter401: Judge = (history, { gapUntilMs }) => {
  let isSeen = false;
  const faults = history.flatMap((rejection) => {
    if (rejection.status !== 401) return [];
    const isRenewed = history.some((seen) => isAfter(seen, rejection) && seen.token !== rejection.token);
    isSeen ||= isRenewed;
    if (isRenewed || gapUntilMs >= rejection.endedAtMs) return [];
    const repeat = history.find((seen) => isRepeat(seen, rejection) && seen.token === rejection.token);
    return repeat === undefined
      ? []
      : [{ seen: repeat, note: 'Sent with a token that had just been rejected.' }];
  });
  return { isSeen, faults };
};

export const judgeTokenReuse: Judge = (history) => {
  const requests = history.filter(({ token }) => token !== null);
  const uses = Map.groupBy(requests, ({ token }) => token);
  const isSeen = Array.from(uses.values()).some((ofToken) => ofToken.length > 1);
  const retried = Map.groupBy(
    requests.filter(({ key }) => key !== undefined),
    ({ key }) => key,
  );
  /** The token served one or two requests, and the client did not restart after a crash. */
  const isWasted = (first: ClientRequest, next: ClientRequest) => {
    const ofToken = uses.get(first.token) ?? [];
    const isRestart = ofToken.some(
      ({ status, key }) => status === null || new Set(retried.get(key)?.map(({ token }) => token)).size > 1,
    );
    return (
      ofToken.length < REQUESTS_PER_TOKEN_MIN && !isRestart && ofToken.every((seen) => isAfter(next, seen))
    );
  };
  const firsts = Array.from(uses.values()).flatMap(([first]) => first ?? []);
  const fault = findRun(
    firsts,
    TOKENS,
    (count) => `The last of ${count} tokens, one after the other, each used for one or two requests.`,
    (next, first) => !isWasted(first, next),
  );
  return { isSeen, faults: fault === undefined ? [] : [fault] };
};
