/** Unlike deliveries, probes are not recorded or retried, and disable no endpoint. A337. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbedCheck } from '@keyport/contract/sandbox/checks';
import { formatDateTime } from '@keyport/core/date-time';
import type { SandboxDeps } from '../deps.ts';
import type { Fault, Probes } from './client-request.ts';

type ProbeDeps = Pick<SandboxDeps, 'listTargets' | 'sign' | 'send'>;
type ProbeTarget = Awaited<ReturnType<SandboxDeps['listTargets']>>[number];
type Message = Parameters<SandboxDeps['sign']>[0];

const PROBING_MS = 14_000;
const OLD_SECONDS = 3_600;
const WRONG_SECRET_SIZE_BYTES = 32;

type ProbeResult = { readonly check: ProbedCheck; readonly fault?: Fault };
export type ProbeWebhooks = ReturnType<typeof createProbeWebhooks>;

export function createProbeWebhooks(deps: ProbeDeps) {
  const pending = new Map<string, Promise<Probes>>();

  return (accountId: string): Promise<Probes> => {
    const known = pending.get(accountId);
    if (known !== undefined) return known;
    const probing = probeAll(deps, accountId).finally(() => pending.delete(accountId));
    pending.set(accountId, probing);
    return probing;
  };
}

async function probeAll(deps: ProbeDeps, accountId: string): Promise<Probes> {
  const found: ProbeResult[] = [];
  const targets = await deps.listTargets(accountId);
  const ended = new AbortController();
  const all = Promise.all(targets.map((target) => probe(deps, target, (one) => found.push(one))));
  // An endpoint that still hangs is not judged.
  await Promise.race([all, sleep(PROBING_MS, undefined, { signal: ended.signal }).catch(() => {})]);
  ended.abort();
  const toVerdict = (check: ProbedCheck) => {
    const own = found.filter((one) => one.check === check);
    return { isSeen: own.length > 0, faults: own.flatMap(({ fault }) => fault ?? []) };
  };
  return {
    'webhook-signature': toVerdict('webhook-signature'),
    'webhook-timestamp': toVerdict('webhook-timestamp'),
    'webhook-duplicate': toVerdict('webhook-duplicate'),
  };
}

async function probe(
  deps: ProbeDeps,
  target: ProbeTarget,
  report: (found: ProbeResult) => void,
): Promise<void> {
  const { url, secrets } = target;
  const trySending = async (message: Message, signingSecrets = secrets) => {
    const startedAtMs = Date.now();
    const headers = deps.sign(message, signingSecrets);
    const { statusCode } = await deps.send({ url, headers, body: message.body });
    const seen = {
      operation: 'probe',
      startedAtMs,
      endedAtMs: Date.now(),
      request: `POST ${url}`,
      status: statusCode ?? null,
    } as const;
    return { statusCode, seen };
  };
  const isSuccess = (status: number) => status >= 200 && status < 300;

  const genuine = testMessage(target, 0);
  const first = await trySending(genuine);
  // An endpoint that rejects everything is not judged either.
  if (first.statusCode === undefined || !isSuccess(first.statusCode)) return;

  const attempt = async (
    check: ProbedCheck,
    message: Message,
    isAccepted: boolean,
    note: string,
    signingSecrets = secrets,
  ) => {
    const { statusCode, seen } = await trySending(message, signingSecrets);
    if (statusCode === undefined) return;
    report({ check, ...(isSuccess(statusCode) !== isAccepted && { fault: { seen, note } }) });
  };
  await attempt('webhook-duplicate', genuine, true, 'A duplicate of an accepted delivery was rejected.');
  const wrong = [randomBytes(WRONG_SECRET_SIZE_BYTES)];
  const forged = 'A delivery with a wrong signature was accepted.';
  await attempt('webhook-signature', testMessage(target, 0), false, forged, wrong);
  const old = 'A delivery with a timestamp from an hour ago was accepted.';
  await attempt('webhook-timestamp', testMessage(target, OLD_SECONDS), false, old);
}

function testMessage({ id: endpointId }: ProbeTarget, ageSeconds: number): Message {
  const timestampSeconds = Math.floor(Date.now() / 1000) - ageSeconds;
  const number = BigInt(`0x${randomBytes(7).toString('hex')}`);
  const id = `evt_${number.toString(36).padStart(13, '0')}`;
  const createdAt = formatDateTime(timestampSeconds * 1_000_000);
  const body = JSON.stringify({ id, type: 'webhook.test', createdAt, data: { endpointId } });
  return { id, timestampSeconds, body };
}
