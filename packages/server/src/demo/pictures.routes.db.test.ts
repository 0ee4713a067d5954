import { equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { startHarness } from '../../test/support/harness.ts';
import { loadProducts } from './catalogue.ts';

const [demoProduct] = loadProducts('http://127.0.0.1');
const toPath = (productId: string | undefined) => `/media/products/${productId}/cover.svg`;

test('the demo serves pictures of its own products only', async (t) => {
  const h = await startHarness(t, { KEYPORT_DEMO: 'true' });
  const response = await fetch(h.url + toPath(demoProduct?.product.id));
  equal(response.status, 200);
  equal(response.headers.get('content-type'), 'image/svg+xml');
  match(await response.text(), /^<svg /);
  const ownProductId = await h.seed.product({ name: 'Not announced yet' });
  const refused = await h.call('GET', toPath(ownProductId));
  equal(refused.status, 404);
  equal(JSON.stringify(refused.body).includes('Not announced yet'), false);
});

test('without the demo there are no pictures', async (t) => {
  const h = await startHarness(t);
  const { productId } = await h.seed.listing();
  for (const id of [productId, demoProduct?.product.id]) {
    const { status, body } = await h.call('GET', toPath(id));
    equal(status, 404);
    equal(body.error.code, 'not-found');
  }
});
