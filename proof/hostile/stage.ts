/**
 * The data for hostile requests. The caller's own account and client are not among the ids, because no
 * request may remove them.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { call, fetchToken, importLines, OPERATOR, operate } from '../load/operator.ts';
import { type Buyer, fillCatalogue, newKeys, openReseller } from '../load/shop.ts';
import { OPERATIONS } from './document.ts';
import type { WatchedService } from './service.ts';
import type { KnownIds } from './values.ts';

const PRODUCTS = 12;
const STOCK_EACH = 400;
const ORDERS_EACH = 25;
const SPARE_RESELLERS = 3;
const RESERVATIONS_EACH = 8;
/** Orders of three units each, by their places in the list. */
const [CLAIMED, CLAIMABLE, ...RETURNABLE] = [2, 5, 8, 11] as const;

/** Operations on a member, an endpoint or an event of an account. Their account is the one that has all three. */
const PARTS_OF_ACCOUNT = OPERATIONS.filter(({ path }) => /\{accountId\}.*\{/.test(path));
const MEMBER = { name: 'x', email: 'member@example.com', role: 'buyer' };
const OPERATOR_TO_CHANGE = { name: 'x', email: 'operator@example.com', role: 'viewer' };

export type Stage = {
  readonly tokens: { readonly operator: string; readonly reseller: string; readonly otherReseller: string };
  readonly ids: KnownIds;
  /** Ids that belong together, by operation. They are tried first. */
  readonly toIds: Readonly<Record<string, KnownIds>>;
  readonly own: StagedReseller;
  readonly other: StagedReseller;
};

type StagedReseller = {
  readonly accountId: string;
  readonly token: string;
  readonly orderIds: readonly string[];
  readonly itemIds: readonly string[];
  readonly reservationIds: readonly string[];
};

export async function setStage(service: WatchedService): Promise<Stage> {
  const { url } = service;
  const offers = await fillCatalogue(url, { products: PRODUCTS, offersEach: 1, stockEach: 0 });
  const offerIds = offers.map(({ id }) => id);
  const productIds = offers.map(({ productId }) => productId);
  for (const offerId of offerIds) {
    const keys = newKeys(offerId, STOCK_EACH);
    for (const { code } of keys.slice(0, ORDERS_EACH)) service.keepSecret(code);
    await importLines(url, 'keys', keys);
  }
  const { sellerId } = await operate(url, 'GET', `/offers/${offerIds[0]}`);

  const openBuyer = async (): Promise<Buyer> => {
    const buyer = await openReseller(url);
    service.keepSecret(buyer.credentials.client_secret);
    service.keepSecret(buyer.token);
    return buyer;
  };
  const post = async (token: string, path: string, body: unknown) => {
    const headers = { 'idempotency-key': randomUUID() };
    const options = { method: 'POST', path: `/export/v1${path}`, token, headers };
    const response = await call(url, { ...options, body: JSON.stringify(body) });
    assert.equal(response.status, 201, response.text());
    return response.json().data;
  };
  const orderAll = async ({ account, token }: Buyer): Promise<StagedReseller> => {
    const orderIds: string[] = [];
    const itemIds: string[] = [];
    const reservationIds: string[] = [];
    for (let count = 0; count < ORDERS_EACH; count += 1) {
      const item = { offerId: offerIds[count % PRODUCTS], quantity: 1 + (count % 3), maxPrice: '100.00' };
      const data = await post(token, '/orders', { items: [{ manual: item }] });
      orderIds.push(data.id);
      itemIds.push(data.transactions[0].items[0].id);
    }
    while (reservationIds.length < RESERVATIONS_EACH) {
      const manual = { offerId: offerIds[0], quantity: 1, maxPrice: '100.00' };
      const { id } = await post(token, '/reservations', { items: [{ manual }], ttlSeconds: 1800 });
      reservationIds.push(id);
    }
    return { accountId: account.id, token, orderIds, itemIds, reservationIds };
  };
  const [ownBuyer, otherBuyer] = [await openBuyer(), await openBuyer()];
  const [own, other] = [await orderAll(ownBuyer), await orderAll(otherBuyer)];
  const spare: Buyer[] = [];
  while (spare.length < SPARE_RESELLERS) spare.push(await openBuyer());
  const eventIds = [...(await listEventIds(url, own)), ...(await listEventIds(url, other))];
  const keyIds = (await operate(url, 'GET', `/orders/${own.orderIds[CLAIMED]}/keys`)).map(
    ({ id }: { id: string }) => id,
  );
  const claims: { id: string; keyId: string }[] = [];
  for (const code of await readCodes(url, own, CLAIMED)) {
    const body = { itemId: own.itemIds[CLAIMED], codes: [code], reason: 'already-used' };
    const { id, keys } = await post(own.token, `/orders/${own.orderIds[CLAIMED]}/claims`, body);
    claims.push({ id, keyId: keys[0].id });
  }
  const ownSpareClient = await operate(url, 'POST', `/accounts/${own.accountId}/clients`, { name: 'spare' });
  service.keepSecret(ownSpareClient.clientSecret);
  const logged = await call(url, { path: '/export/v1/requests', token: own.token });
  const traceIds = logged.json().data.map(({ traceId }: { traceId: string }) => traceId);
  const approvalIds = await askForApprovals(url, own.accountId);
  const endpoint = await post(own.token, '/webhook-endpoints', { url: 'http://127.0.0.1:9/', types: ['*'] });
  service.keepSecret(endpoint.secret);
  const member = await operate(url, 'POST', `/accounts/${own.accountId}/members`, MEMBER);
  const operator = await operate(url, 'POST', '/operators', OPERATOR_TO_CHANGE);
  for (const { invitationUrl } of [member, operator])
    service.keepSecret(new URL(invitationUrl).hash.slice('#token='.length));
  const note = await operate(url, 'POST', '/notes', { subject: `order:${own.orderIds[0]}`, text: 'x' });
  const operatorToken = await fetchToken(url, OPERATOR);
  service.keepSecret(operatorToken);
  const spareClient = spare[0]?.credentials.client_id ?? '';
  return {
    tokens: { operator: operatorToken, reseller: own.token, otherReseller: other.token },
    own,
    other,
    toIds: {
      decideClaim: decidable(claims[0]),
      decideSandboxClaim: decidable(claims[1]),
      createClaim: {
        orderId: [own.orderIds[CLAIMABLE] ?? ''],
        itemId: [own.itemIds[CLAIMABLE] ?? ''],
        code: await readCodes(url, own, CLAIMABLE),
      },
      ...Object.fromEntries(PARTS_OF_ACCOUNT.map(({ name }) => [name, { accountId: [own.accountId] }])),
      returnOrder: {
        orderId: RETURNABLE.map((place) => own.orderIds[place] ?? ''),
        id: RETURNABLE.map((place) => own.itemIds[place] ?? ''),
      },
    },
    ids: {
      productId: [...productIds, '99999999999999'],
      offerId: [...offerIds, randomUUID()],
      sellerId: [sellerId, randomUUID()],
      accountId: [...spare.map(({ account }) => account.id), randomUUID()],
      clientId: [ownSpareClient.clientId, ...spare.map(({ credentials }) => credentials.client_id), 'nobody'],
      orderId: [...own.orderIds, ...other.orderIds, '99999999999999', '9999999999999999'],
      approvalId: [...approvalIds, '999999'],
      reservationId: [...own.reservationIds, ...other.reservationIds, `rsv_${'0'.repeat(32)}`],
      claimId: [...claims.map(({ id }) => id), `clm_${'0'.repeat(32)}`],
      traceId: [...traceIds, '0'.repeat(32)],
      subject: [
        ...own.orderIds.map((id) => `order:${id}`),
        ...claims.map(({ id }) => `claim:${id}`),
        ...approvalIds.map((id) => `approval:${id}`),
        `seller:${sellerId}`,
      ],
      keyId: [...keyIds, '999999'],
      'If-Match': ['*', '"other"'],
      endpointId: [endpoint.id],
      memberId: [member.id],
      operatorId: [operator.id],
      noteId: [String(note.id)],
      eventId: [...eventIds, 'evt_0000000000000', 'evt_zzzzzzzzzzzzz'],
      id: [...own.itemIds, ...other.itemIds, ...offerIds],
      client_id: [ownBuyer.credentials.client_id, spareClient, 'nobody'],
      client_secret: [
        ownBuyer.credentials.client_secret,
        spare[0]?.credentials.client_secret ?? '',
        'kpsec_wrong',
      ],
      only: ['I3', 'I5,I22', 'I57', 'I66'],
    },
  };
}

/** Uses a different operator than the one whose token the requests have. */
async function askForApprovals(url: string, accountId: string): Promise<string[]> {
  const { clientId, clientSecret } = await operate(url, 'POST', '/clients', {
    name: 'x',
    operatorRole: 'admin',
  });
  const token = await fetchToken(url, { client_id: clientId, client_secret: clientSecret });
  const ask = async (reference: string) => {
    const body = { direction: 'credit', amount: '95000001', reference, reason: 'x' };
    const response = await call(url, {
      method: 'POST',
      path: `/admin/v1/accounts/${accountId}/adjustments`,
      token,
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 202, response.text());
    return response.json().data.id;
  };
  return Promise.all(['a', 'b', 'c', 'd'].map(ask));
}

function decidable(claim: { readonly id: string; readonly keyId: string } | undefined): KnownIds {
  assert.ok(claim !== undefined, 'the order has claims');
  return { claimId: [claim.id], keyId: [claim.keyId] };
}

async function readCodes(url: string, { token, orderIds }: StagedReseller, place: number): Promise<string[]> {
  const response = await call(url, { path: `/export/v1/orders/${orderIds[place]}/keys`, token });
  assert.equal(response.status, 200, response.text());
  return response.json().data[0].keys.map(({ code }: { code: string }) => code);
}

/** Waits for the first one: events come within a second. */
async function listEventIds(url: string, { token }: StagedReseller): Promise<string[]> {
  const response = await call(url, { path: '/export/v1/events?wait=10', token });
  assert.equal(response.status, 200, response.text());
  return response.json().data.map(({ id }: { id: string }) => id);
}
