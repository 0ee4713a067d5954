/** R23, A420. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { MEMBER_PERMISSIONS, MEMBER_ROLES, ROLE_PERMISSIONS, ROLES } from '@keyport/contract/roles';
import { expect, test } from 'vitest';
import type { ApiResponse, CallOptions } from '../../support/harness.ts';
import { seedMember, seedPerson } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();

function toPath(template: string, clientId = reseller.clientId): string {
  return template
    .replace(/\{(accountId|sellerId|offerId)\}/, randomUUID())
    .replace('{operatorId}', 'person_000000000000000000000000')
    .replace('{memberId}', 'mem_000000000000000000000000')
    .replace('{clientId}', clientId)
    .replace('{productId}', '10000000000017')
    .replace('{orderId}', '1234567890123456')
    .replace('{endpointId}', 'whe_unknown')
    .replace('{deliveryId}', 'whd_unknown')
    .replace('{runId}', '999999')
    .replace('{approvalId}', '999999')
    .replace('{kind}', 'sellers');
}

type Caller = {
  readonly audience: 'operator' | 'reseller';
  readonly isPerson: boolean;
  /** Undefined: everything that programs of resellers may do. */
  readonly permissions: readonly string[] | undefined;
  readonly call: (method: string, path: string, options: CallOptions) => Promise<ApiResponse>;
};

const withToken =
  (token: string): Caller['call'] =>
  (method, path, options) =>
    h.call(method, path, { ...options, token });

const CALLERS: readonly (readonly [string, () => Promise<Caller>])[] = [
  [
    'a program of a reseller',
    async () => ({
      audience: 'reseller',
      isPerson: false,
      permissions: undefined,
      call: withToken(reseller.token),
    }),
  ],
  ...ROLES.flatMap((role): (readonly [string, () => Promise<Caller>])[] => {
    const permissions = ROLE_PERMISSIONS[role];
    const seedClient = () => h.operate('POST', '/clients', { name: 'Robot', operatorRole: role });
    return [
      [
        `a client of an operator, ${role}`,
        async () => {
          const { clientId, clientSecret } = await seedClient();
          const call = withToken(await h.tokenFor(clientId, clientSecret));
          return { audience: 'operator', isPerson: false, permissions, call };
        },
      ],
      [
        `an operator, ${role}`,
        async () => ({ audience: 'operator', isPerson: true, permissions, ...(await seedPerson(h, role)) }),
      ],
    ];
  }),
  ...MEMBER_ROLES.map(
    (role) =>
      [
        `a member, ${role}`,
        async (): Promise<Caller> => {
          const permissions = MEMBER_PERMISSIONS[role];
          return {
            audience: 'reseller',
            isPerson: true,
            permissions,
            ...(await seedMember(h, reseller, role)),
          };
        },
      ] as const,
  ),
];

test.each(CALLERS)(
  '%s may do exactly what the table of operations allows, and nothing of the other audience',
  async (_who, seed) => {
    const { audience, isPerson, permissions, call } = await seed();
    for (const { method, path, name, ...operation } of OPERATION_LIST) {
      const body = method === 'GET' ? {} : { body: '{' };
      const answer = await call(method, toPath(path, 'nobody'), body);
      const { permission } = operation;
      const got = [answer.status, answer.body?.error?.code];
      // Nothing else is checked before.
      if (operation.audience !== audience)
        deepEqual(got, isPerson ? [401, 'unauthorized'] : [403, 'forbidden'], name);
      else if (permissions?.includes(permission) ?? permission !== 'members')
        ok(![401, 403].includes(answer.status), `${name}: ${got}`);
      else {
        deepEqual(got, [403, 'forbidden'], name);
        if (permissions !== undefined)
          match(answer.body.error.message, new RegExp(`permission ${permission},`));
      }
    }
  },
);

test('every operation returns 401 without a token', async () => {
  for (const { method, path, name } of OPERATION_LIST) {
    const response = await h.call(method, toPath(path), method === 'GET' ? {} : { body: '{' });
    deepEqual([response.status, response.body?.error?.code], [401, 'unauthorized'], name);
    match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
});

test('the role of an operator client can be changed, and a reseller client gets 409', async () => {
  const { clientId, clientSecret } = await h.operate('POST', '/clients', {
    name: 'Robot',
    operatorRole: 'support',
  });
  const token = await h.tokenFor(clientId, clientSecret);
  const body = { name: 'Shop', paymentMethod: null };
  equal((await h.call('POST', '/admin/v1/accounts', { token, body })).status, 403);
  const changed = await h.operate('PATCH', `/clients/${clientId}`, { operatorRole: 'admin' });
  deepEqual([changed.role, changed.operatorRole], ['operator', 'admin']);
  // This node is notified and queries the database immediately.
  await expect
    .poll(async () => (await h.call('POST', '/admin/v1/accounts', { token, body })).status)
    .toBe(201);
  const [entry] = await h.operate('GET', `/audit?action=client.update&itemsPerPage=10`);
  deepEqual(entry.data, { clientId, operatorRole: { from: 'support', to: 'admin' } });
  const patch = { token: h.operatorToken, body: { operatorRole: 'viewer' } };
  const refused = await h.call('PATCH', `/admin/v1/clients/${reseller.clientId}`, patch);
  deepEqual([refused.status, refused.body.error.code], [409, 'conflict']);
});
