/** A621, A39. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { foldCode } from '@keyport/core/product-code';
import { pino } from 'pino';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import type { ApiResponse } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';
import { claimsOn } from './support.ts';

const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
const h = await startHarness(wholeFile, { KEYPORT_LOG_LEVEL: 'trace' }, undefined, log);
const { delivered, post } = claimsOn(h);

const toField = ({ status, body }: ApiResponse): string => {
  equal(status, 400, JSON.stringify(body));
  return body.error.errors[0].field;
};

test('a claim shows masked codes and waits for a decision', async () => {
  const { reseller, orderId, itemId, codes, claim } = await delivered();
  const { status, body } = await claim([(codes[1] ?? '').toLowerCase().replaceAll('-', ' ')], {
    message: 'used',
  });
  equal(status, 201);
  const { id, createdAt, ...rest } = body.data;
  match(id, /^clm_[0-9a-f]{32}$/);
  ok(Date.parse(createdAt) > 0);
  deepEqual(rest, {
    orderId,
    itemId,
    reason: 'invalid',
    message: 'used',
    status: 'open',
    keys: [{ id: '1', masked: `…${codes[1]?.slice(-4)}`, outcome: null }],
  });
  deepEqual((await reseller.get(`/claims/${id}`)).body.data, body.data);
  const listed = await reseller.get(`/claims?status=open&orderId=${orderId}`);
  deepEqual(listed.body.data, [body.data]);
  deepEqual(listed.body.meta, { nextCursor: null, hasMore: false });
});

test('the list is newest first and has a cursor', async () => {
  const { reseller, codes, claim } = await delivered();
  const first = (await claim([codes[0] ?? ''])).body.data.id;
  const second = (await claim([codes[1] ?? ''])).body.data.id;
  const page = await reseller.get('/claims?limit=1');
  equal(page.body.data[0].id, second);
  const next = await reseller.get(`/claims?limit=1&cursor=${page.body.meta.nextCursor}`);
  deepEqual([next.body.data[0].id, next.body.meta.hasMore], [first, false]);
  deepEqual((await reseller.get('/claims?status=withdrawn')).body.data, []);
});

test('a code that is not a key of the item, or is sent twice, is named by its position', async () => {
  const { codes, claim, itemId } = await delivered();
  const other = await delivered();
  const [one = ''] = codes;
  equal(toField(await claim([one, 'NO-SUCH-CODE'])), 'body.codes[1]');
  equal(toField(await claim([one, other.codes[0] ?? ''])), 'body.codes[1]');
  equal(toField(await claim([one, one.toLowerCase()])), 'body.codes[1]');
  equal(toField(await claim([one], { itemId: `${itemId.slice(0, -2)}99` })), 'body.itemId');
});

test('a key has one open claim; a withdrawn or rejected one can be claimed again', async () => {
  const { reseller, codes, claim, decide } = await delivered();
  const first = await claim(codes);
  const again = await claim(codes.slice(1));
  deepEqual([again.status, again.body.error.code], [409, 'conflict']);
  deepEqual(again.body.error.data, { claimId: first.body.data.id, codeIndexes: [0] });
  const withdraw = () => post(reseller.token, `/export/v1/claims/${first.body.data.id}/withdraw`, {});
  const withdrawn = await withdraw();
  deepEqual([withdrawn.status, withdrawn.body.data.status], [200, 'withdrawn']);
  equal((await withdraw()).status, 200);
  const second = await claim(codes);
  equal(second.status, 201);
  const { id } = second.body.data;
  equal((await decide(id, { '1': 'reject', '2': 'reject' })).status, 200);
  const late = await post(reseller.token, `/export/v1/claims/${id}/withdraw`, {});
  deepEqual([late.status, late.body.error.code], [409, 'conflict']);
  deepEqual(late.body.error.data, { claimStatus: 'decided' });
  const third = await claim(codes.slice(1));
  const some = await claim(codes);
  deepEqual(some.body.error.data, { claimId: third.body.data.id, codeIndexes: [1] });
  equal((await claim(codes.slice(0, 1))).status, 201);
});

test('only one of several concurrent claims of a key is created', async () => {
  const { codes, claim } = await delivered();
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await claim(codes)).status));
  deepEqual(statuses.toSorted(), [201, 409, 409, 409, 409, 409]);
});

test('the claim window begins when the order is complete', async () => {
  const { reseller, orderId, codes, claim } = await delivered({ account: { claimWindowHours: 100 } });
  const advance = (hours: number) => post(reseller.token, `/sandbox/v1/orders/${orderId}/advance`, { hours });
  await advance(99);
  equal((await claim(codes.slice(1))).status, 201);
  await advance(2);
  const { status, body } = await claim(codes.slice(0, 1));
  deepEqual([status, body.error.code, body.error.data.windowHours], [409, 'claim-window-over', 100]);
});

test('a retry with the same key gets the claim, and a rejection is evaluated again', async () => {
  const { reseller, codes, claim } = await delivered();
  const open = (await claim(codes)).body.data.id;
  const key = randomUUID();
  equal((await claim(codes, {}, key)).status, 409);
  await post(reseller.token, `/export/v1/claims/${open}/withdraw`, {});
  const made = await claim(codes, {}, key);
  equal(made.status, 201);
  const replay = await claim(codes, {}, key);
  deepEqual([replay.status, replay.body.data], [200, made.body.data]);
  equal((await claim(codes.slice(1), {}, key)).body.error.code, 'idempotency-key-already-used');
});

test('an order that is not complete has no claims', async () => {
  const { reseller, orderId, codes, claim } = await delivered();
  await h.operate('POST', `/orders/${orderId}/refund`, { reason: 'all' });
  const { status, body } = await claim(codes);
  deepEqual([status, body.error.code, body.error.data.status], [400, 'order-not-complete', 'closed']);
  equal((await reseller.get('/claims')).body.data.length, 0);
});

test('no code is stored or logged in any spelling, even if a text of its request repeats it', async () => {
  const { reseller, codes, claim, decide, orderId, offerId } = await delivered({ quantity: 3 });
  const [one = '', two = '', three = ''] = codes;
  const wrong = `WRONG-${randomUUID()}`;
  const [unsold = '', listed = ''] = await h.seed.keys(offerId, 2);
  const naming = (code: string) => `key ${code.toLowerCase().replaceAll('-', ' ')}, used`;
  await claim([wrong], { message: naming(wrong) });
  await claim([one, one]);
  await claim([one], { reason: 'ugly' });
  const { id } = (await claim([one, two, three], { message: naming(two) })).body.data;
  equal((await reseller.get(`/claims/${id}`)).body.data.message, 'key ***, used');
  await claim([two], { message: naming(two) });
  const withdrawal = { codes: [unsold], reason: naming(unsold) };
  equal((await h.operate('POST', `/offers/${offerId}/keys/withdraw`, withdrawal)).withdrawn, 1);
  const replacement = { code: one, reason: naming(one) };
  await h.operate('POST', `/orders/${orderId}/replace-key`, { ...replacement, dryRun: true });
  const changes = [{ offerId, price: '9.00', withdrawKeys: { codes: [listed], reason: naming(listed) } }];
  await h.operate('POST', '/offers/changes', { changes, reason: naming(listed) });
  await decide(id, { '1': 'replace', '2': 'refund', '3': 'reject' }, { dryRun: true });
  equal((await decide(id, { '1': 'replace', '2': 'refund', '3': 'reject' })).status, 200);
  await h.operate('GET', `/claims/${id}`);
  await h.operate('GET', `/audit?orderId=${orderId}`);
  await h.service.eventsWritten();
  await h.service.requestsWritten();
  const assertNone = (text: string, place: string) => {
    const folded = foldCode(text);
    for (const code of [wrong, unsold, listed, ...codes])
      ok(!folded.includes(foldCode(code)), `${place} has ${code}`);
  };
  const tables = await sql<{ name: string }>`
    SELECT quote_ident(table_name) AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(h.database.db);
  for (const { name } of tables.rows) {
    const { rows } = await sql<{
      text: string;
    }>`SELECT ${sql.raw(name)}::text AS text FROM ${sql.raw(name)}`.execute(h.database.db);
    assertNone(rows.map((row) => row.text).join('\n'), name);
  }
  const logged = lines.join('\n');
  ok(logged.includes('/claims'), 'requests are logged');
  assertNone(logged, 'the log');
});
