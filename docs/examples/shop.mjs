// A small shop: it reserves while its customer pays, orders, and handles returns and claims. Run it in the sandbox, with
// @keyport/sdk installed: node shop.mjs 17. If it is killed, the same command continues and buys nothing twice.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL_REJECTIONS, Keyport, KeyportError } from '@keyport/sdk';

const { KEYPORT_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
const keyport = new Keyport({ baseUrl, clientId, clientSecret });

/** Stands for your database: it stores each request before the request is sent. */
const FILE = 'sales.json';
const sales = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};

function store(reference, facts) {
  sales[reference] = { ...sales[reference], ...facts };
  writeFileSync(`${FILE}.new`, JSON.stringify(sales), { mode: 0o600, flush: true });
  renameSync(`${FILE}.new`, FILE);
}

/** A step keeps its idempotency key, so that a retry in another run returns the result of the first attempt. */
async function once(reference, step, send) {
  if (sales[reference]?.[step] === undefined) store(reference, { [step]: randomUUID() });
  try {
    return await send({ idempotencyKey: sales[reference][step] });
  } catch (error) {
    if (error instanceof KeyportError && FINAL_REJECTIONS.includes(error.code))
      store(reference, { [step]: undefined });
    throw error;
  }
}

/** Stands for your payment provider, which takes and gives back the payment of a reference once. */
async function takePayment(amount, reference) {
  console.log(`${reference}: the customer pays ${amount} EUR`);
  await sleep(500);
  return true;
}

async function refundPayment(amount, reference) {
  console.log(`${reference}: the customer gets ${amount} EUR back`);
}

/** `reference` is the shop's own order number: it is on the reservation and on the order. */
async function sell(reference, line) {
  if (sales[reference]?.line === undefined) store(reference, { line });
  const wanted = { auto: sales[reference].line, reference, ttlSeconds: 600 };
  const reserved = await once(reference, 'reserve', (options) =>
    keyport.reservations.create(wanted, options),
  ).catch((error) => {
    // The next run offers the customer the product as it is then, such as with its new price.
    if (sales[reference].reserve === undefined) store(reference, { line: undefined });
    throw error;
  });
  if (!sales[reference].isPaid) {
    if (!(await takePayment(reserved.totalPrice, reference))) {
      await keyport.reservations.release(reserved.id);
      throw new Error(`${reference} was not paid; its units are back in stock`);
    }
    store(reference, { isPaid: true });
  }
  // The reserved price applies even if the offer changed. After a rejection such as insufficient-funds the reservation
  // stays active: top up, and run the sale again.
  const ordered = await once(reference, 'order', (options) =>
    keyport.reservations.order(reserved.id, options),
  ).catch(async (error) => {
    if (error instanceof KeyportError && error.is('reservation-used'))
      return keyport.orders.get(error.data.orderId);
    if (error instanceof KeyportError && error.is('reservation-expired')) await giveUp(reference, reserved);
    throw error;
  });
  const order = await untilFinal(ordered);
  if (order.status !== 'canceled') return order;
  await giveUp(reference, reserved);
  throw new Error(`${reference}: order ${order.id} was canceled`);
}

/** The sale can't succeed any more: a customer who has paid gets the money back, and the next run sells anew. */
async function giveUp(reference, { totalPrice }) {
  await refundPayment(totalPrice, reference);
  store(reference, { line: undefined, reserve: undefined, order: undefined, isPaid: false });
}

async function untilFinal(order) {
  if (!['pending', 'pending_payment', 'processing', 'held'].includes(order.status)) return order;
  await sleep(2000);
  return untilFinal(await keyport.orders.get(order.id));
}

/** Show keys only to a customer who wants them now: a key that was read cannot be returned. */
async function showKeys(order) {
  const items = await keyport.orders.keys(order.id);
  const codes = items.flatMap(({ keys }) => keys.map(({ code }) => code));
  console.log(`${order.reference}: keys ${codes.join(', ')}`);
  return codes;
}

const itemOf = (order) => order.transactions[0].items[0];

async function giveBack(order) {
  const { id, quantity } = itemOf(order);
  try {
    const items = [{ id, quantity: quantity.ordered }];
    const { status } = await once(order.reference, 'return', (options) =>
      keyport.orders.return(order.id, { items }, options),
    );
    console.log(`${order.reference}: returned, ${status}`);
  } catch (error) {
    if (!(error instanceof KeyportError && error.is('return-not-possible'))) throw error;
    console.log(`${order.reference}: not returned, ${error.data.reason}`);
  }
}

async function claim(order, code) {
  const faulty = {
    orderId: order.id,
    itemId: itemOf(order).id,
    codes: [code],
    reason: 'already-used',
    message: 'The platform says that the key was activated before.',
  };
  const claimed = await once(order.reference, 'claim', (options) => keyport.claims.create(faulty, options));
  console.log(`${order.reference}: claim ${claimed.id} is ${claimed.status}`);
}

async function printStatement(from) {
  for await (const line of keyport.account.statement({ from }))
    console.log(line.createdAt, line.kind, line.amount, line.balance, line.reference ?? '');
}

async function printFailures(from) {
  for await (const { at, method, path, status, code, traceId } of keyport.requests.failures({ from }))
    console.log(`failed: ${at} ${method} ${path} ${status} ${code} ${traceId}`);
}

/** The old secret works for another day, so that other processes have time to switch. */
async function rotateSecret() {
  const { clientSecret, previousValidUntil } = await once('secret', 'rotate', (options) =>
    keyport.clients.rotateSecret(clientId, {}, options),
  );
  writeFileSync('client-secret', clientSecret, { mode: 0o600 });
  console.log(`secret rotated; the old one ends at ${previousValidUntil}`);
}

const products = await keyport.products.list({ orderable: true, itemsPerPage: 10 }).page(1);
const [product] = products.data;
if (product === undefined) throw new Error('nothing is on offer');
const line = { productId: product.id, quantity: 1, maxPrice: product.minPrice };
const number = process.argv[2] ?? '1';
const now = new Date().toISOString();

const order = await sell(`shop ${number} A`, line);
const [code] = await showKeys(order);
const unwanted = await sell(`shop ${number} B`, line);
await giveBack(unwanted);
await claim(order, code);
await printStatement(`${now.slice(0, 7)}-01T00:00:00Z`);
await printFailures(new Date(Date.parse(now) - 24 * 3600 * 1000).toISOString());
await rotateSecret();
