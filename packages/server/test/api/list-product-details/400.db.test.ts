/** Product details, 400: 1 to 20 product ids are required. R8, A2, A10. */
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();

const ID = '10000000000017';

test('what is wrong with the ids is named', async () => {
  const many = Array.from({ length: 21 }, () => `productIds[]=${ID}`).join('&');
  const rows: [query: string, field: string, message: RegExp][] = [
    ['', 'productIds[]', /required/],
    ['?page=1', 'productIds[]', /required/],
    [`?productIds=${ID}`, 'productIds[]', /productIds\[\]=/],
    ['?productIds[0]=x', 'productIds[0]', /14 digits/],
    [`?${many}`, 'productIds[]', /1 to 20/],
    ['?productIds[]=', 'productIds[0]', /14 digits/],
    ['?productIds[]=1000000000001', 'productIds[0]', /14 digits/],
    ['?productIds%5B%5D=00000000000017', 'productIds[0]', /14 digits/],
    [`?productIds[]=${ID}&productIds[]=x`, 'productIds[1]', /14 digits/],
    ['?productIds[]=%zz', 'productIds[]', /encoding/],
  ];
  for (const [query, field, message] of rows) {
    const response = await reseller.get(`/products${query}`);
    assert.deepEqual([response.status, response.body.error?.code], [400, 'validation-error'], query);
    assert.equal(response.body.error.errors[0].field, `query.${field}`, query);
    assert.match(response.body.error.message, message, query);
  }
});
