/** Runs a return and a read of the same keys in every interleaving of their statements. A119, A620. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { ApiError } from '@keyport/http/replies/api-error';
import { test } from 'vitest';
import { loadHouseAccounts } from '../../../src/ledger/house-accounts.sql.ts';
import { returnItems } from '../../../src/orders/changes/return-items.ts';
import { recordRead } from '../../../src/orders/keys/read-keys.ts';
import { manual } from '../../support/harness.ts';
import { interleave } from '../../support/interleave.ts';
import { sharedHarness } from '../../support/vitest.ts';

const TEST_TIMEOUT_MS = 240_000;

const h = await sharedHarness();
const houseAccounts = await loadHouseAccounts(h.database.db);
const deps = {
  houseAccounts,
  keysWindowHours: 48,
  publicUrl: () => 'http://localhost',
  onCatalogueChanged() {},
};

const STOCK = 1000;
const reseller = await h.seed.reseller({ balance: '1000.00', account: { returnWindowHours: 24 } });
const { offerId } = await h.seed.listing({ price: '1.00', stock: STOCK });

async function place() {
  const { id, transactions } = (await reseller.order(manual(offerId))).body.data;
  const { accountId, clientId } = reseller;
  const traceId = '0'.repeat(32);
  const principal = { role: 'reseller', clientId, accountId } as const;
  const body = { items: [{ id: String(transactions[0].items[0].id), quantity: 1 }] };
  return {
    giveBack: (tx: Parameters<typeof returnItems>[0]) =>
      returnItems(tx, { principal, traceId, params: { orderId: id }, body }, deps),
    read: (tx: Parameters<typeof recordRead>[0]) =>
      recordRead(tx, { orderId: id, accountId, clientId, traceId }, deps),
    statusNow: async (): Promise<string> => (await reseller.get(`/orders/${id}`)).body.data.status,
  };
}

type Won = 'return' | 'read';

async function race(starter: Won, stops: readonly [number, number]) {
  const { giveBack, read, statusNow } = await place();
  const works = starter === 'return' ? ([giveBack, read] as const) : ([read, giveBack] as const);
  const { results, stopped } = await interleave(h.database, works, stops);
  const [returned, wasRead] = starter === 'return' ? results : [results[1], results[0]];
  const status = await statusNow();
  if (returned.status === 'fulfilled') {
    equal(toCode(wasRead), 'order-not-complete');
    equal(status, 'closed');
    return { won: 'return' as const, stopped };
  }
  equal(toCode(returned), 'return-not-possible');
  equal(wasRead.status, 'fulfilled');
  equal(status, 'complete');
  return { won: 'read' as const, stopped };
}

function toCode(result: PromiseSettledResult<unknown>): string {
  ok(result.status === 'rejected' && result.reason instanceof ApiError, JSON.stringify(result));
  return result.reason.code;
}

for (const starter of ['return', 'read'] as const) {
  test(`exactly one wins wherever the ${starter} is interrupted`, { timeout: TEST_TIMEOUT_MS }, async () => {
    const winners = new Set<Won>();
    for (let stopFirst = 0; ; stopFirst += 1) {
      let isFirstStopped = false;
      for (let stopSecond = 0; ; stopSecond += 1) {
        const { won, stopped } = await race(starter, [stopFirst, stopSecond]);
        winners.add(won);
        isFirstStopped = stopped[0];
        // The second one ended, or waited for the first.
        if (!stopped[1]) break;
      }
      if (!isFirstStopped) break;
    }
    if (h.database.kind === 'postgres') deepEqual([...winners].sort(), ['read', 'return']);
  });
}
