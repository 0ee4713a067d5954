/** docs/console.md. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { manual } from '../../support/harness.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { seedPerson } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const ada = await seedPerson(h, 'support');
const grace = await seedPerson(h, 'finance');
const viewer = await operatorClient(h, 'viewer');
const { offerId, sellerId } = await h.seed.listing({ stock: 3 });
const reseller = await h.seed.reseller({ balance: '100.00' });
const { id: orderId } = (await reseller.order(manual(offerId))).body.data;

const notes = '/admin/v1/notes';
const write = (body: object, key: string = randomUUID()) =>
  ada.call('POST', notes, { body, headers: { 'idempotency-key': key } });
const list = async (query: string) =>
  (await ada.call('GET', `${notes}?${query}`)).body.data.map(({ text }: { text: string }) => text);

test('201, 200: notes are listed newest first, and filtered by subject and time', async () => {
  const key = randomUUID();
  const body = { subject: `order:${orderId}`, text: 'Call them.' };
  const { status, body: written } = await write(body, key);
  equal(status, 201);
  const { id, createdAt, ...note } = written.data;
  deepEqual(note, { ...body, author: ada.id, authorName: 'Ada', own: true });
  const replayed = await write(body, key);
  deepEqual([replayed.status, replayed.body.data.id], [200, id]);
  equal((await write({ subject: `order:${orderId}`, text: 'Called.' })).status, 201);
  equal((await write({ subject: `account:${reseller.accountId}`, text: 'Pays late.' })).status, 201);
  equal((await write({ subject: `seller:${sellerId}`, text: 'On holiday.' })).status, 201);
  deepEqual(await list(`subject=order:${orderId}`), ['Called.', 'Call them.']);
  deepEqual(await list(`subject=seller:${sellerId}`), ['On holiday.']);
  deepEqual(await list('from=2099-01-01T00:00:00Z'), []);
  const { data: entry } = (await h.operate('GET', `/audit?orderId=${orderId}&action=note.create`)).at(-1);
  deepEqual(entry, { ...body, noteId: id });
});

test('404: unknown subjects', async () => {
  equal((await write({ subject: 'order:9999999999999999', text: 'x' })).status, 404);
  equal((await write({ subject: `seller:${randomUUID()}`, text: 'x' })).status, 404);
});

test('204, 403, 404: only the author or an admin can withdraw a note, and the audit log keeps it', async () => {
  const subject = `account:${reseller.accountId}`;
  const ids: string[] = [];
  for (const text of ['First.', 'Second.']) ids.push((await write({ subject, text })).body.data.id);
  equal((await grace.call('DELETE', `${notes}/${ids[0]}`)).status, 403);
  equal((await ada.call('DELETE', `${notes}/${ids[0]}`)).status, 204);
  equal((await ada.call('DELETE', `${notes}/${ids[0]}`)).status, 404);
  equal((await h.call('DELETE', `${notes}/${ids[1]}`, { token: h.operatorToken })).status, 204);
  const found = await list(`subject=${subject}`);
  deepEqual([found.includes('First.'), found.includes('Second.')], [false, false]);
  const entries = await h.operate('GET', `/audit?accountId=${reseller.accountId}&limit=10`);
  deepEqual(
    entries.slice(0, 2).map(({ action, data }: { action: string; data: object }) => [action, data]),
    ids.toReversed().map((noteId) => ['note.withdraw', { noteId, subject }]),
  );
  match(JSON.stringify(entries), /"text":"First\."/);
});

test('403: viewers can read notes but not write them', async () => {
  const body = { subject: `order:${orderId}`, text: 'x' };
  equal((await h.call('POST', notes, { token: viewer, body })).status, 403);
  equal((await h.call('GET', notes, { token: viewer })).status, 200);
});
