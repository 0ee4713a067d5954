/** The sandbox: scenarios, and the operations that live mode does not have. Loaded in sandbox mode only. */
import type { Route } from '@keyport/http/server/exchange';
import type { SandboxMode } from '../operations/sandbox-mode.ts';
import { buildCheckupHandlers } from './checkup/checkup.routes.ts';
import { createProbeWebhooks, type ProbeDeps } from './checkup/probe-webhooks.ts';
import { Recorder, type RecorderOptions } from './checkup/recorder.ts';
import type { CheckupDeps } from './checkup/run-checkup.ts';
import { buildSandboxOperations, type SandboxOperationDeps } from './operations.routes.ts';
import { hasOrderRecord, hasWriteRecord } from './orders.sql.ts';
import { findRateLimits } from './rate-limits.sql.ts';
import { createRehearse, type RehearseDeps } from './rehearse.ts';
import { type RejectToken, rehearseToken, TOKEN_PATH } from './rehearse-token.ts';

export type SandboxOptions = SandboxOperationDeps &
  Omit<RehearseDeps, 'hasResult' | 'closing'> &
  Omit<CheckupDeps, 'recorder' | 'probeWebhooks'> &
  ProbeDeps & { readonly rejectToken: RejectToken } & RecorderOptions;

export type Sandbox = ReturnType<typeof openSandbox>;

export function openSandbox(options: SandboxOptions) {
  const closing = new AbortController();
  const { kysely } = options.database;
  const recorder = new Recorder(options);
  const mode: SandboxMode = {
    handlers: {
      ...buildSandboxOperations(options),
      ...buildCheckupHandlers({ ...options, recorder, probeWebhooks: createProbeWebhooks(options) }),
    },
    rehearse: createRehearse({
      ...options,
      closing: closing.signal,
      hasResult: async ({ operation, principal }, idempotencyKey) => {
        const { clientId } = principal;
        return operation.name === 'createOrder' && principal.role === 'reseller'
          ? hasOrderRecord(kysely, principal.accountId, idempotencyKey)
          : hasWriteRecord(kysely, { clientId, operation: operation.name, idempotencyKey });
      },
    }),
    onOrder: ({ request }, body) => recorder.onOrder(request, body),
  };
  return {
    mode,
    /** The routes of tokens, the token endpoint with scenarios. */
    rehearseTokens: (routes: readonly Route[]) =>
      routes.map((route) =>
        route.path === TOKEN_PATH ? rehearseToken(route, options.rejectToken, closing.signal) : route,
      ),
    findRateLimits: (accountId: string) => findRateLimits(kysely, accountId),
    onRequestEnd: recorder.onRequestEnd,
    start: () => recorder.start(),
    close: () => recorder.close(),
    /** Delays end, so that their responses are sent before the connections are closed. */
    endDelays: () => closing.abort(),
  };
}
