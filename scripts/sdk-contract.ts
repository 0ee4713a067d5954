/**
 * Generates the SDK's types and its sandbox and operator methods from the OpenAPI document, so that the
 * published package does not depend on the workspace.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ERRORS, type ErrorSpec } from '@keyport/contract/errors';
import { buildOpenApi } from '@keyport/contract/openapi/document';
import { OPERATION_LIST } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';

type Json = Readonly<Record<string, unknown>>;

/** The SDK has its own types for errors and events, and does not expose tokens. */
const OWN_TYPES = new Set(['ErrorDetails', 'ErrorResponse', 'ErrorCode', 'Event', 'Token', 'TokenError']);

const HEAD = '// Written by scripts/sdk-contract.ts from the contract. Do not edit.\n';

const ROOT = new URL('../', import.meta.url);
const FOLDER = new URL('packages/sdk/src/generated/', ROOT);

/** They follow from the contract, so they are not kept in git. */
export function writeSdkContract(): void {
  const { version }: { version: string } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(buildSdkContract(version)))
    writeFileSync(new URL(`${name}.ts`, FOLDER), text);
}

function buildSdkContract(version: string): Readonly<Record<string, string>> {
  const whole = buildOpenApi({ version, mayGrow: false });
  const schemas = objectAt(whole, 'components', 'schemas');
  const variants = new Set(Object.values(schemas).flatMap((schema) => toVariants(asObject(schema))));
  const names = (audience: OperationSpec['audience']) =>
    reachable(buildOpenApi({ version, audience, mayGrow: false }), schemas).filter(
      (name) => !OWN_TYPES.has(name) && !variants.has(name),
    );
  const ofResellers = names('reseller').sort();
  const ofOperators = names('operator')
    .filter((name) => !ofResellers.includes(name))
    .sort();
  const operations = OPERATION_LIST.map((spec) => ({ spec, row: toRow(whole, spec) }));
  const queries = operations.flatMap(({ spec, row }) => (spec.audience === 'reseller' ? queryType(row) : []));
  // An import streams in both directions, so it is not a call.
  const rowsOf = (audience: OperationSpec['audience']) =>
    operations.filter(({ spec }) => spec.audience === audience && spec.hasStreamedBody !== true);
  const rows = rowsOf('operator');
  const sandbox = operations.filter(({ spec }) => spec.path.startsWith('/sandbox/'));

  const reseller = [
    HEAD,
    ...ofResellers.map((name) => declare(name, objectAt(schemas, name))),
    ...queries,
    ...sandbox.flatMap(({ row }) => bodyType(row)),
    errorTypes(),
    `/** The version of this package. */\nexport const SDK_VERSION = '${version}';\n`,
  ].join('\n');
  const tableFile = (name: string, declared: readonly string[], rows: readonly Operation[]) => {
    const body = [
      ...declared.map((one) => declare(one, objectAt(schemas, one))),
      operationTypes(name, rows),
      operationTable(name, rows),
    ].join('\n');
    const imported = ofResellers.filter((one) => new RegExp(`\\b${one}\\b`).test(withoutComments(body)));
    const imports = `import type { OperationRow } from '../operations.ts';\nimport type {\n${imported.map((one) => `  ${one},\n`).join('')}} from './reseller-contract.ts';\n`;
    return [HEAD, imports, body].join('\n');
  };
  const methods = operatorMethods(rows.map(({ row }) => row));
  return {
    'reseller-contract': reseller,
    'reseller-operations': tableFile('Reseller', [], rowsOf('reseller')),
    'operator-contract': tableFile('Operator', ofOperators, rows),
    'operator-methods': methods,
    'sandbox-methods': sandboxMethods(sandbox),
  };
}

type Row = {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly params: readonly Json[];
  readonly query: readonly Json[];
  readonly takesKey: boolean;
  readonly body: Json | undefined;
  readonly answer: Json | undefined;
};

function toRow(document: Json, spec: OperationSpec & { readonly name: string }): Row {
  const operation = objectAt(document, 'paths', spec.path, spec.method.toLowerCase());
  const parameters = listAt(operation, 'parameters');
  const body = objectAt(operation, 'requestBody', 'content', 'application/json', 'schema');
  const [success = '', ...others] = Object.keys(spec.responses).sort();
  const toSchema = (status: string) =>
    objectAt(operation, 'responses', status, 'content', 'application/json', 'schema');
  // A preview has its own method.
  const written =
    spec.hasPreview === true ? (listAt(toSchema(success), 'anyOf')[0] ?? {}) : toSchema(success);
  const answer = others.includes('202') ? { anyOf: [written, toSchema('202')] } : written;
  return {
    name: spec.name,
    summary: spec.summary,
    description: spec.description,
    params: parameters.filter((one) => one['in'] === 'path'),
    query: parameters.filter((one) => one['in'] === 'query'),
    takesKey: parameters.some((one) => one['name'] === 'Idempotency-Key'),
    body: Object.keys(body).length === 0 ? undefined : body,
    answer: Object.keys(answer).length === 0 ? undefined : answer,
  };
}

function toVariants(schema: Json): string[] {
  return 'discriminator' in schema ? listAt(schema, 'oneOf').map(({ $ref }) => toName(String($ref))) : [];
}

function reachable(document: Json, schemas: Json): string[] {
  const found = new Set<string>();
  const visit = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === '$ref' && typeof member === 'string') add(member);
      else visit(member);
    }
  };
  const add = (reference: string) => {
    if (!reference.startsWith('#/components/schemas/') || found.has(toName(reference))) return;
    found.add(toName(reference));
    visit(schemas[toName(reference)]);
  };
  visit(document['paths']);
  return [...found];
}

function declare(name: string, schema: Json): string {
  const title = doc(typeof schema['description'] === 'string' ? schema['description'] : '', '');
  const text = print(schema, '');
  const isObject = text.startsWith('{');
  return `${title}export ${isObject ? `interface ${name} ` : `type ${name} = `}${text}${isObject ? '' : ';'}\n`;
}

function queryType({ name, query, summary }: Row): string[] {
  if (query.length === 0) return [];
  const about = doc(`Query parameters of \`${name}\`: ${summary}.`, '');
  return [`${about}export interface ${capital(name)}Query ${printParameters(query, '')}\n`];
}

function bodyType({ name, body, summary }: Row): string[] {
  if (body === undefined) return [];
  const about = doc(`Body of \`${name}\`: ${summary}.`, '');
  return [`${about}export interface ${capital(name)}Body ${print(body, '', true)}\n`];
}

type Operation = { readonly spec: OperationSpec; readonly row: Row };

/** Methods have the same form as those of resellers: path parameters, then the body or the query. */
function sandboxMethods(operations: readonly Operation[]): string {
  const used = new Set<string>();
  const use = (name: string) => {
    used.add(name);
    return name;
  };
  const methods = operations.map(({ spec, row }) => {
    const { params, query, body, answer } = row;
    const inputs = [
      ...params.map((one) => `${one['name']}: string`),
      ...(body === undefined ? [] : [`body: ${use(`${capital(row.name)}Body`)}`]),
      ...(query.length === 0 ? [] : [`query: ${use(`${capital(row.name)}Query`)} = {}`]),
      'options?: CallOptions',
    ];
    const request = [
      `method: '${spec.method}'`,
      `path: \`${spec.path.replace(/(?=\{)/g, '$$').replace(/\{(\w+)\}/g, "{segment('$1', $1)}")}\``,
      ...(body === undefined ? [] : ['body']),
      // An interface is not assignable to a dictionary.
      ...(query.length === 0 ? [] : ['query: { ...query }']),
      ...(row.takesKey ? ['takesKey: true'] : []),
    ];
    const data = use(print(objectAt(answer ?? {}, 'properties', 'data'), ''));
    return `${doc(`${row.summary}. ${row.description}`, '  ')}  ${sandboxName(row.name)}(${inputs.join(', ')}): Call<${data}> {
    return this.transport.call({ ${request.join(', ')} }, options);
  }
`;
  });
  return `${HEAD}
import type { Call } from '../requests/call.ts';
import type { CallOptions } from '../options.ts';
import type { ${[...used].sort().join(', ')} } from './reseller-contract.ts';
import { segment } from '../requests/segment.ts';
import { Resource } from '../requests/transport.ts';

/**
 * \`keyport.sandbox\`: plays the part of operators and the payment provider, advances time, and checks your
 * client. Sandbox only.
 */
export class Sandbox extends Resource {
${methods.join('\n')}}
`;
}

/** `holdSandboxOrder` becomes `sandbox.holdOrder`, `getCheckup` becomes `sandbox.checkup`. */
function sandboxName(name: string): string {
  return name.replace('Sandbox', '').replace(/^get(\w)/, (_, first: string) => first.toLowerCase());
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function errorTypes(): string {
  const data = Object.entries<ErrorSpec>(ERRORS).map(([code, spec]) => {
    const title =
      spec.data === undefined ? undefined : Object.entries(spec.data).find(([key]) => key === 'title');
    return `${doc(spec.message, '  ')}  '${code}': ${String(title?.[1] ?? 'undefined')};`;
  });
  const code =
    '/** An error code. New codes may be added: handle an error with an unknown code by its `status`. */\nexport type ErrorCode = keyof ErrorDataByCode | (string & {});\n';
  return `${code}\n/** The contents of \`error.data\`, by code. */\nexport interface ErrorDataByCode {\n${data.join('\n')}\n}\n`;
}

function operationTypes(name: string, operations: readonly Operation[]): string {
  const members = operations.map(({ row }) => {
    const parts = [
      ...(row.params.length === 0 ? [] : [`params: ${printParameters(row.params, '    ')};`]),
      ...(row.query.length === 0 ? [] : [`query?: ${printParameters(row.query, '    ')} | undefined;`]),
      ...(row.body === undefined ? [] : [`body: ${print(row.body, '    ', true)};`]),
      `answer: ${row.answer === undefined ? 'undefined' : print(row.answer, '    ')};`,
    ];
    const lines = parts.map((part) => `    ${part}\n`).join('');
    return `${doc(`${row.summary}. ${row.description}`, '  ')}  ${row.name}: {\n${lines}  };`;
  });
  return `/** The operations of ${name.toLowerCase()}s: their inputs and results. */\nexport interface ${name}Operations {\n${members.join('\n')}\n}\n`;
}

/** `OperatorInput` and `OperatorAnswer` are written by hand. */
function operatorMethods(rows: readonly Row[]): string {
  const methods = rows.map(({ name, summary, description, params, body }) => {
    const mark = params.length > 0 || body !== undefined ? '' : '?';
    const about = doc(`${summary}. ${description}`, '  ');
    return `${about}  ${name}(input${mark}: OperatorInput<'${name}'>, options?: CallOptions): Call<OperatorAnswer<'${name}'>>;\n`;
  });
  return `${HEAD}
import type { Call } from '../requests/call.ts';
import type { OperatorAnswer, OperatorInput } from '../operator-types.ts';
import type { CallOptions } from '../options.ts';

/** A method for each operation. */
export interface OperatorMethods {
${methods.join('')}}
`;
}

function operationTable(name: string, operations: readonly Operation[]): string {
  const lines = operations.map(({ spec, row }) => {
    const mayBeEmpty = Object.values(spec.responses).includes(null);
    const { limit, after } = spec.query?.properties ?? {};
    const paging = limit !== undefined ? 'cursor' : after !== undefined ? 'after' : 'page';
    return `  ${row.name}: ['${spec.method}', '${spec.path}', ${row.takesKey}, ${mayBeEmpty}, '${paging}'],\n`;
  });
  const type = `Readonly<Record<keyof ${name}Operations, OperationRow>>`;
  return `export const ${name.toUpperCase()}_OPERATIONS: ${type} = {\n${lines.join('')}};\n`;
}

/** In the SDK, `productIds[]` is `productIds`. */
function printParameters(parameters: readonly Json[], indent: string): string {
  const members = parameters.map((parameter) => {
    const name = String(parameter['name']).replace(/\[\]$/, '');
    const isRequired = parameter['required'] === true;
    const type = print(objectAt(parameter, 'schema'), `${indent}  `, true);
    const about = doc(String(parameter['description'] ?? ''), `${indent}  `);
    return `${about}${indent}  ${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

/** `isInput`: members that may be left out may be undefined too. */
function print(schema: Json, indent: string, isInput = false): string {
  if (typeof schema['$ref'] === 'string') return toName(schema['$ref']);
  if ('const' in schema) return JSON.stringify(schema['const']).replaceAll('"', "'");
  const values = schema['enum'] ?? schema['x-extensible-enum'];
  if (Array.isArray(values)) {
    const literals = values.map((value) => JSON.stringify(value).replaceAll('"', "'"));
    return [...literals, ...('enum' in schema ? [] : ['(string & {})'])].join(' | ');
  }
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (choices.length > 0) return choices.map((choice) => print(choice, indent, isInput)).join(' | ');
  const { type } = schema;
  if (type === 'array') {
    const items = print(objectAt(schema, 'items'), indent, isInput);
    return `${isInput ? 'readonly ' : ''}${/[ |]/.test(items) && !items.startsWith('{') ? `(${items})` : items}[]`;
  }
  if (type === 'object') return printObject(schema, indent, isInput);
  return type === 'integer' ? 'number' : typeof type === 'string' ? type : 'unknown';
}

function printObject(schema: Json, indent: string, isInput: boolean): string {
  const { additionalProperties } = schema;
  if (!('properties' in schema)) {
    const values = typeof additionalProperties === 'object' ? objectAt(schema, 'additionalProperties') : {};
    return `Record<string, ${print(values, indent, isInput)}>`;
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const members = Object.entries(objectAt(schema, 'properties')).map(([name, member]) => {
    const property = asObject(member);
    const isRequired = required.includes(name);
    const about = doc(String(property['description'] ?? ''), `${indent}  `);
    const orUndefined = !isRequired && isInput ? ' | undefined' : '';
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${about}${indent}  ${key}${isRequired ? '' : '?'}: ${print(property, `${indent}  `, isInput)}${orUndefined};\n`;
  });
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}${indent}}`;
}

function doc(text: string, indent: string): string {
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*\*.*?\*\//g, '');
}

function toName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function objectAt(value: Json, ...path: readonly string[]): Json {
  return path.reduce<Json>((at, name) => asObject(at[name]), value);
}

function listAt(value: Json, name: string): Json[] {
  const list: unknown = value[name];
  return Array.isArray(list) ? list.map(asObject) : [];
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

if (import.meta.main) writeSdkContract();
