/** A14, A39. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { assertNothingWritten } from '../../support/books.ts';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('a different type, charset or encoding is rejected and the key stays free', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId } = await h.seed.listing();
  const key = randomUUID();
  const send = (headers: Readonly<Record<string, string>>) => reseller.order(auto(productId), key, headers);
  const types = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'text/json', '*/*'];
  types.push('application/json; charset=utf-16', 'application/json; charset=iso-8859-1', '');
  const scope = { accountId: reseller.accountId, offerId, records: 0 };
  for (const headers of [
    ...types.map((type) => ({ 'content-type': type })),
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br' },
  ]) {
    const response = await assertNothingWritten(h, scope, () => send(headers));
    deepEqual(
      [response.status, response.body.error.code],
      [415, 'unsupported-media-type'],
      JSON.stringify(headers),
    );
  }
  const taken = await send({
    'content-type': 'Application/JSON; charset=UTF-8',
    'content-encoding': 'identity',
  });
  equal(taken.status, 201);
});
