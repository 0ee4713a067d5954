/** One event, 401 and 403: only a reseller's own token opens it. R5, A25. */
import { test } from 'vitest';
import { assertResellerOnly } from '../../support/reseller-only.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('without a reseller’s good token there is no content, whether or not there is such an event', async () => {
  await assertResellerOnly(h, '/export/v1/events/evt_0000000000000');
});
