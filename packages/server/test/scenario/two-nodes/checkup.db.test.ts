/** A337. */
import { randomUUID } from 'node:crypto';
import type { Check } from '@keyport/contract/sandbox/sandbox';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const { h, nodes } = await startTwoNodes(wholeFile);

test('an order at one node and its retry at the other are judged together', async () => {
  const { productId } = await h.seed.listing({ price: '1.00', stock: 10 });
  const item = auto(productId);
  const [right, wrong] = [
    await h.seed.reseller({ balance: '10.00' }),
    await h.seed.reseller({ balance: '10.00' }),
  ];
  for (const reseller of [right, wrong]) {
    const key = randomUUID();
    await h.callAt(nodes[0].url, 'POST', '/export/v1/orders', {
      token: reseller.token,
      body: { items: [item] },
      headers: { 'idempotency-key': key, 'keyport-scenario': 'unavailable' },
    });
    await reseller.at(nodes[1].url).order(item, reseller === right ? key : randomUUID());
    for (const { url } of nodes) {
      const isJudged = async () => {
        const { body } = await h.callAt(url, 'GET', '/sandbox/v1/checkup', { token: reseller.token });
        const check = body.data.checks.find(({ id }: Check) => id === 'order-retries');
        return check.status === (reseller === right ? 'passed' : 'failed');
      };
      // A node waits for the other one's log once it knows of that node.
      await waitUntil(isJudged, 'the verdict');
    }
  }
});
