/** Single product, 401 and 403: only a reseller's own token opens it. R5, A25. */
import { test } from 'vitest';
import { assertResellerOnly } from '../../support/reseller-only.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('without a reseller’s good token there is no content, whether or not the rest is right', async () => {
  for (const path of ['/products/10000000000001', '/product-offers/10000000000001', '/products/x']) {
    await assertResellerOnly(h, `/export/v1${path}`);
  }
});
