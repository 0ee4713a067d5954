/** A703. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { auto, type Reseller } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';
import { sendRaw } from '../transport/support.ts';

const h = await sharedHarness();

type Entry = Record<string, unknown> & { readonly path: string; readonly requestBody?: string };

async function toLog({ get }: Reseller, query = ''): Promise<Entry[]> {
  const { status, body } = await get(`/requests${query}`);
  equal(status, 200, JSON.stringify(body));
  return body.data;
}

const post = ({ token }: Reseller, path: string, body: unknown, headers = {}) =>
  h.call('POST', `/export/v1${path}`, { token, body, headers });

test('200: a write is logged with its request, response and order', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const key = randomUUID();
  const ordered = await reseller.order(auto(productId), key);
  const [entry, ...others] = await toLog(reseller);
  deepEqual(others, []);
  ok(entry !== undefined);
  match(String(entry['id']), /^req_[0-9a-f]{32}$/);
  const { traceId } = ordered.body;
  deepEqual(
    { ...entry, id: 0, at: 0, durationMs: 0, userAgent: 0 },
    {
      ...{ id: 0, at: 0, durationMs: 0, userAgent: 0 },
      clientId: reseller.clientId,
      method: 'POST',
      path: '/export/v1/orders',
      query: '',
      status: 201,
      traceId,
      idempotencyKey: key,
      orderId: ordered.body.data.id,
      address: '127.0.0.1',
      requestBody: JSON.stringify({ items: [auto(productId)] }),
      responseBody: JSON.stringify(ordered.body),
    },
  );
  ok(Math.abs(Date.parse(String(entry['at'])) - Date.now()) < 60_000);
  const [one] = await h.operate('GET', `/accounts/${reseller.accountId}/requests?traceId=${traceId}`);
  deepEqual(one, entry);
});

test('200: the log keeps the first response of an order that changed later, and has the retry too', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const key = randomUUID();
  const body = { items: [auto(productId)], reference: 'kpsec_x №7' };
  const send = () => post(reseller, '/orders', body, { 'idempotency-key': key });
  const first = await send();
  await h.operate('POST', `/orders/${first.body.data.id}/refund`, { reason: 'wrong' });
  const retry = await send();
  deepEqual([first.status, retry.status], [201, 200]);
  const bodies = (await toLog(reseller)).map(({ responseBody }) => responseBody);
  const logged = ({ body }: typeof first) => JSON.stringify(body).replace('kpsec_x', '***');
  deepEqual(bodies, [logged(retry), logged(first)]);
});

test('200: rejected and failed requests are in the log, with their codes', async () => {
  const reseller = await h.seed.reseller();
  const bodies = [{ items: [] }, 'no json', { items: [auto('10000000099999')] }];
  for (const body of bodies) await post(reseller, '/orders', body, { 'idempotency-key': randomUUID() });
  await reseller.get('/products/10000000099999');
  await reseller.get('/orders/1');
  await reseller.get('/orders/00000000000001');
  await h.call('GET', '/admin/v1/accounts', { token: reseller.token });
  const log = await toLog(reseller);
  deepEqual(
    log.filter(({ orderId }) => orderId !== undefined),
    [],
  );
  const seen = log.map(({ method, path, status, code }) => [method, path, status, code]);
  deepEqual(seen.reverse(), [
    ['POST', '/export/v1/orders', 400, 'validation-error'],
    ['POST', '/export/v1/orders', 400, 'validation-error'],
    ['POST', '/export/v1/orders', 400, 'offer-not-available'],
    ['GET', '/export/v1/products/10000000099999', 400, 'product-not-found'],
    ['GET', '/export/v1/orders/***', 400, 'validation-error'],
    ['GET', '/export/v1/orders/00000000000001', 400, 'order-not-found'],
    ['GET', '/admin/v1/accounts', 403, 'forbidden'],
  ]);
});

test('200: requests of one moment are listed in the order of their arrival', async () => {
  const reseller = await h.seed.reseller();
  const ids = Array.from({ length: 50 }, (_, place) => String(10000000099900 + place));
  const requests = ids.map((id, place) => {
    const close = place === ids.length - 1 ? 'Connection: close\r\n' : '';
    return `GET /export/v1/products/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reseller.token}\r\n${close}\r\n`;
  });
  await sendRaw(Number(new URL(h.service.url).port), requests.join(''));
  const log = await toLog(reseller, '?limit=100');
  deepEqual(
    log.map(({ path }) => path.slice(-14)),
    ids.toReversed(),
  );
});

test('200: successful reads of the account are counted by operation and not logged', async () => {
  const reseller = await h.seed.reseller();
  const other = await h.seed.reseller();
  for (let count = 0; count < 3; count += 1) await reseller.get('/account');
  await h.call('HEAD', '/export/v1/product-offers', { token: reseller.token });
  deepEqual(await toLog(reseller), []);
  const { body } = await reseller.get('/requests/counts');
  const counts: Record<string, number> = {};
  for (const { minute, operation, count } of body.data) {
    match(minute, /:00\.000000Z$/);
    counts[operation] = (counts[operation] ?? 0) + count;
  }
  deepEqual(counts, { getOwnAccount: 3, listProductOffers: 1, listOwnRequests: 1 });
  deepEqual((await other.get('/requests/counts')).body.data, []);
  const shown = await h.operate('GET', `/accounts/${reseller.accountId}/requests/counts`);
  ok(shown.length >= body.data.length);
});

test('200: filters return only matching requests, in pages', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const ordered = await reseller.order(auto(productId));
  const { id } = ordered.body.data;
  await post(reseller, '/orders', {});
  await reseller.get('/products/10000000099999');
  await reseller.get(`/orders/${id.slice(0, -1)}${id.endsWith('1') ? 2 : 1}`);
  const all = await toLog(reseller);
  equal(all.length, 4);
  const computeCount = async (query: string) => (await toLog(reseller, query)).length;
  equal(await computeCount('?status=400'), 3);
  equal(await computeCount('?code=product-not-found'), 1);
  equal(await computeCount(`?orderId=${id}`), 1);
  equal(await computeCount(`?traceId=${ordered.body.traceId}`), 1);
  equal(await computeCount(`?traceId=${ordered.body.traceId}&status=400`), 0);
  equal(await computeCount(`?clientId=${reseller.clientId}`), 4);
  equal(await computeCount('?clientId=reseller_other'), 0);
  const third = String(all[2]?.['at']);
  equal(await computeCount(`?from=${third}`), 3, 'from is included');
  equal(await computeCount(`?to=${third}`), 1, 'to is excluded');
  const seen: Entry[] = [];
  let cursor = '';
  do {
    const { data, meta } = (await reseller.get(`/requests?limit=3${cursor}`)).body;
    seen.push(...data);
    cursor = meta.hasMore ? `&cursor=${meta.nextCursor}` : '';
  } while (cursor !== '');
  deepEqual(seen, all);
});

test('200: codes, secrets and tokens are masked, even in unexpected members', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing();
  const { id } = (await reseller.order(auto(productId))).body.data;
  await reseller.get(`/orders/${id}/keys`);
  const secrets = [...codes, reseller.token, reseller.clientSecret];
  const hook = await post(reseller, '/webhook-endpoints', { url: 'https://shop.example/x', types: ['*'] });
  const rotated = await post(reseller, `/clients/${reseller.clientId}/rotate-secret`, {});
  const hookSecret = await post(reseller, `/webhook-endpoints/${hook.body.data.id}/rotate-secret`, {});
  secrets.push(hook.body.data.secret, rotated.body.data.clientSecret, hookSecret.body.data.secret);
  for (const secret of secrets) {
    await post(reseller, '/orders', { code: secret, items: [{ key: secret }] });
    await post(reseller, '/orders', `{"codes":["${secret}`);
    await reseller.get(`/orders?code=${secret}&token=${secret}`);
    await reseller.get(`/orders?status=nothing&access_token=${encodeURIComponent(secret)}`);
    await reseller.get(`/orders/${encodeURIComponent(secret)}/keys`);
  }
  const shown = JSON.stringify(await toLog(reseller, '?limit=100'));
  ok(shown.includes('***'));
  for (const secret of secrets) ok(!shown.includes(secret), secret);
  equal((await toLog(reseller, `?orderId=${id}`)).length, 1);
  await assertNothingIssued(secrets);
});

test('200: a secret that is cut at 4 KB is masked', async () => {
  const reseller = await h.seed.reseller();
  const { token, clientSecret } = reseller;
  for (const secret of [token, clientSecret])
    for (const kept of [5, 10, 20, 40]) {
      const start = '{"items":[],"reference":"a ';
      const padding = ' a'.repeat((4096 - start.length - kept) / 2);
      await post(reseller, '/orders', `${start}${padding} ${secret}`);
      await post(reseller, '/orders', `{"items":[],${' '.repeat(4096 - 25 - kept)}"reference":"${secret}"}`);
    }
  const log = await toLog(reseller, '?limit=100');
  equal(log.length, 16);
  for (const { requestBody = '' } of log) {
    ok(requestBody.endsWith('"reference":"***"'), requestBody.slice(-60));
    for (const secret of [token, clientSecret]) ok(!requestBody.includes(secret.slice(0, 10)));
  }
});

test('200: bodies are truncated at 4 KB, and omitted requests of a flood are counted', async () => {
  const reseller = await h.seed.reseller();
  const items = Array.from({ length: 90 }, () => auto('10000000099999'));
  await post(reseller, '/orders', { items, padding: 'é'.repeat(20_000) });
  const [entry] = await toLog(reseller);
  const size = Buffer.byteLength(entry?.requestBody ?? '');
  ok(size <= 4096 && size > 4000, String(size));
  const requests = Array.from({ length: 400 }, () => post(reseller, '/orders', {}));
  await Promise.all(requests);
  const { meta } = (await reseller.get('/requests')).body;
  const { rows } = await sql<{ logged: number }>`
    SELECT count(*) AS logged FROM request_entry
    WHERE account_id = ${reseller.accountId}::uuid AND method = 'POST'`.execute(h.database.db);
  equal((rows[0]?.logged ?? 0) + meta.omitted, 401);
  const { body } = await reseller.get('/requests?to=2020-01-01T00:00:00Z');
  deepEqual([body.data, body.meta.omitted], [[], 0]);
});

test('200: requests are not shown after seven days, and a worker deletes them', async () => {
  const reseller = await h.seed.reseller();
  await post(reseller, '/orders', {});
  await reseller.get('/account');
  equal((await toLog(reseller)).length, 1);
  for (const table of ['request_entry', 'request_count'])
    await sql`UPDATE ${sql.identifier(table)} SET at = at - interval '169 hours' WHERE account_id = ${reseller.accountId}::uuid`.execute(
      h.database.db,
    );
  deepEqual(await toLog(reseller), []);
  await h.service.forgetOld();
  const { rows } = await sql<{ left: number }>`
    SELECT (SELECT count(*) FROM request_entry WHERE account_id = ${reseller.accountId}::uuid
        AND at < statement_timestamp() - interval '1 day')
      + (SELECT count(*) FROM request_count WHERE account_id = ${reseller.accountId}::uuid
        AND at < statement_timestamp() - interval '1 day') AS left`.execute(h.database.db);
  equal(rows[0]?.left, 0);
});

async function assertNothingIssued(secrets: readonly string[]): Promise<void> {
  const { rows } = await sql<{ text: string }>`SELECT request_entry::text AS text FROM request_entry`.execute(
    h.database.db,
  );
  const stored = rows.map(({ text }) => text).join('\n');
  for (const secret of secrets) ok(!stored.includes(secret), secret);
}
