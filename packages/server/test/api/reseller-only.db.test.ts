/** R5, A25. */
import { test } from 'vitest';
import { assertResellerOnly } from '../support/reseller-only.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();

test.for([
  '/account',
  '/clients',
  '/events',
  '/events?wait=30',
  '/events?cursor=x',
  '/events/evt_0000000000000',
  '/orders',
  '/orders/2174556001234567',
  '/orders/2174556001234567/keys',
  '/product-offers',
  '/product-offers?page=0',
  '/product-offers/10000000000001',
  '/product-offers/changes',
  '/product-offers/changes?wait=30',
  '/product-offers/changes?cursor=x',
  '/products',
  '/requests',
  '/requests/counts',
  '/products?productIds[]=10000000000001',
  '/products/10000000000001',
  '/products/x',
])('%s has no content without a valid reseller token, even if the request is invalid', async (path) => {
  await assertResellerOnly(h, `/export/v1${path}`);
});
