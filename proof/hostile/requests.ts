import { gzipSync } from 'node:zlib';
import { SCENARIO_HEADER } from '@keyport/contract/sandbox/scenarios';
import fc, { type Arbitrary } from 'fast-check';
import { OPERATIONS, type Operation, type Parameter, type Schema } from './document.ts';
import { type Coding, codings, type Edit, editedJson, edits, encode } from './json-edits.ts';
import type { Stage } from './stage.ts';
import { hostileText, type KnownIds, toValues } from './values.ts';

/**
 * The mark of the body's end: `short` announces more than is sent, `long` less, `both` has two marks, `none`
 * has none, and `broken` puts bytes into the head.
 */
type Framing = 'exact' | 'chunked' | 'short' | 'long' | 'both' | 'none' | 'broken';

export type HostileRequest = {
  readonly operation: string;
  readonly method: string;
  readonly target: string;
  /** Excludes the headers that mark the end of the body. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
  readonly framing: Framing;
  /** Last byte of the loopback address that it comes from. */
  readonly source: number;
};

/** Returns whether exactly one response comes, after which the connection can be used again. */
export function isWellFramed({ framing, headers }: HostileRequest): boolean {
  return (framing === 'exact' || framing === 'chunked') && !headers.some(([name]) => ENDING.test(name));
}

const ENDING = /^(connection|upgrade|expect|te|content-length|transfer-encoding|x-broken.*)$/i;

/** Sent rarely, because even the smallest of them takes long. */
const RARE = new Set([
  'verifyInvariants',
  'getTrialBalance',
  'restartFeeds',
  'getMetadata',
  'getJwks',
  'getLiveness',
  'getReadiness',
]);
const OFTEN = new Set([
  'createOrder',
  'getOrderKeys',
  'refundOrder',
  'importLines',
  'createToken',
  'createReservation',
  'createClaim',
  'returnOrder',
  'listOrders',
  'changeOffers',
]);

export function requestsOn(stage: Stage): Arbitrary<HostileRequest> {
  const ofEach = OPERATIONS.map((operation) => ({
    weight: RARE.has(operation.name) ? 1 : OFTEN.has(operation.name) ? 30 : 10,
    arbitrary: toRequests(operation, stage),
  }));
  return fc.oneof(...ofEach);
}

function toRequests(operation: Operation, stage: Stage): Arbitrary<HostileRequest> {
  const ids = { ...stage.ids, ...stage.toIds[operation.name] };
  const parts = fc.record({
    method: often(19, fc.constant(operation.method), fc.constantFrom(...METHODS)),
    path: toPaths(operation, ids),
    query: toQueries(operation, ids),
    sender: sendersFor(operation, stage),
    own: toHeaders(operation, ids),
    extra: often(8, fc.constant<Headers>([]), fc.array(hostileHeaders, { minLength: 1, maxLength: 3 })),
    body: toBodies(operation, ids),
    framing: often(
      30,
      fc.constant<Framing>('exact'),
      fc.constantFrom<Framing>('chunked', 'short', 'long', 'both', 'none', 'broken'),
    ),
    source: operation.name === 'createToken' ? fc.integer({ min: 1, max: 250 }) : fc.constant(1),
  });
  return parts.map(({ method, path, query, sender, own, extra, body, framing, source }) => ({
    operation: operation.name,
    method,
    target: `${path}${query}`,
    headers: [['Host', 'keyport.test'], ...sender, ...own, ...(body?.headers ?? []), ...extra],
    body: body?.bytes,
    framing,
    source,
  }));
}

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'get',
];

function often<T>(weight: number, usual: Arbitrary<T>, unusual: Arbitrary<T>): Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });
}

function toPaths({ path, parameters }: Operation, ids: KnownIds): Arbitrary<string> {
  const named = parameters.filter((parameter) => parameter.in === 'path');
  const values = named.map(({ name, schema }) =>
    often(
      7,
      toValues(schema, name, ids).map(String),
      fc.oneof(hostileText.map(percentEncoded), hostileText.map(wireText)),
    ),
  );
  const filled = fc
    .tuple(...values)
    .map((texts) =>
      named.reduce((whole, { name }, index) => whole.replace(`{${name}}`, () => texts[index] ?? ''), path),
    );
  const bent = fc.tuple(filled, fc.constantFrom(...MUTATIONS)).map(([whole, bend]) => bend(whole));
  return often(25, filled, bent);
}

const MUTATIONS: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => `${path}%00`,
  (path) => `${path};jsessionid=1`,
  (path) => path.replaceAll('/', '%2f'),
  (path) => path.replace('/v1/', '/v1/./x/../'),
  (path) => `http://other.example${path}`,
  (path) => `${path}#fragment`,
  (path) => `${path}/__proto__`,
  () => '*',
  () => `/${'a'.repeat(9_000)}`,
];

function toQueries({ parameters }: Operation, ids: KnownIds): Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const pair = (parameter: Parameter) => toPairs(parameter, ids);
  const valid = fc
    .tuple(
      ...known.map((parameter) =>
        fc.option(pair(parameter), { nil: [], freq: parameter.required === true ? 20 : 1 }),
      ),
    )
    .map((pairs) => pairs.flat());
  const names = fc.constantFrom(
    ...known.map(({ name }) => name),
    'page',
    'x',
    '__proto__',
    'productIds',
    'page[]',
    'client_secret',
  );
  const hostile = fc.array(
    fc
      .tuple(names, fc.oneof(hostileText.map(percentEncoded), hostileText.map(wireText)))
      .map(([name, value]) => `${name}=${value}`),
    { minLength: 1, maxLength: 4 },
  );
  const mixed = fc.tuple(valid, hostile).map(([one, other]) => [...one, ...other]);
  const odd = fc.constantFrom(
    ['%'],
    ['&&&='],
    ['page'],
    ['=1'],
    ['page=1;page=2'],
    ['productIds[]=%zz'],
    Array(300).fill('productIds[]=10000000000000'),
  );
  const all = fc.oneof(
    { weight: 8, arbitrary: valid },
    { weight: 4, arbitrary: mixed },
    { weight: 1, arbitrary: odd },
  );
  return all.map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
}

function toPairs({ name, schema }: Parameter, ids: KnownIds): Arbitrary<string[]> {
  const written = name.replace('[]', '%5B%5D');
  return toValues(schema, name, ids).map((value) =>
    [value].flat().map((one) => `${written}=${encodeURIComponent(String(one).toWellFormed())}`),
  );
}

/** Lone surrogates become bytes that UTF-8 forbids. */
function percentEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The bytes of UTF-8, one character each, without those that end the line. */
function wireText(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\r\n ?#]/g, '+');
}

type Headers = readonly (readonly [string, string])[];

/** The scenario header is excluded: it forces outcomes that no request may cause. */
function toHeaders({ parameters, body }: Operation, ids: KnownIds): Arbitrary<Headers> {
  const named = parameters.filter(
    ({ in: place, name }) => place === 'header' && name !== 'Content-Encoding' && name !== SCENARIO_HEADER,
  );
  const own = named.map(({ name, required, schema }) => {
    const value = toValues(schema, name, ids).map((text): Headers => [[name, wireHeader(String(text))]]);
    const hostile = hostileText.map((text): Headers => [[name, wireHeader(text)]]);
    const twice = value.map((lines): Headers => [...lines, ...lines]);
    // The document says only in prose that dry runs do not require it.
    const isWanted = required === true || name === 'Idempotency-Key';
    return fc.oneof(
      { weight: isWanted ? 20 : 2, arbitrary: value },
      { weight: isWanted ? 1 : 10, arbitrary: fc.constant<Headers>([]) },
      { weight: 1, arbitrary: hostile },
      { weight: 1, arbitrary: twice },
    );
  });
  const accepts = fc.constantFrom<Headers>(
    [],
    [],
    [],
    [['Accept', 'text/csv']],
    [['Accept', 'application/x-ndjson']],
  );
  const conditional = fc.tuple(
    ...own,
    body?.['application/x-ndjson'] === undefined ? fc.constant<Headers>([]) : accepts,
  );
  return conditional.map((lists) => lists.flat());
}

/** Latin-1 text without line ends. */
function wireHeader(text: string): string {
  return text.replaceAll(/[^\x20-\xff]/g, '?');
}

function sendersFor(operation: Operation, stage: Stage): Arbitrary<Headers> {
  if (operation.name === 'createToken') {
    const { client_id: clientIds = [], client_secret: secrets = [] } = stage.ids;
    const basic = fc
      .tuple(fc.constantFrom(...clientIds, 'x', ''), fc.oneof(fc.constantFrom(...secrets), hostileText))
      .map(
        ([id, secret]): Headers => [
          ['Authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`],
        ],
      );
    return fc.oneof({ weight: 3, arbitrary: fc.constant<Headers>([]) }, { weight: 1, arbitrary: basic });
  }
  const isByOperator = operation.path.startsWith('/admin/');
  const [right, other] = isByOperator
    ? [stage.tokens.operator, stage.tokens.reseller]
    : [stage.tokens.reseller, stage.tokens.operator];
  const bearer = (token: string): Headers => [['Authorization', `Bearer ${token}`]];
  const wrong = fc.oneof(
    fc.constant<Headers>([]),
    fc.constant(bearer(other)),
    fc.constant<Headers>([...bearer(right), ...bearer(other)]),
    fc
      .constantFrom(
        'Bearer',
        `Bearer ${right} x`,
        `bearer  ${right}`,
        `Basic ${right}`,
        `Bearer ${right.slice(0, -2)}`,
        `Bearer ${'a.'.repeat(3000)}`,
      )
      .map((value): Headers => [['Authorization', value]]),
    hostileText.map((text): Headers => [['Authorization', wireHeader(text)]]),
  );
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(bearer(right)) },
    { weight: isByOperator ? 0 : 4, arbitrary: fc.constant(bearer(stage.tokens.otherReseller)) },
    { weight: 2, arbitrary: wrong },
  );
}

const hostileHeaders: Arbitrary<readonly [string, string]> = fc.oneof(
  fc.constantFrom<readonly [string, string]>(
    ['Content-Type', 'application/json'],
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'multipart/form-data; boundary=x'],
    ['Content-Type', 'application/json; charset=utf-16'],
    ['Content-Encoding', 'gzip'],
    ['Content-Encoding', 'br'],
    ['Content-Encoding', 'gzip, gzip'],
    ['Accept-Encoding', 'gzip;q=0, *;q=0.5'],
    ['Accept-Encoding', 'a,'.repeat(2_000)],
    ['Accept', 'application/x-ndjson'],
    ['Accept', 'text/csv, */*;q=0.1'],
    ['If-None-Match', '*'],
    ['If-None-Match', `W/"${'x'.repeat(3_000)}"`],
    ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['traceparent', '00-00000000000000000000000000000000-0000000000000000-00'],
    ['traceparent', `zz-${'\u00ff'.repeat(40)}`],
    ['X-Forwarded-For', '127.0.0.1, ::1, x'],
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'javascript'],
    ['Forwarded', 'for=evil;host=evil'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Original-URL', '/admin/v1/accounts'],
    ['Cookie', 'a=b; '.repeat(500)],
    ['Origin', 'null'],
    ['Range', 'bytes=0-0,1-1'],
    ['Idempotency-Key', '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10'],
    ['Host', 'evil.example'],
    ['Connection', 'close'],
    ['Connection', 'keep-alive, upgrade'],
    ['Upgrade', 'h2c'],
    ['Expect', '100-continue'],
    ['TE', 'trailers'],
    ['Transfer-Encoding', 'identity'],
    ['Content-Length', '0'],
    ['X-Long', 'x'.repeat(17_000)],
  ),
  fc.tuple(fc.constantFrom('X-Any', 'User-Agent', 'traceparent', 'Accept'), hostileText.map(wireHeader)),
);

type Body = { readonly bytes: Buffer; readonly headers: Headers } | undefined;

function toBodies({ name, path, body }: Operation, ids: KnownIds): Arbitrary<Body> {
  const unasked = fc.constantFrom<Body>(undefined, undefined, undefined, jsonBody('{}'), jsonBody('{"a":1}'));
  if (body === undefined) return unasked;
  const schemas = Object.entries(body);
  const ofEach = schemas.map(([type, { schema }]) => {
    if (type === 'application/x-ndjson' || type === 'text/csv') return toLines(type, ids);
    return type === 'application/json' ? toJson(schema, name, ids) : toForms(schema, path, ids);
  });
  return often(30, fc.oneof(...ofEach), unasked);
}

function jsonBody(text: string): Body {
  return { bytes: Buffer.from(text), headers: [['Content-Type', 'application/json']] };
}

function toJson(schema: Schema, name: string, ids: KnownIds): Arbitrary<Body> {
  const texts = jsonTexts(schema, name, ids);
  const types = often(
    20,
    fc.constant('application/json'),
    fc.constantFrom(
      'application/json; charset=UTF-8',
      'text/plain',
      'application/json;;',
      '',
      'application/merge-patch+json',
    ),
  );
  const coding = often(12, fc.constant<Coding>('plain'), codings);
  return fc.record({ text: texts, type: types, coding }).map(({ text, type, coding: how }) => ({
    bytes: encode(text, how),
    headers: type === '' ? [] : [['Content-Type', type]],
  }));
}

/** Half of them match the schema. */
function jsonTexts(schema: Schema, name: string, ids: KnownIds): Arbitrary<string> {
  const values = toValues(schema, name, ids);
  const changes = often<readonly Edit[]>(1, fc.constant([]), edits);
  return fc.tuple(values, changes).map(([value, some]) => editedJson(value, some));
}

function toForms(schema: Schema, name: string, ids: KnownIds): Arbitrary<Body> {
  const valid = toValues(schema, name, ids).map((value) =>
    Object.entries(value as object).map(([key, one]) => `${key}=${percentEncoded(String(one))}`),
  );
  const hostile = fc.array(
    fc
      .tuple(
        fc.constantFrom('client_id', 'client_secret', 'grant_type', 'scope', '__proto__', ''),
        hostileText,
      )
      .map(([key, text]) => `${key}=${percentEncoded(text)}`),
    { maxLength: 3 },
  );
  return fc.tuple(valid, often(1, fc.constant<string[]>([]), hostile)).map(([one, other]) => ({
    bytes: Buffer.from([...one, ...other].join('&')),
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  }));
}

/** Bodies of the matching PUT with their ids. */
function toLines(type: string, ids: KnownIds): Arbitrary<Body> {
  const line = fc.oneof(
    ...LINE_SCHEMAS.map((schema) =>
      type === 'text/csv' ? csvLines(schema, ids) : jsonTexts(schema, 'line', ids),
    ),
  );
  const lines = fc.array(line, { maxLength: 5 }).map((some) => some.join('\n'));
  return fc
    .record({
      text: lines,
      isPacked: often(5, fc.constant(false), fc.constant(true)),
      coding: often(12, fc.constant<Coding>('plain'), codings),
    })
    .map(({ text, isPacked, coding }) => {
      const bytes = encode(text, coding);
      return {
        bytes: isPacked ? gzipSync(bytes) : bytes,
        headers: [['Content-Type', type], ...(isPacked ? [['Content-Encoding', 'gzip'] as const] : [])],
      };
    });
}

const LINE_SCHEMAS: readonly Schema[] = [
  ...(
    [
      ['putSeller', 'sellerId'],
      ['putProduct', 'productId'],
      ['putOffer', 'offerId'],
    ] as const
  ).map(([name, idName]) => lineSchema('id', idName, name, toBodySchema(name))),
  lineSchema('offerId', 'offerId', 'addKeys', toBodySchema('addKeys').properties?.['keys']?.items ?? {}),
];

function toBodySchema(name: string): Schema {
  return OPERATIONS.find((operation) => operation.name === name)?.body?.['application/json']?.schema ?? {};
}

function lineSchema(
  member: string,
  parameter: string,
  name: string,
  { properties, required = [] }: Schema,
): Schema {
  const operation = OPERATIONS.find((one) => one.name === name);
  const id = operation?.parameters.find((one) => one.name === parameter)?.schema ?? {};
  return { type: 'object', properties: { [member]: id, ...properties }, required: [member, ...required] };
}

function csvLines(schema: Schema, ids: KnownIds): Arbitrary<string> {
  const names = Object.keys(schema.properties ?? {});
  const cells = fc.oneof(
    {
      weight: 3,
      arbitrary: toValues(schema, 'line', ids).map((row) =>
        names.map((name) => cell((row as Record<string, unknown>)[name])),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.array(hostileText, { maxLength: 6 }),
    },
  );
  return cells.map((row) => `${names.join(',')}\n${row.join(',')}`);
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${text.replaceAll('"', '""')}"`;
}
