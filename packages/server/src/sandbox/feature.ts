/** Loaded in sandbox mode only. */
import type { OperationName } from '@keyport/contract/operations';
import { isCheckout } from '@keyport/contract/sandbox/scenarios';
import { operationKey } from '@keyport/core/orders/reservations';
import type { Route } from '@keyport/http/server/exchange';
import type { SandboxMode } from '../operations/sandbox-mode.ts';
import { toKeyOwner } from '../operations/writes/run-write.ts';
import type { Platform } from '../platform.ts';
import { createProbeWebhooks } from './checkup/probe-webhooks.ts';
import { buildDeps, type Played } from './deps.ts';
import { buildSandboxOperations } from './operations.routes.ts';
import { hasOrderRecord, hasWriteRecord } from './orders.sql.ts';
import { findRateLimits } from './rate-limits.sql.ts';
import { createRehearse } from './rehearse.ts';
import { rehearseToken, TOKEN_PATH } from './rehearse-token.ts';

function recordedKey(name: OperationName, idempotencyKey: string): string {
  if (name === 'createReservation') return operationKey(idempotencyKey, 'reserve');
  return name === 'orderReservation' ? operationKey(idempotencyKey, 'order') : idempotencyKey;
}

export function openSandbox(platform: Platform, played: Played) {
  const deps = buildDeps(platform, played);
  const closing = new AbortController();
  const { db } = deps.database;
  const mode: SandboxMode = {
    handlers: buildSandboxOperations({ ...deps, probeWebhooks: createProbeWebhooks(deps) }),
    rehearse: createRehearse({
      ...deps,
      closing: closing.signal,
      hasResult: async ({ operation, principal }, idempotencyKey) => {
        return isCheckout(operation) && principal.role === 'reseller'
          ? hasOrderRecord(db, principal.accountId, recordedKey(operation.name, idempotencyKey))
          : hasWriteRecord(db, {
              callerId: toKeyOwner(operation, principal),
              operation: operation.name,
              idempotencyKey,
            });
      },
    }),
  };
  return {
    mode,
    rehearseTokens: (routes: readonly Route[]) =>
      routes.map((route) =>
        route.path === TOKEN_PATH ? rehearseToken(route, played.access.rejectToken, closing.signal) : route,
      ),
    findRateLimits: (accountId: string) => findRateLimits(db, accountId),
    /** Delayed responses are then sent before connections close. */
    endDelays: () => closing.abort(),
  };
}
