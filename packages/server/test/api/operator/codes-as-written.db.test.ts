/** A105: every door through which new keys arrive reads their codes alike. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto, manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

type Outcome = { readonly added: number; readonly trimmed: number; readonly problem: string | undefined };
type Door = (offerId: string, codes: readonly string[]) => Promise<Outcome>;

async function importKeys(body: string, contentType: string): Promise<Outcome> {
  const { data } = (
    await h.call('POST', '/admin/v1/imports/keys', {
      token: h.operatorToken,
      headers: { 'content-type': contentType },
      body,
    })
  ).body;
  return { added: data.written, trimmed: data.trimmed, problem: data.errors[0]?.message };
}

const post = async (path: string, body: unknown) =>
  h.call('POST', `/admin/v1${path}`, { token: h.operatorToken, body });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const DOORS: Readonly<Record<string, Door>> = {
  async 'POST /offers/{id}/keys'(offerId, codes) {
    const { body } = await post(`/offers/${offerId}/keys`, { keys: codes.map((code) => ({ code })) });
    return { added: 0, trimmed: 0, ...body.data, problem: body.error?.errors[0].message };
  },
  async 'POST /offers/changes'(offerId, codes) {
    const changes = [{ offerId, addKeys: codes.map((code) => ({ code })) }];
    const { body } = await post('/offers/changes', { changes });
    return { added: 0, trimmed: 0, ...body.data?.[0].keysAdded, problem: body.error?.errors[0].message };
  },
  'an NDJSON import': (offerId, codes) =>
    importKeys(codes.map((code) => JSON.stringify({ offerId, code })).join('\n'), 'application/x-ndjson'),
  'a CSV import': (offerId, codes) =>
    importKeys(`offerId,code\n${codes.map((code) => `${offerId},${quoted(code)}\n`).join('')}`, 'text/csv'),
};
const doors = Object.entries(DOORS);

test.each(doors)('%s removes what surrounds a code, and counts it', async (_, add) => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId, productId } = await h.seed.listing({ stock: 0 });
  const id = randomUUID();
  const codes = [`${id}-1 `, `\u00a0${id}-2\t`, `\ufeff${id}-3\u200b`, `="${id}-4"`, `'${id}-5`];
  const { added, trimmed, problem } = await add(offerId, codes);
  deepEqual([added, trimmed, problem], [5, 3, undefined]);
  await h.seed.inStep();
  const { body } = await reseller.order(auto(productId, { quantity: 5 }));
  const read = (await reseller.get(`/orders/${body.data.id}/keys`)).body.data;
  const delivered = read.flatMap((item: { keys: { code: string }[] }) => item.keys.map(({ code }) => code));
  deepEqual(
    delivered.toSorted(),
    [1, 2, 3, 4, 5].map((number) => `${id}-${number}`),
  );
});

test.each(doors)('%s rejects what is no code', async (_, add) => {
  const { offerId } = await h.seed.listing({ stock: 0 });
  for (const code of ['8.96529E+19', '8,96529E+19', '2.19e+26', '#NAME?', '#N/A', '##########', ' #REF! ']) {
    const { added, problem = '' } = await add(offerId, [code]);
    equal(added, 0, code);
    match(problem, /code is what a spreadsheet shows instead of the text .* export it again\.$/);
  }
  for (const code of ['K-1\rK-2', 'K-1\nK-2', 'K\u0007K', 'K-\ufffdK', 'offerId;code', `${offerId};K-1`]) {
    const { added, problem = '' } = await add(offerId, [code]);
    equal(added, 0, code);
    match(problem, /code (?:has U\+[0-9A-F]{4} at position \d|is a row of)|is not valid UTF-8/);
    ok(!problem.includes('K-'), problem);
  }
  const real = `12E45-${randomUUID()}`;
  const { added, problem } = await add(offerId, [real]);
  deepEqual([added, problem], [1, undefined]);
});

test('a key is found and replaced by its code in the form in which a spreadsheet shows it', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId, codes } = await h.seed.listing({ stock: 2 });
  const { id } = (await reseller.order(manual(offerId, { quantity: 1 }))).body.data;
  const [given = ''] = (await reseller.get(`/orders/${id}/keys`)).body.data[0].keys.map(
    ({ code }: { code: string }) => code,
  );
  ok(codes.includes(given));
  equal((await post('/keys/find', { code: `="${given}"` })).body.data.order.id, id);
  const replaced = await h.call('POST', `/admin/v1/orders/${id}/replace-key`, {
    token: h.operatorToken,
    body: { code: `'${given}\u200b`, reason: 'Bad' },
    headers: { 'idempotency-key': randomUUID() },
  });
  equal(replaced.status, 200, JSON.stringify(replaced.body));
});
