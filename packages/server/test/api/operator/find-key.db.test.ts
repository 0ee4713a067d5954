/** A447. */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

const find = (code: unknown) => h.admin('POST', '/keys/find', { code });

async function listing() {
  const made = await h.seed.listing({ price: '10.00', stock: 4, product: { name: 'Northern Lights' } });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  return { ...made, reseller };
}

test('200: a sold key is found with its order, item, offer, product and seller, in any spelling of its code', async () => {
  const { offerId, sellerId, productId, codes, reseller } = await listing();
  const { id } = (await reseller.order(manual(offerId, { quantity: 2 }))).body.data;
  await reseller.get(`/orders/${id}/keys`);
  const [code = ''] = codes;
  for (const writing of [code, ` ${code.toLowerCase().replace('-', ' – ')} `]) {
    const { status, body } = await find(writing);
    equal(status, 200, JSON.stringify(body));
    const { key, order, item, product, offer, seller } = body.data;
    deepEqual([key.state, key.kind, key.maskedCode], ['sold', 'text', `…${code.slice(-4)}`]);
    ok(key.readAt !== null);
    deepEqual([order.id, order.accountId, item.id], [id, reseller.accountId, `${id}01`]);
    deepEqual(product, { id: productId, name: 'Northern Lights' });
    deepEqual([offer.id, offer.price, offer.quantity], [offerId, '10.00', 2]);
    deepEqual(seller, { id: sellerId, name: 'Seller' });
    ok(!JSON.stringify(body).includes(code));
  }
});

test('200: a key on sale has no order, and a replaced or withdrawn key has its former order', async () => {
  const { offerId, codes, reseller } = await listing();
  deepEqual(
    [(await find(codes[3])).body.data.order, (await find(codes[3])).body.data.key.state],
    [null, 'available'],
  );
  const { id } = (await reseller.order(manual(offerId, { quantity: 2 }))).body.data;
  const replaced = await h.operate('POST', `/orders/${id}/replace-key`, { reason: 'x', code: codes[0] });
  const bad = (await find(codes[0])).body.data;
  deepEqual([bad.key.state, bad.order.id, bad.key.replacedBy], ['withdrawn', id, replaced.newKeyId]);

  await reseller.get(`/orders/${id}/keys`);
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'x', withdrawKeys: true });
  const gone = (await find(codes[1])).body.data;
  deepEqual([gone.key.state, gone.order.id, gone.order.status], ['withdrawn', id, 'closed']);
});

test('404: an unknown key; the audit log has every search without the code', async () => {
  const code = `SECRET-${randomUUID()}`;
  const { status, body } = await find(code);
  deepEqual([status, body.error.code], [404, 'not-found']);
  match(body.error.message, /letter case, blanks and dashes do not matter/);
  const [entry] = await h.operate('GET', '/audit?action=keys.find');
  deepEqual(entry.data, { found: false });
  const { codes } = await listing();
  await find(codes[0]);
  const [found] = await h.operate('GET', '/audit?action=keys.find');
  equal(found.data.found, true);
  const { rows } = await sql<{ hits: number }>`
    SELECT count(*)::int AS hits FROM audit_entry WHERE data::text LIKE ${`%${codes[0]}%`} OR data::text LIKE ${`%${code}%`}`.execute(
    h.database.db,
  );
  equal(rows[0]?.hits, 0);
});

test('a dry run of a key import reveals known codes only to operators who may search, and is logged as a search', async () => {
  const { offerId, codes } = await listing();
  const [held = ''] = codes;
  const lines = [held, `NEW-${randomUUID()}`].map((code) => JSON.stringify({ offerId, code })).join('\n');
  const program = await h.operate('POST', '/clients', { name: 'Robot', operatorRole: 'catalogue' });
  const catalogue = await h.tokenFor(program.clientId, program.clientSecret);
  const rehearse = async (token: string) => {
    const path = `${h.url}/admin/v1/imports/keys?dryRun=true`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const response = await fetch(path, { method: 'POST', headers, body: lines });
    const { written, unchanged, rejected } = (await response.json()).data;
    const [entry] = await h.operate('GET', '/audit?action=keys.find&limit=1');
    return { counts: [written, unchanged, rejected], entry };
  };
  const before = (await h.operate('GET', '/audit?action=keys.find&limit=1'))[0]?.id;
  const hidden = await rehearse(catalogue);
  deepEqual([hidden.counts, hidden.entry?.id], [[2, 0, 0], before]);
  const { counts, entry } = await rehearse(h.operatorToken);
  deepEqual([counts, entry.data.given, entry.data.found], [[1, 1, 0], 2, 1]);
  notEqual(entry.id, before);
});

test('a dry run of adding or withdrawing keys reveals known codes, so it needs the permission to search and is logged as a search', async () => {
  const { offerId, codes } = await listing();
  const [held = ''] = codes;
  const keys = [{ code: held }, { code: `NEW-${randomUUID()}` }];
  const program = await h.operate('POST', '/clients', { name: 'Robot', operatorRole: 'catalogue' });
  const catalogue = await h.tokenFor(program.clientId, program.clientSecret);
  const withdrawal = { codes: keys.map(({ code }) => code), reason: 'leaked' };
  const attempts = [
    [`/offers/${offerId}/keys`, { keys, dryRun: true }, { offerId }],
    ['/offers/changes', { changes: [{ offerId, addKeys: keys }], dryRun: true }, {}],
    [`/offers/${offerId}/keys/withdraw`, { ...withdrawal, dryRun: true }, { offerId }],
    ['/offers/changes', { changes: [{ offerId, withdrawKeys: withdrawal }], dryRun: true }, {}],
  ] as const;
  for (const [path, body, named] of attempts) {
    const searches = async () => await h.operate('GET', '/audit?action=keys.find&limit=100');
    const before = (await searches()).length;
    const refused = await h.call('POST', `/admin/v1${path}`, { token: catalogue, body });
    deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'], path);
    match(refused.body.error.message, /permission orders/);
    equal((await searches()).length, before);
    const { added, withdrawn } = (await h.operate('POST', path, body)).units;
    equal(added + withdrawn, 1);
    const [entry, ...others] = await searches();
    equal(others.length, before);
    deepEqual(
      [entry.clientId, entry.data],
      ['test-operator', { dryRun: true, given: 2, found: 1, ...named }],
    );
    ok(!JSON.stringify(entry).includes(held));
  }
  const prices = { changes: [{ offerId, price: '11.00' }], dryRun: true };
  const { status } = await h.call('POST', '/admin/v1/offers/changes', { token: catalogue, body: prices });
  equal(status, 200, 'a preview of prices reveals nothing about codes');
});
