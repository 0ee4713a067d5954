/** A small shop with an order in every possible state, created through the API. */
import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from '../../src/db/sql.ts';
import { auto, type Harness, manual, type Reseller } from '../support/harness.ts';
import { importOrders } from '../support/imported-orders.ts';
import { operatorClient } from '../support/operator-client.ts';
import { toReservations } from '../support/reservations.ts';
import { foldSums } from '../support/sums.ts';
import { waitUntil } from '../support/webhook-receiver.ts';

export type World = Awaited<ReturnType<typeof buildWorld>>;

/**
 * Returns ids, named for what happened to them. Orders are for two units at 10.00; afterwards the offer
 * becomes more expensive and is paused.
 */
export async function buildWorld(h: Harness) {
  const buyer = await h.seed.reseller({ balance: '2000.00' });
  // No one listens there, so the endpoint's deliveries stay pending.
  const hook = { url: 'http://127.0.0.1:9/', types: ['order.complete'] };
  await h.call('POST', '/export/v1/webhook-endpoints', { token: buyer.token, body: hook });
  const listing = await h.seed.listing({ price: '10.00', stock: 30 });
  const act = (orderId: string, action: string, body: Record<string, unknown> = {}) =>
    h.operate('POST', `/orders/${orderId}/${action}`, { reason: 'test', ...body });

  const place = async (reseller = buyer, quantity = 2): Promise<string> => {
    const { body } = await reseller.order(manual(listing.offerId, { quantity }));
    return body.data?.id ?? body.error.data.orderId;
  };
  const oneUnit = async (orderId: string) => {
    const order = await h.operate('GET', `/orders/${orderId}`);
    return [{ id: order.transactions[0].items[0].id, quantity: 1 }];
  };

  const seller = JSON.stringify({ id: listing.sellerId, name: 'Seller' });
  const sellerImport = await h.call('POST', '/admin/v1/imports/sellers?importId=world', {
    token: h.operatorToken,
    headers: { 'content-type': 'application/x-ndjson' },
    body: seller,
  });
  equal(sellerImport.status, 200);
  const keyImport = await h.call('POST', '/admin/v1/imports/keys', {
    token: h.operatorToken,
    headers: { 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({ offerId: (await h.seed.listing({ stock: 0 })).offerId, code: 'OF-ANOTHER-OFFER' }),
  });
  await h.operate('POST', `/imports/${keyImport.body.data.runId}/undo`, { reason: 'test' });

  const complete = await place();
  equal((await buyer.get(`/orders/${complete}/keys`)).status, 200);
  const partlyRefunded = await place();
  await act(partlyRefunded, 'refund', { items: await oneUnit(partlyRefunded) });
  const partlyReturned = await place();
  await act(partlyReturned, 'refund', { items: await oneUnit(partlyReturned), returnToStock: true });
  const closed = await place();
  await act(closed, 'refund');

  const payOut = (amount: string) =>
    h.operate('POST', `/accounts/${buyer.accountId}/payouts`, { amount, reference: amount });
  await payOut('501');
  const { id: approval } = await payOut('502');
  const second = await operatorClient(h);
  await h.call('POST', `/admin/v1/approvals/${approval}/approve`, {
    token: second,
    body: { reason: 'test' },
  });

  const reviewed = await h.seed.reseller({ balance: '1000.00', account: { holdOrders: true } });
  const held = await place(reviewed);
  const closedUndelivered = await place(reviewed);
  await act(closedUndelivered, 'refund');

  const payer = (gatewayCustomer: string) =>
    h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer } });
  const gatewayPaid = await place(await payer('sim_ok'));
  const gatewayRefunded = await place(await payer('sim_ok'));
  await act(gatewayRefunded, 'refund', { items: await oneUnit(gatewayRefunded) });
  const waiting = await place(await payer('sim_error'));
  const heldUnpaid = await place(await payer('sim_error'));
  await act(heldUnpaid, 'hold');
  const declined = await place(await payer('sim_declined'));

  const replaced = await place();
  const [bad] = await h.operate('GET', `/orders/${replaced}/keys`);
  await act(replaced, 'replace-key', { keyId: bad.id });

  const shop = toReservations(h, buyer);
  const reservable = await h.seed.listing({ stock: 3 });
  const released = await shop.reserved(manual(reservable.offerId, { quantity: 2 }));
  await shop.release(released.id);
  const reservation: string = (await shop.reserved(manual(reservable.offerId, { quantity: 2 }))).id;
  const ordered = await shop.reserved(manual(reservable.offerId));
  equal((await shop.order(ordered.id)).status, 201);
  const faulty = await h.seed.listing({ stock: 3 });
  await claimKeys(h, buyer, (await buyer.order(manual(faulty.offerId, { quantity: 3 }))).body.data);

  const images = await h.seed.listing({ stock: 0, images: 2 });
  const imageRefunded: string = (await buyer.order(manual(images.offerId))).body.data.id;
  const free = await place(await h.seed.reseller({ balance: '0.01', account: { discountPercent: '100' } }));
  equal((await buyer.order(auto(listing.productId, { quantity: 25 }))).status, 400);
  const [imported] = await importOrders(h, buyer.accountId, [{ currency: 'USD' }]);
  await foldSums(h);
  const deliveries = async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM webhook_delivery
      WHERE next_attempt_at IS NOT NULL`.execute(h.database.db);
    return (rows[0]?.count ?? 0) > 0;
  };
  await waitUntil(deliveries, 'a pending delivery');

  await h.operate('PUT', `/offers/${listing.offerId}`, {
    productId: listing.productId,
    sellerId: listing.sellerId,
    price: '11.00',
    status: 'paused',
  });

  await h.service.eventsWritten();
  await foldSums(h);

  return {
    accountId: buyer.accountId,
    otherAccountId: reviewed.accountId,
    offerId: listing.offerId,
    productId: listing.productId,
    complete,
    partlyRefunded,
    partlyReturned,
    closed,
    held,
    closedUndelivered,
    gatewayPaid,
    gatewayRefunded,
    waiting,
    heldUnpaid,
    declined,
    imageRefunded,
    free,
    imported,
    reservation,
    orderedReservation: ordered.id as string,
  };
}

/** Makes one claim that is decided in both ways, and one that stays open. */
async function claimKeys(h: Harness, { token, get }: Reseller, { id, transactions }: ClaimedOrder) {
  const { keys } = (await get(`/orders/${id}/keys`)).body.data[0];
  const [one, two, three] = keys.map(({ code }: { code: string }) => code);
  const claim = async (codes: readonly string[]) => {
    const body = { itemId: transactions[0]?.items[0]?.id, codes, reason: 'invalid' };
    const headers = { 'idempotency-key': randomUUID() };
    return (await h.call('POST', `/export/v1/orders/${id}/claims`, { token, body, headers })).body.data.id;
  };
  const decisions = [
    { keyId: '1', decision: 'refund' },
    { keyId: '2', decision: 'reject' },
  ];
  await h.operate('POST', `/claims/${await claim([one, two])}/decide`, { decisions });
  await claim([three]);
}

type ClaimedOrder = {
  readonly id: string;
  readonly transactions: readonly { readonly items: readonly { readonly id: string }[] }[];
};
