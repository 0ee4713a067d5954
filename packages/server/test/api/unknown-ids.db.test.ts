/** Every operation with an id in its path: unknown ids, and ids of another account. R22, A45. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type NamedOperation, OPERATION_LIST } from '@keyport/contract/operations';
import { test } from 'vitest';
import { allEvents } from '../support/events.ts';
import { auto, manual } from '../support/harness.ts';
import { seedMember } from '../support/person.ts';
import { toReservations } from '../support/reservations.ts';
import { sharedHarness } from '../support/vitest.ts';
import { waitUntil } from '../support/webhook-receiver.ts';
import { toBody } from './body-breaks.ts';

const h = await sharedHarness();

type Ids = Readonly<Record<string, string>>;

const UNKNOWN: Ids = {
  accountId: randomUUID(),
  approvalId: '999999',
  claimId: `clm_${'0'.repeat(32)}`,
  clientId: 'nobody',
  deliveryId: 'whd_unknown',
  endpointId: 'whe_unknown',
  eventId: 'evt_0000000000000',
  memberId: 'mem_000000000000000000000000',
  noteId: '999999',
  offerId: randomUUID(),
  operatorId: 'person_000000000000000000000000',
  orderId: '9999999999999999',
  paymentId: 'charge-2174556001234567',
  productId: '99999999999999',
  reservationId: `rsv_${'0'.repeat(32)}`,
  runId: '999999999',
  sellerId: randomUUID(),
  viewId: randomUUID(),
};

const NOT_FOUND = ['not-found', 'order-not-found', 'product-not-found'] as const;
const toCode = ({ errors = [] }: NamedOperation) => NOT_FOUND.find((code) => errors.includes(code));
const withId = OPERATION_LIST.filter(
  (operation: NamedOperation) => toCode(operation) !== undefined && operation.path.includes('{'),
);

const owner = await h.seed.reseller({ balance: '100.00', account: { returnWindowHours: 24 } });
const stranger = await h.seed.reseller({ account: { returnWindowHours: 24 } });
const strangeOwner = await seedMember(h, stranger);
const own = await seedOwn();

async function seedOwn(): Promise<Ids> {
  const post = (path: string, body?: unknown) =>
    h.call('POST', `/export/v1${path}`, {
      token: owner.token,
      body,
      headers: { 'idempotency-key': randomUUID() },
    });
  const { productId, offerId } = await h.seed.listing({ price: '1.00' });
  const { data: endpoint } = (await post('/webhook-endpoints', { url: 'http://127.0.0.1:9/', types: ['*'] }))
    .body;
  const { data: order } = (await owner.order(manual(offerId))).body;
  const [{ item, keys }] = (await owner.get(`/orders/${order.id}/keys`)).body.data;
  const { data: claim } = (
    await post(`/orders/${order.id}/claims`, { itemId: item.id, codes: [keys[0].code], reason: 'invalid' })
  ).body;
  const reservation = await toReservations(h, owner).reserved(auto(productId));
  const [event] = await allEvents(h, owner);
  const delivery = await waitUntil(
    async () => (await owner.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body.data[0],
    'a delivery',
  );
  ok(event !== undefined);
  return {
    accountId: owner.accountId,
    claimId: claim.id,
    clientId: owner.clientId,
    deliveryId: delivery.id,
    endpointId: endpoint.id,
    eventId: event.id,
    memberId: (await seedMember(h, owner)).id,
    orderId: order.id,
    reservationId: reservation.id,
  };
}

function call(operation: NamedOperation, ids: Ids, token: string) {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => ids[name] ?? UNKNOWN[name] ?? 'sellers',
  );
  const body = toBody(operation);
  const isForPeople = operation.permission === 'members';
  return (isForPeople ? strangeOwner : h).call(operation.method, path, {
    ...(isForPeople ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    headers: operation.method === 'GET' ? {} : { 'idempotency-key': randomUUID() },
  });
}

test.for(withId)('$name with an unknown id is not found', async (operation: NamedOperation) => {
  const token = operation.audience === 'operator' ? h.operatorToken : stranger.token;
  const code = toCode(operation);
  const of = operation.path.includes('{accountId}') ? [{}, { accountId: owner.accountId }] : [{}];
  for (const ids of of) {
    if ('accountId' in ids && !/\{.*\{/.test(operation.path)) continue;
    const { status, body } = await call(operation, ids, token);
    deepEqual([status, body.error?.code], [code === 'not-found' ? 404 : 400, code], JSON.stringify(body));
  }
});

const ofResellers = withId.filter(
  ({ audience, path }) => audience === 'reseller' && !/\{(?:productId|offerId)\}/.test(path),
);

test.for(ofResellers)(
  '$name: an id of another account gets the response of an unknown one, byte for byte',
  async (operation: NamedOperation) => {
    const read = async (ids: Ids) => {
      const { status, headers, body } = await call(operation, ids, stranger.token);
      const shown = [...headers].filter(([name]) => !/^(?:date|x-trace-id|ratelimit-.*)$/.test(name));
      return [status, shown, JSON.stringify({ ...body, traceId: '' })];
    };
    const unknown = await read({});
    deepEqual(await read(own), unknown);
    if (operation.path.includes('{deliveryId}')) {
      const { deliveryId: _, ...parent } = own;
      deepEqual(
        (await call(operation, parent, owner.token)).status,
        404,
        'an unknown delivery of an own endpoint',
      );
    }
  },
);

test('nothing of the other account has changed', async () => {
  for (const [path, status] of [
    [`/orders/${own['orderId']}`, 'complete'],
    [`/claims/${own['claimId']}`, 'open'],
    [`/reservations/${own['reservationId']}`, 'active'],
    [`/webhook-endpoints/${own['endpointId']}`, 'enabled'],
  ] as const)
    equal((await owner.get(path)).body.data.status, status, path);
  for (const path of ['/orders', '/claims', '/reservations', '/webhook-endpoints', '/events'])
    deepEqual((await stranger.get(path)).body.data, [], path);
});
