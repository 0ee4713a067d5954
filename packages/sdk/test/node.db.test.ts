import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import type { Reseller } from '../../server/test/support/harness.ts';
import { sharedHarness } from '../../server/test/support/vitest.ts';
import type { Product } from '../src/generated/reseller-contract.ts';
import { Keyport } from '../src/keyport.ts';
import { CatalogueMirror } from '../src/node/catalogue-mirror.ts';
import { JournalError } from '../src/node/durable-files.ts';
import { createOrderOnce, createReservationOnce } from '../src/node/once.ts';
import { KeyportError } from '../src/requests/errors.ts';
import { failedChecks, isOrder, toKeyport, watchedFetch } from './support.ts';

const h = await sharedHarness();
const CRASHING = join(import.meta.dirname, 'crashing.ts');

const buy = (offerId: string, maxPrice = '10.00') => ({ manual: { offerId, quantity: 1, maxPrice } });

async function openFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-sdk-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Returns the output, or undefined if the program was killed at the step. */
function crashAt(
  step: number,
  what: 'order' | 'reservation' | 'mirror',
  file: string,
  reseller: Reseller,
  request?: object,
) {
  const { clientId, clientSecret } = reseller;
  const input = { file, request, options: { baseUrl: h.url, clientId, clientSecret } };
  return new Promise<string | undefined>((resolve, reject) => {
    const args = [CRASHING, what, String(step), JSON.stringify(input)];
    execFile(process.execPath, args, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (error.signal === 'SIGKILL') resolve(undefined);
      else reject(error);
    });
  });
}

/** A program that starts again every second needs a token each time. */
async function otherFailedChecks(reseller: Reseller) {
  return (await failedChecks(h, reseller)).filter(({ id }) => id !== 'token-reuse');
}

test('a program killed at any step of createOrderOnce and run again buys once', async (t) => {
  const folder = await openFolder(t);
  const { offerId, codes } = await h.seed.listing({ stock: 60 });
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const keyport = toKeyport(h, reseller);
  let step = 1;
  for (let printed: string | undefined; printed === undefined; step += 1) {
    const file = join(folder, `${step}.json`);
    printed = await crashAt(step, 'order', file, reseller, buy(offerId));
    const order = await createOrderOnce(keyport, file, buy(offerId));
    equal(order.status, 'complete');
    if (printed !== undefined) deepEqual(JSON.parse(printed), order);
    equal((await reseller.get('/orders')).body.meta.totalResults, step, `after a crash at step ${step}`);
  }
  ok(step > 25, `only ${step} steps`);
  ok(codes.length > step);
  deepEqual(await otherFailedChecks(reseller), []);
});

test('a finished journal returns its order without a request, and concurrent callers share one order', async (t) => {
  const file = join(await openFolder(t), 'order.json');
  const { offerId } = await h.seed.listing();
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { fetch, sent } = watchedFetch();
  const keyport = toKeyport(h, reseller, { fetch });
  const orders = await Promise.all(
    Array.from({ length: 8 }, () => createOrderOnce(keyport, file, buy(offerId))),
  );
  equal(new Set(orders.map(({ id }) => id)).size, 1);
  equal((await reseller.get('/orders')).body.meta.totalResults, 1);
  sent.length = 0;
  deepEqual(await createOrderOnce(keyport, file, buy(offerId)), orders[0]);
  deepEqual(sent, []);
  equal((await stat(file)).mode & 0o077, 0);
});

test('a rejection buys nothing and frees the journal for a new attempt', async (t) => {
  const folder = await openFolder(t);
  const file = join(folder, 'order.json');
  const { offerId } = await h.seed.listing();
  const reseller = await h.seed.reseller();
  const keyport = toKeyport(h, reseller);
  await rejects(createOrderOnce(keyport, file, buy(offerId)), { code: 'insufficient-funds' });
  deepEqual(await readdir(folder), []);
  await h.seed.deposit(reseller.accountId, '10.00');
  equal((await createOrderOnce(keyport, file, buy(offerId))).status, 'complete');
});

test('an invalid first request frees the journal, but one that an earlier run has sent does not', async (t) => {
  const file = join(await openFolder(t), 'order.json');
  const { offerId } = await h.seed.listing();
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const keyport = toKeyport(h, reseller);
  const wrong = buy(offerId, '1.001');
  await rejects(createOrderOnce(keyport, file, wrong), { code: 'validation-error' });
  equal((await createOrderOnce(keyport, file, buy(offerId))).status, 'complete');
  await rm(file);
  const lost = toKeyport(h, reseller, { fetch: () => Promise.reject(new TypeError('lost')), timeoutMs: 300 });
  await rejects(createOrderOnce(lost, file, wrong));
  const { idempotencyKey } = JSON.parse(await readFile(file, 'utf8'));
  await rejects(createOrderOnce(keyport, file, wrong), { code: 'validation-error' });
  equal(JSON.parse(await readFile(file, 'utf8')).idempotencyKey, idempotencyKey);
});

test('a purchase whose outcome is unknown keeps the journal and its key', async (t) => {
  const file = join(await openFolder(t), 'order.json');
  const { offerId } = await h.seed.listing();
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { fetch, sent } = watchedFetch((one, send) =>
    isOrder(one) ? send().then(() => Promise.reject(new TypeError('lost'))) : send(),
  );
  const unlucky = toKeyport(h, reseller, { fetch, maxRetries: 1 });
  await rejects(createOrderOnce(unlucky, file, buy(offerId)), { name: 'KeyportConnectionError' });
  const order = await createOrderOnce(toKeyport(h, reseller), file, buy(offerId));
  const { idempotencyKey } = JSON.parse(await readFile(file, 'utf8'));
  equal(sent.findLast(isOrder)?.headers.get('idempotency-key'), idempotencyKey);
  deepEqual((await reseller.get('/orders')).body.data, [order]);
});

test('an order waiting for payment is returned as it is, and stays the order of the journal', async (t) => {
  const file = join(await openFolder(t), 'order.json');
  const { offerId } = await h.seed.listing();
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' };
  const reseller = await h.seed.reseller({ account });
  const keyport = toKeyport(h, reseller);
  const order = await createOrderOnce(keyport, file, buy(offerId));
  equal(order.status, 'pending_payment');
  deepEqual(await createOrderOnce(keyport, file, buy(offerId)), order);
  equal((await reseller.get('/orders')).body.meta.totalResults, 1);
});

test('a journal that is damaged, or of a different purchase or service, is rejected, and nothing is sent', async (t) => {
  const file = join(await openFolder(t), 'order.json');
  const { offerId } = await h.seed.listing();
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { fetch, sent } = watchedFetch();
  const keyport = toKeyport(h, reseller, { fetch });
  const refused = (problem: RegExp, client = keyport, request = buy(offerId)) =>
    rejects(createOrderOnce(client, file, request), (error) => {
      ok(error instanceof JournalError);
      equal(error.file, file);
      match(error.message, problem);
      return true;
    });
  for (const text of ['', '{', '{}', 'null', '[]', '{"keyport":"order","idempotencyKey":"1"}']) {
    await writeFile(file, text);
    await refused(/damaged.*history/s);
    equal(await readFile(file, 'utf8'), text);
  }
  await rm(file);
  const lost = toKeyport(h, reseller, { fetch: () => Promise.reject(new TypeError('lost')), timeoutMs: 300 });
  await rejects(createOrderOnce(lost, file, buy(offerId)));
  await refused(/different purchase/, keyport, buy(offerId, '11.00'));
  const { clientId, clientSecret } = reseller;
  await refused(/sent to/, new Keyport({ baseUrl: 'http://127.0.0.1:1', clientId, clientSecret, fetch }));
  deepEqual(sent, []);
});

test('a program killed at any step of createReservationOnce and run again reserves once', async (t) => {
  const folder = await openFolder(t);
  const { offerId } = await h.seed.listing({ stock: 60 });
  const account = { limits: { reservedUnitsMax: 60 } };
  const reseller = await h.seed.reseller({ balance: '1000.00', account });
  const keyport = toKeyport(h, reseller);
  const wanted = { ...buy(offerId), reference: 'A-1', ttlSeconds: 600 };
  let step = 1;
  for (let printed: string | undefined; printed === undefined; step += 1) {
    const file = join(folder, `${step}.json`);
    printed = await crashAt(step, 'reservation', file, reseller, wanted);
    const reservation = await createReservationOnce(keyport, file, wanted);
    deepEqual([reservation.status, reservation.reference], ['active', 'A-1']);
    if (printed !== undefined) deepEqual(JSON.parse(printed), reservation);
    const { data } = await keyport.reservations.list({ reference: 'A-1', limit: 100 }).page();
    equal(data.length, step, `after a crash at step ${step}`);
  }
  ok(step > 25, `only ${step} steps`);
});

test('a reservation of a journal is ordered once; a rejection leaves no journal, and the journal of an order is rejected', async (t) => {
  const folder = await openFolder(t);
  const [file, ofOrder] = [join(folder, 'sale.json'), join(folder, 'order.json')];
  const { offerId } = await h.seed.listing({ stock: 3 });
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const keyport = toKeyport(h, reseller);
  await rejects(createReservationOnce(keyport, file, buy(offerId, '0.01')), { code: 'max-price-exceeded' });
  deepEqual(await readdir(folder), []);
  const { id } = await createReservationOnce(keyport, file, buy(offerId));
  const order = await keyport.reservations.order(id);
  equal((await createReservationOnce(keyport, file, buy(offerId))).id, id);
  await rejects(
    async () => keyport.reservations.order(id),
    (error) =>
      error instanceof KeyportError && error.is('reservation-used') && error.data.orderId === order.id,
  );
  await createOrderOnce(keyport, ofOrder, buy(offerId));
  await rejects(
    createReservationOnce(keyport, ofOrder, buy(offerId)),
    /not a journal of createReservationOnce/,
  );
});

const byId = (products: Iterable<Product>) => [...products].sort((a, b) => (a.id < b.id ? -1 : 1));

async function listed(reseller: Reseller): Promise<Product[]> {
  await h.seed.inStep();
  const products: Product[] = [];
  for await (const product of toKeyport(h, reseller).products.list()) products.push(product);
  return byId(products);
}

test('a mirror applies new, changed and removed products, continues from its file, and restarts with the service', async (t) => {
  const file = join(await openFolder(t), 'catalogue.ndjson');
  const [first, second] = [await h.seed.listing(), await h.seed.listing()];
  const reseller = await h.seed.reseller();
  const mirror = new CatalogueMirror(toKeyport(h, reseller), file);
  await Promise.all([mirror.sync(), mirror.sync()]);
  deepEqual(byId(mirror.products.values()), await listed(reseller));
  const put = ({ productId, offerId, sellerId }: typeof first, price: string, status: string) =>
    h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status });
  const size = (await stat(file)).size;
  await put(first, '77.00', 'active');
  await put(second, '10.00', 'paused');
  await h.seed.inStep();
  await mirror.sync();
  deepEqual(byId(mirror.products.values()), await listed(reseller));
  equal(mirror.products.get(first.productId)?.minPrice, '77.00');
  equal(mirror.products.has(second.productId), false);
  // The changes were appended to the file.
  ok((await stat(file)).size - size < 1000);

  const { fetch, sent } = watchedFetch();
  const other = new CatalogueMirror(toKeyport(h, reseller, { fetch }), file);
  await other.sync();
  deepEqual(other.products, mirror.products);
  match(sent.find(({ path }) => path.includes('/changes'))?.path ?? '', /cursor=/);

  await h.operate('POST', '/catalogue/restart-feeds', { reason: 'test' });
  await put(first, '78.00', 'active');
  await h.seed.inStep();
  await other.sync();
  deepEqual(byId(other.products.values()), await listed(reseller));
});

test('a mirror of orderable products follows what becomes and ceases to be orderable', async (t) => {
  const file = join(await openFolder(t), 'catalogue.ndjson');
  const [game, card] = [await h.seed.listing(), await h.seed.listing({ product: { checkoutClass: 'esim' } })];
  const reseller = await h.seed.reseller();
  const open = (orderable: boolean) => new CatalogueMirror(toKeyport(h, reseller), file, { orderable });
  const classify = (productId: string, checkoutClass: string) =>
    h.operate('PUT', `/products/${productId}`, { name: 'Product', checkoutClass });
  const has = async (mirror: CatalogueMirror) => {
    await h.seed.inStep();
    await mirror.sync();
    return [mirror.products.has(game.productId), mirror.products.has(card.productId)];
  };
  const mirror = open(true);
  deepEqual(await has(mirror), [true, false]);
  await classify(game.productId, 'subscription');
  await classify(card.productId, 'standard');
  deepEqual(await has(mirror), [false, true]);
  deepEqual(await has(open(true)), [false, true]);
  // The file of the other filter is read again from the beginning, so nothing stale stays.
  deepEqual(await has(open(false)), [true, true]);
  deepEqual(await has(open(true)), [false, true]);
});

test('a waiting mirror applies a change when it happens', async (t) => {
  const { productId, offerId, sellerId } = await h.seed.listing();
  const mirror = new CatalogueMirror(toKeyport(h, await h.seed.reseller()), join(await openFolder(t), 'c'));
  await mirror.sync();
  const waiting = mirror.sync({ wait: 30 });
  await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '3.00', status: 'active' });
  await waiting;
  equal(mirror.products.get(productId)?.minPrice, '3.00');
});

test('a sync killed at any step leaves a file from which the next one gets everything', async (t) => {
  const folder = await openFolder(t);
  const { productId, offerId, sellerId } = await h.seed.listing();
  const reseller = await h.seed.reseller();
  const reader = await h.seed.reseller();
  const file = join(folder, 'catalogue.ndjson');
  let step = 1;
  for (let printed: string | undefined; printed === undefined; step += 1) {
    const price = `${step}.50`;
    await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status: 'active' });
    await h.seed.inStep();
    // Every third sync starts without a file.
    if (step % 3 === 0) await rm(file, { force: true });
    printed = await crashAt(step, 'mirror', file, reseller);
    const mirror = new CatalogueMirror(toKeyport(h, reseller), file);
    await mirror.sync();
    deepEqual(byId(mirror.products.values()), await listed(reader), `after a crash at step ${step}`);
  }
  ok(step > 15, `only ${step} steps`);
  deepEqual(await otherFailedChecks(reseller), []);
});

test('a damaged file is rejected and its line named, but an unfinished write is accepted', async (t) => {
  const file = join(await openFolder(t), 'catalogue.ndjson');
  for (let count = 0; count < 3; count += 1) await h.seed.listing();
  const reseller = await h.seed.reseller();
  const newMirror = () => new CatalogueMirror(toKeyport(h, reseller), file);
  await newMirror().sync();
  const whole = await readFile(file, 'utf8');
  for (const rest of ['{"id":"1', '{"id":"1"}\n', '{"id":"1"}\n{"cursor":"x","cou']) {
    await appendFile(file, rest);
    const mirror = newMirror();
    await mirror.sync();
    equal(mirror.products.has('1'), false);
    equal(await readFile(file, 'utf8'), whole);
  }
  const lines = whole.split('\n');
  for (const damaged of [lines.with(1, 'x').join('\n'), lines.slice(1).join('\n'), 'hello\n', '']) {
    await writeFile(file, damaged);
    await rejects(
      newMirror().sync(),
      (error) => error instanceof JournalError && /line \d+ /.test(error.message),
    );
    equal(await readFile(file, 'utf8'), damaged);
  }
  await writeFile(file, whole);
  const mirror = newMirror();
  await mirror.sync();
  await truncate(file, 10);
  await h.seed.listing();
  await rejects(mirror.sync(), /another process/);
  notEqual(mirror.products.size, 0);
});
