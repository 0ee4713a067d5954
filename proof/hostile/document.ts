import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
};

type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Response = { readonly $ref?: string; readonly content?: Content };

export type Operation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** By media type. */
  readonly body: Content | undefined;
  readonly statuses: readonly number[];
};

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PathItem>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
};
type PathItem = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
};

const [ofResellers, ofOperators] = ['openapi', 'openapi-operators'].map(
  (name): Document => JSON.parse(readFileSync(new URL(`../../docs/${name}.json`, import.meta.url), 'utf8')),
) as [Document, Document];
const document: Document = {
  ...ofResellers,
  paths: { ...ofOperators.paths, ...ofResellers.paths },
  components: {
    schemas: { ...ofOperators.components.schemas, ...ofResellers.components.schemas },
    responses: { ...ofOperators.components.responses, ...ofResellers.components.responses },
  },
};

export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, item]) => ({
    name: item.operationId,
    method: method.toUpperCase(),
    path,
    parameters: item.parameters ?? [],
    body: item.requestBody?.content,
    statuses: Object.keys(item.responses).map(Number),
  })),
);

const PATTERNS = OPERATIONS.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/** A path without parameters is more specific than one with. */
export function findOperation(method: string, path: string): Operation | undefined {
  const found = PATTERNS.filter(
    ({ operation, pattern }) => operation.method === method && pattern.test(path),
  );
  return found.find(({ operation }) => !operation.path.includes('{'))?.operation ?? found[0]?.operation;
}

export function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  return resolve(document.components.schemas[name] ?? {});
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

export function findBreach(
  operation: Operation,
  status: number,
  mediaType: string,
  body: unknown,
): string | undefined {
  const pointer = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(status)];
  const response = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses[status];
  if (response === undefined) return `the document does not have ${status} here`;
  const shared = response.$ref?.split('/').slice(1);
  const place = shared ?? pointer;
  const { content } =
    shared === undefined ? response : (document.components.responses[shared.at(-1) ?? ''] ?? {});
  if (content === undefined) return body === undefined ? undefined : 'the document has no body here';
  if (content[mediaType] === undefined) return `the document does not have ${mediaType || 'no body'} here`;
  return broken(validatorAt([...place, 'content', mediaType, 'schema']), body);
}

/** Applies to any operation. */
export function findEnvelopeBreach(body: unknown): string | undefined {
  return broken(validatorAt(['components', 'schemas', 'ErrorResponse']), body);
}

function validatorAt(pointer: readonly string[]): ValidateFunction {
  const place = pointer
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent);
  const validate = ajv.getSchema(`document#/${place.join('/')}`);
  if (validate === undefined) throw new Error(`no schema at ${pointer.join(' ')}`);
  return validate;
}

function broken(validate: ValidateFunction, body: unknown): string | undefined {
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
}
