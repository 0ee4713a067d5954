import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import {
  findCredentialsInUrl,
  type ParsedTokenRequest,
  parseTokenRequest,
  type TokenRequestParts,
} from './token-request.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const CREDENTIALS = { clientId: 'a', clientSecret: 'b' };

type Row = {
  readonly name: string;
  readonly form?: string;
  readonly json?: string;
  readonly basic?: string;
  readonly authorization?: readonly string[];
  readonly queryString?: string;
  readonly expected: typeof CREDENTIALS | [status: number, error: string];
};

const GRANT = 'grant_type=client_credentials';
const WHOLE = `${GRANT}&client_id=a&client_secret=b`;

const ROWS: readonly Row[] = [
  { name: 'a form', form: WHOLE, expected: CREDENTIALS },
  {
    name: 'JSON',
    json: '{"grant_type":"client_credentials","client_id":"a","client_secret":"b"}',
    expected: CREDENTIALS,
  },
  { name: 'Basic with a form', form: GRANT, basic: 'a:b', expected: CREDENTIALS },
  {
    name: 'Basic with JSON',
    json: '{"grant_type":"client_credentials"}',
    basic: 'a:b',
    expected: CREDENTIALS,
  },
  {
    name: 'Basic repeats the id in the body',
    form: `${GRANT}&client_id=a`,
    basic: 'a:b',
    expected: CREDENTIALS,
  },
  {
    name: 'Basic credentials are form-encoded',
    form: GRANT,
    basic: 'a%3Ab:c+d%2B%C3%A9',
    expected: { clientId: 'a:b', clientSecret: 'c d+é' },
  },
  {
    name: 'a colon in a Basic secret',
    form: GRANT,
    basic: 'a:b:c',
    expected: { clientId: 'a', clientSecret: 'b:c' },
  },
  {
    name: 'a lower-case Basic scheme',
    form: GRANT,
    authorization: [`basic ${btoa('a:b')}`],
    expected: CREDENTIALS,
  },
  { name: 'unknown parameters', form: `${WHOLE}&scope=x&resource=y`, expected: CREDENTIALS },
  {
    name: 'unknown members of any type',
    json: '{"grant_type":"client_credentials","client_id":"a","client_secret":"b","x":[1]}',
    expected: CREDENTIALS,
  },
  { name: 'unrelated query', form: WHOLE, queryString: 'x=1', expected: CREDENTIALS },

  { name: 'Basic and body credentials', form: WHOLE, basic: 'a:b', expected: [400, 'invalid_request'] },
  {
    name: 'Basic and a different id in the body',
    form: `${GRANT}&client_id=c`,
    basic: 'a:b',
    expected: [400, 'invalid_request'],
  },
  {
    name: 'secret in the query',
    form: WHOLE,
    queryString: 'client_secret=b',
    expected: [400, 'invalid_request'],
  },
  { name: 'everything in the query', form: '', queryString: WHOLE, expected: [400, 'invalid_request'] },
  {
    name: 'percent-encoded name in the query',
    form: WHOLE,
    queryString: 'client%5Fsecret=b',
    expected: [400, 'invalid_request'],
  },
  { name: 'a parameter twice', form: `${WHOLE}&client_id=a`, expected: [400, 'invalid_request'] },
  { name: 'an unknown parameter twice', form: `${WHOLE}&x=1&x=2`, expected: [400, 'invalid_request'] },
  {
    name: 'a member twice',
    json: '{"grant_type":"client_credentials","client_id":"a","client_id":"c","client_secret":"b"}',
    expected: [400, 'invalid_request'],
  },
  { name: 'no grant type', form: 'client_id=a&client_secret=b', expected: [400, 'invalid_request'] },
  {
    name: 'an empty grant type',
    form: 'grant_type=&client_id=a&client_secret=b',
    expected: [400, 'invalid_request'],
  },
  { name: 'an empty body', form: '', expected: [400, 'invalid_request'] },
  { name: 'invalid JSON', json: '{"grant_type":', expected: [400, 'invalid_request'] },
  { name: 'JSON that is not an object', json: '["client_credentials"]', expected: [400, 'invalid_request'] },
  { name: 'JSON null', json: 'null', expected: [400, 'invalid_request'] },
  {
    name: 'a secret that is not a string',
    json: '{"grant_type":"client_credentials","client_id":"a","client_secret":5}',
    expected: [400, 'invalid_request'],
  },
  {
    name: 'a member named __proto__',
    json: '{"__proto__":{"client_id":"a"},"grant_type":"client_credentials"}',
    expected: [400, 'invalid_request'],
  },
  {
    name: 'another grant type',
    form: WHOLE.replace('client_credentials', 'password'),
    expected: [400, 'unsupported_grant_type'],
  },
  {
    name: 'the grant type in upper case',
    form: WHOLE.replace('client_credentials', 'CLIENT_CREDENTIALS'),
    expected: [400, 'unsupported_grant_type'],
  },
  { name: 'no credentials', form: GRANT, expected: [401, 'invalid_client'] },
  { name: 'no secret', form: `${GRANT}&client_id=a`, expected: [401, 'invalid_client'] },
  { name: 'an empty secret', form: `${GRANT}&client_id=a&client_secret=`, expected: [401, 'invalid_client'] },
  { name: 'Basic without a colon', form: GRANT, basic: 'ab', expected: [401, 'invalid_client'] },
  { name: 'Basic with an empty secret', form: GRANT, basic: 'a:', expected: [401, 'invalid_client'] },
  {
    name: 'a percent sign that encodes nothing',
    form: GRANT,
    basic: 'a:%zz',
    expected: { clientId: 'a', clientSecret: '%zz' },
  },
  {
    name: 'Basic that is not base64',
    form: GRANT,
    authorization: ['Basic !'],
    expected: [401, 'invalid_client'],
  },
  { name: 'Bearer', form: WHOLE, authorization: ['Bearer x'], expected: [401, 'invalid_client'] },
  {
    name: 'two Authorization lines',
    form: GRANT,
    authorization: [`Basic ${btoa('a:b')}`, `Basic ${btoa('a:b')}`],
    expected: [401, 'invalid_client'],
  },
];

for (const row of ROWS) {
  test(`token request, ${row.name}: ${'clientId' in row.expected ? 'credentials' : row.expected.join(' ')}`, () => {
    const parsed = parse(row);
    if ('clientId' in row.expected) {
      ok(parsed.ok);
      const { clientId, clientSecret } = parsed.credentials;
      deepEqual({ clientId, clientSecret }, row.expected);
    } else deepEqual(parsed.ok ? parsed : [parsed.rejection.status, parsed.rejection.error], row.expected);
  });
}

test('token request, invalid UTF-8: 400 invalid_request', () => {
  const bytes = Buffer.concat([Buffer.from(`${WHOLE}&x=`), Buffer.from([0xff])]);
  const parsed = parseTokenRequest({ authorization: [], body: { mediaType: FORM, bytes } });
  ok(!parsed.ok);
  equal(parsed.rejection.error, 'invalid_request');
});

test('no rejection repeats any part of the credentials', () => {
  for (const secret of ['s3cr3t-value', '%zz', 's3cr3t"value']) {
    const form = `client_id=${secret}&client_secret=${secret}&grant_type=${secret}`;
    const parsed = parseTokenRequest(toParts({ name: '', form, expected: CREDENTIALS }));
    ok(!parsed.ok && !parsed.rejection.description.includes(secret));
  }
});

function parse(row: Row): ParsedTokenRequest {
  const rejection = findCredentialsInUrl(row.queryString ?? '');
  return rejection === undefined ? parseTokenRequest(toParts(row)) : { ok: false, rejection };
}

function toParts({ form, json, basic, authorization }: Row): TokenRequestParts {
  const lines = authorization ?? (basic === undefined ? [] : [`Basic ${btoa(basic)}`]);
  const body =
    json === undefined
      ? ({ mediaType: FORM, bytes: Buffer.from(form ?? '') } as const)
      : ({ mediaType: JSON_TYPE, bytes: Buffer.from(json) } as const);
  return { authorization: lines, body };
}
