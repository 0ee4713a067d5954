import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { sql } from 'kysely';
import { test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { operatorOn } from '../../test/support/operator.ts';
import { wholeFile } from '../../test/support/vitest.ts';

const database = await testDatabase(wholeFile);
const { call, notifications } = operatorOn(database);

const { data: account } = await call('createAccount', { body: { name: 'Shop', paymentMethod: null } });
const params = { accountId: account.id };

test('clients are listed with their number of live secrets, and a third secret retires the oldest', async () => {
  const { status, data: created } = await call('createClient', { params, body: { name: 'Backend' } });
  equal(status, 201);
  const { data: second } = await call('createClientSecret', { params: { clientId: created.clientId } });
  equal(second.clientId, created.clientId);
  ok(second.clientSecret !== created.clientSecret);
  await call('createClientSecret', { params: { clientId: created.clientId } });
  await call('createClient', { params, body: {} });
  const { data, meta } = await call('listClients', { params });
  deepEqual(
    data.map(({ name, liveSecrets }) => [name, liveSecrets]),
    [
      ['Backend', 2],
      [null, 1],
    ],
  );
  equal(data[0]?.clientId, created.clientId);
  equal(data[0]?.accountId, account.id);
  equal(meta?.totalResults, 2);
});

test('a disabled client is reported, keeps its first time of disabling, and gets no further secret', async () => {
  const { data: created } = await call('createClient', { params, body: {} });
  const client = { params: { clientId: created.clientId } };
  notifications.length = 0;
  equal((await call('disableClient', client)).status, 204);
  const disabledAt = (await find(created.clientId))?.disabledAt;
  ok(disabledAt);
  equal((await call('disableClient', client)).status, 204);
  equal((await find(created.clientId))?.disabledAt, disabledAt);
  deepEqual(notifications, [`client ${created.clientId}`, `client ${created.clientId}`]);
  await rejects(call('createClientSecret', client), { code: 'not-found' });
});

test('an unknown client is not found', async () => {
  const client = { params: { clientId: 'reseller_nobody' } };
  await rejects(call('createClientSecret', client), { code: 'not-found' });
  await rejects(call('disableClient', client), { code: 'not-found' });
});

test('the audit log has every action on a client and no secret', async () => {
  const { data: created } = await call('createClient', { params, body: { name: 'Audited' } });
  const client = { params: { clientId: created.clientId } };
  const { data: second } = await call('createClientSecret', client);
  await call('disableClient', client);
  const { data } = await call('listAudit', { query: { itemsPerPage: 10 } });
  deepEqual(
    data.slice(0, 3).map(({ action, accountId }) => [action, accountId]),
    ['client.disable', 'client.secret', 'client.create'].map((action) => [action, account.id]),
  );
  const { rows } = await sql<{ text: string }>`SELECT audit_entry::text AS text FROM audit_entry`.execute(
    database.kysely,
  );
  const log = rows.map(({ text }) => text).join('\n');
  ok(log.includes(created.clientId));
  ok(!log.includes(created.clientSecret) && !log.includes(second.clientSecret));
});

async function find(clientId: string) {
  const { data } = await call('listClients', { params });
  return data.find((client) => client.clientId === clientId);
}
