/** The database's clock steps back and forth, because of NTP, an operator or a failover. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'vitest';
import { setClock } from '../support/clock.ts';
import { type Harness, manual, type Reseller, startHarness } from '../support/harness.ts';
import { foldSums } from '../support/sums.ts';
import { wholeFile } from '../support/vitest.ts';

const h = await startHarness(wholeFile);

/** Every row must be in the past when the invariants are checked. */
afterEach(() => setClock(h.database, '28 days'));

async function placeOrders(reseller: Reseller, offerId: string, count: number): Promise<string[]> {
  const placed = Array.from({ length: count }, async () => {
    const { status, body } = await reseller.order(manual(offerId));
    equal(status, 201, JSON.stringify(body));
    equal(body.data.status, 'complete');
    return body.data.id as string;
  });
  return Promise.all(placed);
}

async function assertHistory(reseller: Reseller, ids: readonly string[]): Promise<void> {
  const asOperator = (query: string) => h.admin('GET', `/orders?accountId=${reseller.accountId}&${query}`);
  for (const read of [(query: string) => reseller.get(`/orders?${query}`), asOperator]) {
    const found: string[] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = (await read(`page=${page}&itemsPerPage=100`)).body;
      equal(meta.totalResults, ids.length);
      found.push(...data.map(({ id }: { id: string }) => id));
      if (data.length < 100) break;
    }
    deepEqual(found.toSorted(), ids.toSorted());
  }
}

/** Leaves out I19: orders placed while the clock was ahead violate it until time catches up. */
async function brokenInvariants(at: Harness = h): Promise<string[]> {
  const results = await at.service.verify();
  return results.filter(({ id, broken }) => broken > 0 && id !== 'I19').map(({ id }) => id);
}

test('orders placed before orders that are in the sums already are in the history', async () => {
  const reseller = await h.seed.reseller({ balance: '5000.00' });
  const { offerId } = await h.seed.listing({ stock: 300 });
  const ids = await placeOrders(reseller, offerId, 120);
  await setClock(h.database, '200 seconds');
  await foldSums(h);
  await setClock(h.database, '-200 seconds');
  ids.push(...(await placeOrders(reseller, offerId, 110)));
  await assertHistory(reseller, ids);
  await foldSums(h);
  await assertHistory(reseller, ids);
  deepEqual(await brokenInvariants(), []);
  await setClock(h.database, '0');
  await assertHistory(reseller, ids);
  await h.operate('POST', `/orders/${ids.at(-1)}/refund`, { reason: 'test' });
  await foldSums(h);
  await assertHistory(reseller, ids);
  deepEqual(await brokenInvariants(), []);
});

test('wherever the clock goes, orders are placed once and the stamps of the catalogue grow', async () => {
  const reseller = await h.seed.reseller({ balance: '500.00' });
  const { offerId, productId } = await h.seed.listing({ stock: 50 });
  let stamp = '';
  for (const offset of ['0', '1 hour', '0', '-10 minutes', '25 hours', '-25 hours', '0']) {
    await setClock(h.database, offset);
    const key = randomUUID();
    const placed = await reseller.order(manual(offerId), key);
    equal(placed.status, 201, offset);
    equal(
      (await reseller.order(manual(offerId), key)).body.data?.id ?? placed.body.data.id,
      placed.body.data.id,
    );
    equal((await reseller.get(`/orders/${placed.body.data.id}/keys`)).status, 200, offset);
    await h.service.catalogueInStep();
    const { body } = await reseller.get(`/product-offers?productIds[]=${productId}`);
    const { updatedAt } = body.data[0];
    ok(updatedAt > stamp, `${offset}: ${updatedAt} after ${stamp}`);
    stamp = updatedAt;
  }
  deepEqual(await brokenInvariants(), []);
});
