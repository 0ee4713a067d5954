/** A445; I20, I22, I25, I34, I74, I100. */
import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { verifyInvariants } from '../../../src/verify/verify.ts';
import { manual } from '../../support/harness.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, toNode } = await startTwoNodes(wholeFile);

const operate = (index: number, path: string, body: Record<string, unknown>) =>
  h.callAt(toNode(index).url, 'POST', `/admin/v1${path}`, {
    token: h.operatorToken,
    body: { reason: 'test', ...body },
    headers: { 'idempotency-key': randomUUID() },
  });

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

test('concurrent replacements, orders, refunds and withdrawals leave every unit in one place', async () => {
  const STOCK = 60;
  const ORDERS = 10;
  const { offerId, codes } = await h.seed.listing({ price: '1.00', stock: STOCK });
  const buyers = await times(3, () => h.seed.reseller({ balance: '1000.00' }));
  const buyer = (index: number) => (buyers[index % 3] ?? fail()).at(toNode(index).url);
  const place = async (index: number) =>
    (await buyer(index).order(manual(offerId, { quantity: 2 }))).body.data?.id;
  const readCodes = async (id: string, index: number): Promise<string[]> => {
    const { status, body } = await buyer(index).get(`/orders/${id}/keys`);
    return status === 200 ? body.data[0].keys.map(({ code }: { code: string }) => code) : [];
  };
  const ids: string[] = await times(ORDERS, place);
  const bad = await times(ORDERS, async (index) => (await readCodes(ids[index] ?? '', index))[0] ?? '');

  const [replaced, more] = await Promise.all([
    times(2 * ORDERS, (index) =>
      operate(index, `/orders/${ids[index % ORDERS]}/replace-key`, { code: bad[index % ORDERS] }),
    ),
    times(12, place),
    times(4, (index) =>
      operate(index, `/orders/${ids[index]}/refund`, {
        items: [{ id: `${ids[index]}01`, quantity: 1 }],
        withdrawKeys: true,
      }),
    ),
    times(6, (index) => operate(index, `/offers/${offerId}/keys/withdraw`, { quantity: 1 })),
  ]);
  const statuses = replaced.map(({ status }) => status);
  ok(
    statuses.every((status) => [200, 409].includes(status)),
    JSON.stringify(replaced.map(({ body }) => body.error)),
  );
  // One of two replacements of the same key succeeds; refunds take the last key of an order.
  equal(statuses.filter((status) => status === 200).length, ORDERS);
  const held = await times(ORDERS, (index) => readCodes(ids[index] ?? '', index));
  const others = await times(more.length, (index) => readCodes(more[index] ?? '', index));
  const all = [...held, ...others].flat();
  equal(new Set(all).size, all.length, 'no key is in two orders');
  ok(all.every((code) => codes.includes(code) && !bad.includes(code)));
  const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
  deepEqual(broken, []);
});

test('the last unit on sale goes to exactly one order or replacement', async () => {
  const { offerId } = await h.seed.listing({ price: '1.00', stock: 3 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { id } = (await reseller.order(manual(offerId, { quantity: 2 }))).body.data;
  const keys = await h.operate('GET', `/orders/${id}/keys`);
  const [order, ...replacements] = await Promise.all([
    reseller.at(toNode(1).url).order(manual(offerId)),
    ...keys.map((key: { id: string }, index: number) =>
      operate(index, `/orders/${id}/replace-key`, { keyId: key.id }),
    ),
  ]);
  const done = [order?.status === 201, ...replacements.map(({ status }) => status === 200)];
  equal(done.filter(Boolean).length, 1, JSON.stringify(done));
  equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 0);
});
