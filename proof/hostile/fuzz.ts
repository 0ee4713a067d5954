/**
 * Sends hostile requests until a response violates the rules, then shrinks the failing ones and prints them
 * as shell lines.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judge, toTraceId } from './judge.ts';
import { type HostileRequest, isWellFramed, requestsOn } from './requests.ts';
import type { WatchedService } from './service.ts';
import { shellLine } from './shell-line.ts';
import type { Stage } from './stage.ts';
import { Wire } from './wire.ts';

const AT_ONCE_MAX = 64;

/** A failure that depends on chance may never shrink. */
const SHRINK_MS = 30_000;

export type FuzzOptions = {
  readonly requests: number;
  readonly seed: number;
  /** The path of an earlier failure, where the run starts. */
  readonly path?: string | undefined;
  /** Ends the run even if it has sent fewer requests. */
  readonly timeLimitMs?: number;
  /** Called for every thousandth request, and for a failure before it is shrunk. */
  readonly progress?: (text: string) => void;
};

export type FuzzResult = {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly reached: ReadonlySet<string>;
  readonly slowestMs: number;
  /** With the command that reproduces it. */
  readonly failure: string | undefined;
};

export async function fuzz(service: WatchedService, stage: Stage, options: FuzzOptions): Promise<FuzzResult> {
  const { requests, seed, path, timeLimitMs, progress = () => {} } = options;
  const wire = new Wire(service.port);
  const statuses: Record<string, number> = {};
  const reached = new Set<string>();
  let sent = 0;
  let slowestMs = 0;
  let shrinksUntilMs = Number.POSITIVE_INFINITY;

  async function send(request: HostileRequest): Promise<void> {
    const startedAtMs = performance.now();
    sent += 1;
    if (sent % 1000 === 0) progress(`${sent} requests, ${JSON.stringify(statuses)}`);
    const responses = await wire.send(request);
    slowestMs = Math.max(slowestMs, performance.now() - startedAtMs);
    for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1;
    judge(request, responses);
    const [response] = responses;
    if (response === undefined || !isWellFramed(request)) return;
    if (response.status < 300) reached.add(request.operation);
    assert.ok(await service.hasLogged(toTraceId(response) ?? ''), 'the log has every request');
  }

  /** Returns the requests that fail alone, or all of them if none does. */
  async function failingAlone({
    counterexample,
  }: fc.RunDetails<[HostileRequest[]]>): Promise<HostileRequest[]> {
    const [batch] = counterexample ?? [[]];
    const failing: HostileRequest[] = [];
    for (const request of batch) await send(request).catch(() => failing.push(request));
    return failing.length === 0 ? batch : failing;
  }

  const property = fc.asyncProperty(
    fc.array(requestsOn(stage), { minLength: 1, maxLength: AT_ONCE_MAX, size: 'max' }),
    async (batch) => {
      // A process that ended cannot respond to shrunk requests.
      fc.pre(service.isRunning() && performance.now() < shrinksUntilMs);
      const before = service.complaints.length;
      const results = await Promise.allSettled(batch.map(send));
      const reasons = results
        .filter((result) => result.status === 'rejected')
        .map(({ reason }) => String(reason));
      const problems = [...service.complaints.slice(before), ...reasons];
      if (problems.length === 0) return;
      if (shrinksUntilMs === Number.POSITIVE_INFINITY) {
        shrinksUntilMs = performance.now() + SHRINK_MS;
        progress(`failed after ${sent} requests, shrinking: ${problems[0]?.slice(0, 2000)}`);
      }
      throw new Error(problems.join('\n'));
    },
  );
  const details = await fc.check(property, {
    seed,
    ...(path === undefined ? {} : { path }),
    ...(timeLimitMs === undefined ? {} : { interruptAfterTimeLimit: timeLimitMs }),
    numRuns: Math.ceil(requests / ((AT_ONCE_MAX + 1) / 2)),
  });
  const failure = details.failed ? describeFailure(service, details, await failingAlone(details)) : undefined;
  wire.close();
  return { sent, statuses, reached, slowestMs, failure };
}

function describeFailure(
  { url }: WatchedService,
  { errorInstance, seed, counterexamplePath }: fc.RunDetails<[HostileRequest[]]>,
  requests: readonly HostileRequest[],
): string {
  return [
    `${errorInstance ?? 'interrupted'}`,
    ...(requests.length > 1 ? [`${requests.length} requests at once:`] : []),
    ...requests.map((request) => shellLine(url, request)),
    `reproduce with: --seed ${seed} --path ${counterexamplePath}`,
  ].join('\n');
}
