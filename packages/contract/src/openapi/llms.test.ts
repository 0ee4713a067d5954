import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { must } from '@keyport/core/assert';
import { test } from 'vitest';
import { buildOpenApi } from './document.ts';
import { buildLlmsText } from './llms.ts';
import { buildPostmanCollection, operationsOf } from './postman.ts';

const serverUrl = 'https://keyport.example';
const document = buildOpenApi({ serverUrl, version: '1.2.3', audience: 'reseller' });
const operations = operationsOf(document);

type Pair = { key: string; value: string; disabled?: boolean };
type Item = {
  name: string;
  request: {
    method: string;
    header: Pair[];
    url: { raw: string; host: string[]; path: string[]; query: Pair[]; variable: Pair[] };
    body?: { mode: string; raw: string };
    auth?: { type: string };
  };
  response: unknown[];
};
type Collection = {
  info: { name: string; schema: string };
  auth: { type: string; oauth2: Pair[] };
  variable: Pair[];
  item: { name: string; item: Item[] }[];
};

// Parsed from JSON, as tools read it.
const collection: Collection = JSON.parse(JSON.stringify(buildPostmanCollection(document)));
const items = collection.item.flatMap(({ item }) => item);
const itemOf = (name: string) =>
  must(
    items.find((item) => item.name === name),
    name,
  );

test('the collection has format 2.1, with a folder for each tag and a request for each operation', () => {
  equal(collection.info.schema, 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  ok(collection.info.name);
  deepEqual(
    collection.item.map(({ name }) => name),
    document.tags.map(({ name }) => name),
  );
  ok(collection.item.every(({ item }) => item.length > 0));
  deepEqual(
    items.map(({ request: { method, url } }) => `${method} ${url.raw}`).toSorted(),
    operations
      .map(({ method, path }) => `${method} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
      .toSorted(),
  );
});

test('every request has a URL, variables, headers and a body that tools can import', () => {
  for (const { name, request, response } of items) {
    const { url, header, body } = request;
    equal(url.raw, `${url.host[0]}/${url.path.join('/')}`, name);
    deepEqual(
      url.path.filter((part) => part.startsWith(':')),
      url.variable.map(({ key }) => `:${key}`),
      name,
    );
    for (const { key, value } of [...header, ...url.query, ...url.variable])
      deepEqual([typeof key, typeof value], ['string', 'string'], name);
    ok(
      url.query.every(({ disabled, value }) => disabled === true || value !== ''),
      name,
    );
    if (body !== undefined) {
      equal(body.mode, 'raw');
      JSON.parse(body.raw);
    }
    deepEqual(response, []);
  }
});

test('every request gets a token, and every write a new Idempotency-Key', () => {
  equal(collection.auth.type, 'oauth2');
  const settings = Object.fromEntries(collection.auth.oauth2.map(({ key, value }) => [key, value]));
  equal(settings['accessTokenUrl'], '{{baseUrl}}/oauth/token');
  deepEqual(collection.variable[0], { key: 'baseUrl', value: serverUrl, type: 'string' });
  const { request } = itemOf('Create an order');
  const key = request.header.find((one) => one.key === 'Idempotency-Key');
  deepEqual([key?.value, key?.disabled], ['{{$guid}}', undefined]);
  ok(JSON.parse(request.body?.raw ?? '').items);
  equal(itemOf('Check that the process is alive').request.auth?.type, 'noauth');
});

test('llms.txt has the format of llmstxt.org, the rules, every document and every operation', () => {
  const text = buildLlmsText(document);
  match(text, /^# [^\n]+\n\n> [^\n]+/);
  equal(text.match(/^# /gm)?.length, 1);
  for (const { method, path } of operations)
    ok(text.includes(`- [${method} ${path}](${serverUrl}/openapi.json#`), path);
  for (const page of ['guide', 'webhooks', 'sdk', 'errors', 'changelog', 'postman.json'])
    ok(text.includes(`](${serverUrl}/docs/${page})`), page);
  match(text, /Idempotency-Key/);
});
