import { equal, notEqual, ok } from 'node:assert/strict';
import { dataEnvelope, ErrorEnvelope } from '@keyport/contract/envelope';
import { type ErrorCode, type ErrorSpec, errorSpec } from '@keyport/contract/errors';
import { OPERATION_LIST, operationErrors } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { WritePreview } from '@keyport/contract/operators/previews';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
// A format of requests only, which responses repeat.
ajv.addFormat('filled', true);

/** The schema for codes whose data the catalogue does not declare. */
const NO_DATA = { not: {} };

const validators = new Map<object, ValidateFunction>();

function check(schema: object, value: unknown, what: string): void {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  ok(
    validate(value),
    `${what} breaks the contract: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`,
  );
}

/** Any operation may return these transport codes. */
const TRANSPORT_CODES: readonly ErrorCode[] = [
  'not-found',
  'method-not-allowed',
  'request-timeout',
  'payload-too-large',
  'uri-too-long',
  'unsupported-media-type',
  'headers-too-large',
  'not-implemented',
];

const PATTERNS = OPERATION_LIST.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

function findOperation(method: string, path: string) {
  // A path without parameters is more specific than one with.
  const matches = PATTERNS.filter(
    ({ operation, pattern }) => operation.method === method && pattern.test(path),
  );
  return matches.find(({ operation }) => !operation.path.includes('{'))?.operation ?? matches[0]?.operation;
}

const PREVIEW = dataEnvelope(WritePreview);

function isPreview(
  { hasPreview }: OperationSpec,
  { status, body }: { status: number; body: unknown },
): boolean {
  const { data }: { readonly data?: { readonly dryRun?: boolean } } = Object(body);
  return hasPreview === true && status === 200 && data?.dryRun === true;
}

/** Throws if the response does not match its schema or the error envelope. */
export function assertContract(
  method: string,
  path: string,
  response: { status: number; body: unknown },
): void {
  const operation = findOperation(method, path);
  const what = `${method} ${path} with ${response.status}`;
  if (response.status >= 400) {
    check(ErrorEnvelope, response.body, what);
    const { error } = response.body as { error: { code: ErrorCode; status: number; data?: unknown } };
    equal(error.status, response.status, 'error.status is the HTTP status');
    const spec: ErrorSpec = errorSpec(error.code);
    equal(spec.status, response.status, 'the code belongs to the status');
    if (error.data !== undefined) check(spec.data ?? NO_DATA, error.data, `error.data of ${what}`);
    if (operation !== undefined) {
      const codes = [...operationErrors(operation), ...TRANSPORT_CODES];
      ok(codes.includes(error.code), `${what}: ${error.code} is not a code of ${operation.name}`);
    }
    return;
  }
  if (operation === undefined) return;
  if (response.status === 304 && operation.isConditional === true) {
    equal(response.body, undefined, `${what}: 304 has no body`);
    return;
  }
  const schema = isPreview(operation, response) ? PREVIEW : operation.responses[response.status];
  notEqual(schema, undefined, `${what}: ${operation.name} does not promise this status`);
  if (schema !== null && schema !== undefined) check(schema, response.body, what);
}
