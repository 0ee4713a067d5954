import { CHECK_IDS, CHECKS, CHECKUP_PATH, type CheckId } from '@keyport/contract/sandbox/checks';
import type { Check, Checkup, Evidence } from '@keyport/contract/sandbox/sandbox';
import { formatDateTime } from '@keyport/core/date-time';
import type { ClientRequest, Fault, Judge, Surroundings, Verdict } from './client-request.ts';
import { judgeCatalogue, judgeDetails } from './judge-catalogue.ts';
import { judgeIds, judgeKeysInTime, judgeKeysPolling } from './judge-keys.ts';
import { judgeBlindRepeats, judgeOnePayload, judgeOrderRetries } from './judge-orders.ts';
import { judgeRetryAfter, judgeTokenAfter401, judgeTokenReuse } from './judge-traffic.ts';

const EVIDENCE_MAX = 5;

const JUDGES: Readonly<Record<CheckId, Judge>> = {
  'order-retries': judgeOrderRetries,
  'one-payload-per-key': judgeOnePayload,
  'retry-after': judgeRetryAfter,
  'token-after-401': judgeTokenAfter401,
  'token-reuse': judgeTokenReuse,
  'ids-as-text': judgeIds,
  'keys-in-time': judgeKeysInTime,
  'keys-polling': judgeKeysPolling,
  'catalogue-following': judgeCatalogue,
  'details-batches': judgeDetails,
  'max-price': judgeBlindRepeats,
  'webhook-signature': (_, { probes }) => probes['webhook-signature'],
  'webhook-timestamp': (_, { probes }) => probes['webhook-timestamp'],
  'webhook-duplicate': (_, { probes }) => probes['webhook-duplicate'],
};

/** `history` is sorted by start. */
export function judgeClient(
  history: readonly ClientRequest[],
  surroundings: Surroundings,
  publicUrl: string,
): Checkup {
  const checks = CHECK_IDS.map((id) => buildCheck(id, JUDGES[id](history, surroundings), publicUrl));
  const [first] = history;
  return {
    score: toScore(checks),
    seen: checks.filter(({ status }) => status !== 'not-seen').length,
    ...(first && { since: formatDateTime(Math.round(first.startedAtMs * 1000)) }),
    requests: history.length,
    checks,
  };
}

function buildCheck(id: CheckId, { isSeen, faults }: Verdict, publicUrl: string): Check {
  const { title, howTo, rehearse } = CHECKS[id];
  const status = faults.length > 0 ? 'failed' : isSeen ? 'passed' : 'not-seen';
  return {
    id,
    title,
    status,
    ...(faults.length > 0 && { evidence: faults.slice(-EVIDENCE_MAX).toReversed().map(describe) }),
    howTo: status === 'not-seen' ? rehearse : howTo,
    doc: `${publicUrl}${CHECKUP_PATH}#${id}`,
  };
}

function describe({ seen, note }: Fault): Evidence {
  const { startedAtMs, request, key, status, traceId } = seen;
  return {
    at: formatDateTime(Math.round(startedAtMs * 1000)),
    request,
    ...(key !== undefined && { key }),
    ...(status !== null && { status }),
    ...(traceId !== undefined && { traceId }),
    note,
  };
}

function toScore(checks: readonly Check[]): number {
  const passed = checks.filter(({ status }) => status === 'passed').length;
  const judged = checks.filter(({ status }) => status !== 'not-seen').length;
  return judged === 0 ? 0 : Math.round((passed / judged) * 100);
}
