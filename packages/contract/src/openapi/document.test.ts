import { deepEqual, equal, ok } from 'node:assert/strict';
import { EVENT_TYPES } from '@keyport/core/events';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { test } from 'vitest';
import { ErrorEnvelope } from '../envelope.ts';
import { ERROR_CODES, type ErrorSpec, errorSpec } from '../errors.ts';
import { OPERATION_LIST, operationErrors } from '../operations.ts';
import { CreateOrderHeaders, ManualLine } from '../orders/orders.ts';
import { MEMBER_PERMISSIONS, ROLE_PERMISSIONS } from '../roles.ts';
import { buildOpenApi, SCENARIOS } from './document.ts';
import { buildErrorExample, EXAMPLE_TRACE_ID, REQUEST_EXAMPLES, responseExample } from './examples.ts';

const ajv = new Ajv({ strict: false, validateFormats: false });
const document = buildOpenApi({ version: '1.2.3', serverUrl: 'https://keyport.example' });
const text = JSON.stringify(document);

type Json = Readonly<Record<string, unknown>>;

function schemasIn(of: { readonly [name: string]: unknown }): Readonly<Record<string, Json>> {
  return Object(Object(of['components'])['schemas']);
}

function toOperations(of: { readonly paths: Json }): Json[] {
  return Object.values(of.paths).flatMap((path): Json[] => Object.values(Object(path)));
}

/** Returns the target of a reference, and any other value itself. */
function follow(of: object, value: unknown): Json {
  const reference: unknown = Object(value)['$ref'];
  if (typeof reference !== 'string') return Object(value);
  const parts = reference.split('/').slice(1);
  return Object(parts.reduce<unknown>((place, name) => Reflect.get(Object(place), name), of));
}

const ajv2020 = new Ajv2020({ strict: false, validateFormats: false });
ajv2020.addSchema(document, 'document');

function compileComponent(name: string) {
  return ajv2020.compile({ $ref: `document#/components/schemas/${name}` });
}

test('the document has every operation under its own id', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path ?? {}));
  const ids = operations.map(({ operationId }) => operationId);
  equal(new Set(ids).size, ids.length);
  deepEqual(
    OPERATION_LIST.filter(({ name }) => !ids.includes(name)),
    [],
  );
});

test('the document omits what integrators do not need', () => {
  ok(!/x-rule|privateDebug|~kind|patternProperties|Assumption|"filled"/.test(text));
});

/**
 * Orders and reservations have their own rules, imports continue where they stopped, and each request to
 * advance time must take effect. findKey and search are reads whose texts must not appear in a URL.
 */
test('every write takes an Idempotency-Key, except those with their own rules', () => {
  for (const { name, method, idempotency, responses } of OPERATION_LIST) {
    const isWrite = method !== 'GET' && !/Import|^import|^advanceSandbox|^findKey$|^search$/.test(name);
    if (/^(create|order)(Order|Reservation)$/.test(name)) continue;
    equal(idempotency !== undefined, isWrite, name);
    // The replay of a 201 is 200.
    if (isWrite && responses[201] !== undefined) ok(responses[200] !== undefined, name);
  }
});

test('the document of live mode does not mention the sandbox', () => {
  const live = buildOpenApi({ version: '1.2.3', isSandbox: false });
  ok(/sandbox/i.test(text) && text.includes('Keyport-Scenario'));
  ok(text.includes('"readsPerSecondMax"'));
  ok(!/Keyport-Scenario|\/sandbox\/|PerSecondMax|x-sandbox/.test(JSON.stringify(live)));
});

test('the token endpoint lists its scenarios', () => {
  const scenarios = Object(document.paths['/oauth/token']).post[SCENARIOS];
  for (const value of ['error:invalid_client', 'unavailable', 'rate-limited', 'lost-answer'])
    ok(scenarios.includes(value), value);
  ok(!scenarios.includes('held'));
});

test('importers, which invent a value for every header, find no header of the sandbox', () => {
  const headers = Object.values(document.paths)
    .flatMap((path) => Object.values(Object(path)))
    .flatMap((operation) => Object(operation).parameters ?? [])
    .filter((parameter) => parameter.in === 'header');
  deepEqual(
    new Set(headers.map(({ name }) => name)),
    new Set(['Content-Encoding', 'Idempotency-Key', 'If-Match', 'If-None-Match']),
  );
});

test('flags are typed as booleans, as generated clients write them', () => {
  const { parameters } = Object(document.paths['/export/v1/product-offers']).get;
  deepEqual(parameters.find((one: { name: string }) => one.name === 'orderable').schema, { type: 'boolean' });
});

test('every reference in the document resolves', () => {
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer
      .split('/')
      .reduce<unknown>((value, name) => Reflect.get(Object(value), name), document);
    ok(target !== undefined, pointer);
  }
});

test('two schemas with the same title are the same schema', () => {
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

test('the examples of every reseller operation match its schemas', () => {
  for (const operation of OPERATION_LIST.filter(({ audience }) => audience === 'reseller')) {
    const requests = Object.values(REQUEST_EXAMPLES[operation.name] ?? {});
    for (const request of requests) {
      ok(operation.body !== undefined && ajv.validate(operation.body, request), ajv.errorsText());
    }
    const { 201: created, 200: returned, 202: accepted } = operation.responses;
    const schema = created ?? returned ?? accepted;
    if (!schema) continue;
    const response = { traceId: EXAMPLE_TRACE_ID, ...responseExample(operation) };
    ok(ajv.validate(schema, response), `${operation.name}: ${ajv.errorsText()}`);
  }
});

function* toSchemas(value: unknown, at = '#'): Generator<{ at: string; schema: Record<string, unknown> }> {
  if (typeof value !== 'object' || value === null) return;
  yield { at, schema: Object.fromEntries(Object.entries(value)) };
  for (const [name, member] of Object.entries(value)) yield* toSchemas(member, `${at}/${name}`);
}

test('no pattern has lookaround or backreferences, which Go, Rust and many generators cannot compile', () => {
  const patterns = Array.from(toSchemas(document), ({ at, schema }) => ({ at, pattern: schema['pattern'] }));
  for (const { at, pattern } of patterns) ok(!/\(\?|\\[1-9k]/.test(String(pattern ?? '')), at);
});

test('maxPrice accepts amounts above 0 and below 100000000000 with at most 2 decimals, and nothing else', () => {
  const isValid = ajv.compile(ManualLine.properties.maxPrice);
  const near = fc.stringMatching(/^[0-9]{0,13}(\.[0-9]{0,3})?$/);
  const small = fc.stringMatching(/^0{0,2}[01]?(\.[01]{0,3})?$/);
  fc.assert(
    fc.property(fc.oneof(near, small, fc.string()), (text) => {
      const isAmount = /^(0|[1-9][0-9]{0,10})(\.[0-9]{1,2})?$/.test(text) && Number(text) > 0;
      equal(isValid(text), isAmount, text);
    }),
    { numRuns: 2000 },
  );
});

test('an Idempotency-Key is a UUID, with or without a pair of double quotes', () => {
  const isValid = ajv.compile(CreateOrderHeaders.properties['idempotency-key']);
  const uuid = '6F1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10';
  const texts = [uuid, `"${uuid}"`, `"${uuid}`, `${uuid}"`, `'${uuid}'`, `""${uuid}""`, '', '""'];
  deepEqual(
    texts.filter((text) => isValid(text)),
    [uuid, `"${uuid}"`],
  );
});

test('every type that clients use by name is a component', () => {
  const schemas = schemasIn(document);
  const wanted = [
    'ErrorResponse',
    'CreateOrderRequest',
    'ErrorCode',
    'Order',
    'OrderStatus',
    'Transaction',
    'TransactionItem',
  ];
  deepEqual(
    wanted.filter((name) => schemas[name] === undefined),
    [],
  );
  ok(schemas['Error'] === undefined, 'most languages already have a type named Error');
});

test('an order item is one of two objects with one member each', () => {
  const schemas = schemasIn(document);
  deepEqual(schemas['CreateOrderItem']?.['oneOf'], [
    { $ref: '#/components/schemas/CreateOrderItemAuto' },
    { $ref: '#/components/schemas/CreateOrderItemManual' },
  ]);
  const isValid = compileComponent('CreateOrderRequest');
  const manual = { offerId: '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111', quantity: 1, maxPrice: '1.00' };
  const auto = { productId: '10000000000017', quantity: 1, maxPrice: '1.00' };
  const rows: [item: unknown, isAllowed: boolean][] = [
    [{ auto }, true],
    [{ manual }, true],
    [{ auto, manual }, false],
    [{}, false],
    [{ auto, third: 1 }, false],
    [{ manual: auto }, false],
  ];
  for (const [item, isAllowed] of rows) equal(isValid({ items: [item] }), isAllowed, JSON.stringify(item));
});

test('every operation has a description', () => {
  for (const operation of toOperations(document)) {
    ok(String(operation['description'] ?? '').length > 10, String(operation['operationId']));
  }
});

test('every operation lists its error codes by status, with an example of each', () => {
  for (const { name, ...operation } of OPERATION_LIST) {
    const found = toOperations(document).find(({ operationId }) => operationId === name);
    const responses: unknown[] = Object.values(Object(found?.['responses']));
    const listed = responses
      .map((response) => follow(document, response))
      .flatMap((response) => {
        const codes: unknown = response['x-error-codes'];
        if (!Array.isArray(codes)) return [];
        const content = Object(Object(response['content'])['application/json']);
        deepEqual(content.schema, { $ref: '#/components/schemas/ErrorResponse' });
        deepEqual(Object.keys(content.examples), codes);
        return codes;
      });
    deepEqual(listed.toSorted(), operationErrors(operation).toSorted(), name);
  }
});

test('an error with a future code matches the schema of errors', () => {
  const isValid = compileComponent('ErrorResponse');
  const error = { code: 'brand-new', message: 'New.', status: 400, data: { anything: [1] } };
  ok(
    isValid({ traceId: EXAMPLE_TRACE_ID, error: { ...error, errors: [{ code: 'new-too', message: 'x' }] } }),
  );
  ok(!isValid({ error: { ...error, code: 7 } }));
});

test('a discriminator maps every error code with data to its schema', () => {
  const schemas = schemasIn(document);
  const { propertyName, mapping } = Object(schemas['ErrorDetails']?.['discriminator']);
  equal(propertyName, 'code');
  const isValid = compileComponent('ErrorResponse');
  for (const code of ERROR_CODES) {
    const title: unknown = Object(Reflect.get(errorSpec(code), 'data'))['title'];
    const variant = follow(document, { $ref: mapping[code] });
    if (typeof title === 'string') {
      deepEqual(Object(variant['properties']).data, { $ref: `#/components/schemas/${title}` }, code);
      ok(schemas[title] !== undefined, title);
    } else equal(variant['title'], 'OtherError', code);
    const example = buildErrorExample(code, 'https://keyport.example');
    ok(isValid(example), `${code}: ${JSON.stringify(isValid.errors)}`);
  }
});

test('the schema of a known error does not accept the data of another', () => {
  const isValid = compileComponent('ErrorResponse');
  const error = { message: 'No.', status: 400, code: 'max-price-exceeded' };
  ok(isValid({ error: { ...error, data: { offerPrice: '2.00', maxPrice: '1.00', more: true } } }));
  ok(!isValid({ error: { ...error, data: { quantity: 1, availableQuantity: 0 } } }));
});

test('a discriminator maps every event type to its schema, and each type is sent as a webhook', () => {
  const { propertyName, mapping } = Object(schemasIn(document)['Event']?.['discriminator']);
  equal(propertyName, 'type');
  deepEqual(Object.keys(mapping), [...EVENT_TYPES]);
  const webhooks = Object(document['webhooks']);
  deepEqual(Object.keys(webhooks), [...EVENT_TYPES]);
  for (const type of EVENT_TYPES) {
    const { content } = webhooks[type].post.requestBody;
    deepEqual(content['application/json'].schema, { $ref: mapping[type] });
    equal(Object(follow(document, { $ref: mapping[type] })['properties']).type.const, type);
  }
});

test('an event of a future type matches the schema of events, and a known type requires its own data', () => {
  const isValid = compileComponent('Event');
  const event = { id: 'evt_0e2k8v3q1m9ds', apiVersion: 'v1', createdAt: '2026-11-21T09:30:00.123456Z' };
  ok(isValid({ ...event, type: 'parcel.lost', data: { parcel: 7 }, apiVersion: 'v1' }));
  ok(isValid({ ...event, type: 'webhook.test', data: { endpointId: 'whe_1' } }));
  ok(!isValid({ ...event, type: 'order.complete', data: { endpointId: 'whe_1' } }));
});

/** The schemas of all request bodies or of all responses, with the components that they use. */
function reachable(part: 'requestBody' | 'responses'): { name: string; schema: Json }[] {
  const found = new Map<string, Json>();
  const visit = (value: unknown, at: string) => {
    if (typeof value !== 'object' || value === null) return;
    const reference: unknown = Reflect.get(value, '$ref');
    if (typeof reference === 'string') {
      if (found.has(reference)) return;
      found.set(reference, follow(document, value));
      visit(follow(document, value), reference);
      return;
    }
    found.set(at, Object.fromEntries(Object.entries(value)));
    for (const [name, member] of Object.entries(value))
      if (!/^examples?$/.test(name)) visit(member, `${at}/${name}`);
  };
  for (const operation of toOperations(document)) visit(operation[part], String(operation['operationId']));
  return Array.from(found, ([name, schema]) => ({ name, schema }));
}

test('generated clients accept future members and values in responses, but send none', () => {
  const closed = (part: 'requestBody' | 'responses') =>
    reachable(part).filter(({ schema }) => schema['additionalProperties'] === false);
  deepEqual(
    closed('responses').map(({ name }) => name),
    ['#/components/schemas/Product'],
  );
  // RFC 6749 requires the token endpoint to ignore unknown parameters.
  const open = reachable('requestBody').filter(
    ({ name, schema }) =>
      schema['type'] === 'object' && !('additionalProperties' in schema) && !name.startsWith('createToken/'),
  );
  deepEqual(open, []);
  ok(closed('requestBody').length > 10);
  const fixed = reachable('responses').filter(
    ({ schema }) => 'enum' in schema && schema['type'] === 'string',
  );
  deepEqual(
    fixed.map(({ name }) => name),
    ['#/components/schemas/OrderStatus'],
  );
});

test('the document for resellers has their operations and schemas, and does not mention operators', () => {
  const own = buildOpenApi({ version: '1.2.3', audience: 'reseller' });
  const ids = toOperations(own).map(({ operationId }) => operationId);
  const hidden = OPERATION_LIST.filter(({ audience }) => audience === 'operator').map(({ name }) => name);
  deepEqual(
    hidden.filter((name) => ids.includes(name)),
    [],
  );
  ok(OPERATION_LIST.every(({ name, audience }) => audience === 'operator' || ids.includes(name)));
  ok(
    !/operator|\/admin\//i.test(JSON.stringify([own.paths, own['tags'], own['x-tagGroups'], schemasIn(own)])),
  );
});

test('each operation names a permission of its audience', () => {
  const known: readonly string[] = ROLE_PERMISSIONS.admin;
  const ofMembers: readonly string[] = MEMBER_PERMISSIONS.owner;
  for (const { name, audience, permission } of OPERATION_LIST)
    ok((audience === 'operator' ? known : ofMembers).includes(permission), name);
});

test('the example of every error is an error body with members that the catalogue declares', () => {
  for (const code of ERROR_CODES) {
    const example = buildErrorExample(code, 'https://keyport.example');
    ok(ajv.validate(ErrorEnvelope, example), `${code}: ${ajv.errorsText()}`);
    const declared = (errorSpec(code) satisfies ErrorSpec as ErrorSpec).data;
    const data: unknown = Reflect.get(Object(example['error']), 'data');
    equal(data !== undefined, declared !== undefined, `${code} has an example of its data when it has data`);
    if (declared !== undefined)
      ok(ajv.validate({ ...declared, additionalProperties: false }, data), `${code}: ${ajv.errorsText()}`);
  }
});
