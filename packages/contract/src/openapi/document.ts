import { EVENT_TYPES } from '@keyport/core/events';
import { type TObject, type TSchema, Type } from 'typebox';
import { dataEnvelope, ErrorEnvelope } from '../envelope.ts';
import { type ErrorCode, errorSpec } from '../errors.ts';
import { columnsRecord, isListWithCsv, listColumns } from '../list-csv.ts';
import type { OperationSpec } from '../operations/operation-spec.ts';
import {
  mayLackBody,
  type NamedOperation,
  OPERATION_LIST,
  operationErrors,
  operationHeaders,
} from '../operations.ts';
import { WritePreview } from '../operators/previews.ts';
import { hasScenarios, listScenarios, TOKEN_SCENARIOS } from '../sandbox/scenarios.ts';
import type { DataBy } from '../schema.ts';
import { TokenError, TokenRequest, TokenResponse } from '../token.ts';
import { Event } from '../webhooks/events.ts';
import { buildErrorExample, EXAMPLE_TRACE_ID, REQUEST_EXAMPLES, responseExample } from './examples.ts';

type Json = Record<string, unknown>;
type Convert = Readonly<Record<Direction, (schema: TSchema) => unknown>>;
type Direction = 'request' | 'response';

/** Schemas that the contract with resellers fixes. */
const FIXED = new Set(['Product', 'OrderStatus']);
const DEFAULT_SERVER_URL = 'http://127.0.0.1:8080';
const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';
const AS_CSV = '`Accept: text/csv` returns all matches as a CSV file.';
const NDJSON_TYPE = 'application/x-ndjson';
const TITLES = { reseller: 'Keyport export API', operator: 'Keyport operator API' } as const;

const describeForOperators = (
  serverUrl: string,
) => `Run the marketplace: accounts, catalogue, orders, books, approvals, people.

* Clients send an operator client's token (\`POST /oauth/token\`); the console sends a session cookie.
* Each operation needs one permission; roles are sets of permissions.
* Writes that move money or stock take an \`Idempotency-Key\`; \`dryRun: true\` previews them, and \`If-Match\` with the
  preview's \`ETag\` applies them only to the previewed state.
* Resellers have [their own document](${serverUrl}/openapi.json).`;

const describeForResellers = (
  serverUrl: string,
  isSandbox: boolean,
) => `Read offers, place orders, fetch product keys. [The guide](${serverUrl}/docs/guide) shows how to write a client.
For language models there is [llms.txt](${serverUrl}/docs/llms.txt).

## In four requests

1. \`POST /oauth/token\` with your client id and secret returns an access token for \`Authorization: Bearer …\`.
2. \`GET /export/v1/product-offers\` returns products with their cheapest offers. Follow
   the changes with \`GET /export/v1/product-offers/changes\`, which also lists removals.
3. \`POST /export/v1/orders\` with a new UUID as \`Idempotency-Key\` places an order. If no response arrives, retry the request with
   the same key: the order is placed at most once.
4. \`GET /export/v1/orders/{orderId}/keys\` returns the keys of an order for 48 hours after its completion.

## Good to know

* Amounts are decimal strings in EUR; order ids are strings of up to 16 digits. Do not store either as a floating-point
  number.
* Date-times have a zone. In a query string, a \`+\` must be written as \`%2B\`.
* The header \`X-Trace-Id\` of every response and \`traceId\` in JSON bodies identify the request. Quote the id when you need help.
  A W3C \`traceparent\` header is honored.
* The header \`Keyport-Version\` states the service's version. [Additions](${serverUrl}/docs/guide#versions) are made without
  notice; [the changelog](${serverUrl}/docs/changelog) lists them by date.
* Errors have a stable \`error.code\`; the page at \`error.doc_url\` explains what to do.
* Reads of the catalogue have an \`ETag\`: send it as \`If-None-Match\`, and the response is 304 if nothing has changed. With
  \`Accept-Encoding: gzip\`, pages over 1 KB are compressed.
* Unknown members of a body are rejected; unknown query parameters are ignored, and a \`Warning\` header names them.
* Limits: bodies 64 KiB (413), URLs 8 KiB (414), headers 16 KiB and 100 lines (431), 15 seconds to send a request (408).
* People of your account can sign in to the portal, whose session calls these operations as their role allows. Only an
  owner manages members.
* If your requests per second are limited, every response has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
  \`RateLimit-Reset\`; requests above the limit get 429 with \`Retry-After\`. Reads and orders are counted separately.${isSandbox ? ABOUT_SCENARIOS : ''}`;

const ABOUT_SCENARIOS = `
* In this sandbox, the header \`Keyport-Scenario\` forces an outcome of a request, such as an error or a lost response.
  \`x-sandbox-scenarios\` of an operation lists the values; commas separate several.`;

/**
 * The values of the header `Keyport-Scenario` for an operation. It is not declared as a parameter, because importers
 * (Postman, for one) send an invented value for every declared header.
 */
export const SCENARIOS = 'x-sandbox-scenarios';

const SERVICE_ERRORS = ['uri-too-long', 'headers-too-large'] as const satisfies readonly ErrorCode[];

const TAGS: Readonly<Record<string, string>> = {
  Authentication: 'OAuth 2.0 client credentials.',
  Catalogue: 'Products and their offers.',
  Orders: 'Placing orders, the order history, and keys.',
  Reservations: 'Units and prices held while your customer pays.',
  Claims: 'Faulty keys that you report.',
  Account: 'Your own account.',
  Webhooks: 'Endpoints that receive signed events.',
  Clients: 'Your own credentials.',
  Members: 'The people of your account who can sign in to the portal.',
  Events: 'Changes to your orders and your account.',
  Sandbox:
    'Sandbox only: act as the marketplace or the payment provider on your own orders and account, advance their time, and check your client.',
  'Operator: accounts': 'Accounts, their clients and their books.',
  'Operator: catalogue': 'Sellers, products, offers, keys.',
  'Operator: orders': 'Orders of all accounts.',
  'Operator: approvals': 'Writes that need a second operator.',
  'Operator: people': 'Operators, their roles and invitations.',
  'Operator: desk': 'Saved views of lists, notes and notifications.',
  'Operator: system': 'Audit log, reports, status and checks.',
  Health: 'For supervisors and load balancers.',
};

function toGroup(tag: string): 'Reseller' | 'Operator' | 'Service' {
  if (tag === 'Authentication' || tag === 'Health') return 'Service';
  return tag.startsWith('Operator: ') ? 'Operator' : 'Reseller';
}

export type OpenApiDocument = Json & {
  readonly openapi: string;
  readonly info: Json & { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Json;
};

export function buildOpenApi(options: {
  readonly serverUrl?: string;
  readonly version: string;
  readonly audience?: OperationSpec['audience'] | undefined;
  /** False in live mode. */
  readonly isSandbox?: boolean;
  /** False for clients that are released with the service. */
  readonly mayGrow?: boolean;
}): OpenApiDocument {
  const { serverUrl = DEFAULT_SERVER_URL, version, audience, isSandbox = true, mayGrow = true } = options;
  const components = new Map<string, Json>();
  const convert: Convert = {
    request: (schema) => convertSchema(schema, components, 'request'),
    response: (schema) =>
      convertSchema(isSandbox ? schema : ofLiveMode(schema), components, mayGrow ? 'response' : 'request'),
  };
  const paths: Record<string, Json> = {};
  const operations = OPERATION_LIST.filter(
    (one) =>
      (audience === undefined || one.audience === audience) && (isSandbox || one.isSandboxOnly !== true),
  );
  const codes = new Set([...operations.flatMap(operationErrors), ...SERVICE_ERRORS]);
  const tags = Object.keys(TAGS).filter(
    (name) => toGroup(name) === 'Service' || operations.some(({ tag }) => tag === name),
  );
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const built = buildOperation(operation, convert, isSandbox);
    paths[operation.path] = { ...paths[operation.path], [method]: built };
  }
  Object.assign(paths, servicePaths(convert, isSandbox));
  const hasEvents = audience !== 'operator';
  return {
    openapi: '3.1.0',
    info: {
      title: TITLES[audience ?? 'reseller'],
      version,
      description:
        audience === 'operator'
          ? describeForOperators(serverUrl)
          : describeForResellers(serverUrl, isSandbox),
      contact: { name: 'Your account manager' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'Guide for integrators', url: `${serverUrl}/docs/guide` },
    servers: [{ url: serverUrl }],
    security: [{ oauth2: [] }, { bearer: [] }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? '' })),
    'x-tagGroups': ['Reseller', 'Operator', 'Service']
      .map((name) => ({ name, tags: tags.filter((tag) => toGroup(tag) === name) }))
      .filter((group) => group.tags.length > 0),
    paths,
    ...(hasEvents ? { webhooks: webhooks(convert) } : {}),
    components: {
      securitySchemes: {
        ...securitySchemes(serverUrl),
        ...(audience === 'operator' ? {} : { portalSession: PORTAL_SESSION }),
      },
      headers: hasEvents ? { ...HEADERS, ...VERSION_HEADER } : HEADERS,
      responses: sharedResponses(operations, convert),
      examples: Object.fromEntries(
        Array.from(codes, (code) => [code, { summary: code, value: buildErrorExample(code, serverUrl) }]),
      ),
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function buildOperation(operation: NamedOperation, convert: Convert, isSandbox: boolean): Json {
  const parameters = [
    ...buildParameters(operation.params, 'path', convert),
    ...buildParameters(operationHeaders(operation), 'header', convert),
    ...buildParameters(operation.query, 'query', convert),
    ...(operation.isConditional === true ? [IF_NONE_MATCH] : []),
  ];
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    description: isListWithCsv(operation) ? `${operation.description} ${AS_CSV}` : operation.description,
    ...(operation.deprecation === undefined ? {} : { deprecated: true }),
    ...(operation.permission === 'members' ? { security: [{ portalSession: [] }] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isSandbox && hasScenarios(operation) ? { [SCENARIOS]: listScenarios(operation) } : {}),
    ...buildRequestBody(operation, convert),
    responses: {
      ...successResponses(operation, convert),
      ...(operation.isConditional === true ? NOT_MODIFIED : {}),
      ...errorResponses(operationErrors(operation), convert),
    },
  };
}

function buildParameters(
  schema: TObject | undefined,
  place: 'path' | 'header' | 'query',
  convert: Convert,
): Json[] {
  const required: readonly string[] = schema?.required ?? [];
  // OpenAPI ignores Accept as a parameter; the responses' media types describe it.
  const members = Object.entries(schema?.properties ?? {}).filter(([name]) => name !== 'accept');
  return members.map(([name, property]) => {
    const { description, examples } = toJson(property);
    const { description: _told, examples: _shown, ...converted } = toJson(convert.request(property));
    const isRequired = required.includes(name);
    const hint = [description, isRequired ? undefined : describeExample(examples)].filter(
      (part) => part !== undefined,
    );
    return {
      name: place === 'header' ? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()) : name,
      in: place,
      ...(hint.length === 0 ? {} : { description: hint.join(' ') }),
      ...(isRequired ? { required: true } : {}),
      ...(converted['type'] === 'array' ? { style: 'form', explode: true } : {}),
      schema: {
        // The values of a flag are `true` and `false`, as generated clients write a boolean.
        ...(place === 'query' && String(converted['enum']) === 'true,false'
          ? { type: 'boolean' }
          : converted),
        ...(isRequired && examples !== undefined ? { examples } : {}),
      },
    };
  });
}

/** Names the example in words, because the try-it-out page would send an example value. */
function describeExample(examples: unknown): string | undefined {
  return Array.isArray(examples) ? `Example: \`${examples[0]}\`.` : undefined;
}

function buildRequestBody(operation: NamedOperation, convert: Convert): Json {
  if (operation.hasStreamedBody === true) {
    const ndjson = '{"id":"0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111","name":"Northern Keys"}\n';
    const csv = 'id,name\n0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111,Northern Keys\n';
    const content = { ...textContent(NDJSON_TYPE, ndjson), ...textContent(CSV_TYPE, csv) };
    return { requestBody: { required: true, content } };
  }
  if (operation.body === undefined) return {};
  const examples = REQUEST_EXAMPLES[operation.name];
  const content = {
    schema: convert.request(operation.body),
    ...(examples === undefined ? {} : { examples: namedExamples(examples) }),
  };
  return { requestBody: { required: !mayLackBody(operation), content: { [JSON_TYPE]: content } } };
}

function successResponses(operation: NamedOperation, convert: Convert): Json {
  const example = operation.audience === 'reseller' ? responseExample(operation) : undefined;
  const isOrder = operation.name === 'createOrder';
  const takesKey = isOrder || operation.idempotency !== undefined;
  const mayCreate = operation.responses[201] !== undefined;
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, schema]) => {
      const isPreviewed = operation.hasPreview === true && status === '200';
      const written = schema === null ? undefined : convert.response(schema);
      const content = {
        schema: isPreviewed ? { anyOf: [written, convert.response(dataEnvelope(WritePreview))] } : written,
        ...(example === undefined ? {} : { example: { traceId: EXAMPLE_TRACE_ID, ...example } }),
      };
      const isReplay = takesKey && status !== '201';
      return [
        status,
        {
          description: isReplay && mayCreate ? replayText(isOrder) : (SUCCESS_TEXTS[status] ?? 'OK.'),
          headers: {
            ...headerRefs(
              'X-Trace-Id',
              ...(operation.path.startsWith('/export/') ? ['Keyport-Version'] : []),
              ...(isReplay ? ['Idempotent-Replayed'] : []),
              ...(operation.isConditional === true || isPreviewed ? ['ETag'] : []),
              ...(operation.budget === 'none' ? [] : RATE_LIMIT_HEADERS),
            ),
            ...(operation.deprecation === undefined ? {} : DEPRECATION_HEADERS),
          },
          ...(schema === null ? {} : { content: { [JSON_TYPE]: content, ...otherContent(operation) } }),
        },
      ];
    }),
  );
}

function otherContent(operation: OperationSpec): Json {
  const csvExample = isListWithCsv(operation) ? columnsRecord(listColumns(operation)) : operation.csvExample;
  return textContent(CSV_TYPE, csvExample);
}

function textContent(mediaType: string, example: string | undefined): Json {
  return example === undefined ? {} : { [mediaType]: { schema: { type: 'string' }, example } };
}

function replayText(isOrder: boolean): string {
  return isOrder
    ? 'The stored result of the first request with this key.'
    : 'The resource already existed, or this is the stored result of the first request with this key.';
}

const SUCCESS_TEXTS: Readonly<Record<string, string>> = {
  201: 'Created.',
  202: 'Accepted and in progress.',
  204: 'Done.',
};

function errorResponses(codes: readonly ErrorCode[], convert: Convert): Json {
  const byStatus = Map.groupBy(codes, (code) => errorSpec(code).status);
  return Object.fromEntries(
    Array.from(byStatus, ([status, codesOfStatus]) => {
      const [code, ...others] = codesOfStatus;
      const isShared = others.length === 0;
      const reference = { $ref: `#/components/responses/${code}` };
      return [String(status), isShared ? reference : errorResponse(codesOfStatus, convert)];
    }),
  );
}

function sharedResponses(operations: readonly OperationSpec[], convert: Convert): Json {
  const alone = operations.flatMap((operation) => {
    const codes = operationErrors(operation);
    const byStatus = Map.groupBy(codes, (code) => errorSpec(code).status);
    return codes.filter((code) => byStatus.get(errorSpec(code).status)?.length === 1);
  });
  const codes = new Set([...alone, ...SERVICE_ERRORS]);
  return Object.fromEntries(Array.from(codes, (code) => [code, errorResponse([code], convert)]));
}

/** All errors share a schema, so that clients have one error type. */
function errorResponse(codes: readonly ErrorCode[], convert: Convert): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorSpec(code).message}`).join('\n\n'),
    'x-error-codes': codes,
    headers: headerRefs('X-Trace-Id', ...toHeaders(codes)),
    content: {
      [JSON_TYPE]: {
        schema: convert.response(ErrorEnvelope),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function toHeaders(codes: readonly ErrorCode[]): string[] {
  const isRepeatable = codes.some((code) =>
    ['idempotency-key-processing', 'too-many-requests', 'service-unavailable'].includes(code),
  );
  return [
    ...(isRepeatable ? ['Retry-After'] : []),
    ...(codes.includes('too-many-requests') ? RATE_LIMIT_HEADERS : []),
    ...(codes.includes('unauthorized') ? ['WWW-Authenticate'] : []),
  ];
}

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The ETag of your last response from this URL: if nothing has changed, you get 304 without a body.',
  schema: { type: 'string' },
};

const NOT_MODIFIED: Json = {
  304: {
    description: 'Nothing has changed since the response with this ETag.',
    headers: { ...headerRefs('X-Trace-Id', 'ETag') },
  },
};

const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

const text = (description: string, rule = {}) => ({ description, schema: { type: 'string', ...rule } });
const number = (description: string) => ({ description, schema: { type: 'integer' } });

/** Only resellers get it. */
const VERSION_HEADER = {
  'Keyport-Version': text('The version of the service.', { pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+' }),
};

const DEPRECATION_HEADERS = {
  Deprecation: text(
    'The time from which the operation is deprecated: `@` and seconds since 1970 (RFC 9745).',
    {
      pattern: '^@[0-9]+$',
    },
  ),
  Sunset: text('The time until which a deprecated operation works (RFC 8594).'),
};

const HEADERS = {
  'X-Trace-Id': text('Id of this request.', { pattern: '^[0-9a-f]{32}$' }),
  ETag: text('Identifies the content of the response; send it as If-None-Match with the same URL.'),
  'Retry-After': number('Seconds to wait before a retry.'),
  'RateLimit-Limit': number('The number of requests per second that you may send, if limited.'),
  'RateLimit-Remaining': number('The number of requests that you may send immediately.'),
  'RateLimit-Reset': number('Seconds until the full limit is available again.'),
  'Idempotent-Replayed': text('`true` if this is the stored response of an earlier request.', {
    const: 'true',
  }),
  'WWW-Authenticate': text('`Bearer`.'),
};

function headerRefs(...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function namedExamples(examples: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [name.replaceAll(' ', '-'), { summary: name, value }]),
  );
}

const PORTAL_SESSION = {
  type: 'apiKey',
  in: 'cookie',
  name: 'keyport_portal_session',
  description: 'A session of the portal; its writes also need `X-CSRF-Token` and the Origin of the portal.',
};

function securitySchemes(serverUrl: string): Json {
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Client credentials; there are no scopes.',
      flows: { clientCredentials: { tokenUrl: `${serverUrl}/oauth/token`, scopes: {} } },
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An existing token.' },
    clientBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'Client id and secret, for the token endpoint.',
    },
  };
}

function servicePaths(convert: Convert, isSandbox: boolean): Record<string, Json> {
  const ok = (schema: TSchema) => okResponse(convert.response(schema));
  const shared = Object.fromEntries(
    SERVICE_ERRORS.map((code) => [errorSpec(code).status, { $ref: `#/components/responses/${code}` }]),
  );
  const open = ({ responses, ...operation }: Json & { readonly responses: Json }) => ({
    get: { ...operation, security: [], responses: { ...responses, ...shared } },
  });
  const health = Type.Object({
    status: Type.String(),
    checks: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
  });
  return {
    '/oauth/token': tokenPath(convert, isSandbox),
    '/.well-known/jwks.json': open({
      operationId: 'getJwks',
      tags: ['Authentication'],
      summary: 'Get the public keys for verifying access tokens',
      description:
        'A JSON Web Key Set (RFC 7517), for services that verify tokens. Keys rotate: look up an unknown `kid` here.',
      responses: { 200: ok(Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) })) },
    }),
    '/.well-known/oauth-authorization-server': open({
      operationId: 'getMetadata',
      tags: ['Authentication'],
      summary: 'Get the OAuth metadata (RFC 8414)',
      description: 'Names the token endpoint and the key set, for OAuth clients that configure themselves.',
      responses: { 200: ok(Type.Record(Type.String(), Type.Unknown())) },
    }),
    '/health/live': open({
      operationId: 'getLiveness',
      tags: ['Health'],
      summary: 'Check that the process is alive',
      description: 'For supervisors: restart the process if this does not return 200.',
      responses: { 200: ok(health) },
    }),
    '/health/ready': open({
      operationId: 'getReadiness',
      tags: ['Health'],
      summary: 'Check that the node is ready for requests',
      description: 'For load balancers: send requests only to nodes that return 200.',
      responses: {
        200: ok(health),
        503: {
          ...ok(health),
          description: 'The node is starting or stopping, or cannot reach its database.',
        },
      },
    }),
  };
}

function tokenPath(convert: Convert, isSandbox: boolean): Json {
  const tokenError = (description: string, ...headers: string[]) => ({
    description,
    headers: headerRefs('X-Trace-Id', ...headers),
    content: { [JSON_TYPE]: { schema: convert.response(TokenError) } },
  });
  const request = convert.request(TokenRequest);
  return {
    post: {
      operationId: 'createToken',
      tags: ['Authentication'],
      summary: 'Get an access token',
      description:
        'Send a form or JSON, with client_id and client_secret in the body or with HTTP Basic, never both and never in the URL. Get the next token before `expires_in` seconds have passed; there is no refresh token. Errors have the format of RFC 6749.',
      security: [{ clientBasic: [] }, {}],
      ...(isSandbox ? { [SCENARIOS]: TOKEN_SCENARIOS } : {}),
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': { schema: request },
          [JSON_TYPE]: { schema: request },
        },
      },
      responses: {
        200: okResponse(convert.response(TokenResponse)),
        400: tokenError('`invalid_request`, `unsupported_grant_type`'),
        401: tokenError('`invalid_client`', 'WWW-Authenticate'),
        408: tokenError('`invalid_request`: the body did not arrive in time.'),
        413: tokenError('`invalid_request`: the body is too large.'),
        415: tokenError('`invalid_request`: the body is neither a form nor JSON in UTF-8.'),
        429: tokenError('Too many wrong secrets from this address.', 'Retry-After'),
        503: tokenError('`temporarily_unavailable`', 'Retry-After'),
      },
    },
  };
}

function okResponse(schema: unknown): Json {
  return { description: 'OK.', headers: headerRefs('X-Trace-Id'), content: { [JSON_TYPE]: { schema } } };
}

function webhooks(convert: Convert): Json {
  // Adds the schemas of the event types.
  convert.response(Event);
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `on${pascal(type)}`,
          tags: ['Webhooks'],
          summary: `Receive \`${type}\``,
          description:
            'Signed according to Standard Webhooks: verify `webhook-signature` over `webhook-id`, `webhook-timestamp` and the body before you use the event. Any 2xx response within 15 seconds accepts the event.',
          security: [],
          parameters: WEBHOOK_HEADERS.map(([name, description]) => {
            return { name, in: 'header', required: true, ...text(description) };
          }),
          requestBody: {
            required: true,
            content: {
              [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${nameOfVariant(type, 'Event')}` } },
            },
          },
          responses: {
            '2XX': { description: 'Accepted.' },
            410: { description: 'The endpoint is gone: the service disables it.' },
            default: { description: 'Not accepted: the delivery is retried.' },
          },
        },
      },
    ]),
  );
}

const WEBHOOK_HEADERS = [
  ['webhook-id', "The event's id; the same for every retry."],
  ['webhook-timestamp', 'When this attempt was sent, in seconds since the Unix epoch.'],
  ['webhook-signature', 'One or more signatures `v1,…`, separated by spaces.'],
] as const;

function ofLiveMode(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema, (_, part) => (part?.['x-sandbox'] === true ? undefined : part)));
}

/** Only our own validation knows these words, and the format of texts that must not be blank. */
const OWN_WORDS: ReadonlySet<string> = new Set(['x-rule', 'x-by', 'x-sandbox']);

function convertSchema(schema: unknown, components: Map<string, Json>, direction: Direction): unknown {
  if (Array.isArray(schema)) return schema.map((element) => convertSchema(element, components, direction));
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema)
    .filter(([name, value]) => !OWN_WORDS.has(name) && !(name === 'format' && value === 'filled'))
    .map(([name, value]): [string, unknown] => [name, convertSchema(value, components, direction)]);
  const plain = withoutPatterns(Object.fromEntries(members));
  const sized = direction === 'response' ? opened(plain) : plain;
  const by: DataBy | undefined = Reflect.get(schema, 'x-by');
  const converted =
    by === undefined
      ? withChoices(sized, components)
      : withVariants(sized, by, components, (data) => convertSchema(data, components, direction));
  const { title } = converted;
  if (typeof title !== 'string') return converted;
  components.set(title, converted);
  return { $ref: `#/components/schemas/${title}` };
}

/** Generated clients must accept future values and members. */
function opened(schema: Json): Json {
  if (typeof schema['title'] === 'string' && FIXED.has(schema['title'])) return schema;
  const { additionalProperties, enum: values, ...rest } = schema;
  return {
    ...rest,
    ...(additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties }),
    ...(values === undefined ? {} : { [rest['type'] === 'string' ? 'x-extensible-enum' : 'enum']: values }),
  };
}

/** A variant per value of the deciding member, and one for future values. */
function withVariants(
  schema: Json,
  { member, suffix, data }: DataBy,
  components: Map<string, Json>,
  convert: (schema: TSchema) => unknown,
): Json {
  const { title, description, properties, ...rest } = schema;
  const own = toJson(properties);
  const add = (name: string, members: Json) => {
    components.set(name, { title: name, ...rest, properties: { ...own, ...members } });
    return `#/components/schemas/${name}`;
  };
  const known = Object.entries(data).map(([value, one]): [value: string, reference: string] => [
    value,
    add(nameOfVariant(value, suffix), { [member]: { type: 'string', const: value }, data: convert(one) }),
  ]);
  const decisive = toJson(follow(own[member], components));
  const other = add(`Other${suffix}`, {
    [member]: { ...decisive, not: { enum: known.map(([value]) => value) } },
    data: { type: 'object', description: `Facts whose form does not depend on the \`${member}\`.` },
  });
  const withoutData = toList(decisive['x-extensible-enum']).filter((value) => !Object.hasOwn(data, value));
  return {
    title,
    ...(description === undefined ? {} : { description }),
    oneOf: [...known.map(([, reference]) => reference), other].map(($ref) => ({ $ref })),
    discriminator: {
      propertyName: member,
      mapping: Object.fromEntries([...known, ...withoutData.map((value) => [value, other])]),
    },
  };
}

function follow(schema: unknown, components: Map<string, Json>): unknown {
  const { $ref } = toJson(schema);
  if (typeof $ref !== 'string') return schema;
  const { title: _title, ...found } = components.get($ref.slice($ref.lastIndexOf('/') + 1)) ?? {};
  return found;
}

function nameOfVariant(value: string, suffix: string): string {
  return `${pascal(value).replace(new RegExp(`${suffix}$`), '')}${suffix}`;
}

function pascal(value: string): string {
  return value.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Client generators understand named objects better than a choice of members. */
function withChoices(schema: Json, components: Map<string, Json>): Json {
  const { title, description, minProperties, maxProperties, properties } = schema;
  if (typeof title !== 'string' || minProperties !== 1 || maxProperties !== 1) return schema;
  const choices = Object.entries(toJson(properties)).map(([name, member]) => {
    const choice = `${title}${name[0]?.toUpperCase()}${name.slice(1)}`;
    const only = { type: 'object', properties: { [name]: member }, required: [name] };
    components.set(choice, { title: choice, ...only, additionalProperties: false });
    return { $ref: `#/components/schemas/${choice}` };
  });
  return { title, description, oneOf: choices };
}

/** OpenAPI tools understand additionalProperties better than TypeBox's pattern. */
function withoutPatterns(schema: Json): Json {
  const { patternProperties, ...others } = schema;
  if (patternProperties === undefined) return schema;
  const [values] = Object.values(toJson(patternProperties));
  return { ...others, additionalProperties: values };
}

function toList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function toJson(value: unknown): Json {
  return Object.fromEntries(Object.entries(value ?? {}));
}
