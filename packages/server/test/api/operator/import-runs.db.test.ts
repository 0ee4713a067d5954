import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { callImport, importAll, type Line } from '../../support/import-call.ts';
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
const resultOf = (lines: readonly Line[]) => {
  const result = lines.at(-1)?.result;
  ok(result !== undefined, JSON.stringify(lines.at(-1)));
  return result;
};
const errorOf = (lines: readonly Line[]) => {
  const error = lines.at(-1)?.error;
  ok(error !== undefined, JSON.stringify(lines.at(-1)));
  return error;
};

async function countSellers(name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM seller WHERE name = ${name}`.execute(h.database.kysely);
  return rows[0]?.count ?? 0;
}

async function statusOf(offerId: string): Promise<string> {
  return (await h.operate('GET', `/offers/${offerId}`)).status;
}

test('batches are reported while the body is still being sent', async () => {
  const call = callImport(to('sellers'));
  await call.send(ndjson(sellers(1_500)));
  deepEqual((await call.next())?.committed, {
    line: 1_000,
    read: 1_000,
    written: 1_000,
    unchanged: 0,
    rejected: 0,
    skipped: 0,
    rejectedBefore: 0,
  });
  call.end(ndjson(sellers(1)));
  const rest = await call.rest();
  deepEqual([rest.length, rest[0]?.committed?.line, resultOf(rest).written], [2, 1_501, 1_501]);
  equal((await call.response()).headers['content-type'], 'application/x-ndjson');
});

test('every rejected line is reported before the committed batch that covers it', async () => {
  const body = `${'{"id":1}\n'.repeat(2_500)}${ndjson(sellers(1))}`;
  const lines = await importAll(to('sellers'), body);
  const rejected = lines.flatMap(({ rejected: one }) => one?.line ?? []);
  deepEqual(
    rejected,
    Array.from({ length: 2_500 }, (_, index) => index + 1),
  );
  let covered = 0;
  for (const { committed, rejected: one } of lines) {
    if (one !== undefined) ok(one.line > covered);
    if (committed !== undefined) covered = committed.line;
  }
  const { errors, ...counts } = resultOf(lines);
  equal(errors.length, 1_000);
  deepEqual([counts.read, counts.written, counts.rejected], [2_501, 1, 2_500]);
});

test('an interrupted import continues after the last stored line', async () => {
  const importId = randomUUID();
  const name = 'Broke off';
  const file = [...sellers(1_200, name), { id: 'bad' }, ...sellers(1_200, name)];
  const first = callImport(to(`sellers?importId=${importId}`));
  await first.send(ndjson(file.slice(0, 1_600)));
  equal((await first.next())?.committed?.line, 1_000);
  first.cut();
  await released(importId);
  equal(await countSellers(name), 1_000);

  const lines = await importAll(to(`sellers?importId=${importId}`), ndjson(file));
  deepEqual([lines[0]?.committed?.line, lines[0]?.committed?.read], [1_000, 0], 'where it continues');
  const { read, written, unchanged, rejected, skipped } = resultOf(lines);
  deepEqual([read, skipped, written, unchanged, rejected], [2_401, 1_000, 1_400, 0, 1]);
  deepEqual(
    lines.flatMap(({ rejected: one }) => one?.line ?? []),
    [1_201],
  );
  equal(await countSellers(name), 2_400);

  // The import is complete, so the same id starts from the beginning and changes nothing.
  const again = resultOf(await importAll(to(`sellers?importId=${importId}`), ndjson(file)));
  deepEqual([again.read, again.skipped, again.written, again.unchanged], [2_401, 0, 0, 2_400]);
});

test('a CSV import continues below its header row', async () => {
  const importId = randomUUID();
  const rows = sellers(1_500, 'In CSV').map(({ id, name }) => `${id},"${name}\n"\n`);
  const target = to(`sellers?importId=${importId}`, { 'content-type': 'text/csv' });
  const first = callImport(target);
  await first.send(`id,name\n${rows.slice(0, 1_200).join('')}`);
  equal((await first.next())?.committed?.read, 1_000);
  first.cut();
  await released(importId);
  const { read, skipped, written } = resultOf(await importAll(target, `id,name\n${rows.join('')}`));
  deepEqual([read, skipped, written], [1_500, 1_000, 500]);
});

test('a second import is rejected only if one with the same id, kind and dryRun is running', async () => {
  const importId = randomUUID();
  const running = callImport(to(`sellers?importId=${importId}`));
  await running.send(ndjson(sellers(1_001)));
  await running.next();
  const refused = callImport(to(`sellers?importId=${importId}`));
  refused.end();
  equal((await refused.response()).statusCode, 409);
  const { code, message } = errorOf(await refused.rest());
  deepEqual([code, message.startsWith('An import with this importId is running.')], ['conflict', true]);
  for (const other of [`sellers?importId=${importId}-2`, `products?importId=${importId}`, 'sellers']) {
    equal(resultOf(await importAll(to(other), '')).read, 0, other);
  }
  equal(resultOf(await importAll(to(`sellers?importId=${importId}&dryRun=true`), '')).read, 0);
  running.end();
  equal(resultOf(await running.rest()).read, 1_001);
});

test('an import cannot be continued with a different body', async () => {
  const importId = randomUUID();
  const first = callImport(to(`sellers?importId=${importId}`));
  await first.send(ndjson(sellers(1_001)));
  await first.next();
  first.cut();
  await released(importId);
  const error = errorOf(await importAll(to(`sellers?importId=${importId}`), ndjson(sellers(10))));
  equal(error.code, 'conflict');
  match(error.message, /Use a different importId/);
});

test('importId must have 1 to 100 visible characters', async () => {
  for (const importId of ['', 'a%20b', 'x'.repeat(101), '%C3%A4']) {
    const answer = await h.call('POST', `/admin/v1/imports/sellers?importId=${importId}`, {
      token: h.operatorToken,
      headers: { 'content-type': 'application/x-ndjson' },
      body: '',
    });
    deepEqual([answer.status, answer.body.error.errors[0].field], [400, 'query.importId'], importId);
  }
});

test('gzip is inflated, and if it is invalid or truncated, the error states the last stored line', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  const file = sellers(2_500, 'Zipped');
  const zipped = gzipSync(ndjson(file));
  equal(resultOf(await importAll(to('sellers', gzip), zipped)).written, 2_500);
  const cut = errorOf(await importAll(to('sellers', gzip), zipped.subarray(0, zipped.length - 100)));
  const sentence = 'The body is not valid gzip, or its end is missing.';
  deepEqual(
    [cut.code, cut.message],
    ['validation-error', `${sentence} Everything up to line 2000 was kept.`],
  );
  // Bytes inflated before the fault is detected may be invalid, so the last stored line varies.
  const garbled = Buffer.from(zipped).fill(0xff, zipped.length - 20_000, zipped.length - 19_000);
  const { code, message } = errorOf(await importAll(to('sellers', gzip), garbled));
  deepEqual([code, message.startsWith(`${sentence} Everything up to line `)], ['validation-error', true]);
  equal(errorOf(await importAll(to('sellers', gzip), ndjson(file))).code, 'validation-error');
});

test('an unsupported content encoding gets 415 with its name', async () => {
  const call = callImport(to('sellers', { 'content-encoding': 'br' }));
  call.end();
  equal((await call.response()).statusCode, 415);
  match(errorOf(await call.rest()).message, /Content-Encoding: gzip, or without Content-Encoding, not br\.$/);
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
  const dry = resultOf(await importAll(to('offers?dryRun=true'), body));
  deepEqual(
    [dry.dryRun, dry.read, dry.written, dry.unchanged, dry.rejected, dry.errors[0]?.line],
    [true, 4, 2, 1, 1, 4],
  );
  const keys = ndjson([
    { offerId, code: 'DRY-1' },
    { offerId, code: 'DRY-2' },
  ]);
  equal(resultOf(await importAll(to('keys?dryRun=true'), keys)).written, 2);
  deepEqual(await snapshot(), before);
  equal(resultOf(await importAll(to('offers'), body)).written, dry.written);
  equal(resultOf(await importAll(to('keys'), keys)).written, 2);
});

test('deleteMissing of offers pauses the other offers of the sellers in the file', async () => {
  const sellerId = await h.seed.seller();
  const productId = await h.seed.product();
  const kept = await h.seed.offer({ productId, sellerId });
  const gone = await h.seed.offer({ productId, sellerId });
  const others = await h.seed.offer({ productId });
  const line = { id: kept.id, productId, sellerId, price: '10.00', status: 'active' };
  const target = 'offers?deleteMissing=true';

  const refused = resultOf(await importAll(to(target), `${ndjson([line])}{}\n`));
  deepEqual([refused.removed, refused.rejected], [0, 1]);
  match(refused.removalRefused ?? '', /^Lines were rejected, so nothing was taken off sale/);
  const empty = resultOf(await importAll(to(target), ''));
  match(empty.removalRefused ?? '', /^The import has no lines, so nothing was taken off sale/);
  equal(resultOf(await importAll(to(`${target}&dryRun=true`), ndjson([line]))).removed, 1);
  equal(await statusOf(gone.id), 'active');

  const { removed, removalRefused, unchanged, runId } = resultOf(await importAll(to(target), ndjson([line])));
  deepEqual([removed, removalRefused, unchanged], [1, undefined, 1]);
  deepEqual(
    [await statusOf(kept.id), await statusOf(gone.id), await statusOf(others.id)],
    ['active', 'paused', 'active'],
  );
  const { body } = await h.admin('GET', '/audit?action=import.offers.missing');
  deepEqual(body.data[0].data, { runId, missing: 1 });
  equal(await countSeen(), 0);
});

test('deleteMissing of keys withdraws the other unsold keys of the offers in the file', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId, codes, productId } = await h.seed.listing({ stock: 5 });
  const other = await h.seed.listing({ stock: 2 });
  const lines = codes.slice(0, 2).map((code) => ({ offerId: offerId.toUpperCase(), code }));
  lines.push({ offerId, code: `NEW-${offerId}` });
  const { removed, written, unchanged } = resultOf(
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
  const statuses = async () => Promise.all(listings.map(({ offerId }) => statusOf(offerId)));
  ok(resultOf(await importAll(to('products?deleteMissing=true'), ndjson(products))).removed >= 1);
  deepEqual(await statuses(), ['active', 'active', 'paused']);
  const kept = [{ id: first.sellerId, name: 'Kept' }];
  equal(resultOf(await importAll(to('sellers?deleteMissing=true'), ndjson(kept))).removed, 1);
  deepEqual(await statuses(), ['active', 'paused', 'paused']);
});

test('deleteMissing includes the lines and rejections from before an interruption', async () => {
  const sellerId = await h.seed.seller();
  const productId = await h.seed.product();
  const offer = { productId, sellerId, price: '5.00', status: 'active' };
  const gone = await h.seed.offer({ productId, sellerId });
  const file = Array.from({ length: 1_500 }, () => ({ id: randomUUID(), ...offer }));
  for (const isBad of [true, false]) {
    const importId = randomUUID();
    const body = ndjson(isBad ? [{}, ...file] : file);
    const target = to(`offers?importId=${importId}&deleteMissing=true`);
    const call = callImport(target);
    await call.send(body.slice(0, body.length * 0.8));
    while ((await call.next())?.committed === undefined);
    call.cut();
    await released(importId);
    const { skipped, rejectedBefore, removed, removalRefused } = resultOf(await importAll(target, body));
    const refused = [rejectedBefore, removalRefused !== undefined];
    deepEqual([skipped, removed, ...refused], isBad ? [1_000, 0, 1, true] : [1_000, 1, 0, false]);
    equal(await statusOf(gone.id), isBad ? 'active' : 'paused');
  }
  const { rows } = await sql<{ active: number }>`SELECT count(*) AS active FROM offer
    WHERE seller_id = ${sellerId}::uuid AND status = 'active'`.execute(h.database.kysely);
  equal(rows[0]?.active, 1_500);
  equal(await countSeen(), 0);
});

async function released(importId: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ holder: string | null }>`
      SELECT holder FROM import_run WHERE import_id = ${importId}`.execute(h.database.kysely);
    if (rows.length > 0 && rows.every(({ holder }) => holder === null)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function countSeen(): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM import_seen`.execute(
    h.database.kysely,
  );
  return rows[0]?.count ?? 0;
}

async function snapshot(): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT count(*) FROM offer) AS offers, (SELECT count(*) FROM stock_key) AS keys,
      (SELECT count(*) FROM audit_entry WHERE action LIKE 'import.%') AS audit,
      (SELECT count(*) FROM data_key) AS data_keys, (SELECT sum(price_minor) FROM offer) AS prices,
      (SELECT max(stamp) FROM change_log) AS clock, (SELECT count(*) FROM offer_log) AS log`.execute(
    h.database.kysely,
  );
  return rows[0];
}
