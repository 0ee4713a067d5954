/** docs/console.md. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { operatorClient } from '../../support/operator-client.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const ada = await operatorClient(h, 'viewer');
const grace = await operatorClient(h, 'support');

const VIEW = {
  list: 'listAllOrders',
  name: 'Large',
  search: 'totalFrom=100.00&refunded=true',
  shared: false,
};
const call = (token: string, method: string, path: string, body?: object) =>
  h.call(method, `/admin/v1/views${path}`, { token, ...(body === undefined ? {} : { body }) });
const toNames = async (token: string, list = VIEW.list) =>
  (await call(token, 'GET', `?list=${list}`)).body.data.map(({ name }: { name: string }) => name);

test('201, 200: a view is saved, changed and listed by name, for its owner or for all', async () => {
  const id = randomUUID();
  equal((await call(ada, 'PUT', `/${id}`, VIEW)).status, 201);
  equal((await call(ada, 'PUT', `/${randomUUID()}`, { ...VIEW, name: 'all refunds' })).status, 201);
  deepEqual(await toNames(ada), ['all refunds', 'Large']);
  deepEqual(await toNames(grace), []);
  const { status, body } = await call(ada, 'PUT', `/${id.toUpperCase()}`, { ...VIEW, shared: true });
  equal(status, 200);
  const { ownerName, ...view } = body.data;
  deepEqual(view, { ...VIEW, id, shared: true, own: true });
  deepEqual((await call(grace, 'GET', '?list=listAllOrders')).body.data, [
    { ...view, ownerName, own: false },
  ]);
  deepEqual(await toNames(grace, 'listOffers'), []);
});

test('409, 404: only the owner can change a view, and admins can delete shared ones', async () => {
  const [own, shared] = [randomUUID(), randomUUID()];
  await call(ada, 'PUT', `/${own}`, VIEW);
  await call(ada, 'PUT', `/${shared}`, { ...VIEW, shared: true });
  equal((await call(grace, 'PUT', `/${own}`, VIEW)).status, 409);
  equal((await call(grace, 'PUT', `/${shared}`, VIEW)).status, 409);
  equal((await call(grace, 'DELETE', `/${shared}`)).status, 404);
  equal((await call(h.operatorToken, 'DELETE', `/${own}`)).status, 404);
  equal((await call(h.operatorToken, 'DELETE', `/${shared}`)).status, 204);
  equal((await call(ada, 'DELETE', `/${own}`)).status, 204);
  equal((await call(ada, 'DELETE', `/${own}`)).status, 404);
});
