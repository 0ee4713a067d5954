/** If the idempotency key has a stored result, that is replayed: a scenario affects only the transport. A331. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@keyport/contract/errors';
import { isCheckout } from '@keyport/contract/sandbox/scenarios';
import { parseIdempotencyKey } from '@keyport/core/ids';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import { buildErrorResponse } from '@keyport/http/replies/errors';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange } from '@keyport/http/server/exchange';
import type { MaybePromise } from '@keyport/http/server/maybe-promise';
import { HUNG_UP } from '@keyport/http/server/request-record';
import type { Rehearsal } from '../operations/operation.ts';
import type { PermittedRequest, SandboxMode } from '../operations/sandbox-mode.ts';
import type { SandboxDeps } from './deps.ts';
import { rehearsalOfCode, rehearsalOfFate } from './forced-checkout.ts';
import { forceError } from './forced-errors.ts';
import { parseScenario, type Scenario } from './scenario.ts';

type RehearseDeps = Pick<SandboxDeps, 'perSecondOf' | 'describeKeys' | 'publicUrl' | 'hasGateway'> & {
  /** `idempotencyKey`: lower case. */
  readonly hasResult: (request: PermittedRequest, idempotencyKey: string) => Promise<boolean>;
  readonly closing: AbortSignal;
};

type CarryOut = (rehearsal?: Rehearsal) => MaybePromise<Reply>;

export const CUT: Reply = { status: HUNG_UP, isCut: true };

export function createRehearse(deps: RehearseDeps): SandboxMode['rehearse'] {
  return async (request, carryOut) => {
    const { operation, exchange } = request;
    const scenario = parseScenario(exchange.headers.keyportScenario ?? '', operation);
    const { loss, delayMs = 0 } = scenario;
    const delay = () => waitFor(exchange, delayMs, deps.closing);
    if (loss === 'lost-request') {
      await look(request);
      await delay();
      return CUT;
    }
    const isRead = operation.method === 'GET';
    if (isRead) await delay();
    const carriedOut = async () => settle(deps, request, scenario, carryOut);
    const result = await carriedOut().then(
      (reply) => () => reply,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (!isRead) await delay();
    return loss === 'lost-answer' ? cut(result) : result();
  };
}

/** Drops the response or rejection, but rethrows faults, which are then logged. */
function cut(result: () => Reply): Reply {
  try {
    result();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return CUT;
}

async function settle(
  deps: RehearseDeps,
  request: PermittedRequest,
  { outcome }: Scenario,
  carryOut: CarryOut,
): Promise<Reply> {
  if (outcome === undefined) return carryOut();
  if ('fate' in outcome) return carryOut(payable(deps, rehearsalOfFate(outcome.fate)));
  if (await isReplay(deps, request)) return carryOut();
  const rehearsal = isCheckout(request.operation) ? rehearsalOfCode(outcome.code) : undefined;
  if (rehearsal !== undefined) return carryOut(payable(deps, rehearsal));
  await look(request);
  return reject(deps, request, outcome.code);
}

/** Reads the order, valid or not, so that the request log has it for the check-up. */
async function look({ operation, check }: PermittedRequest): Promise<void> {
  if (operation.name !== 'createOrder') return;
  try {
    await check();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function payable({ hasGateway }: RehearseDeps, rehearsal: Rehearsal): Rehearsal {
  if (rehearsal.needsGateway !== true || hasGateway) return rehearsal;
  throw invalidField('headers.keyport-scenario', 'needs a payment provider, but this sandbox has none');
}

function isReplay({ hasResult }: RehearseDeps, request: PermittedRequest): Promise<boolean> {
  const key = parseIdempotencyKey(String(request.exchange.request.headers['idempotency-key'] ?? ''));
  return key === undefined ? Promise.resolve(false) : hasResult(request, key);
}

/** Returns the error instead of throwing it, so that a forced fault raises no alarm. */
function reject(deps: RehearseDeps, request: PermittedRequest, code: ErrorCode): Reply {
  const { operation, exchange, principal } = request;
  const { traceId, params } = exchange;
  const { authorization } = exchange.headers;
  const error = forceError(code, { operation, params, clientId: principal.clientId }, deps);
  const { body, ...reply } = buildErrorResponse(error, {
    traceId,
    publicUrl: deps.publicUrl(),
    authorization,
  });
  return { ...reply, bytes: body };
}

export async function waitFor(exchange: Exchange, delayMs: number, closing: AbortSignal): Promise<void> {
  if (delayMs === 0) return;
  const hangUp = new AbortController();
  exchange.onHangUp(() => hangUp.abort());
  const signal = AbortSignal.any([closing, hangUp.signal]);
  await sleep(delayMs, undefined, { signal }).catch(() => {});
}
