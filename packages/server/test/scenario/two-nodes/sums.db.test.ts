/** A361; I95 to I97. */
import { deepEqual, fail, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { manual } from '../../support/harness.ts';
import { moveOrders } from '../../support/past.ts';
import { foldSums } from '../../support/sums.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const ORDERS = 120;

const { h, nodes, toNode } = await startTwoNodes(wholeFile);

test('orders placed, refunded and rejected while two nodes fold are counted once in the sums', async () => {
  const { offerId } = await h.seed.listing({ price: '1.00', stock: ORDERS });
  const buyers = await Promise.all(
    Array.from({ length: 4 }, () => h.seed.reseller({ balance: String(ORDERS) })),
  );
  let isOver = false;
  const folding = nodes.map(async (node) => {
    while (!isOver) await node.foldSums();
  });
  const before = (await h.operate('GET', '/summary')).totals;
  const place = async (index: number) => {
    const buyer = buyers[index % buyers.length] ?? fail();
    const key = randomUUID();
    const order = () => buyer.at(toNode(index).url).order(manual(offerId), key);
    let response = await order();
    // If the database stalls for seconds, a node rejects its whole batch.
    for (; response.status === 503; response = await order()) await sleep(1000);
    const { data, error } = response.body;
    ok(data !== undefined || error.code === 'offer-not-available', JSON.stringify(error));
    // Every fourth order is refunded; the last orders find no stock.
    if (data === undefined || index % 4 > 0) return;
    await h.operate('POST', `/orders/${data.id}/refund`, { reason: 'test' });
    // The sums of the order move with it, while both nodes fold.
    await moveOrders(
      h,
      sql`id = ${data.id}::bigint`,
      sql`created_at = created_at - interval '1 hour', completed_at = completed_at - interval '1 hour',
        spend_day = coalesce(spend_day, (created_at AT TIME ZONE 'UTC')::date)`,
    );
  };
  await Promise.all(Array.from({ length: ORDERS + 10 }, (_, index) => place(index))).finally(() => {
    isOver = true;
  });
  await Promise.all(folding);
  await foldSums(h);
  const after = (await h.operate('GET', '/summary')).totals;
  const grownBy = (read: (sums: typeof after) => string | number) =>
    Number(read(after)) - Number(read(before));
  const refunded = grownBy(({ ordersByStatus }) => ordersByStatus.closed);
  ok(refunded >= ORDERS / 8);
  deepEqual(
    {
      orders: grownBy(({ orders }) => orders),
      turnover: grownBy(({ turnover }) => turnover),
      refunds: grownBy(({ refunds }) => refunds),
      rejections: grownBy(({ rejections }) => rejections),
      stockOuts: grownBy(({ stockOuts }) => stockOuts),
    },
    { orders: ORDERS, turnover: ORDERS, refunds: refunded, rejections: 10, stockOuts: 1 },
  );
});
