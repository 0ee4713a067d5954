import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import {
  cut,
  hasForm,
  isSecretName,
  maskJson as maskBeginning,
  maskPath,
  maskQuery,
  maskSecrets,
  membersIn,
  toBeginning,
} from './mask.ts';

const KNOWN = new Set(['items', 'id', 'quantity', 'codes', 'reason']);
const mayShow = (name: string) => KNOWN.has(name) && !isSecretName(name);
const maskJson = (text: string, may: typeof mayShow) => maskBeginning({ text, isCut: false }, may);

test('values of known members stay as sent, and all others are hidden', () => {
  const cases: [string, string][] = [
    ['{ "items": [ {"id":"a", "quantity" : 2} ] }', '{ "items": [ {"id":"a", "quantity" : 2} ] }'],
    ['{"codes":["AAAA","BBBB"],"reason":"x"}', '{"codes":["***","***"],"reason":"x"}'],
    ['{"codes":[{"id":"a","code":"BBBB"}]}', '{"codes":[{"id":"a","code":"***"}]}'],
    ['{"other":"AAAA","qty":5,"on":true,"id":"a"}', '{"other":"***","qty":"***","on":true,"id":"a"}'],
    ['{"items":{"codes":["A"],"id":"a"}}', '{"items":{"codes":["***"],"id":"a"}}'],
    ['{"c\\"ode":"AAAA"}', '{"c\\"ode":"***"}'],
    ['["AAAA"]', '["***"]'],
  ];
  for (const [text, masked] of cases) equal(maskJson(text, mayShow), masked);
});

test('a body that is not JSON shows only its structure', () => {
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

test('a value that was cut is hidden, wherever the cut is', () => {
  const whole =
    '{"id":"1234567890123456-CODE", "codes" : ["AAAA-BBBB"],"quantity":0,"reason":"x kpsec_secret y"}';
  const byForm = (name: string, value: string) => name !== 'id' || /^\d{16}$/.test(value);
  for (let length = 1; length < whole.length; length += 1) {
    const beginning = toBeginning(whole, length);
    const masked = maskSecrets(
      maskBeginning(beginning, (name, value) => mayShow(name) && byForm(name, value)),
    );
    for (const hidden of ['1', 'A', 'B', 'secret']) ok(!masked.includes(hidden), `${length}: ${masked}`);
  }
});

test('part of a token is hidden', () => {
  equal(maskSecrets(`eyJ${'a'.repeat(20)}.bbb`), '***');
  equal(maskSecrets('eyJ'.repeat(1_000)), '***');
});

test('a query shows values of known parameters, and a path shows well-formed ones', () => {
  equal(maskQuery('id=1&codes=AAAA&x=2&flag', mayShow), 'id=1&codes=***&x=***&flag');
  equal(
    maskQuery('items%5B%5D=1', (name) => name === 'items[]'),
    'items%5B%5D=1',
  );
  const patterns = { orderId: /^\d{16}$/ };
  const words = new Set(['', 'orders', 'keys']);
  const mask = (path: string, route: string) => maskPath(path, route, patterns, words);
  equal(mask('/orders/AAAA/keys', '/orders/{orderId}/keys'), '/orders/***/keys');
  equal(mask('/orders/2174556001234567', '/orders/{orderId}'), '/orders/2174556001234567');
  equal(mask('/AAAA', ''), '/***');
});

test('our secrets and tokens are hidden wherever they occur', () => {
  const jwt = `eyJ${'a'.repeat(20)}.bbb.ccc`;
  equal(maskSecrets(`x kpsec_aB-_9 whsec_a+/= ${jwt} y`), 'x *** *** *** y');
});

test('text is truncated to whole characters that the database can store', () => {
  equal(cut('a\0b', 10), 'a\uFFFDb');
  equal(cut('aä', 2), 'a');
  equal(cut('ää', 4), 'ää');
  ok(Buffer.byteLength(cut('€'.repeat(5000), 4096)) <= 4096);
});

test('the beginning of a text has whole characters and names whether there is more', () => {
  deepEqual(toBeginning('aä', 3), { text: 'aä', isCut: false });
  deepEqual(toBeginning('aä', 2), { text: 'a', isCut: true });
  deepEqual(toBeginning('a'.repeat(9), 4), { text: 'aaaa', isCut: true });
  deepEqual(toBeginning(Buffer.from('aä'), 2), { text: 'a', isCut: true });
  deepEqual(toBeginning(Buffer.from('aä'), 3), { text: 'aä', isCut: false });
});

test('members are found at any depth', () => {
  const members = membersIn({ properties: { a: { items: { properties: { b: {} } } } } });
  deepEqual([...members.keys()], ['a', 'b']);
});

test('a value is shown only if it matches the schema of its member', () => {
  const cases: [schema: object, text: string, hasIt: boolean][] = [
    [{ type: 'string', pattern: '^\\d{16}$' }, '2174556001234567', true],
    [{ type: 'string', pattern: '^\\d{16}$' }, 'AAAA', false],
    [{ anyOf: [{ const: 'open' }, { const: 'decided' }] }, 'open', true],
    [{ anyOf: [{ const: 'open' }, { const: 'decided' }] }, 'AAAA', false],
    [{ type: 'array', items: { type: 'string', pattern: '^1$' } }, 'AAAA', false],
    [{ type: 'integer' }, '12', true],
    [{ type: 'integer' }, 'AAAA', false],
    [{ type: 'string' }, 'AAAA', false],
  ];
  for (const [schema, text, hasIt] of cases) equal(hasForm(schema, text, false), hasIt, text);
  ok(hasForm({ type: 'string' }, 'free text', true));
});
