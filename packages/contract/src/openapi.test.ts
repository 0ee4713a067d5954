/** The OpenAPI document and its examples against the contract that they are made from. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { ErrorEnvelope } from './envelope.ts';
import { ERROR_CODES, type ErrorSpec, errorSpec } from './errors.ts';
import { buildErrorExample, EXAMPLE_TRACE_ID, OPERATION_EXAMPLES } from './examples.ts';
import { buildOpenApi } from './openapi.ts';
import { OPERATION_LIST } from './operations.ts';

const ajv = new Ajv({ strict: false, validateFormats: false });
const document = buildOpenApi({ version: '1.2.3', serverUrl: 'https://keyport.example' });
const text = JSON.stringify(document);

test('the document has every operation under its own id', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path ?? {}));
  const ids = operations.map(({ operationId }) => operationId);
  equal(new Set(ids).size, ids.length);
  deepEqual(
    OPERATION_LIST.filter(({ name }) => !ids.includes(name)),
    [],
  );
});

test('what is not for integrators stays out of the document', () => {
  ok(!/x-rule|privateDebug|~kind|patternProperties|Assumption/.test(text));
});

test('every reference of the document leads somewhere', () => {
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer
      .split('/')
      .reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
    ok(target !== undefined, pointer);
  }
});

test('two schemas of the same title are the same schema', () => {
  const titled = new Map<string, string>();
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    const title: unknown = Reflect.get(value, 'title');
    if (typeof title === 'string') equal(titled.get(title) ?? JSON.stringify(value), JSON.stringify(value));
    if (typeof title === 'string') titled.set(title, JSON.stringify(value));
    for (const member of Object.values(value)) visit(member);
  };
  for (const { params, query, headers, body, responses } of OPERATION_LIST)
    visit([params, query, headers, body, responses]);
  ok(titled.size > 10);
});

test('the examples of every reseller operation are what its schemas allow', () => {
  for (const operation of OPERATION_LIST.filter(({ audience }) => audience === 'reseller')) {
    const examples = OPERATION_EXAMPLES[operation.name];
    ok(examples !== undefined, operation.name);
    for (const request of Object.values(examples.request ?? {})) {
      ok(operation.body !== undefined && ajv.validate(operation.body, request), ajv.errorsText());
    }
    const schema = operation.responses[201] ?? operation.responses[200];
    const response = { traceId: EXAMPLE_TRACE_ID, ...examples.response };
    ok(schema && ajv.validate(schema, response), `${operation.name}: ${ajv.errorsText()}`);
  }
});

test('the example of every error is an error body with members that the catalogue declares', () => {
  for (const code of ERROR_CODES) {
    const example = buildErrorExample(code, 'https://keyport.example');
    ok(ajv.validate(ErrorEnvelope, example), `${code}: ${ajv.errorsText()}`);
    const declared = Object.keys((errorSpec(code) satisfies ErrorSpec as ErrorSpec).data ?? {});
    const data: object = Reflect.get(Object(example['error']), 'data') ?? {};
    deepEqual(
      Object.keys(data).filter((name) => !declared.includes(name)),
      [],
    );
    ok(declared.length === 0 || Object.keys(data).length > 0, `${code} has no example of its data`);
  }
});
