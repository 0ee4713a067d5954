import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startHarness } from '../../support/harness.ts';
import { callImport, importAll, type Outcome } from '../../support/import-call.ts';
import { readList } from '../../support/lists.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);

const to = (target: string, headers: Readonly<Record<string, string>> = {}) => ({
  url: h.url,
  token: h.operatorToken,
  target,
  headers,
});
const ndjson = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const sellers = (count: number, name = 'Seller') =>
  Array.from({ length: count }, () => ({ id: randomUUID(), name }));
const toResult = ({ result, error }: Outcome) => {
  ok(result !== undefined, JSON.stringify(error));
  return result;
};
const deriveError = ({ result, error }: Outcome) => {
  ok(error !== undefined, JSON.stringify(result));
  return error;
};

async function countSellers(name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM seller WHERE name = ${name}`.execute(h.database.db);
  return rows[0]?.count ?? 0;
}

async function toStatus(offerId: string): Promise<string> {
  return (await h.operate('GET', `/offers/${offerId}`)).status;
}

test('batches are stored while the body is still being sent, and nothing is sent back before its end', async () => {
  const call = callImport(to('sellers'));
  await call.send(ndjson(sellers(1_500)));
  const { line, read, written, state } = await call.stored(1_000);
  deepEqual([line, read, written, state], [1_000, 1_000, 1_000, 'running']);
  let hasResponse = false;
  void call.response().then(() => {
    hasResponse = true;
  });
  await call.stored(1_000);
  equal(hasResponse, false, 'a buffering proxy stops sending the body when the response begins');
  call.end(ndjson(sellers(1)));
  equal(toResult(await call.outcome()).written, 1_501);
});

test.each(['application/x-ndjson', 'text/csv'])(
  'an interrupted import of %s is sent again and completes',
  async (type) => {
    const importId = randomUUID();
    const name = `Broke off ${importId}`;
    const file = [...sellers(1_200, name), { id: 'bad', name }, ...sellers(1_200, name)];
    const isCsv = type === 'text/csv';
    const toBody = (lines: readonly { id: string; name: string }[]) =>
      isCsv ? `id,name\n${lines.map((line) => `${line.id},${line.name}\n`).join('')}` : ndjson(lines);
    const target = to(`sellers?importId=${importId}`, { 'content-type': type });
    const first = callImport(target);
    await first.send(toBody(file.slice(0, 1_600)));
    await first.stored(1_000);
    first.cut();
    await released(importId);
    equal(await countSellers(name), 1_000);
    const [stopped] = await readList(h, `/imports?importId=${importId}`);

    const { read, written, unchanged, rejected, errors, runId } = toResult(
      await importAll(target, toBody(file)),
    );
    deepEqual(
      [read, written, unchanged, rejected, errors[0]?.line],
      [2_401, 1_400, 1_000, 1, isCsv ? 1_202 : 1_201],
    );
    deepEqual([runId, await countSellers(name)], [stopped.id, 2_400], 'it is the same run');
    deepEqual((await readList(h, `/imports/${runId}/rejects`)).length, 1);

    const again = toResult(await importAll(target, toBody(file)));
    deepEqual([again.written, again.unchanged, again.runId === runId], [0, 2_400, false]);
  },
);

test('an import ends when its sender hangs up, although its whole body has arrived', async () => {
  // Each line changes the name of one seller, so that each line is a transaction.
  const id = randomUUID();
  const body = gzipSync(
    Array.from({ length: 20_000 }, (_, line) => `{"id":"${id}","name":"${line}"}\n`).join(''),
  );
  const call = callImport(
    to('sellers', { 'content-encoding': 'gzip', 'content-length': String(body.length) }),
  );
  call.end(body);
  await call.stored(1);
  call.cut();
  await released(call.importId);
  const { state, read } = await call.stored(0);
  deepEqual([state, read < 20_000], ['stopped', true]);
});

test('a body that inflates to more than 200 times its size is rejected', async () => {
  const line = `{"id":"${randomUUID()}","name":"${'x'.repeat(900_000)}"}\n`;
  const bomb = gzipSync(line.repeat(40));
  const { code, message } = deriveError(await importAll(to('sellers', { 'content-encoding': 'gzip' }), bomb));
  deepEqual([code, message.includes('inflates to more than 200 times its size')], ['validation-error', true]);
});

test('a second import is rejected only if one with the same id, kind and dryRun is running', async () => {
  const importId = randomUUID();
  const running = callImport(to(`sellers?importId=${importId}`));
  await running.send(ndjson(sellers(1_001)));
  await running.stored(1_000);
  const refused = callImport(to(`sellers?importId=${importId}`));
  refused.end();
  equal((await refused.response()).statusCode, 409);
  const { code, message } = deriveError(await refused.outcome());
  deepEqual([code, message.startsWith('An import with this importId is running.')], ['conflict', true]);
  for (const other of [`sellers?importId=${importId}-2`, `products?importId=${importId}`, 'sellers']) {
    equal(toResult(await importAll(to(other), '')).read, 0, other);
  }
  equal(toResult(await importAll(to(`sellers?importId=${importId}&dryRun=true`), '')).read, 0);
  running.end();
  equal(toResult(await running.outcome()).read, 1_001);
});

test('gzip is inflated, and if it is invalid or truncated, the error states the last stored line', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  const file = sellers(2_500, 'Zipped');
  const zipped = gzipSync(ndjson(file));
  equal(toResult(await importAll(to('sellers', gzip), zipped)).written, 2_500);
  const cut = deriveError(await importAll(to('sellers', gzip), zipped.subarray(0, zipped.length - 100)));
  const sentence = 'The body is not valid gzip, or its end is missing.';
  deepEqual(
    [cut.code, cut.message],
    ['validation-error', `${sentence} Everything up to line 2000 was kept.`],
  );
  // Bytes inflated before the fault is detected may be invalid, so the last stored line varies.
  const garbled = Buffer.from(zipped).fill(0xff, zipped.length - 20_000, zipped.length - 19_000);
  const { code, message } = deriveError(await importAll(to('sellers', gzip), garbled));
  deepEqual([code, message.startsWith(`${sentence} Everything up to line `)], ['validation-error', true]);
  equal(deriveError(await importAll(to('sellers', gzip), ndjson(file))).code, 'validation-error');
});

test('an unsupported content encoding gets 415 with its name', async () => {
  const call = callImport(to('sellers', { 'content-encoding': 'br' }));
  call.end();
  equal((await call.response()).statusCode, 415);
  match(
    deriveError(await call.outcome()).message,
    /Content-Encoding: gzip, or without Content-Encoding, not br\.$/,
  );
});

test('a dry run reports what would happen, and stores nothing', async () => {
  const { productId, offerId, sellerId } = await h.seed.listing();
  const offer = { productId, sellerId, price: '5.00', status: 'active' };
  const body = ndjson([
    { id: randomUUID(), ...offer },
    { id: offerId, ...offer, price: '10.00' },
    { id: offerId, ...offer, price: '7.00' },
    { id: randomUUID(), ...offer, productId: '99999999999999' },
  ]);
  const before = await snapshot();
  const dry = toResult(await importAll(to('offers?dryRun=true'), body));
  deepEqual(
    [dry.dryRun, dry.read, dry.written, dry.unchanged, dry.rejected, dry.errors[0]?.line],
    [true, 4, 2, 1, 1, 4],
  );
  const keys = ndjson([
    { offerId, code: 'DRY-1' },
    { offerId, code: 'DRY-2' },
  ]);
  equal(toResult(await importAll(to('keys?dryRun=true'), keys)).written, 2);
  deepEqual(await snapshot(), before);
  equal(toResult(await importAll(to('offers'), body)).written, dry.written);
  equal(toResult(await importAll(to('keys'), keys)).written, 2);
});

test('deleteMissing of offers pauses the other offers of the sellers in the file', async () => {
  const sellerId = await h.seed.seller();
  const productId = await h.seed.product();
  const kept = await h.seed.offer({ productId, sellerId });
  const gone = await h.seed.offer({ productId, sellerId });
  const others = await h.seed.offer({ productId });
  const line = { id: kept.id, productId, sellerId, price: '10.00', status: 'active' };
  const target = 'offers?deleteMissing=true';

  const refused = toResult(await importAll(to(target), `${ndjson([line])}{}\n`));
  deepEqual([refused.removed, refused.rejected], [0, 1]);
  match(refused.removalRefused ?? '', /^Lines were rejected, so nothing was taken off sale/);
  const empty = toResult(await importAll(to(target), ''));
  match(empty.removalRefused ?? '', /^The import has no lines, so nothing was taken off sale/);
  equal(toResult(await importAll(to(`${target}&dryRun=true`), ndjson([line]))).removed, 1);
  equal(await toStatus(gone.id), 'active');

  const { removed, removalRefused, unchanged, runId } = toResult(await importAll(to(target), ndjson([line])));
  deepEqual([removed, removalRefused, unchanged], [1, undefined, 1]);
  deepEqual(
    [await toStatus(kept.id), await toStatus(gone.id), await toStatus(others.id)],
    ['active', 'paused', 'active'],
  );
  const { body } = await h.admin('GET', '/audit?action=import.offers.missing');
  const { importId: _importId, ...entry } = body.data[0].data;
  deepEqual(entry, { runId, missing: 1 });
  equal(await countSeen(), 0);
});

test('deleteMissing of keys withdraws the other unsold keys of the offers in the file', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId, codes, productId } = await h.seed.listing({ stock: 5 });
  const other = await h.seed.listing({ stock: 2 });
  const lines = codes.slice(0, 2).map((code) => ({ offerId: offerId.toUpperCase(), code }));
  lines.push({ offerId, code: `NEW-${offerId}` });
  const { removed, written, unchanged } = toResult(
    await importAll(to('keys?deleteMissing=true'), ndjson(lines)),
  );
  deepEqual([removed, written, unchanged], [3, 1, 2]);
  await h.seed.inStep();
  const { data } = (await reseller.get(`/products/${productId}`)).body;
  deepEqual(data.offers, [{ id: offerId, price: '10.00', quantity: 3 }]);
  equal((await h.operate('GET', `/offers/${other.offerId}`)).quantity, 2);
});

test('deleteMissing of products or sellers pauses the offers of all others', async () => {
  const listings = [await h.seed.listing(), await h.seed.listing(), await h.seed.listing()];
  const [first, second, third] = listings;
  ok(first !== undefined && second !== undefined && third !== undefined);
  const line = { id: first.productId, name: 'Kept', checkoutClass: 'standard' };
  const products = [line, { ...line, id: second.productId }];
  const statuses = async () => Promise.all(listings.map(({ offerId }) => toStatus(offerId)));
  ok(toResult(await importAll(to('products?deleteMissing=true'), ndjson(products))).removed >= 1);
  deepEqual(await statuses(), ['active', 'active', 'paused']);
  const kept = [{ id: first.sellerId, name: 'Kept' }];
  equal(toResult(await importAll(to('sellers?deleteMissing=true'), ndjson(kept))).removed, 1);
  deepEqual(await statuses(), ['active', 'paused', 'paused']);
});

test('deleteMissing keeps what the interrupted part of the import named', async () => {
  const sellerId = await h.seed.seller();
  const productId = await h.seed.product();
  const offer = { productId, sellerId, price: '5.00', status: 'active' };
  const gone = await h.seed.offer({ productId, sellerId });
  const body = ndjson(Array.from({ length: 1_500 }, () => ({ id: randomUUID(), ...offer })));
  const target = to(`offers?importId=${randomUUID()}&deleteMissing=true`);
  const call = callImport(target);
  await call.send(body.slice(0, body.length * 0.8));
  await call.stored(1_000);
  call.cut();
  await released(call.importId);
  const { unchanged, removed } = toResult(await importAll(target, body));
  deepEqual([unchanged, removed, await toStatus(gone.id)], [1_000, 1, 'paused']);
  equal(await countSeen(), 0);
});

async function released(importId: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ holder: string | null }>`
      SELECT holder FROM import_run WHERE import_id = ${importId}`.execute(h.database.db);
    if (rows.length > 0 && rows.every(({ holder }) => holder === null)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function countSeen(): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM import_seen`.execute(
    h.database.db,
  );
  return rows[0]?.count ?? 0;
}

async function snapshot(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT count(*) FROM offer) AS offers, (SELECT count(*) FROM stock_key) AS keys,
      (SELECT count(*) FROM audit_entry WHERE action LIKE 'import.%') AS audit,
      (SELECT count(*) FROM data_key) AS data_keys, (SELECT sum(price_minor) FROM offer) AS prices,
      (SELECT max(stamp) FROM change_log) AS clock, (SELECT count(*) FROM offer_log) AS log`.execute(
    h.database.db,
  );
  return rows[0];
}
