/** A243. */
import { deepEqual, equal } from 'node:assert/strict';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import { closed, IDEMPOTENCY_KEY, rawRequest, sendRaw, startServer } from './support.ts';

const BODY = JSON.stringify({
  items: [{ auto: { productId: '10000000000017', quantity: 1, maxPrice: '1.00' } }],
});
const ORDER =
  'POST /export/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reseller\r\n' +
  `Idempotency-Key: ${IDEMPOTENCY_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
const PAGE = read('/export/v1/product-offers');
const ACCOUNT = read('/export/v1/account');
const HISTORY = rawRequest('GET /export/v1/orders');

function read(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reseller\r\n\r\n`;
}

async function startSlow(t: TestContext) {
  const slow = Promise.withResolvers<void>();
  const stub = (status: 200 | 201) => async () => {
    await slow.promise;
    return { status, bytes: Buffer.from('{"data":[]}') };
  };
  const { port, calls } = await startServer(t, {
    stubs: { getOwnAccount: stub(200), createOrder: stub(201) },
  });
  const begun = () => calls.map(({ name }) => name);
  const untilBegun = async (count: number) => {
    while (calls.length < count) await nextTurn();
    return begun();
  };
  return { port, finish: slow.resolve, begun, untilBegun };
}

const toStatuses = (text: string) => text.match(/(?<=HTTP\/1\.1 )\d{3}/g)?.map(Number);

test('reads behind an order wait for its response', async (t) => {
  const { port, finish, begun, untilBegun } = await startSlow(t);
  const answering = sendRaw(port, ORDER + PAGE + HISTORY);
  deepEqual(await untilBegun(1), ['createOrder']);
  finish();
  const { status, text } = await answering;
  deepEqual([status, ...(toStatuses(text) ?? [])], [201, 200, 200]);
  deepEqual(begun(), ['createOrder', 'listProductOffers', 'listOrders']);
});

test('requests of any kind are processed one after the other', async (t) => {
  const { port, finish, begun, untilBegun } = await startSlow(t);
  const answering = sendRaw(port, ACCOUNT + ORDER + PAGE + HISTORY);
  deepEqual(await untilBegun(1), ['getOwnAccount']);
  finish();
  const { status, text } = await answering;
  deepEqual([status, ...(toStatuses(text) ?? [])], [200, 201, 200, 200]);
  deepEqual(begun(), ['getOwnAccount', 'createOrder', 'listProductOffers', 'listOrders']);
});

test('a caller who sends too much behind an order is cut off, and none of it is done', async (t) => {
  const { port, finish, begun, untilBegun } = await startSlow(t);
  const socket = connect(port, '127.0.0.1');
  socket.write(ORDER);
  await untilBegun(1);
  socket.write(PAGE.repeat(1_001));
  await closed(socket);
  finish();
  deepEqual(begun(), ['createOrder']);
  equal((await sendRaw(port, HISTORY)).status, 200);
});
