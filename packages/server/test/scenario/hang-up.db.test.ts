import { equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { test } from 'vitest';
import { manual, type Reseller } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();
const ORDERS = 20;

/** Disconnects with a FIN or a reset; resolves when the connection is closed. */
function sendAndHangUp(reseller: Reseller, item: unknown, key: string, how: 'end' | 'resetAndDestroy') {
  const body = JSON.stringify({ items: [item] });
  const head = `POST /export/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reseller.token}\r\nIdempotency-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return new Promise<void>((resolve) => {
    const socket = connect(Number(new URL(h.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.resume();
    socket.write(head + body, () => socket[how]());
  });
}

for (const how of ['end', 'resetAndDestroy'] as const) {
  test(`orders whose callers hang up immediately (${how}) are placed at most once, and a retry returns each order`, async () => {
    const { offerId } = await h.seed.listing({ stock: ORDERS, price: '1.00' });
    const reseller = await h.seed.reseller({ balance: '100.00' });
    // Caches the account. Otherwise the caller is gone before it is authenticated, and no order is placed.
    await reseller.get('/account');
    const keys = Array.from({ length: ORDERS }, () => randomUUID());
    await Promise.all(keys.map((key) => sendAndHangUp(reseller, manual(offerId), key, how)));
    const ids = new Set<string>();
    for (const key of keys) {
      let response = await reseller.order(manual(offerId), key);
      while (response.status === 409) response = await reseller.order(manual(offerId), key);
      // A reset can overtake the request; then the retry is the first to arrive.
      ok(response.status === 200 || response.status === 201, JSON.stringify(response.body));
      if (how === 'end') equal(response.status, 200);
      ids.add(response.body.data.id);
    }
    equal(ids.size, ORDERS);
    equal((await reseller.get('/orders')).body.meta.totalResults, ORDERS);
  });
}
