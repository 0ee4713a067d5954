import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { cut, isSecretName, maskJson, maskPath, maskQuery, maskSecrets, namesIn } from './mask.ts';

const KNOWN = new Set(['items', 'id', 'quantity', 'codes', 'reason']);
const mayShow = (name: string) => KNOWN.has(name) && !isSecretName(name);

test('values of known members stay as they were sent, and all others are hidden', () => {
  const cases: [string, string][] = [
    ['{ "items": [ {"id":"a", "quantity" : 2} ] }', '{ "items": [ {"id":"a", "quantity" : 2} ] }'],
    ['{"codes":["AAAA","BBBB"],"reason":"x"}', '{"codes":["***","***"],"reason":"x"}'],
    ['{"codes":[{"id":"a","code":"BBBB"}]}', '{"codes":[{"id":"a","code":"***"}]}'],
    ['{"other":"AAAA","qty":5,"on":true,"id":"a"}', '{"other":"***","qty":"***","on":true,"id":"a"}'],
    ['{"items":{"codes":["A"],"id":"a"}}', '{"items":{"codes":["***"],"id":"a"}}'],
    ['{"c\\"ode":"AAAA"}', '{"c\\"ode":"***"}'],
  ];
  for (const [text, masked] of cases) equal(maskJson(text, mayShow), masked);
});

test('a body that is no JSON shows its form only', () => {
  const cases: [string, string][] = [
    ['{"codes":["AAAA', '{"codes":["***"'],
    ["{'codes':['AAAA']}", '{"***":["***"]}'],
    ['client_secret=AAAA&x=1', '"***"'],
    ['AAAA-BBBB', '"***"'],
    ['"AAAA-BBBB"', '"***"'],
    ['{"id":"a",}}', '{"id":"a",}}'],
    ['{"id":AAAA}', '{"id":"***"}'],
    ['12345678', '"***"'],
  ];
  for (const [text, masked] of cases) equal(maskJson(text, mayShow), masked);
});

test('a query shows values of known parameters, a path those that have their form', () => {
  equal(maskQuery('id=1&codes=AAAA&x=2&flag', mayShow), 'id=1&codes=***&x=***&flag');
  equal(
    maskQuery('items%5B%5D=1', (name) => name === 'items[]'),
    'items%5B%5D=1',
  );
  const patterns = { orderId: /^\d{16}$/ };
  equal(maskPath('/orders/AAAA/keys', '/orders/{orderId}/keys', patterns), '/orders/***/keys');
  equal(maskPath('/orders/2174556001234567', '/orders/{orderId}', patterns), '/orders/2174556001234567');
});

test('our secrets and tokens are hidden wherever they stand', () => {
  const jwt = `eyJ${'a'.repeat(20)}.bbb.ccc`;
  equal(maskSecrets(`x kpsec_aB-_9 whsec_a+/= ${jwt} y`), 'x *** *** *** y');
});

test('a text is cut to whole characters that the database can store', () => {
  equal(cut('a\0b', 10), 'a\uFFFDb');
  equal(cut('aä', 2), 'a');
  equal(cut('ää', 4), 'ää');
  ok(Buffer.byteLength(cut('€'.repeat(5000), 4096)) <= 4096);
});

test('names are those of members at any depth', () => {
  deepEqual([...namesIn({ properties: { a: { items: { properties: { b: {} } } } } })], ['a', 'b']);
});
