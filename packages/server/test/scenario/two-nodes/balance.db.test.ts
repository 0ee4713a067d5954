/** Money of one reseller under contention at two nodes. R25, A24, A33, A50, A61; I3 to I6. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { verifyInvariants } from '../../../src/verify/verify.ts';
import { type ApiResponse, auto, type Reseller } from '../../support/harness.ts';
import { createOrderRecorder, tally } from '../../support/order-recorder.ts';
import { readStatement } from '../../support/statement.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, nodes, toNode } = await startTwoNodes(wholeFile);
const recorder = createOrderRecorder(h);

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const orders = (count: number, who: Reseller, item: unknown): Promise<ApiResponse[]> =>
  times(count, (index) => recorder.order(who.at(toNode(index).url), item));

async function toBalance(who: Reseller): Promise<string> {
  return (await who.at(nodes[1].url).get('/account')).body.data.balance;
}

afterEach(async () => {
  await recorder.assertConsistent();
  const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
  deepEqual(broken, []);
});

test('one of two orders of 60 % of the balance, sent to different nodes, is placed in each of 20 rounds', async () => {
  const { productId } = await h.seed.listing({ price: '60.00', stock: 40 });
  for (const reseller of await times(20, () => h.seed.reseller({ balance: '100.00' }))) {
    deepEqual(tally(await orders(2, reseller, auto(productId))), { 201: 1, 'insufficient-funds': 1 });
    equal(await toBalance(reseller), '40.00');
  }
});

test('100 callers with a balance for exactly 20 orders place 20 and leave nothing', async () => {
  const reseller = await h.seed.reseller({ balance: '66.60', account: { discountPercent: '10' } });
  const { productId } = await h.seed.listing({ price: '3.70', stock: 200 });
  const responses = await orders(100, reseller, auto(productId));
  deepEqual(tally(responses), { 201: 20, 'insufficient-funds': 80 });
  equal(await toBalance(reseller), '0.00');
});

test('daily limits hold against orders at both nodes', async () => {
  const { productId } = await h.seed.listing({ price: '2.00', stock: 200 });
  for (const limits of [{ dailyUnitsMax: 7 }, { dailySpendMax: '15.99' }]) {
    const reseller = await h.seed.reseller({ balance: '1000.00', account: { limits } });
    const responses = await orders(40, reseller, auto(productId));
    deepEqual(tally(responses), { 201: 7, 'cart-validation-error': 33 });
  }
});

test('no deposit is lost during orders at both nodes, and each reference counts once', async () => {
  const reseller = await h.seed.reseller({ balance: '50.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 60 });
  const references = Array.from({ length: 20 }, () => randomUUID());
  const deposit = (url: string, reference: string) =>
    h.callAt(url, 'POST', `/admin/v1/accounts/${reseller.accountId}/deposits`, {
      token: h.operatorToken,
      body: { amount: '0.10', reference },
    });
  const [responses, ...deposits] = await Promise.all([
    orders(50, reseller, auto(productId)),
    ...references.map((reference) => Promise.all(nodes.map(({ url }) => deposit(url, reference)))),
  ]);
  deepEqual(tally(responses), { 201: 50 });
  const statuses = deposits.map((pair) => pair.map(({ status }) => status).sort());
  if (nodes[0] !== nodes[1])
    deepEqual(
      statuses,
      references.map(() => [200, 201]),
    );
  equal(await toBalance(reseller), '2.00');
});

test('a statement read while orders flow at both nodes is always the beginning of the later ones', async () => {
  const reseller = await h.seed.reseller({ balance: '500.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 150 });
  let isOver = false;
  const reading = times(2, async (index) => {
    const seen: string[][] = [];
    while (!isOver) {
      const { body } = await h.callAt(
        toNode(index).url,
        'GET',
        `/admin/v1/accounts/${reseller.accountId}/statement?itemsPerPage=100`,
        { token: h.operatorToken },
      );
      seen.push(body.data.map((line: unknown) => JSON.stringify(line)));
    }
    return seen;
  });
  const ordering = times(10, async (index) => {
    for (let round = 0; round < 9; round += 1)
      await recorder.order(reseller.at(toNode(index).url), auto(productId));
  });
  await ordering;
  isOver = true;
  const { lines } = await readStatement(h, reseller.accountId, { itemsPerPage: '100' });
  const statement = lines.map((line) => JSON.stringify(line));
  equal(statement.length, 91);
  for (const seen of (await reading).flat()) deepEqual(statement.slice(0, seen.length), seen);
});

test('an account suspended at one node can immediately order nothing at the other', async () => {
  const reseller = await h.seed.reseller({ balance: '5000.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 500 });
  let isSuspended = false;
  const late: ApiResponse[] = [];
  const ordering = times(10, async () => {
    const there = reseller.at(nodes[1].url);
    while (!isSuspended) await recorder.order(there, auto(productId));
    late.push(await recorder.order(there, auto(productId)));
  });
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { status: 'suspended' });
  isSuspended = true;
  await ordering;
  deepEqual(tally(late), { 'cart-validation-error': 10 });
});

test('a client disabled at one node during orders at the other is rejected there within 5 s, and every 201 stands', async () => {
  const reseller = await h.seed.reseller({ balance: '5000.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 500 });
  const there = reseller.at(nodes[1].url);
  const ordering = times(4, async () => {
    for (;;) {
      const response = await recorder.order(there, auto(productId));
      if (response.status === 401) return response;
    }
  });
  const { rows: before } = await sql<{ now: string }>`SELECT clock_timestamp()::text AS now`.execute(
    h.database.db,
  );
  await h.operate('DELETE', `/clients/${reseller.clientId}`);
  deepEqual(tally(await ordering), { unauthorized: 4 });
  const { rows } = await sql<{ late: number }>`
    SELECT count(*) AS late FROM "order" WHERE account_id = ${reseller.accountId}::uuid
      AND created_at > ${before[0]?.now}::timestamptz + interval '5 seconds'`.execute(h.database.db);
  equal(rows[0]?.late, 0, 'there is no order later than 5 s after the client was disabled');
});
