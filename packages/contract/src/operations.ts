/** Routes, validation, OpenAPI, the command line and the tests derive from this table. */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { ErrorCode } from './errors.ts';
import { isListWithCsv } from './list-csv.ts';
import { AcceptHeaders } from './lists.ts';
import { KEY_ERRORS } from './operations/builders.ts';
import type { OperationSpec } from './operations/operation-spec.ts';
import { ACCOUNT_OPERATIONS } from './operations/operator-accounts.ts';
import { CATALOGUE_OPERATIONS } from './operations/operator-catalogue.ts';
import { DESK_OPERATIONS } from './operations/operator-desk.ts';
import { ORDER_OPERATIONS } from './operations/operator-orders.ts';
import { PEOPLE_OPERATIONS } from './operations/operator-people.ts';
import { SYSTEM_OPERATIONS } from './operations/operator-system.ts';
import { RESELLER_OPERATIONS } from './operations/reseller.ts';
import { SANDBOX_OPERATIONS } from './operations/sandbox.ts';
import { IfMatch } from './operators/previews.ts';
import { CreateOrderHeaders } from './orders/orders.ts';

const COMMON_ERRORS = [
  'validation-error',
  'unauthorized',
  'forbidden',
  'request-timeout',
  'uri-too-long',
  'too-many-requests',
  'headers-too-large',
  'internal-server-error',
  'service-unavailable',
] as const satisfies readonly ErrorCode[];

const BODY_ERRORS = ['payload-too-large', 'unsupported-media-type'] as const satisfies readonly ErrorCode[];
const { 'idempotency-key': OrderKey } = CreateOrderHeaders.properties;
const KEY_DESCRIPTION =
  'Send a new UUID with every new request and the same UUID when you retry, so that the request takes effect only once.';
export const KEY_REQUIRED_RULE =
  'is required: send a new UUID for every new request, and the same one when you retry it';
const WRITE_KEYS = {
  accepted: Type.Optional({ ...OrderKey, description: KEY_DESCRIPTION }),
  required: Type.Optional({ ...OrderKey, description: `Required, except for a dry run. ${KEY_DESCRIPTION}` }),
  'required-by-quantity': Type.Optional({
    ...OrderKey,
    description: `Required when keys are withdrawn by quantity, except for a dry run. ${KEY_DESCRIPTION}`,
  }),
} as const;

export const OPERATIONS = {
  ...RESELLER_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...CATALOGUE_OPERATIONS,
  ...ORDER_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...DESK_OPERATIONS,
  ...SYSTEM_OPERATIONS,
} as const satisfies Record<string, OperationSpec>;

export type OperationName = keyof typeof OPERATIONS;

export type ResponseMember<Name extends OperationName, Member extends string> = {
  [Status in keyof (typeof OPERATIONS)[Name]['responses']]: (typeof OPERATIONS)[Name]['responses'][Status] extends infer Schema extends
    TSchema
    ? Static<Schema> extends Record<Member, infer Value>
      ? Value
      : never
    : never;
}[keyof (typeof OPERATIONS)[Name]['responses']];

export type NamedOperation = OperationSpec & { readonly name: OperationName };

export const OPERATION_LIST: readonly NamedOperation[] = Object.entries(OPERATIONS).map(
  ([name, operation]) => ({ ...(operation as OperationSpec), name: name as OperationName }),
);

type BodySchema = {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly minProperties?: number;
};

/** If true, a missing body counts as `{}`. */
export function mayLackBody({ body }: OperationSpec): boolean {
  const { type, required = [], minProperties = 0 }: BodySchema = body ?? {};
  return type === 'object' && required.length === 0 && minProperties === 0;
}

export function operationErrors(operation: OperationSpec): readonly ErrorCode[] {
  const { body, idempotency, hasPreview, errors = [] } = operation;
  const previewErrors: readonly ErrorCode[] = hasPreview === true ? ['state-changed'] : [];
  const bodyErrors = body === undefined ? [] : BODY_ERRORS;
  const keyErrors = idempotency === undefined ? [] : KEY_ERRORS;
  return [...new Set([...errors, ...previewErrors, ...keyErrors, ...bodyErrors, ...COMMON_ERRORS])];
}

export function operationHeaders(operation: OperationSpec): TObject | undefined {
  const { headers, idempotency, hasPreview } = operation;
  if (idempotency === undefined) return isListWithCsv(operation) ? AcceptHeaders : headers;
  const isAlwaysRequired = idempotency === 'required' && hasPreview !== true;
  const key = isAlwaysRequired ? { ...OrderKey, description: KEY_DESCRIPTION } : WRITE_KEYS[idempotency];
  const match = hasPreview === true ? { 'if-match': Type.Optional(IfMatch) } : {};
  return Type.Object({ ...headers?.properties, 'idempotency-key': key, ...match });
}
