/** The error names the field, nothing is stored and the key stays free. R2, R9, A9 to A11, A37, A39. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { assertNothingWritten } from '../../support/books.ts';
import { manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '1000.00' });
const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 30 });
const scope = { accountId: reseller.accountId, offerId };

function post(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return h.call('POST', '/export/v1/orders', {
    token: reseller.token,
    headers: { 'idempotency-key': randomUUID(), 'content-type': 'application/json', ...headers },
    body,
  });
}

async function assertRejected(
  body: unknown,
  field: string | readonly string[],
  headers?: Readonly<Record<string, string>>,
) {
  const what = `${JSON.stringify(headers ?? '')} ${typeof body === 'string' ? body.slice(0, 200) : JSON.stringify(body)}`;
  const answer = await assertNothingWritten(h, { ...scope, records: 0 }, () => post(body, headers));
  equal(answer.status, 400, what);
  const { code, message, errors } = answer.body.error;
  deepEqual([code, message], ['validation-error', errors[0].message], what);
  deepEqual(
    errors.map((error: { field?: string }) => error.field),
    [field].flat(),
    what,
  );
  for (const error of errors) {
    equal(error.code, 'validation-error', what);
    match(error.message, /^[A-Zbh].{1,300}\.$/, what);
  }
  return answer;
}

const LINE = { offerId, quantity: 1, maxPrice: '10.00' };
const text = (item: string) => `{"items":[{"manual":{${item}}}]}`;
const REST = `"offerId":"${offerId}","maxPrice":"10.00"`;

test('a body that is not one JSON object is rejected', async () => {
  const bodies = ['', ' \n', 'null', '[]', '"x"', '7', '{}', '{"items":[', '{}{}', '{"items":[]} x', 'NaN'];
  bodies.push('/* c */{"items":[]}', '{"items":[],}', "{'items':[]}", '\u0000');
  for (const body of bodies) await assertRejected(body, body === '{}' ? 'body.items' : 'body');
});

test('a body nested thousands of levels deep is rejected', async () => {
  const answer = await post(`{"items":${'['.repeat(30_000)}`);
  equal(answer.body.error.code, 'validation-error');
});

test('an item has exactly one of auto and manual', async () => {
  const auto = { productId, quantity: 1, maxPrice: '10.00' };
  for (const item of [
    { auto, manual: LINE },
    { auto: {}, manual: LINE },
    {},
    { auto, third: 1 },
    { third: 1 },
    { auto, manual: null },
    null,
    [],
    'x',
  ]) {
    await assertRejected({ items: [item] }, 'body.items[0]');
  }
  await assertRejected({ items: [{ auto: null }] }, 'body.items[0].auto');
  await assertRejected({ items: [{ manual: [] }] }, 'body.items[0].manual');
});

test('a duplicate member is rejected, and its last value is never used', async () => {
  await assertRejected(text(`${REST},"quantity":1,"quantity":25`), 'body.items[0].manual.quantity');
  await assertRejected(
    `{"items":[${JSON.stringify(manual(offerId))}],"items":[${JSON.stringify(manual(offerId))}]}`,
    'body.items',
  );
  await assertRejected(text(`${REST},"quantity":1,"\\u0071uantity":2`), 'body.items[0].manual.quantity');
});

test('members that would reach the prototype are rejected and change nothing', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
    const field = name.startsWith('\\') ? '__proto__' : name;
    await assertRejected(
      text(`${REST},"quantity":1,"${name}":{"polluted":1}`),
      `body.items[0].manual.${field}`,
    );
  }
  equal(Reflect.get({}, 'polluted'), undefined);
});

test('a quantity must be a whole number from 1 to 25', async () => {
  const texts = ['0', '-1', '26', '1.5', '"5"', 'true', 'null', '1e400', '25.000000000000001', '-0', '1e2'];
  texts.push('[1]', '[]', '{}', '0.9999999999999999999', '9007199254740993', '25.0000001');
  for (const quantity of texts) {
    await assertRejected(text(`${REST},"quantity":${quantity}`), 'body.items[0].manual.quantity');
  }
});

test('numbers that are not valid JSON are rejected', async () => {
  for (const quantity of ['01', '+1', '1.', '.5', '0x1', 'Infinity', '-', '1_0']) {
    await assertRejected(text(`${REST},"quantity":${quantity}`), 'body');
  }
});

test('an offer id must be a UUID in its usual form', async () => {
  const ids = [
    `{${offerId}}`,
    offerId.replaceAll('-', ''),
    `urn:uuid:${offerId}`,
    offerId.slice(1),
    `${offerId}0`,
  ];
  ids.push(`g${offerId.slice(1)}`, '', ` ${offerId}`, `${offerId}\n`, "'; DROP TABLE offer; --", '{{7*7}}');
  for (const bad of [...ids, 5, null, true, [offerId]]) {
    await assertRejected({ items: [{ manual: { ...LINE, offerId: bad } }] }, 'body.items[0].manual.offerId');
  }
});

test('a product id must be a string of 14 digits, the first not 0', async () => {
  for (const bad of [
    '1000000000000',
    '100000000000000',
    '00000000000001',
    '1000000000000a',
    '10000000000001 ',
    '１0000000000001',
    Number(productId),
    null,
  ]) {
    await assertRejected(
      { items: [{ auto: { productId: bad, quantity: 1, maxPrice: '1.00' } }] },
      'body.items[0].auto.productId',
    );
  }
});

test('maxPrice must be a decimal string above 0, below 100000000000, with at most 2 decimals', async () => {
  const texts = ['0', '0.0', '0.00', '-1', '+1', '1.234', '1.', '.5', '01', '00.5', '1e3', 'NaN', 'Infinity'];
  texts.push('1,00', ' 1', '1 ', '', '100000000000', '100000000000.00', '99999999999.999', '1.00\n', '1.2.3');
  texts.push('１', '١', '0x10', '9'.repeat(60_000), `0.${'0'.repeat(60_000)}1`);
  for (const maxPrice of [...texts, 10, 10.5, null, true, ['10']]) {
    await assertRejected({ items: [{ manual: { ...LINE, maxPrice } }] }, 'body.items[0].manual.maxPrice');
  }
});

test('currency must be EUR', async () => {
  for (const currency of ['USD', 'eur', '', 'EUR ', null, 978, ['EUR']]) {
    const answer = await assertRejected({ items: [manual(offerId)], currency }, 'body.currency');
    const more = currency === 'EUR ' ? '; it has a space at an end' : '';
    equal(answer.body.error.message, `body.currency must be EUR${more}.`);
  }
});

test('text that the database cannot store is rejected before it reaches the database', async () => {
  await assertRejected(text(`${REST},"quantity":1,"x":"\\ud800"`), 'body.items[0].manual.x');
  for (const bad of ['\\u0000', '\\ud800', '\\udfff', 'x\\u0000y']) {
    await assertRejected(
      text(`"offerId":"${bad}","quantity":1,"maxPrice":"1"`),
      'body.items[0].manual.offerId',
    );
  }
});

test('invalid UTF-8 is rejected', async () => {
  const bytes = Buffer.concat([Buffer.from('{"items":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  const response = await assertNothingWritten(h, { ...scope, records: 0 }, () =>
    fetch(`${h.url}/export/v1/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${reseller.token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: bytes,
    }),
  );
  equal(response.status, 400);
});

test('the Idempotency-Key must be exactly one UUID, but not the nil UUID', async () => {
  const key = randomUUID();
  const keys = ['', 'abc', '00000000-0000-0000-0000-000000000000', `${key}0`, key.slice(1), `{${key}}`];
  keys.push(
    key.replaceAll('-', ''),
    `urn:uuid:${key}`,
    `"${key}`,
    `${key}"`,
    `""${key}""`,
    `${key}, ${key}`,
    `'${key}'`,
  );
  for (const bad of keys) {
    await assertRejected({ items: [manual(offerId)] }, 'headers.idempotency-key', { 'idempotency-key': bad });
  }
});

test('a missing Idempotency-Key is rejected', async () => {
  const answer = await assertNothingWritten(h, { ...scope, records: 0 }, () =>
    h.call('POST', '/export/v1/orders', { token: reseller.token, body: { items: [manual(offerId)] } }),
  );
  equal(answer.status, 400);
  equal(answer.body.error.errors[0].field, 'headers.idempotency-key');
});

test('errors in the headers and the body are reported together', async () => {
  await assertRejected({ items: [] }, ['headers.idempotency-key', 'body.items'], {
    'idempotency-key': 'abc',
  });
});

test('a message states what to send, and never repeats what was sent', async () => {
  const [OFFER, QUANTITY, MAX_PRICE] = ['offerId', 'quantity', 'maxPrice'].map(
    (name) => `body.items[0].manual.${name}`,
  );
  const { body } = await post({
    items: [{ manual: { offerId: "x' OR 1=1 --", quantity: 0, maxPrice: '{{7*7}}' } }],
    ['evil\u001b[31m\r\n']: 1,
  });
  deepEqual(
    body.error.errors.map(({ message }: { message: string }) => message),
    [
      'body.evil?[31m?? is not a known field; remove it.',
      `${OFFER} must be a UUID of the form 8-4-4-4-12, such as 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111.`,
      `${QUANTITY} must be a whole number from 1 to 25.`,
      `${MAX_PRICE} must be a string such as "15.00": above 0, below 100000000000, with at most 2 decimals.`,
    ],
  );
});

test('a body full of mistakes gets a short response', async () => {
  const members = Array.from({ length: 4000 }, (_, index) => `"m${index}":${index}`);
  const items = Array.from({ length: 20_000 }, () => '{}');
  for (const text of [`{${members.join(',')}}`, `{"items":[${items.join(',')}]}`]) {
    const { status, body } = await post(text);
    deepEqual([status, body.error.errors.length], [400, 20]);
    ok(JSON.stringify(body).length < 5000);
  }
});

test('a validation error leaves the key free for the corrected order', async () => {
  const key = randomUUID();
  equal((await reseller.order(manual(offerId, { quantity: 0 }), key)).status, 400);
  equal((await reseller.order(manual(offerId), key)).status, 201);
});

test('an invalid body with the key of an order gets validation-error, not a payload conflict', async () => {
  const key = randomUUID();
  equal((await reseller.order(manual(offerId), key)).status, 201);
  const answer = await reseller.order(manual(offerId, { quantity: 0 }), key);
  equal(answer.body.error.code, 'validation-error');
});
