import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, test } from 'vitest';
import { openOnEngine } from '../../packages/server/src/db/engines/database.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { type Fault, FaultyEngine } from './faulty-engine.ts';
import { Model } from './model.ts';
import { type Reply, startNode } from './node.ts';
import { Provider } from './provider.ts';
import { openShop } from './world.ts';

const engine = await FaultyEngine.open(await makeEmptyDatabase(), () => {});
const database = openOnEngine(engine, {});
afterAll(() => database.close());

const node = await startNode({ database, provider: new Provider(() => 0), onBatch: () => {} });
const shop = new Model();
const operator = { role: 'operator', clientId: 'operator' };
await openShop(shop, (name, request) => node.call(name, { principal: operator, ...request }));
const accountId = shop.accounts[0]?.id ?? '';
const offerId = shop.offers[0]?.id ?? '';

function order(key: string, quantity = 1): Promise<Reply> {
  return node.call('createOrder', {
    body: { items: [{ manual: { offerId, quantity, maxPrice: '10.00' } }] },
    headers: { 'idempotency-key': key },
    principal: { role: 'reseller', clientId: 'reseller', accountId },
  });
}

async function withLostCommit(fault: Fault, send: () => Promise<Reply>): Promise<Reply> {
  engine.armCommit(fault);
  const reply = await send();
  assert.equal(engine.disarm(), 'COMMIT');
  return reply;
}

for (const kind of ['lost-before', 'lost-after'] as const) {
  test(`${kind}: the database determines the response to a first request`, async () => {
    const key = randomUUID();
    const reply = await withLostCommit({ kind }, () => order(key));
    assert.equal(reply.status, kind === 'lost-after' ? 201 : 503);
    assert.equal((await order(key)).status, kind === 'lost-after' ? 409 : 201);
  });

  test(`${kind}: a retry gets a replay, not the first response again (R17)`, async () => {
    const key = randomUUID();
    assert.equal((await order(key)).status, 201);
    assert.equal((await withLostCommit({ kind }, () => order(key))).status, 409);
    assert.equal((await withLostCommit({ kind }, () => order(key, 2))).status, 422);
  });
}
