/** A588. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { manual, startHarness } from '../../support/harness.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { seedPerson } from '../../support/person.ts';
import { wholeFile } from '../../support/vitest.ts';
import { claimsOn } from '../claims/support.ts';

const h = await startHarness(wholeFile, { KEYPORT_APPROVAL_ABOVE: '5.00' });
const ada = await seedPerson(h, 'support');
const grace = await seedPerson(h, 'finance');
const viewer = await operatorClient(h, 'viewer');
const { delivered } = claimsOn(h);

const assign = (subject: string, assignee: string | null, person = ada) =>
  person.call('PUT', `/admin/v1/assignees/${subject}`, { body: { assignee } });
const ids = async (path: string, person = ada) =>
  (await person.call('GET', `/admin/v1${path}`)).body.data.map(({ id }: { id: string }) => id);

async function heldOrder(): Promise<string> {
  const { offerId } = await h.seed.listing({ stock: 1 });
  const reseller = await h.seed.reseller({ balance: '100.00', account: { holdOrders: true } });
  const { body } = await reseller.order(manual(offerId));
  return body.data?.id ?? body.error.data.orderId;
}

async function openClaim(): Promise<string> {
  const { codes, claim } = await delivered();
  return (await claim(codes.slice(0, 1))).body.data.id;
}

async function pendingApproval(): Promise<string> {
  const { accountId } = await h.seed.reseller({ balance: '100.00' });
  const body = { amount: '9.00', reference: 'p-1' };
  return (await h.operate('POST', `/accounts/${accountId}/payouts`, body)).id;
}

const LISTS = {
  order: ['/orders?status=held', heldOrder, 'orders', 'heldOrders'],
  claim: ['/claims?status=open', openClaim, 'claims', 'claims'],
  approval: ['/approvals?status=pending', pendingApproval, 'approvals', 'approvals'],
} as const;

for (const [kind, [list, create, path, counted]] of Object.entries(LISTS)) {
  test(`200: ${list} has the assignee, filters by it, and counts it`, async () => {
    const [mine, other] = [await create(), await create()];
    const { status, body } = await assign(`${kind}:${mine}`, ada.id);
    deepEqual([status, body.data], [200, { subject: `${kind}:${mine}`, assignee: ada.id }]);
    equal((await h.operate('GET', `/${path}/${mine}`)).assignee, ada.id);
    deepEqual(await ids(`${list}&assignee=me`), [mine]);
    deepEqual(await ids(`${list}&assignee=${ada.id}`, grace), [mine]);
    deepEqual(await ids(`${list}&assignee=me`, grace), []);
    const free = await ids(`${list}&assignee=none`);
    deepEqual([free.includes(mine), free.includes(other)], [false, true]);
    const { assigned } = (await ada.call('GET', '/admin/v1/attention')).body.data;
    equal(assigned[counted], 1);
    const [entry] = await h.operate('GET', '/audit?action=assignee.put&limit=1');
    deepEqual([entry.clientId, entry.data], [ada.id, { subject: `${kind}:${mine}`, assignee: ada.id }]);
    equal((await assign(`${kind}:${mine}`, grace.id, grace)).status, 200);
    deepEqual(await ids(`${list}&assignee=me`), []);
    equal((await assign(`${kind}:${mine}`, null)).body.data.assignee, null);
    deepEqual(await ids(`${list}&assignee=me`, grace), []);
  });
}

test('200: work has no assignee after its assignee was disabled', async () => {
  const linus = await seedPerson(h, 'support');
  const orderId = await heldOrder();
  equal((await assign(`order:${orderId}`, linus.id)).status, 200);
  await h.operate('PATCH', `/operators/${linus.id}`, { status: 'disabled' });
  equal((await h.operate('GET', `/orders/${orderId}`)).assignee, null);
  equal((await ids('/orders?status=held&assignee=none')).includes(orderId), true);
});

test('400, 403, 404, 409: only waiting work can be assigned, with permission, to active operators', async () => {
  const orderId = await heldOrder();
  const subject = `order:${orderId}`;
  equal((await assign('order:9999999999999999', ada.id)).status, 404);
  equal((await assign(`account:${orderId}`, ada.id)).status, 400);
  const unknown = await assign(subject, `person_${'0'.repeat(24)}`);
  deepEqual([unknown.status, unknown.body.error.errors[0].field], [400, 'body.assignee']);
  const options = { token: viewer, body: { assignee: null } };
  equal((await h.call('PUT', `/admin/v1/assignees/${subject}`, options)).status, 403);
  equal((await assign(subject, ada.id)).status, 200);
  await h.operate('POST', `/orders/${orderId}/release`, { reason: 'Checked' });
  equal((await assign(subject, grace.id)).status, 409);
  const { assigned } = (await ada.call('GET', '/admin/v1/attention')).body.data;
  equal(assigned.heldOrders, 0);
});
