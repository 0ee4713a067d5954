import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const baseUrl = process.env.KEYPORT_URL ?? 'http://127.0.0.1:8080';
const { CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;

// Longer than the service itself waits for a payment provider (10 s).
const TIMEOUT_MS = 30_000;
const ATTEMPTS_MAX = 6;
const AGAIN = [408, 409, 429, 500, 502, 503, 504];

let token = { value: '', endsAtMs: 0 };

async function getToken() {
  if (Date.now() < token.endsAtMs) return token.value;
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`);
  const { access_token, expires_in } = await response.json();
  token = { value: access_token, endsAtMs: Date.now() + (expires_in - 60) * 1000 };
  return token.value;
}

async function call(method, path, headers = {}, body) {
  for (let attempt = 1; ; attempt += 1) {
    let waitMs = 250 * 2 ** attempt;
    let problem;
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { ...headers, authorization: `Bearer ${await getToken()}` },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = {
        status: response.status,
        date: response.headers.get('date'),
        body: await response.json(),
      };
      const isTokenOld = response.status === 401 && attempt === 1;
      if (isTokenOld) token.endsAtMs = 0;
      else if (!AGAIN.includes(response.status)) return answer;
      waitMs = Math.max(waitMs, Number(response.headers.get('retry-after') ?? 0) * 1000);
      problem = JSON.stringify(answer.body);
    } catch (error) {
      // No answer: the request may have arrived or not. Retrying it finds out.
      problem = error;
    }
    if (attempt === ATTEMPTS_MAX) throw new Error(`${method} ${path} failed: ${problem}`);
    await sleep(waitMs);
  }
}

// The change feed.

const WAIT_SECONDS = 25;

// To be stored, both together. An empty cursor is the beginning.
let shop = { cursor: '', products: new Map() };

/** A new picture that is being filled from the beginning. It takes the place of the old one when it is whole. */
let next;

/** Takes in what came after the cursor; waits a while when there is nothing. */
async function takeChanges() {
  const { cursor } = next ?? shop;
  const query = new URLSearchParams({
    limit: '1000',
    wait: String(WAIT_SECONDS),
    ...(cursor === '' ? {} : { cursor }),
  });
  const { status, body } = await call('GET', `/export/v1/product-offers/changes?${query}`);
  if (status !== 200) throw new Error(`${body.error.code}: ${body.error.message} (traceId ${body.traceId})`);
  const { nextCursor, hasMore, restarted } = body.meta;
  if (cursor === '' || restarted) next = { cursor: '', products: new Map() };
  const picture = next ?? shop;
  for (const change of body.data) {
    if ('removed' in change) picture.products.delete(change.id);
    else picture.products.set(change.id, change);
  }
  picture.cursor = nextCursor;
  if (!hasMore) {
    shop = picture;
    next = undefined;
  }
  // Here is the place to store `shop`, unless `next` is being filled.
  return { count: body.data.length, hasMore };
}

/** Never ends. `onNews` is called when the picture has changed. */
export async function follow(onNews) {
  for (;;) {
    try {
      const { count, hasMore } = await takeChanges();
      if (count > 0 && !hasMore) onNews();
      if (count === 0) await sleep(1000);
    } catch (error) {
      // The cursor is still the one of the last answer that was taken in.
      console.error(error);
      await sleep(10_000);
    }
  }
}

// Polling. Store the cursor with the products.

const OVERLAP_MS = 10_000;
const WINDOW_END_MS = 5_000;
const products = new Map();

async function getPage(filter, page) {
  const query = new URLSearchParams({ ...filter, page: String(page), itemsPerPage: '100' });
  const { status, date, body } = await call('GET', `/export/v1/product-offers?${query}`);
  if (status !== 200) throw new Error(`${body.error.code}: ${body.error.message} (traceId ${body.traceId})`);
  return { date, data: body.data, meta: body.meta };
}

function remember(changed) {
  for (const product of changed) {
    const known = products.get(product.id);
    // Texts of one length and form: they compare as the times do.
    if (known === undefined || known.updatedAt < product.updatedAt) products.set(product.id, product);
  }
}

/** Takes in what changed since `cursor`, and returns the next cursor. '' reads everything. */
async function poll(cursor) {
  const from = cursor === '' ? {} : { updatedAtFrom: before(cursor, OVERLAP_MS) };
  const first = await getPage(from, 1);
  if (!first.meta.hasNext) {
    remember(first.data);
    return first.data.reduce((newest, { updatedAt }) => (newest < updatedAt ? updatedAt : newest), cursor);
  }
  // The server's clock counts, not ours.
  const to = before(first.date ?? new Date().toUTCString(), WINDOW_END_MS);
  const window = { ...from, updatedAtTo: to };
  const { totalResults } = (await getPage(window, 1)).meta;
  for (let page = Math.ceil(totalResults / 100); page >= 1; page -= 1) {
    remember((await getPage(window, page)).data);
  }
  return cursor < to ? to : cursor;
}

function before(time, ms) {
  return new Date(Date.parse(time) - ms).toISOString();
}

// An order and its keys.

async function placeOrder(item, key) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  const body = JSON.stringify({ items: [item] });
  const { status, body: answer } = await call('POST', '/export/v1/orders', headers, body);
  if (status === 201 || status === 200) return waitUntilDone(answer.data);
  const { code, message, data } = answer.error;
  // The order exists and waits for its payment: ordering again would buy twice.
  if (code === 'order-not-paid') return waitUntilDone(await getOrder(data.orderId));
  throw new Error(`${code}: ${message} (traceId ${answer.traceId})`);
}

async function getOrder(orderId) {
  const { status, body } = await call('GET', `/export/v1/orders/${orderId}`);
  if (status !== 200) throw new Error(`${body.error.code}: ${body.error.message}`);
  return body.data;
}

/** The order when nothing more happens to it by itself. A held order waits for a person: look again later. */
async function waitUntilDone(order) {
  while (['pending', 'pending_payment', 'processing'].includes(order.status)) {
    await sleep(2000);
    order = await getOrder(order.id);
  }
  return order;
}

async function getKeys(orderId) {
  const { status, body } = await call('GET', `/export/v1/orders/${orderId}/keys`);
  if (status !== 200) throw new Error(`${body.error.code}: ${body.error.message}`);
  return body.data.flatMap((item) => item.keys.map(({ code }) => code));
}

// The program.

const cursor = await poll('');
console.log(`${products.size} products; the next poll begins with ${cursor}`);
const [cheapest] = [...products.values()].sort((one, other) => Number(one.minPrice) - Number(other.minPrice));
if (cheapest === undefined) throw new Error('nothing is on offer');

const key = randomUUID(); // to be stored before the order is sent
const item = { auto: { productId: cheapest.id, quantity: 1, maxPrice: cheapest.minPrice } };
const order = await placeOrder(item, key);
console.log(`order ${order.id} is ${order.status}`);
if (order.status === 'complete') console.log(`keys: ${(await getKeys(order.id)).join(', ')}`);
