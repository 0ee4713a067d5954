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
      // No response: the request may or may not have arrived. A retry is safe and returns the result.
      problem = error;
    }
    if (attempt === ATTEMPTS_MAX) throw new Error(`${method} ${path} failed: ${problem}`);
    await sleep(waitMs);
  }
}

// The change feed.

const WAIT_SECONDS = 25;

// Store the cursor and the products together. An empty cursor starts from the beginning.
let shop = { cursor: '', products: new Map() };

/** A new copy, read from the beginning. It replaces the old one when it is complete. */
let next;

/** Applies the changes after the cursor; waits a while if there are none. */
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
  // Store `shop` here, unless `next` is being filled.
  return { count: body.data.length, hasMore };
}

/** Never ends. Calls `onNews` when products have changed. */
export async function follow(onNews) {
  for (;;) {
    try {
      const { count, hasMore } = await takeChanges();
      if (count > 0 && !hasMore) onNews();
      if (count === 0) await sleep(1000);
    } catch (error) {
      // The cursor is still the one from the last response that was applied.
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
    // The timestamps have the same length and format, so they can be compared as text.
    if (known === undefined || known.updatedAt < product.updatedAt) products.set(product.id, product);
  }
}

/** Reads the changes since `cursor`, and returns the next cursor. '' reads everything. */
async function poll(cursor) {
  const from = cursor === '' ? {} : { updatedAtFrom: before(cursor, OVERLAP_MS) };
  const first = await getPage(from, 1);
  if (!first.meta.hasNext) {
    remember(first.data);
    return first.data.reduce((newest, { updatedAt }) => (newest < updatedAt ? updatedAt : newest), cursor);
  }
  // The server's clock determines the window, not ours.
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

/** Returns the order when its status is final, or held: then an operator must act, so read it again later. */
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

const key = randomUUID(); // store the key before sending the order
const item = { auto: { productId: cheapest.id, quantity: 1, maxPrice: cheapest.minPrice } };
const order = await placeOrder(item, key);
console.log(`order ${order.id} is ${order.status}`);
if (order.status === 'complete') console.log(`keys: ${(await getKeys(order.id)).join(', ')}`);
