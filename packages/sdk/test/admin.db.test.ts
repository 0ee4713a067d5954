import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { test } from 'vitest';
import { sharedHarness } from '../../server/test/support/vitest.ts';
import { KeyportAdmin, type OperatorOperation } from '../src/admin.ts';
import { KeyportConnectionError, KeyportError } from '../src/requests/errors.ts';
import { watchedFetch } from './support.ts';

const h = await sharedHarness();

const credentials = { clientId: 'test-operator', clientSecret: 'test-operator-secret' };

test('every operator operation that is not streamed has a method', () => {
  const names = OPERATION_LIST.filter(
    ({ audience, hasStreamedBody }) => audience === 'operator' && !hasStreamedBody,
  );
  const admin = new KeyportAdmin({ baseUrl: h.url, ...credentials });
  deepEqual(
    names.filter(({ name }) => typeof admin[name as OperatorOperation] !== 'function'),
    [],
  );
});

test('creates, pays into and finds an account, and reads all pages of both kinds of lists', async () => {
  const admin = new KeyportAdmin({ baseUrl: h.url, ...credentials });
  const { id: accountId } = await admin.createAccount({ body: { name: 'Acme', paymentMethod: 'balance' } });
  await admin.createDeposit({ params: { accountId }, body: { amount: '12.50', reference: 'bank-1' } });
  equal((await admin.getAccount({ params: { accountId } })).balance, '12.50');
  const { clientId } = await admin.createClient({ params: { accountId }, body: {} });
  equal(await admin.disableClient({ params: { clientId } }), undefined);
  for (let count = 0; count < 12; count += 1)
    await admin.putSeller({ params: { sellerId: randomUUID() }, body: { name: 'S' } });
  for (const [name, query] of [
    ['listAccounts', { itemsPerPage: 10 }],
    ['listSellers', { limit: 5 }],
  ] as const) {
    const ids: string[] = [];
    for await (const { id } of admin.all(name, { query })) ids.push(id);
    const whole = await admin[name]();
    deepEqual(
      ids.slice(0, whole.data.length),
      whole.data.map(({ id }) => id),
    );
  }
  equal((await admin.getStatement({ params: { accountId } })).summary.closingBalance, '12.50');
});

test('a write whose response is lost is retried with its key and takes effect once', async () => {
  let left = 2;
  const { fetch } = watchedFetch((one, send) => {
    if (one.method !== 'POST' || one.path === '/oauth/token' || left === 0) return send();
    left -= 1;
    return send().then(() => Promise.reject(new TypeError('lost')));
  });
  const admin = new KeyportAdmin({ baseUrl: h.url, ...credentials, fetch });
  const name = randomUUID();
  const { data, response } = await admin
    .createAccount({ body: { name, paymentMethod: null } })
    .withResponse();
  equal(response.headers.get('idempotent-replayed'), 'true');
  const named: string[] = [];
  for await (const account of admin.all('listAccounts')) if (account.name === name) named.push(account.id);
  deepEqual(named, [data.id]);
});

test('a rejection names the field', async () => {
  const admin = new KeyportAdmin({ baseUrl: h.url, ...credentials });
  const input = { body: { name: '', paymentMethod: null } };
  await rejects(admin.createAccount(input).then(), { code: 'validation-error', status: 400 });
  await rejects(admin.getAccount({ params: { accountId: randomUUID() } }).then(), { code: 'not-found' });
});

test('request calls any operation, and retries a write that has a key', async () => {
  let left = 1;
  const { fetch, sent } = watchedFetch((one, send) => {
    if (!one.path.startsWith('/admin/') || left === 0) return send();
    left -= 1;
    return send().then(() => Promise.reject(new TypeError('lost')));
  });
  const admin = new KeyportAdmin({ baseUrl: h.url, ...credentials, fetch });
  const input = {
    method: 'POST',
    path: '/admin/v1/accounts',
    body: { name: randomUUID(), paymentMethod: null },
  };
  await rejects(admin.request(input).then(), KeyportConnectionError);
  left = 1;
  const idempotencyKey = randomUUID();
  const { response } = await admin.request(input, { idempotencyKey }).withResponse();
  equal(response.headers.get('idempotent-replayed'), 'true');
  equal(sent.at(-1)?.headers.get('idempotency-key'), idempotencyKey);
  const { data } = await admin.request<{ data: { mode: string } }>({
    method: 'GET',
    path: '/admin/v1/system',
  });
  equal(data.mode, 'sandbox');
});

test('fetch streams requests and responses, with a new token when the old one is rejected', async () => {
  const { fetch, sent } = watchedFetch();
  const other = new KeyportAdmin({ baseUrl: h.url, ...credentials, fetch });
  const { id } = await other.createAccount({ body: { name: 'Acme', paymentMethod: null } });
  const valid = sent.at(-1)?.headers.get('authorization')?.replace('Bearer ', '') ?? '';
  const tokens = ['rejected', valid, 'rejected', 'rejected'];
  const admin = new KeyportAdmin({ baseUrl: h.url, accessToken: () => tokens.shift() ?? '' });
  const path = `/admin/v1/accounts/${id}/statement`;
  const csv = { headers: { accept: 'text/csv' } };
  match(await (await admin.fetch(path, csv)).text(), /^number,/);
  await rejects(admin.fetch(path, csv), { name: 'KeyportError', code: 'unauthorized' });
  deepEqual(tokens, []);
  await rejects(other.fetch(`/admin/v1/accounts/${randomUUID()}`), { code: 'not-found' });

  const sellerId = randomUUID();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const answered = other.fetch('/admin/v1/imports/sellers', {
    ...{ method: 'POST', body: readable, duplex: 'half' },
    headers: { 'content-type': 'application/x-ndjson' },
  });
  await writer.write(new TextEncoder().encode(`${JSON.stringify({ id: sellerId, name: 'Key Cellar' })}\n`));
  await writer.close();
  equal((await (await answered).json()).data.written, 1);
  equal((await other.getSeller({ params: { sellerId } })).name, 'Key Cellar');
});

test('a preview shows what a write would do, and binds the write to the state that it showed', async () => {
  const admin = new KeyportAdmin({ baseUrl: h.url, ...credentials });
  const { accountId } = await h.seed.reseller({ balance: '20.00' });
  const payout = { params: { accountId }, body: { amount: '5.00', reference: 'bank-2' } };
  const { preview, etag } = await admin.preview('createPayout', payout);
  deepEqual([preview.amount, preview.balance], ['-5.00', { before: '20.00', after: '15.00' }]);
  equal((await admin.getAccount({ params: { accountId } })).balance, '20.00');
  await h.seed.deposit(accountId, '1.00');
  await rejects(Promise.resolve(admin.createPayout(payout, { ifMatch: etag })), (error) => {
    if (!(error instanceof KeyportError && error.is('state-changed'))) return false;
    equal(error.data.balance?.after, '16.00');
    return true;
  });
  const now = await admin.preview('createPayout', payout);
  await admin.createPayout(payout, { ifMatch: now.etag });
  equal((await admin.getAccount({ params: { accountId } })).balance, '16.00');
});
