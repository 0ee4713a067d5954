/** The approver and the requester must be different people, regardless of their clients. A500, A444. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import type { ApiResponse, CallOptions } from '../../support/harness.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { enter, postLink, seedPerson } from '../../support/person.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h } = await startTwoNodes(wholeFile, { KEYPORT_APPROVAL_ABOVE: '25.00' });

type Operator = {
  readonly id: string;
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
};

const byToken = (id: string, token: string): Operator => ({
  id,
  call: (method, path, options) => h.call(method, path, { ...options, token }),
});
const root = byToken('test-operator', h.operatorToken);

async function done(response: Promise<ApiResponse>) {
  const { status, body } = await response;
  ok(status < 300, JSON.stringify(body));
  return body?.data;
}

async function createClient(creator: Operator, operatorRole = 'admin'): Promise<Operator> {
  const body = { name: 'Robot', operatorRole };
  const { clientId, clientSecret } = await done(creator.call('POST', '/admin/v1/clients', { body }));
  return byToken(clientId, await h.tokenFor(clientId, clientSecret));
}

async function createPerson(creator: Operator, role = 'admin'): Promise<Operator> {
  const body = { name: 'Ada', email: `ada-${randomUUID()}@marketplace.example`, role };
  const { invitationUrl } = await done(creator.call('POST', '/admin/v1/operators', { body }));
  return enter(h, await postLink(h, invitationUrl));
}

async function stranger(): Promise<Operator> {
  return byToken('stranger', await operatorClient(h));
}

async function request(requester: Operator): Promise<string> {
  const { accountId } = await h.seed.reseller();
  const body = { amount: '30.00', direction: 'credit', reference: randomUUID(), reason: 'x' };
  const asked = await requester.call('POST', `/admin/v1/accounts/${accountId}/adjustments`, { body });
  equal(asked.status, 202, JSON.stringify(asked.body));
  equal(asked.body.data.mayApprove, false, 'no one approves their own request');
  return asked.body.data.id;
}

/** Asserts that the approval and its lists agree on the right to approve; returns the decision. */
async function tryToApprove(id: string, approver: Operator): Promise<readonly [number, string?]> {
  const shown = await done(approver.call('GET', `/admin/v1/approvals/${id}`));
  const inList = (await done(approver.call('GET', '/admin/v1/approvals?limit=100'))).find(
    (one: { id: string }) => one.id === id,
  );
  const approvable: { id: string }[] = await done(
    approver.call('GET', '/admin/v1/approvals?mayApprove=true&limit=100'),
  );
  const isListed = approvable.some((one) => one.id === id);
  const { status, body } = await approver.call('POST', `/admin/v1/approvals/${id}/approve`, { body: {} });
  deepEqual(
    [shown.mayApprove, inList.mayApprove, isListed],
    Array(3).fill(status === 200),
    JSON.stringify(body),
  );
  return [status, body.error?.code];
}

const MAY = [200, undefined];
const MAY_NOT = [403, 'forbidden'];

const CASES: readonly (readonly [
  string,
  () => Promise<readonly [Operator, Operator]>,
  readonly unknown[],
])[] = [
  ['the requester', async () => [root, root], MAY_NOT],
  ['a person without a relation to the requester', async () => [root, await stranger()], MAY],
  ['a client that the requester created', async () => [root, await createClient(root)], MAY_NOT],
  ['a person whom the requester invited', async () => [root, await createPerson(root)], MAY_NOT],
  [
    'a client at the end of a chain that begins with the requester',
    async () => [root, await createClient(await createPerson(await createClient(root)))],
    MAY_NOT,
  ],
  [
    'the creator of the client that requested it',
    async () => {
      const creator = await createPerson(root);
      return [await createClient(creator), creator];
    },
    MAY_NOT,
  ],
  [
    'the creator of the creator of the client that requested it',
    async () => {
      const creator = await createPerson(root);
      return [await createClient(await createClient(creator)), creator];
    },
    MAY_NOT,
  ],
  [
    'another client of the creator',
    async () => {
      const creator = await createPerson(root);
      return [await createClient(creator), await createClient(creator)];
    },
    MAY_NOT,
  ],
  ['the admin who invited the requester', async () => [await createPerson(root), root], MAY],
  [
    'another person whom the same admin invited',
    async () => [await createPerson(root), await createPerson(root)],
    MAY,
  ],
  [
    'a person to whom the requester gave a new link',
    async () => {
      const requester = await createPerson(root);
      const other = await createPerson(root);
      await done(requester.call('POST', `/admin/v1/operators/${other.id}/invite`, { body: {} }));
      return [requester, other];
    },
    MAY_NOT,
  ],
  [
    'a client of another person, to which the requester added a secret',
    async () => {
      const requester = await createPerson(root);
      const client = await createClient(await createPerson(root));
      await done(requester.call('POST', `/admin/v1/clients/${client.id}/secrets`, { body: {} }));
      return [requester, client];
    },
    MAY_NOT,
  ],
];

test.for(CASES)('the right to approve is correct for %s', async ([, make, expected]) => {
  const [requester, approver] = await make();
  const id = await request(requester);
  deepEqual(await tryToApprove(id, approver), expected);
  const rejected = await approver.call('POST', `/admin/v1/approvals/${id}/reject`, { body: {} });
  equal(rejected.status, expected === MAY ? 409 : 200, 'an operator with the permission may reject it');
});

test('a request cannot be approved after its requester was disabled or demoted, and the error names the reason', async () => {
  const requesters = [await seedPerson(h), await seedPerson(h), await createClient(root)] as const;
  const ids = await Promise.all(requesters.map(request));
  const [disabled, demoted, client] = requesters;
  await h.operate('PATCH', `/operators/${disabled.id}`, { status: 'disabled' });
  await h.operate('PATCH', `/operators/${demoted.id}`, { role: 'support' });
  await h.operate('DELETE', `/clients/${client.id}`);
  const approver = await stranger();
  for (const [index, status] of ['disabled', 'demoted', 'disabled'].entries()) {
    const id = ids[index] ?? '';
    equal((await done(approver.call('GET', `/admin/v1/approvals/${id}`))).requesterStatus, status);
    deepEqual(await tryToApprove(id, approver), [409, 'conflict']);
  }
});
