/** A188. */
import { deepEqual, equal } from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'vitest';
import { type Reseller, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_TRUSTED_PROXIES: '127.0.0.1' });
const { admin } = h;
const allow = (clientId: string, allowedAddresses: readonly string[] | null) =>
  admin('PATCH', `/clients/${clientId}`, { allowedAddresses });

const FOLLOWED_WITHIN_MS = 5_000;

const from = (address: string) => ({ 'x-forwarded-for': address });
const page = (reseller: Reseller, headers: Record<string, string>) =>
  h.call('GET', '/export/v1/product-offers', { token: reseller.token, headers });
const account = (reseller: Reseller, headers: Record<string, string>) =>
  h.call('GET', '/export/v1/account', { token: reseller.token, headers });

function token({ clientId, clientSecret }: Reseller, headers: Record<string, string>, secret = clientSecret) {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
  return h.call('POST', '/oauth/token', { body, headers });
}

async function until(wanted: number, ask: () => Promise<{ readonly status: number }>): Promise<void> {
  const endsAtMs = performance.now() + FOLLOWED_WITHIN_MS;
  let { status } = await ask();
  while (status !== wanted && performance.now() < endsAtMs) ({ status } = await ask());
  equal(status, wanted);
}

test('a client limited to addresses can use and request tokens only from these', async () => {
  const reseller = await h.seed.reseller();
  const other = await h.seed.reseller();
  equal((await page(reseller, from('203.0.113.9'))).status, 200);
  const updated = await allow(reseller.clientId, ['192.0.2.0/24', '2001:db8::1']);
  equal(updated.status, 200);
  deepEqual(updated.body.data.allowedAddresses, ['192.0.2.0/24', '2001:db8::1']);
  await until(403, () => page(reseller, from('203.0.113.9')));
  const refused = await account(reseller, from('203.0.113.9'));
  deepEqual([refused.status, refused.body.error.code], [403, 'forbidden']);
  for (const address of ['192.0.2.77', '::ffff:192.0.2.77', '2001:db8:0::1', '203.0.113.9, 192.0.2.77']) {
    equal((await page(reseller, from(address))).status, 200, address);
    equal((await account(reseller, from(address))).status, 200, address);
    equal((await token(reseller, from(address))).status, 200, address);
  }
  // The caller sent the first address, and the proxy added the second.
  for (const address of ['192.0.2.77, 203.0.113.9', '203.0.113.9', '']) {
    equal((await page(reseller, from(address))).status, 403, address);
    equal((await token(reseller, from(address))).status, 401, address);
  }
  equal((await page(other, from('203.0.113.9'))).status, 200);
});

test('the right secret from a wrong address gets the response for a wrong secret, byte for byte', async () => {
  const reseller = await h.seed.reseller();
  await allow(reseller.clientId, ['192.0.2.1']);
  const elsewhere = await token(reseller, from('203.0.113.9'));
  const wrong = await token(reseller, from('192.0.2.1'), 'wrong');
  equal(elsewhere.status, 401);
  deepEqual(elsewhere.body, wrong.body);
  equal(elsewhere.headers.get('www-authenticate'), wrong.headers.get('www-authenticate'));
});

test('an empty list and null allow every address again, and each change is in the audit log', async () => {
  const reseller = await h.seed.reseller();
  const { clientId, accountId } = reseller;
  for (const everywhere of [[], null]) {
    await allow(clientId, ['192.0.2.1']);
    await until(403, () => account(reseller, from('203.0.113.9')));
    deepEqual((await allow(clientId, everywhere)).body.data.allowedAddresses, []);
    await until(200, () => account(reseller, from('203.0.113.9')));
  }
  const entries = await h.operate('GET', '/audit?action=client.update&itemsPerPage=10');
  const changes = entries.filter((entry: { accountId: string }) => entry.accountId === accountId);
  const limited = { clientId, allowedAddresses: { from: [], to: ['192.0.2.1'] } };
  const freed = { clientId, allowedAddresses: { from: ['192.0.2.1'], to: [] } };
  deepEqual(
    changes.map(({ data }: { data: unknown }) => data),
    [freed, limited, freed, limited],
  );
  const [listed] = await h.operate('GET', `/accounts/${accountId}/clients`);
  deepEqual(listed.allowedAddresses, []);
});

const REJECTED: readonly (readonly [unknown, string])[] = [
  [{ allowedAddresses: ['192.0.2.1', '192.0.2.300'] }, 'body.allowedAddresses[1]'],
  [{ allowedAddresses: ['192.0.2.0/33'] }, 'body.allowedAddresses[0]'],
  [{ allowedAddresses: ['::ffff:192.0.2.1'] }, 'body.allowedAddresses[0]'],
  [{ allowedAddresses: ['shop.example'] }, 'body.allowedAddresses[0]'],
];

test('400: the error names each invalid address, and nothing changes', async () => {
  const { clientId, accountId } = await h.seed.reseller();
  for (const [body, field] of REJECTED) {
    const answer = await admin('PATCH', `/clients/${clientId}`, body);
    equal(answer.status, 400, JSON.stringify(body));
    deepEqual(
      answer.body.error.errors.map((problem: { field: string }) => problem.field),
      [field],
    );
  }
  deepEqual((await h.operate('GET', `/accounts/${accountId}/clients`))[0].allowedAddresses, []);
});

test('failures at the token endpoint are counted by the address behind the proxy', async () => {
  const reseller = await h.seed.reseller();
  for (let count = 0; count < 100; count += 1) {
    equal((await token(reseller, from('198.51.100.1'), 'wrong')).status, 401);
  }
  equal((await token(reseller, from('192.0.2.5, 198.51.100.1'))).status, 429);
  equal((await token(reseller, from('198.51.100.2'))).status, 200);
});

test('several lines of X-Forwarded-For form one list', async () => {
  const reseller = await h.seed.reseller();
  await allow(reseller.clientId, ['192.0.2.1']);
  await until(403, () => account(reseller, from('203.0.113.9')));
  const status = (lines: string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${reseller.token}`, 'x-forwarded-for': lines };
      request(`${h.url}/export/v1/product-offers`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  equal(await status(['192.0.2.1', '203.0.113.9']), 403);
  equal(await status(['203.0.113.9', '192.0.2.1']), 200);
});
