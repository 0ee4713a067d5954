/** A621. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { readBooks } from '../../support/books.ts';
import { startHarness } from '../../support/harness.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { wholeFile } from '../../support/vitest.ts';
import { claimsOn } from './support.ts';

const h = await startHarness(wholeFile, { KEYPORT_APPROVAL_ABOVE: '25.00' });
const { delivered, post } = claimsOn(h);

const get = (path: string) => h.operate('GET', path);

test('one decision can replace, refund and reject keys', async () => {
  const { reseller, offerId, orderId, codes, claim, decide, readCodes } = await delivered({ quantity: 3 });
  const { id } = (await claim(codes)).body.data;
  const { status, body } = await decide(
    id,
    { '1': 'replace', '2': 'refund', '3': 'reject' },
    { answer: 'Sorry.' },
  );
  equal(status, 200, JSON.stringify(body));
  deepEqual(
    body.data.keys.map((key: { outcome: string }) => key.outcome),
    ['replaced', 'refunded', 'rejected'],
  );
  const own = (await reseller.get(`/claims/${id}`)).body.data;
  deepEqual([own.status, own.answer], ['decided', 'Sorry.']);
  const now = await readCodes();
  equal(now.length, 3, 'a refunded key stays with the order');
  deepEqual([now.includes(codes[0] ?? ''), now.includes(codes[2] ?? '')], [false, true]);
  const { units } = await readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual(units, { available: 1, sold: 3, withdrawn: 1 });
  equal((await reseller.get('/account')).body.data.balance, '80.00');
  const lines = (await reseller.get('/account/statement')).body.data;
  equal(lines.at(-1).claimId, id);
  const actions = (await get(`/audit?orderId=${orderId}`)).map(({ action }: { action: string }) => action);
  for (const action of ['claim.create', 'claim.decide', 'order.replace-key', 'order.refund'])
    ok(actions.includes(action), action);
  await h.service.eventsWritten();
  const events = (await reseller.get('/events?types[]=claim.decided')).body.data;
  deepEqual(
    events.map(({ data }: { data: { claim: unknown } }) => data.claim),
    [own],
  );
});

test('replacing a key restarts the keys window', async () => {
  const { reseller, orderId, codes, claim, decide } = await delivered();
  await post(reseller.token, `/sandbox/v1/orders/${orderId}/advance`, { hours: 60 });
  equal((await reseller.get(`/orders/${orderId}/keys`)).body.error.code, 'order-expired');
  const { id } = (await claim(codes.slice(1))).body.data;
  equal((await decide(id, { '1': 'replace' })).status, 200);
  equal((await reseller.get(`/orders/${orderId}/keys`)).status, 200);
});

test('a preview writes nothing, and its ETag is valid until something changes', async () => {
  const { reseller, orderId, codes, claim, decide } = await delivered();
  const { id } = (await claim(codes)).body.data;
  const decisions = { '1': 'refund', '2': 'replace' };
  const preview = await decide(id, decisions, { dryRun: true });
  equal(preview.status, 200);
  const { amount, units, stock, needsApproval } = preview.body.data;
  deepEqual([amount, needsApproval], ['10.00', false]);
  deepEqual(units, { returned: 0, withdrawn: 1, kept: 1, delivered: 1, added: 0 });
  deepEqual([stock[0].before, stock[0].after], [3, 2]);
  equal((await get(`/claims/${id}`)).status, 'open');
  const ifMatch = { 'if-match': preview.headers.get('etag') };
  await h.operate('POST', `/orders/${orderId}/replace-key`, { reason: 'first', code: codes[1] });
  const stale = await decide(id, { '1': 'refund', '2': 'reject' }, {}, ifMatch);
  deepEqual([stale.status, stale.body.error.code], [412, 'state-changed']);
  const gone = await decide(id, decisions);
  deepEqual([gone.status, gone.body.error.code], [409, 'conflict']);
  deepEqual(gone.body.error.data, { keyIds: ['2'] });
  equal((await reseller.get('/account')).body.data.balance, '80.00', 'nothing was refunded');
  equal((await decide(id, { '1': 'refund', '2': 'reject' })).status, 200);
});

test('each key needs one decision, and replacements need keys in stock', async () => {
  const { reseller, codes, claim, decide } = await delivered({ stock: 3 });
  const { id } = (await claim(codes)).body.data;
  const toField = async (decisions: Record<string, string>) =>
    (await decide(id, decisions)).body.error.errors[0].field;
  equal(await toField({ '1': 'refund' }), 'body.decisions');
  equal(await toField({ '1': 'refund', '3': 'refund' }), 'body.decisions[1].keyId');
  equal(await toField({ '1': 'refund', '2': 'burn' }), 'body.decisions[1].decision');
  const twice = [1, 2].map(() => ({ keyId: '1', decision: 'reject' }));
  const response = await decide(id, {}, { decisions: twice });
  equal(response.body.error.errors[0].field, 'body.decisions[1].keyId');
  const few = await decide(id, { '1': 'replace', '2': 'replace' });
  deepEqual([few.status, few.body.error.data], [409, { available: 1 }]);
  await post(reseller.token, `/export/v1/claims/${id}/withdraw`, {});
  const late = await decide(id, { '1': 'refund', '2': 'refund' });
  deepEqual([late.status, late.body.error.data], [409, { claimStatus: 'withdrawn' }]);
});

test('refunds above the threshold wait for another operator', async () => {
  const { reseller, codes, claim, decide } = await delivered({ quantity: 3 });
  const { id } = (await claim(codes)).body.data;
  const all = { '1': 'refund', '2': 'refund', '3': 'refund' };
  const waiting = await decide(id, all, { answer: 'Sorry.' });
  deepEqual([waiting.status, waiting.body.data.operation], [202, 'decideClaim']);
  equal((await get(`/claims/${id}`)).status, 'open');
  const token = await operatorClient(h);
  const approve = await post(token, `/admin/v1/approvals/${waiting.body.data.id}/approve`, {});
  equal(approve.status, 200, JSON.stringify(approve.body));
  equal((await get(`/claims/${id}`)).status, 'decided');
  equal((await reseller.get('/account')).body.data.balance, '100.00');
});

test('a pending decision is closed when its claim is withdrawn', async () => {
  const { reseller, codes, claim, decide } = await delivered({ quantity: 3 });
  const { id } = (await claim(codes)).body.data;
  const { body } = await decide(id, { '1': 'refund', '2': 'refund', '3': 'refund' });
  await h.service.refreshApprovals();
  await post(reseller.token, `/export/v1/claims/${id}/withdraw`, {});
  await h.service.refreshApprovals();
  equal((await get(`/approvals/${body.data.id}`)).status, 'rejected');
});

test('the list has filters, a search and a cursor; a single claim shows the history of its keys', async () => {
  const { reseller, sellerId, orderId, codes, claim } = await delivered();
  const { id } = (await claim(codes.slice(0, 1), { reason: 'wrong-region' })).body.data;
  const second = (await claim(codes.slice(1))).body.data.id;
  const toIds = async (query: string) =>
    (await get(`/claims?accountId=${reseller.accountId}&${query}`)).map((one: { id: string }) => one.id);
  deepEqual(await toIds(''), [second, id]);
  deepEqual(await toIds('sort=createdAt'), [id, second]);
  deepEqual(await toIds('reason=wrong-region'), [id]);
  deepEqual(await toIds('status=decided'), []);
  deepEqual(await toIds(`orderId=${orderId}&sellerId=${sellerId}&query=${id}`), [id]);
  deepEqual((await toIds('query=shop')).length, 2);
  const page = await h.admin('GET', `/claims?accountId=${reseller.accountId}&limit=1`);
  deepEqual(await toIds(`limit=1&cursor=${page.body.meta.nextCursor}`), [id]);
  const { keys, accountId, sellerId: seller } = await get(`/claims/${id}`);
  deepEqual([accountId, seller], [reseller.accountId, sellerId]);
  const [read, ...more] = keys[0].history;
  deepEqual([read.clientId, read.address, more.length], [reseller.clientId, '127.0.0.1', 0]);
});

test('the history of a replacement key leaves out earlier reads of the order', async () => {
  const { orderId, codes, claim, readCodes } = await delivered();
  await h.operate('POST', `/orders/${orderId}/replace-key`, { reason: 'bad', code: codes[0] });
  const now = await readCodes();
  const fresh = now.find((code) => !codes.includes(code)) ?? '';
  const { id } = (await claim([fresh, codes[1] ?? ''])).body.data;
  const { keys } = await get(`/claims/${id}`);
  deepEqual(
    keys.map(({ history }: { history: unknown[] }) => history.length),
    [1, 2],
  );
});

test('the claims of a seller are shown by reason, beside its sold units', async () => {
  const { reseller, sellerId, codes, claim } = await delivered({ quantity: 3 });
  await claim(codes.slice(0, 1), { reason: 'already-used' });
  const withdrawn = (await claim(codes.slice(1))).body.data.id;
  await post(reseller.token, `/export/v1/claims/${withdrawn}/withdraw`, {});
  const none = { invalid: 0, 'already-used': 0, 'wrong-region': 0, 'wrong-product': 0 };
  deepEqual(await get(`/sellers/${sellerId}/claims-rate`), {
    unitsSold: 3,
    claims: { ...none, 'already-used': 1 },
  });
  const past = 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z';
  deepEqual(await get(`/sellers/${sellerId}/claims-rate?${past}`), { unitsSold: 0, claims: none });
});

test('support decides claims, and viewer and catalogue only read them', async () => {
  const { codes, claim, decide } = await delivered();
  const { id } = (await claim(codes)).body.data;
  const before = await get('/attention');
  ok(before.openClaims.count > 0);
  const body = { decisions: [1, 2].map((place) => ({ keyId: String(place), decision: 'reject' })) };
  for (const [role, status] of [
    ['viewer', 403],
    ['catalogue', 403],
    ['support', 200],
  ] as const) {
    const token = await operatorClient(h, role);
    equal((await h.call('GET', `/admin/v1/claims/${id}`, { token })).status, 200);
    equal((await post(token, `/admin/v1/claims/${id}/decide`, body)).status, status, role);
  }
  equal((await get('/attention')).openClaims.count, before.openClaims.count - 1);
  equal((await decide(id, { '1': 'reject', '2': 'reject' })).status, 409);
});

test('a reseller can decide its own claims in the sandbox', async () => {
  const { reseller, codes, claim } = await delivered();
  const { id } = (await claim(codes)).body.data;
  const body = { decisions: [1, 2].map((place) => ({ keyId: String(place), decision: 'replace' })) };
  const stranger = await h.seed.reseller();
  equal((await post(stranger.token, `/sandbox/v1/claims/${id}/decide`, body)).status, 404);
  const { status, body: decided } = await post(reseller.token, `/sandbox/v1/claims/${id}/decide`, body);
  deepEqual([status, decided.data.status], [200, 'decided']);
  deepEqual(decided.data, (await reseller.get(`/claims/${id}`)).body.data);
});
