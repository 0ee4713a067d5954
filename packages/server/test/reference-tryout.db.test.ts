import { doesNotMatch, equal, match, notEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { NEEDS_BROWSER, openPage } from './support/browser.ts';
import { startHarness } from './support/harness.ts';
import { wholeFile } from './support/vitest.ts';

const DEMO = { id: 'demo-shop', secret: 'a-secret-of-the-demo-for-this-test' };

const h = await startHarness(wholeFile, {
  KEYPORT_DEMO: 'true',
  KEYPORT_DEMO_CLIENT_ID: DEMO.id,
  KEYPORT_DEMO_CLIENT_SECRET: DEMO.secret,
});

test(
  'the test request of create order works unchanged, even after the page is reloaded',
  NEEDS_BROWSER,
  async (t) => {
    const { page, problems } = await openPage(t);
    const place = async () => {
      await page.goto(`${h.url}/docs`);
      await page.getByRole('heading', { name: 'Keyport export API' }).waitFor();
      const token = page.waitForResponse(`${h.url}/oauth/token`);
      await page.getByRole('button', { name: 'Authorize' }).click();
      await token;
      await page.goto(`${h.url}/docs#tag/orders/POST/export/v1/orders`);
      const sending = page.waitForRequest(`${h.url}/export/v1/orders`);
      await page
        .getByRole('button', { name: /Test Request.*\(post \/export\/v1\/orders\)/is })
        .first()
        .click();
      await page.getByRole('button', { name: /^Send/ }).first().click();
      const request = await sending;
      const response = await request.response();
      equal(response?.status(), 201);
      await page.getByText('201 Created').first().waitFor();
      return request.headers()['idempotency-key'] ?? '';
    };
    const first = await place();
    match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    await page.goto('about:blank');
    notEqual(await place(), first);
    equal(problems.join('\n'), '');
  },
);

test('the demo’s rotated secret is not filled in, although it works until its overlap ends', async () => {
  const page = async () => (await fetch(`${h.url}/docs`)).text();
  match(await page(), new RegExp(DEMO.secret));
  const token = await h.tokenFor(DEMO.id, DEMO.secret);
  const rotated = await h.call('POST', `/export/v1/clients/${DEMO.id}/rotate-secret`, {
    token,
    body: { overlapHours: 1 },
  });
  equal(rotated.status, 200);
  doesNotMatch(await page(), new RegExp(DEMO.secret));
  await h.tokenFor(DEMO.id, DEMO.secret);
});
