/** The sandbox: scenarios, and the operations that live mode does not have. Loaded in sandbox mode only. */
import type { SandboxMode } from '../http/sandbox-mode.ts';
import { buildSandboxOperations, type SandboxOperationDeps } from './operations.routes.ts';
import { hasOrderRecord, hasWriteRecord } from './orders.sql.ts';
import { createRehearse, type RehearseDeps } from './rehearse.ts';

export type SandboxOptions = SandboxOperationDeps & Omit<RehearseDeps, 'hasResult' | 'closing'>;

export type Sandbox = ReturnType<typeof openSandbox>;

export function openSandbox(options: SandboxOptions) {
  const closing = new AbortController();
  const { kysely } = options.database;
  const mode: SandboxMode = {
    handlers: {
      ...buildSandboxOperations(options),
      getCheckup: () => ({ status: 200, data: { score: 0, requests: 0, checks: [] } }),
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
    onOrder: () => {},
  };
  return {
    mode,
    /** Delays end, so that their responses are sent before the connections are closed. */
    endDelays: () => closing.abort(),
  };
}
