/** Writes above a limit wait for a second operator and apply to the state at approval. A442 to A444. */
import { deepEqual, equal, fail, match, notEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { type ApiResponse, manual } from '../../support/harness.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, toNode, databaseUrl } = await startTwoNodes(wholeFile, { KEYPORT_APPROVAL_ABOVE: '25.00' });

type Options = {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly node?: number;
};

function send(
  path: string,
  body: unknown,
  { token = h.operatorToken, headers = {}, node = 0 }: Options = {},
) {
  const keyed = { 'idempotency-key': randomUUID(), ...headers };
  return h.callAt(toNode(node).url, 'POST', `/admin/v1${path}`, { token, body, headers: keyed });
}

const [second, third] = [await operatorClient(h), await operatorClient(h)];

async function place(quantity = 4) {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 6 });
  const { id } = (await reseller.order(manual(offerId, { quantity }))).body.data;
  const refund = (units: number, options?: Options) =>
    send(
      `/orders/${id}/refund`,
      { reason: 'bad keys', items: [{ id: `${id}01`, quantity: units }] },
      options,
    );
  const balance = async () => (await reseller.get('/account')).body.data.balance;
  return { accountId: reseller.accountId, id, refund, balance };
}

const approve = (id: string, options: Options = {}) =>
  send(`/approvals/${id}/approve`, { reason: 'Seen' }, { token: second, ...options });
const reject = (id: string, options: Options = {}) =>
  send(`/approvals/${id}/reject`, { reason: 'No' }, { token: second, ...options });
const toCode = ({ status, body }: ApiResponse) => [status, body.error?.code];

test('a refund above the limit waits until another operator approves it, and the audit log has both operators', async () => {
  const { id, accountId, refund, balance } = await place();
  const asked = await refund(3);
  equal(asked.status, 202, JSON.stringify(asked.body));
  const { id: approvalId, ...approval } = asked.body.data;
  deepEqual(
    [
      approval.operation,
      approval.status,
      approval.amount,
      approval.accountId,
      approval.orderId,
      approval.reason,
    ],
    ['refundOrder', 'pending', '30.00', accountId, id, 'bad keys'],
  );
  deepEqual([approval.requestedBy, approval.decidedBy], ['test-operator', null]);
  deepEqual([approval.preview.amount, approval.preview.needsApproval], ['30.00', true]);
  equal(await balance(), '60.00');
  equal((await h.operate('GET', `/orders/${id}`)).transactions[0].items[0].quantity.refunded, 0);

  const own = await send(`/approvals/${approvalId}/approve`, { reason: 'x' });
  deepEqual(toCode(own), [403, 'forbidden']);
  match(own.body.error.message, /another operator must/);
  const done = await approve(approvalId, { node: 1 });
  equal(done.status, 200, JSON.stringify(done.body));
  const { status, decidedBy, decisionReason, preview } = done.body.data;
  deepEqual([status, decisionReason], ['approved', 'Seen']);
  notEqual(decidedBy, 'test-operator');
  equal(preview.order.after.transactions[0].items[0].quantity.refunded, 3);
  equal(await balance(), '90.00');
  const audit = await h.operate('GET', `/audit?orderId=${id}`);
  const rows = audit.map((entry: { action: string; clientId: string }) => [entry.action, entry.clientId]);
  deepEqual(rows.toReversed(), [
    ['approval.request', 'test-operator'],
    ['order.refund', 'test-operator'],
    ['approval.approve', decidedBy],
  ]);
  deepEqual(audit[0].data.requestedBy, 'test-operator');
});

test('a retry of the request gets the first response, even after the approval', async () => {
  const { refund, balance } = await place();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await refund(4, { headers });
  await approve(first.body.data.id);
  const retry = await refund(4, { headers, node: 1 });
  deepEqual([retry.status, retry.headers.get('idempotent-replayed')], [202, 'true']);
  deepEqual(retry.body.data, first.body.data);
  equal(await balance(), '100.00');
});

test('only one of several concurrent approvals and rejections at two nodes takes effect', async () => {
  const { id, refund, balance } = await place();
  const approvalId: string = (await refund(3)).body.data.id;
  const responses = await Promise.all([
    approve(approvalId),
    approve(approvalId, { token: third, node: 1 }),
    approve(approvalId, { node: 1 }),
    reject(approvalId, { token: third }),
  ]);
  const outcomes = responses.map(({ status }) => status).sort();
  deepEqual(outcomes, [200, 409, 409, 409]);
  const { status } = await h.operate('GET', `/approvals/${approvalId}`);
  equal(await balance(), status === 'approved' ? '90.00' : '60.00');
  const refunds = await h.operate('GET', `/audit?orderId=${id}&action=order.refund`);
  equal(refunds.length, status === 'approved' ? 1 : 0);
});

test('a rejected request is never carried out, and the requester may withdraw it', async () => {
  const { refund, balance } = await place();
  const [one, other]: string[] = [(await refund(3)).body.data.id, (await refund(4)).body.data.id];
  const { body } = await reject(one ?? '');
  deepEqual([body.data.status, body.data.decisionReason], ['rejected', 'No']);
  deepEqual(toCode(await approve(one ?? '')), [409, 'conflict']);
  equal((await reject(other ?? '', { token: h.operatorToken })).status, 200);
  equal(await balance(), '60.00');
});

test('an approval applies to the current state, is bound by If-Match, and conflicts if the write is impossible', async () => {
  const { id, refund, balance } = await place();
  const approvalId: string = (await refund(3)).body.data.id;
  const look = async () => {
    await h.service.refreshApprovals();
    return h.call('GET', `/admin/v1/approvals/${approvalId}`, { token: second });
  };
  const seen = await look();
  equal(seen.body.data.preview.balance.after, '90.00');
  equal((await refund(1)).status, 200);
  const fresh = await look();
  equal(fresh.body.data.preview.order.before.transactions[0].items[0].quantity.refunded, 1);
  equal(fresh.body.data.preview.order.after.status, 'closed');
  const etag = (response: ApiResponse) => response.headers.get('etag') ?? fail('an ETag');
  const late = await approve(approvalId, { headers: { 'if-match': etag(seen) } });
  deepEqual(toCode(late), [412, 'state-changed']);
  deepEqual(late.body.error.data, fresh.body.data.preview);
  const dry = await send(
    `/approvals/${approvalId}/approve`,
    { reason: 'x', dryRun: true },
    { token: second },
  );
  deepEqual([dry.body.data, etag(dry)], [fresh.body.data.preview, etag(fresh)]);

  equal((await refund(1)).status, 200);
  deepEqual(toCode(await approve(approvalId)), [409, 'conflict']);
  const closed = (await look()).body.data;
  deepEqual([closed.status, closed.decidedBy], ['rejected', 'keyport']);
  match(closed.decisionReason, /refundable quantity, which is 2/);
  equal(await balance(), '80.00');
  await send(`/orders/${id}/refund`, { reason: 'x', dryRun: true });
  equal((await approve(approvalId, { headers: { 'if-match': '*' } })).status, 409);
});

test('previews of every write about an order or account name the requests that wait, and bind the write to them', async () => {
  const { id, accountId, refund } = await place();
  const dry = async (path: string, body: object) => send(path, { reason: 'x', ...body, dryRun: true });
  const opened = async (path: string, body: object = {}) => {
    const { body: answer } = await dry(path, body);
    const open: readonly { id: string }[] = answer.data.openApprovals ?? [];
    return open.map((one) => one.id);
  };
  const seen = await dry(`/orders/${id}/replace-key`, {
    keyId: (await h.operate('GET', `/orders/${id}/keys`))[0].id,
  });
  const { id: approvalId, requestedAt } = (await refund(3)).body.data;
  const keyId: string = (await h.operate('GET', `/orders/${id}/keys`))[0].id;
  const named = (await dry(`/orders/${id}/replace-key`, { keyId })).body.data.openApprovals;
  deepEqual(named, [
    { id: approvalId, operation: 'refundOrder', amount: '30.00', requestedBy: 'test-operator', requestedAt },
  ]);
  const headers = { 'if-match': seen.headers.get('etag') ?? fail('an ETag') };
  const late = await send(`/orders/${id}/replace-key`, { reason: 'x', keyId }, { headers });
  deepEqual(toCode(late), [412, 'state-changed']);
  deepEqual(late.body.error.data.openApprovals, named);
  const items = [{ id: `${id}01`, quantity: 1 }];
  deepEqual(await opened(`/orders/${id}/refund`, { items }), [approvalId]);
  const booking = { amount: '1.00', reference: randomUUID() };
  for (const [what, more] of [
    ['deposits', { reason: undefined }],
    ['payouts', { reason: undefined }],
    ['adjustments', { direction: 'credit' }],
  ] as const) {
    deepEqual(await opened(`/accounts/${accountId}/${what}`, { ...booking, ...more }), [approvalId], what);
  }
  // The approver sees the other requests, not the one that is approved.
  const other = (await refund(4)).body.data.id;
  const approving = await send(`/approvals/${approvalId}/approve`, { dryRun: true }, { token: second });
  deepEqual(
    approving.body.data.openApprovals.map((one: { id: string }) => one.id),
    [other],
  );
  const etag = approving.headers.get('etag') ?? fail('an ETag');
  equal((await approve(approvalId, { headers: { 'if-match': etag } })).status, 200);
});

test('splitting does not evade the limit, because refunds of an order and bookings of an account count for 24 hours', async () => {
  const { accountId, refund } = await place();
  deepEqual([(await refund(1)).status, (await refund(1)).status, (await refund(1)).status], [200, 200, 202]);
  const book = (what: string, amount: string, more: object = {}) =>
    send(`/accounts/${accountId}/${what}`, { amount, reference: randomUUID(), ...more });
  const correct = (direction: string, amount: string) =>
    book('adjustments', amount, { direction, reason: 'x' });
  equal((await correct('credit', '25')).status, 201, 'an amount equal to the limit needs no approval');
  equal((await correct('debit', '0.01')).status, 202);
  equal((await book('payouts', '15')).status, 201);
  const payout = await book('payouts', '10.01');
  deepEqual([payout.status, payout.body.data.amount], [202, '10.01']);
  equal((await approve(payout.body.data.id)).status, 200);
  equal((await book('payouts', '10.01')).status, 202, 'approved amounts are not counted');
  equal((await book('payouts', '10')).status, 201);
});

test('approved amounts do not count against later requests', async () => {
  const { accountId, refund } = await place();
  equal((await approve((await refund(3)).body.data.id)).status, 200);
  equal((await refund(1)).status, 200);
  const correct = (amount: string) =>
    send(`/accounts/${accountId}/adjustments`, {
      direction: 'credit',
      amount,
      reference: randomUUID(),
      reason: 'x',
    });
  equal((await approve((await correct('100')).body.data.id)).status, 200);
  deepEqual([(await correct('20')).status, (await correct('5.01')).status], [201, 202]);
});

test('one request can wait per reference: the same request returns the waiting one, a different one is a conflict', async () => {
  const { accountId } = await place();
  const ask = (amount: string) =>
    h.admin('POST', `/accounts/${accountId}/payouts`, { amount, reference: 'bank-7' });
  const responses = await Promise.all([ask('50'), ask('50.00'), ask('50.0')]);
  deepEqual(
    responses.map(({ status, body }) => [status, body.data.id]),
    Array(3).fill([202, responses[0]?.body.data.id]),
  );
  deepEqual(toCode(await ask('40')), [409, 'conflict']);
  equal((await approve(responses[0]?.body.data.id)).status, 200);
  const again = await ask('50');
  deepEqual([again.status, again.body.data.reference, again.body.data.amount], [200, 'bank-7', '-50.00']);
});

test('the list is newest first, has pages, and filters by status, account and order', async () => {
  const { accountId, id, refund } = await place(5);
  const ids: string[] = [];
  for (const units of [3, 4, 5]) ids.push((await refund(units)).body.data.id);
  await reject(ids[1] ?? '');
  const list = async (query: string) =>
    (await h.call('GET', `/admin/v1/approvals?${query}`, { token: second })).body;
  const toIds = (body: { data: { id: string }[] }) => body.data.map((one) => one.id);
  const [, ...deposit] = toIds(await list(`accountId=${accountId.toUpperCase()}`)).slice(2);
  equal(deposit.length, 1, 'the deposit was approved');
  deepEqual(toIds(await list(`accountId=${accountId.toUpperCase()}&limit=3`)), ids.toReversed());
  deepEqual(toIds(await list(`orderId=${id}&status=pending`)), [ids[2], ids[0]]);
  const first = await list(`orderId=${id}&limit=2`);
  deepEqual([toIds(first), first.meta.hasMore], [[ids[2], ids[1]], true]);
  const rest = await list(`orderId=${id}&limit=2&cursor=${first.meta.nextCursor}`);
  deepEqual([toIds(rest), rest.meta], [[ids[0]], { nextCursor: null, hasMore: false }]);
  const { error } = await list('cursor=x');
  equal(error.errors[0].field, 'query.cursor');
});

test('a deposit above the limit waits too, and smaller ones count for 24 hours', async () => {
  const { accountId } = await h.seed.reseller();
  const deposit = (amount: string) =>
    send(`/accounts/${accountId}/deposits`, { amount, reference: randomUUID() });
  deepEqual(
    [(await deposit('25')).status, (await deposit('0.01')).status],
    [201, 202],
    'an amount equal to the limit needs no approval',
  );
  const { status, body } = await deposit('1000');
  deepEqual(
    [status, body.data.operation, body.data.preview.balance.after],
    [202, 'createDeposit', '1025.00'],
  );
  equal((await approve(body.data.id)).status, 200);
  equal((await h.operate('GET', `/accounts/${accountId}`)).balance, '1025.00');
});

test('the same refund waits once, regardless of its reason, and a different one may wait beside it', async () => {
  const { id, refund } = await place();
  const whole = (reason: string, more: object = {}) => send(`/orders/${id}/refund`, { reason, ...more });
  const responses = await Promise.all([whole('bad keys'), whole('asked twice'), refund(4)]);
  const waiting = responses.find(({ status }) => status === 202) ?? fail('one waits');
  const conflicts = responses.filter(({ status }) => status === 409);
  deepEqual(
    conflicts.map(({ body }) => body.error.data),
    Array(2).fill({ approvalId: waiting.body.data.id }),
  );
  equal((await refund(3)).status, 202);
  await reject(waiting.body.data.id);
  equal((await whole('once more')).status, 202);
  const keys: { id: string }[] = await h.operate('GET', `/orders/${id}/keys`);
  const keyIds = keys.map((key) => key.id);
  for (const more of [
    { returnToStock: true },
    { withdrawKeys: true },
    { items: [{ id: `${id}01`, quantity: 4, keyIds }] },
    { items: [{ id: `${id}01`, quantity: 4, keyIds: keyIds.toReversed() }], returnToStock: true },
  ])
    deepEqual(toCode(await whole('the same units', more)), [409, 'conflict'], JSON.stringify(more));
  const named = (...some: readonly string[]) =>
    whole('these', { items: [{ id: `${id}01`, quantity: 3, keyIds: some }] });
  const [first = '', second = '', third = '', fourth = ''] = keyIds;
  equal((await named(first, second, third)).status, 202);
  equal((await named(third, second, first)).status, 409);
  equal((await named(first, second, fourth)).status, 202);
});

/** Each cause that makes a pending write impossible, and the recorded reason. */
test.for([
  ['a refund of the rest', /refundable quantity/],
  ['a closed account', /accepts no money/],
  ['an earlier booking with the reference', /was already booked with 20.00 EUR/],
  ['a requester who was disabled', /was disabled/],
] as const)('a waiting request is closed with the reason: %s', async ([what, reason]) => {
  const { refund } = await place();
  const { accountId } = await h.seed.reseller();
  const { clientId, clientSecret } = await h.operate('POST', '/clients', {
    name: 'Robot',
    operatorRole: 'admin',
  });
  const token = await h.tokenFor(clientId, clientSecret);
  const book = (amount: string) =>
    send(
      `/accounts/${accountId}/adjustments`,
      { direction: 'credit', amount, reference: 'r', reason: 'x' },
      { token },
    );
  const asked = await (what === 'a refund of the rest' ? refund(3, { token }) : book('30'));
  equal(asked.status, 202, JSON.stringify(asked.body));
  const approvalId: string = asked.body.data.id;
  if (what === 'a refund of the rest') {
    equal((await refund(1)).status, 200);
    equal((await refund(1)).status, 200);
  } else if (what === 'a closed account') {
    await h.operate('PATCH', `/accounts/${accountId}`, { status: 'closed' });
  } else if (what === 'a requester who was disabled') {
    await h.operate('DELETE', `/clients/${clientId}`);
  } else {
    equal((await book('20')).status, 201);
  }
  await h.service.refreshApprovals();
  const { status, decidedBy, decisionReason } = await h.operate('GET', `/approvals/${approvalId}`);
  deepEqual([status, decidedBy], ['rejected', 'keyport']);
  match(decisionReason, reason);
  deepEqual(toCode(await approve(approvalId)), [409, 'conflict']);
  const [entry] = await h.operate('GET', '/audit?action=approval.reject');
  deepEqual([entry.clientId, entry.data.approvalId], ['keyport', approvalId]);
});

test.skipIf(databaseUrl === undefined)(
  'reads of a waiting request take no lock that an order or a booking holds',
  async () => {
    const { accountId, id, refund } = await place();
    const approvalId: string = (await refund(3)).body.data.id;
    const client = await h.database.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM account WHERE id = $1 FOR UPDATE', [accountId]);
      await client.query('SELECT FROM "order" WHERE id = $1 FOR UPDATE', [id]);
      const { status, headers } = await h.call('GET', `/admin/v1/approvals/${approvalId}`, { token: second });
      deepEqual([status, headers.get('etag') === null], [200, false]);
      const list = await h.call('GET', `/admin/v1/approvals?orderId=${id}`, { token: second });
      equal(list.body.data[0].id, approvalId);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  },
);

test('a decision needs neither a reason nor a body', async () => {
  const { refund, balance } = await place();
  const decide = async (verb: string, body?: unknown) => {
    const { id } = (await refund(3)).body.data;
    const request = { token: second, ...(body === undefined ? {} : { body }) };
    const { status, body: answer } = await h.call('POST', `/admin/v1/approvals/${id}/${verb}`, request);
    return [status, answer.data?.status, answer.data?.decisionReason];
  };
  deepEqual(await decide('reject'), [200, 'rejected', null]);
  deepEqual(await decide('reject', {}), [200, 'rejected', null]);
  equal(await balance(), '60.00');
  deepEqual(await decide('approve'), [200, 'approved', null]);
  equal(await balance(), '90.00');
});

test('the permission of the write itself decides who may approve or reject it', async () => {
  const { accountId, refund } = await place();
  const tokens = { support: await operatorClient(h, 'support'), finance: await operatorClient(h, 'finance') };
  const refundId: string = (await refund(3)).body.data.id;
  const payout = await send(`/accounts/${accountId}/payouts`, { amount: '30', reference: 'r' });
  for (const decide of [reject, approve]) {
    deepEqual(toCode(await decide(refundId, { token: tokens.finance })), [403, 'forbidden']);
    const refused = await decide(payout.body.data.id, { token: tokens.support });
    match(refused.body.error.message, /permission finance/);
  }
  equal((await approve(refundId, { token: tokens.support })).status, 200);
  equal((await approve(payout.body.data.id, { token: tokens.finance })).status, 200);
});
