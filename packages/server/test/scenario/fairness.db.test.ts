/** A240. */
import { equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { test } from 'vitest';
import { manual, type Reseller } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();

const FLOOD = 400;
const PLACES = 320;
const ROUNDS = 3;

test('the orders of one reseller are placed while another has 400 orders in flight', async () => {
  const { offerId } = await h.seed.listing({ stock: ROUNDS + 1, price: '1.00' });
  const poor = await h.seed.reseller();
  const other = await h.seed.reseller({ balance: '100.00' });
  // These reads cache the accounts, because held orders may block every query.
  for (const reseller of [poor, other]) equal((await reseller.get('/account')).status, 200);
  const sockets = await Promise.all(Array.from({ length: FLOOD }, openSocket));
  for (let placed = 0; placed < ROUNDS; ) {
    const release = await holdOrders();
    const flood = new Flood(sockets, poor, offerId);
    await flood.until(() => flood.refused >= FLOOD - PLACES);
    const placing = other.order(manual(offerId));
    await flood.until(() => flood.refused > FLOOD - PLACES);
    release();
    const { status, body } = await placing;
    await flood.until(() => flood.statuses.length === FLOOD);
    equal(flood.refused + flood.unpaid, FLOOD);
    if (status === 201) placed += 1;
    // If the machine hung, the hold counts as an unreachable database, and the round proves nothing.
    else match(body.error.message, /^The database could not be reached/);
  }
  for (const socket of sockets) socket.destroy();
  equal((await other.get('/orders')).body.meta.totalResults, ROUNDS);
});

/** Keeps every order waiting, as a briefly slow database would. */
async function holdOrders(): Promise<() => void> {
  const orders = h.database.lane('orders');
  const clients: PoolClient[] = [];
  for (let isFull = false; !isFull; ) {
    const client = orders.connect();
    isFull = orders.waitingCount() > 0;
    // The waiting connection is granted at the first release; it is no longer needed then.
    if (isFull) void client.then((late) => late.release(), ignore);
    else clients.push(await client);
  }
  return () => {
    for (const client of clients) client.release();
  };
}

function ignore(): void {}

async function openSocket(): Promise<Socket> {
  const socket = connect(Number(new URL(h.url).port), '127.0.0.1');
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return socket.setEncoding('utf8');
}

class Flood {
  readonly statuses: number[] = [];
  #onResponse = () => {};

  constructor(sockets: readonly Socket[], reseller: Reseller, offerId: string) {
    const body = JSON.stringify({ items: [manual(offerId)] });
    for (const socket of sockets) {
      socket.once('data', (response: string) => {
        match(response, /^HTTP\/1\.1 \d{3} /);
        this.statuses.push(Number(response.slice(9, 12)));
        this.#onResponse();
      });
      socket.write(
        `POST /export/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reseller.token}\r\n` +
          `Idempotency-Key: ${randomUUID()}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    }
  }

  get refused(): number {
    return this.statuses.filter((status) => status === 503).length;
  }

  get unpaid(): number {
    return this.statuses.filter((status) => status === 402).length;
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.#onResponse = resolve));
  }
}
