/** The wrong field is named, nothing is stored and the key stays free. R2, R9, A9 to A11, A37, A39. */
import { doesNotMatch, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
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

async function assertRejected(body: unknown, field: string, headers?: Readonly<Record<string, string>>) {
  const what = `${JSON.stringify(headers ?? '')} ${typeof body === 'string' ? body.slice(0, 200) : JSON.stringify(body)}`;
  const answer = await assertNothingWritten(h, { ...scope, records: 0 }, () => post(body, headers));
  equal(answer.status, 400, what);
  const { code, errors } = answer.body.error;
  equal(code, 'validation-error', what);
  const fields = errors.map((error: { field?: string }) => error.field);
  ok(fields.includes(field), `${what}: ${field} is named, not ${fields.join(', ')}`);
  for (const error of errors) {
    equal(error.code, 'validation-error', what);
    ok(error.message.length > 0 && error.message.length < 300, what);
  }
  return answer;
}

const LINE = { offerId, quantity: 1, maxPrice: '10.00' };
const text = (item: string) => `{"items":[{"manual":{${item}}}]}`;
const REST = `"offerId":"${offerId}","maxPrice":"10.00"`;

test('a body that is not one JSON object is rejected', async () => {
  const bodies = ['', ' ', 'null', '[]', '"x"', '7', '{}', '{"items":', '{}{}', '{"items":[]} x', 'NaN'];
  bodies.push('/* c */{"items":[]}', '{"items":[],}', "{'items':[]}", '\u0000');
  for (const body of bodies) await assertRejected(body, body === '{}' ? 'body.items' : 'body');
});

test('a body nested thousands of levels deep is rejected', async () => {
  const answer = await post(`{"items":${'['.repeat(30_000)}`);
  equal(answer.body.error.code, 'validation-error');
});

test('items must contain exactly one item', async () => {
  for (const items of [[], [manual(offerId), manual(offerId)], null, {}, 'x', 1]) {
    await assertRejected({ items }, 'body.items');
  }
  await assertRejected({ currency: 'EUR' }, 'body.items');
});

test('an item has exactly one of auto and manual', async () => {
  const auto = { productId, quantity: 1, maxPrice: '10.00' };
  for (const item of [
    { auto, manual: LINE },
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

test('a missing member is named', async () => {
  for (const name of ['offerId', 'quantity', 'maxPrice']) {
    const line = Object.fromEntries(Object.entries(LINE).filter(([key]) => key !== name));
    await assertRejected({ items: [{ manual: line }] }, `body.items[0].manual.${name}`);
  }
  await assertRejected({ items: [{ auto: { quantity: 1, maxPrice: '1' } }] }, 'body.items[0].auto.productId');
});

test('an unknown member at any level is rejected by name', async () => {
  await assertRejected({ items: [manual(offerId)], note: 'x' }, 'body.note');
  await assertRejected({ items: [{ manual: { ...LINE, note: 'x' } }] }, 'body.items[0].manual.note');
  await assertRejected({ items: [{ manual: { ...LINE, productId } }] }, 'body.items[0].manual.productId');
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
  texts.push('[]', '{}', '0.9999999999999999999', '9007199254740993', '25.0000001');
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
  texts.push('١', '0x10', '9'.repeat(60_000), `0.${'0'.repeat(60_000)}1`);
  for (const maxPrice of [...texts, 10, 10.5, null, true, ['10']]) {
    await assertRejected({ items: [{ manual: { ...LINE, maxPrice } }] }, 'body.items[0].manual.maxPrice');
  }
});

test('currency must be EUR', async () => {
  for (const currency of ['USD', 'eur', '', 'EUR ', null, 978, ['EUR']]) {
    const answer = await assertRejected({ items: [manual(offerId)], currency }, 'body.currency');
    equal(answer.body.error.message, 'body.currency must be EUR.');
  }
});

test('text that the database cannot store is rejected before it reaches the database', async () => {
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

test('the Idempotency-Key must be exactly one UUID, not nil', async () => {
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

test('two Idempotency-Key headers are rejected, whether equal or not', async () => {
  const key = randomUUID();
  for (const keys of [
    [key, key],
    [key, randomUUID()],
  ]) {
    const status = await assertNothingWritten(h, { ...scope, records: 0 }, () => postWithKeys(keys));
    equal(status, 400);
  }
});

/** fetch would join headers of the same name. */
function postWithKeys(keys: readonly string[]): Promise<number | undefined> {
  const body = JSON.stringify({ items: [manual(offerId)] });
  return new Promise((resolve, reject) => {
    const sending = request(`${h.url}/export/v1/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${reseller.token}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'idempotency-key': [...keys],
      },
    });
    sending.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

test('errors in the headers and the body are reported together', async () => {
  const answer = await assertRejected({ items: [] }, 'body.items', { 'idempotency-key': 'abc' });
  equal(answer.body.error.errors.length, 2);
});

test('error messages never contain what was sent', async () => {
  const answer = await post({ items: [{ manual: { ...LINE, offerId: '<script>\u001b[31m' } }] });
  doesNotMatch(JSON.stringify(answer.body), /script|\\u001b/);
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
