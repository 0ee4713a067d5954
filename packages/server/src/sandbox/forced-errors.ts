import type { ErrorCode } from '@keyport/contract/errors';
import { buildErrorExample } from '@keyport/contract/openapi/examples';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { tooManyRequests } from '@keyport/http/admission/rate-limit';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import type { Params } from '@keyport/http/server/exchange';
import { keyInProcess } from '@keyport/http/validation/idempotency-key';
import type { SandboxDeps } from './deps.ts';

/** Stated if the service has no limit. */
const LIMIT_PER_SECOND = 10;
const COOLDOWN_MS = 1000;
const CLOSE = { connection: 'close' };

export function forceError(
  code: ErrorCode,
  {
    operation,
    params,
    clientId,
  }: { readonly operation: OperationSpec; readonly params: Params; readonly clientId: string },
  deps: Pick<SandboxDeps, 'perSecondOf' | 'describeKeys'>,
): ApiError {
  switch (code) {
    case 'validation-error':
      return invalidField(firstField(operation), 'is rejected as requested by Keyport-Scenario');
    case 'too-many-requests': {
      const budget = operation.budget === 'orders' ? 'orders' : 'reads';
      const perSecond = deps.perSecondOf(clientId, budget) || LIMIT_PER_SECOND;
      return tooManyRequests({ perSecond, burst: perSecond }, 1 - perSecond);
    }
    case 'idempotency-key-processing':
      return keyInProcess(COOLDOWN_MS);
    case 'service-unavailable':
      return new ApiError(code, { headers: { 'retry-after': '1' } });
    case 'request-timeout':
    case 'headers-too-large':
      return new ApiError(code, { headers: CLOSE });
    case 'order-not-complete':
    case 'order-expired':
      return deps.describeKeys[code]();
    case 'product-not-found':
      return new ApiError(code, { data: { productId: params['productId'] } });
    default:
      return asInExample(code);
  }
}

function asInExample(code: ErrorCode): ApiError {
  const { error }: { error?: { message: string; data?: Record<string, unknown> } } = buildErrorExample(
    code,
    '',
  );
  return new ApiError(code, { message: error?.message, data: error?.data });
}

function firstField({ body, query, params }: OperationSpec): string {
  for (const [part, schema] of Object.entries({ body, params, query })) {
    const [name] = Object.keys(toProperties(schema));
    if (name !== undefined) return `${part === 'params' ? 'path' : part}.${name}`;
  }
  return 'headers.keyport-scenario';
}

function toProperties(schema: object | undefined): object {
  const properties: unknown = schema === undefined ? undefined : Reflect.get(schema, 'properties');
  return Object(properties);
}
