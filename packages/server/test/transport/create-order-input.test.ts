import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { wholeFile } from '../support/vitest.ts';
import { expectFields, fetchResponse, orderRequest, startServer } from './support.ts';

const OFFER_ID = '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111';
const MANUAL = { offerId: OFFER_ID, quantity: 1, maxPrice: '15.00' };
const AUTO = { productId: '10000000000017', quantity: 1, maxPrice: '15.00' };

function manual(changes: object): string {
  return JSON.stringify({ items: [{ manual: { ...MANUAL, ...changes } }] });
}

/** With the quantity written exactly so. */
function quantity(literal: string): string {
  return manual({ quantity: '@' }).replace('"@"', literal);
}

const QUANTITY = 'body.items[0].manual.quantity';
const OFFER = 'body.items[0].manual.offerId';
const MAX_PRICE = 'body.items[0].manual.maxPrice';

const REJECTED: readonly (readonly [string, string, readonly string[]])[] = [
  ['an empty body', '', ['body']],
  ['blanks', ' \n', ['body']],
  ['null', 'null', ['body']],
  ['an array', '[]', ['body']],
  ['a string', '"x"', ['body']],
  ['a truncated document', '{"items":[', ['body']],
  ['two documents', '{}{}', ['body']],
  ['a comment', '{/* */"items":[]}', ['body']],
  ['a trailing comma', '{"items":[],}', ['body']],
  ['NaN', quantity('NaN'), ['body']],
  ['no items', '{}', ['body.items']],
  ['items that are null', '{"items":null}', ['body.items']],
  ['no item', '{"items":[]}', ['body.items']],
  ['two items', JSON.stringify({ items: [{ auto: AUTO }, { auto: AUTO }] }), ['body.items']],
  ['an item that is null', '{"items":[null]}', ['body.items[0]']],
  ['both auto and manual', JSON.stringify({ items: [{ auto: AUTO, manual: MANUAL }] }), ['body.items[0]']],
  [
    'both, and one of them wrong',
    JSON.stringify({ items: [{ auto: {}, manual: MANUAL }] }),
    ['body.items[0]'],
  ],
  ['neither auto nor manual', '{"items":[{}]}', ['body.items[0]']],
  ['a third member', JSON.stringify({ items: [{ auto: AUTO, gift: {} }] }), ['body.items[0]']],
  ['only a third member', '{"items":[{"gift":{}}]}', ['body.items[0]']],
  ['auto that is null', '{"items":[{"auto":null}]}', ['body.items[0].auto']],
  ['an empty manual', '{"items":[{"manual":{}}]}', [OFFER, QUANTITY, MAX_PRICE]],
  ['an unknown member of the body', JSON.stringify({ items: [{ auto: AUTO }], note: 1 }), ['body.note']],
  ['an unknown member of a line', manual({ note: 'x' }), ['body.items[0].manual.note']],
  ['a member twice', quantity('1,"quantity":25'), [QUANTITY]],
  ['__proto__', quantity('1,"__proto__":{"x":1}'), ['body.items[0].manual.__proto__']],
  ['constructor', quantity('1,"constructor":{"prototype":{}}'), ['body.items[0].manual.constructor']],
  ...['0', '-1', '26', '1.5', '"5"', 'true', 'null', '[1]', '1e400', '25.000000000000001', '1e2'].map(
    (literal): [string, string, string[]] => [`quantity ${literal}`, quantity(literal), [QUANTITY]],
  ),
  ...[
    `{${OFFER_ID}}`,
    OFFER_ID.replaceAll('-', ''),
    `urn:uuid:${OFFER_ID}`,
    OFFER_ID.slice(1),
    `${OFFER_ID}1`,
    `g${OFFER_ID.slice(1)}`,
    `${OFFER_ID}\n`,
    '',
  ].map((offerId): [string, string, string[]] => [`offerId ${offerId}`, manual({ offerId }), [OFFER]]),
  ...[
    '0',
    '0.00',
    '-1',
    '+1',
    '1.234',
    '1.',
    '.5',
    '01',
    '1e3',
    'NaN',
    'Infinity',
    '1,00',
    ' 1',
    '1\n',
    '',
    '100000000000',
    '１',
    '9'.repeat(60_000),
  ].map((maxPrice): [string, string, string[]] => [
    `maxPrice ${maxPrice.slice(0, 20)}`,
    manual({ maxPrice }),
    [MAX_PRICE],
  ]),
  ['maxPrice as a number', manual({ maxPrice: 15 }), [MAX_PRICE]],
  ...['USD', 'eur', '', null].map((currency): [string, string, string[]] => [
    `currency ${currency}`,
    JSON.stringify({ items: [{ auto: AUTO }], currency }),
    ['body.currency'],
  ]),
  ['a NUL character', manual({ offerId: 'x\u0000' }), [OFFER]],
  ['half of a surrogate pair', quantity('1,"x":"\\ud800"'), ['body.items[0].manual.x']],
];

describe('every body that the contract does not allow is rejected with its fields, and nothing is done', async () => {
  const { url, calls } = await startServer(wholeFile);
  for (const [what, body, fields] of REJECTED) {
    test(what, async () => {
      const answer = await fetchResponse(`${url}/export/v1/orders`, orderRequest(body));
      const error = expectFields(answer, fields);
      const messages = (error.errors ?? []).map(({ message }) => message);
      equal(error.message, messages[0]);
      for (const message of messages) match(message, /^[A-Zb].*\.$/);
      ok(answer.text.length < 3000);
      deepEqual(calls, []);
      equal(Reflect.get({}, 'x'), undefined);
    });
  }
});

test('a valid body is forwarded as it was sent', async (t) => {
  const { url, calls } = await startServer(t);
  const bodies = [
    quantity('25'),
    quantity('1.0'),
    manual({ offerId: OFFER_ID.toUpperCase() }),
    manual({ maxPrice: '0.01' }),
    manual({ maxPrice: '99999999999.99' }),
    JSON.stringify({ items: [{ auto: AUTO }], currency: 'EUR' }),
  ];
  for (const body of bodies) {
    equal((await fetchResponse(`${url}/export/v1/orders`, orderRequest(body))).status, 200);
    deepEqual(calls.at(-1)?.request.body, JSON.parse(body));
  }
});

for (const key of [
  undefined,
  '',
  'abc',
  `${OFFER_ID}1`,
  OFFER_ID.slice(1),
  `"${OFFER_ID}`,
  `{${OFFER_ID}}`,
]) {
  test(`Idempotency-Key ${key ?? 'missing'} is a validation error of the header`, async (t) => {
    const { url, calls } = await startServer(t);
    const { headers, ...init } = orderRequest({ items: [{ auto: AUTO }] });
    const { 'idempotency-key': _key, ...others } = headers;
    const sent = key === undefined ? others : { ...others, 'idempotency-key': key };
    expectFields(await fetchResponse(`${url}/export/v1/orders`, { ...init, headers: sent }), [
      'headers.idempotency-key',
    ]);
    equal(calls.length, 0);
  });
}

test('a quoted Idempotency-Key is accepted, and on a read the header is ignored', async (t) => {
  const { url, calls } = await startServer(t);
  const init = orderRequest({ items: [{ auto: AUTO }] }, { 'idempotency-key': `"${OFFER_ID}"` });
  equal((await fetchResponse(`${url}/export/v1/orders`, init)).status, 200);
  deepEqual(calls[0]?.request.headers, { 'idempotency-key': `"${OFFER_ID}"` });
  const { authorization = '' } = init.headers;
  const read = await fetchResponse(`${url}/export/v1/orders`, {
    headers: { authorization, 'idempotency-key': 'abc' },
  });
  equal(read.status, 200);
  deepEqual(calls[1]?.request.headers, {});
});

test('a message states what to send, and never repeats what was sent', async (t) => {
  const { url } = await startServer(t);
  const body = JSON.stringify({
    items: [{ manual: { offerId: "x' OR 1=1 --", quantity: 0, maxPrice: '{{7*7}}' } }],
    ['evil\u001b[31m\r\n']: 1,
  });
  const answer = await fetchResponse(`${url}/export/v1/orders`, orderRequest(body));
  const error = expectFields(answer, ['body.evil?[31m??', OFFER, QUANTITY, MAX_PRICE]);
  deepEqual(
    error.errors?.map(({ message }) => message),
    [
      'body.evil?[31m?? is not a known field; remove it.',
      `${OFFER} must be a UUID of the form 8-4-4-4-12, such as 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111.`,
      `${QUANTITY} must be a whole number from 1 to 25.`,
      `${MAX_PRICE} must be a string such as "15.00": above 0, below 100000000000, with at most 2 decimals.`,
    ],
  );
});

test('a body full of mistakes gets a short response', async (t) => {
  const { url } = await startServer(t);
  const members = Array.from({ length: 4000 }, (_, index) => `"m${index}":${index}`);
  const unknown = await fetchResponse(`${url}/export/v1/orders`, orderRequest(`{${members.join(',')}}`));
  const items = Array.from({ length: 20_000 }, () => '{}');
  const many = await fetchResponse(`${url}/export/v1/orders`, orderRequest(`{"items":[${items.join(',')}]}`));
  for (const answer of [unknown, many]) {
    equal(answer.status, 400);
    equal(JSON.parse(answer.text).error.errors.length, 20);
    ok(answer.text.length < 5000);
  }
});
