import { randomUUID } from 'node:crypto';
import { REQUEST_EXAMPLES } from '@keyport/contract/openapi/examples';
import { OPERATION_LIST, operationHeaders } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { hasScenarios } from '@keyport/contract/sandbox/scenarios';
import type { ApiResponse, Harness, Reseller } from './harness.ts';

/** A program may not manage members, so it is rejected before the scenario. */
export const REHEARSED = OPERATION_LIST.filter(
  (operation) => hasScenarios(operation) && operation.permission !== 'members',
);

type Ids = Readonly<Record<string, string>>;

/** Uses a new key unless one is given. */
export function callOperation(
  h: Harness,
  { token }: Reseller,
  operation: (typeof OPERATION_LIST)[number],
  options: {
    readonly ids: Ids;
    readonly scenario?: string;
    readonly key?: string;
    readonly body?: unknown;
  },
): Promise<ApiResponse> {
  const { scenario, key = randomUUID() } = options;
  const takesKey = operationHeaders(operation)?.properties['idempotency-key'] !== undefined;
  const body = operation.body === undefined ? undefined : (options.body ?? exampleBody(operation));
  return h.call(operation.method, toPath(operation, options.ids), {
    token,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(takesKey ? { 'idempotency-key': key } : {}),
      ...(scenario === undefined ? {} : { 'keyport-scenario': scenario }),
    },
  });
}

function toPath({ path, query }: OperationSpec, ids: Ids): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
  const needsIds = query?.required?.includes('productIds[]') === true;
  return needsIds ? `${filled}?productIds[]=${ids['productId']}` : filled;
}

function exampleBody({ name }: (typeof OPERATION_LIST)[number]): unknown {
  return Object.values(REQUEST_EXAMPLES[name] ?? {})[0] ?? {};
}
