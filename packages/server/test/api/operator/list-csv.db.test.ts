/** A242, A87. */
import { deepEqual, equal, fail, match, rejects } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { test } from 'vitest';
import { read as readSheets, utils as sheets } from 'xlsx';
import { sql } from '../../../src/db/sql.ts';
import { auto, startHarness } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { readList } from '../../support/lists.ts';
import { wholeFile } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const SSCONVERT = '/usr/bin/ssconvert';
const NEEDS_GNUMERIC = { skip: !existsSync(SSCONVERT) };

const h = await startHarness(wholeFile);
const acme = await h.seed.reseller({ balance: '500.00', account: { name: '=Ácme, "Inc"' } });
const { productId } = await h.seed.listing({ price: '3.00', stock: 9, product: { region: 'Europe' } });
const elsewhere = await h.seed.listing({ price: '7.50', stock: 9, product: { region: 'Japan' } });
const cheap = await place(productId, 1);
const refunded = await place(productId, 2);
const dear = await place(elsewhere.productId, 2);
await h.operate('POST', `/orders/${refunded}/refund`, { reason: 'Bad key' });
const [dollars, split] = await importOrders(h, acme.accountId, [
  { createdAt: '2026-01-02T00:00:00Z', currency: 'USD', decimals: 4, unitPriceMinor: 123_400 },
  { createdAt: '2026-01-01T00:00:00Z', itemSellers: ['a', 'b'] },
]);

async function place(product: string, quantity: number): Promise<string> {
  return (await acme.order(auto(product, { quantity }))).body.data.id;
}

async function csv(path: string, token = h.operatorToken) {
  const response = await fetch(`${h.url}/admin/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
  });
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, headers: response.headers, bytes, text };
}

async function records(path: string): Promise<Record<string, string>[]> {
  const { status, text } = await csv(path);
  equal(status, 200, text);
  return parse(text, { columns: true, record_delimiter: '\r\n' });
}

/** A file of the audit log waits until the work is done. */
async function withAuditLocked(work: () => Promise<void>): Promise<void> {
  await h.database.withOwnSession(async (session) => {
    await session.query('BEGIN; LOCK TABLE audit_entry');
    await work().finally(() => session.query('ROLLBACK'));
  });
}

test('200: orders are found by amount, currency, region and refund, each filter alone and together', async () => {
  for (const [query, expected] of [
    ['totalFrom=6.00&totalTo=12.34', [refunded, dollars]],
    ['totalFrom=6.01&currency=EUR', [dear, split]],
    ['currency=USD', [dollars]],
    ['currency=JPY', []],
    ['region=Europe&imported=false', [refunded, cheap]],
    ['region=Japan&totalTo=14.99', []],
    ['refunded=true', [refunded]],
    ['refunded=false', [dear, cheap, dollars, split]],
  ] as const) {
    const ids = (await readList(h, `/orders?${query}`)).map(({ id }) => id);
    deepEqual(ids, expected, query);
  }
});

test('200: the file has every match of the filters, in their order, with a cell for each member', async () => {
  const all = await records('/orders?sort=ASC');
  deepEqual(
    all.map(({ id }) => id),
    [split, dollars, cheap, refunded, dear],
  );
  const [ofTwo, inDollars] = all;
  equal(inDollars?.['totalPrice'], '12.3400');
  equal(ofTwo?.['transactions.seller.name'], 'a; b');
  deepEqual(
    (await records('/orders?refunded=true&region=Europe')).map(({ id }) => id),
    [refunded],
  );
});

test('200: programs get every text exactly, and people headings, ids as text and no formula', async () => {
  const [order] = await records(`/orders?refunded=true`);
  equal(order?.['accountName'], '=Ácme, "Inc"');
  const { bytes, text } = await csv('/orders?refunded=true&format=spreadsheet');
  deepEqual([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf]);
  const [shown] = parse(text, { columns: true }) as Record<string, string>[];
  deepEqual(
    [shown?.['Order'], shown?.['Account'], shown?.['Total']],
    [`="${refunded}"`, `'=Ácme, "Inc"`, '6.00'],
  );
  equal(shown?.['Product id'], `="${productId}"`);
  deepEqual(
    Object.keys(shown ?? {}).filter((name) => /quantity|^transaction|^item|seller|product|price/i.test(name)),
    [
      'Transaction id',
      'Seller id',
      'Seller name',
      'Item id',
      'Product id',
      'Product name',
      'Quantity ordered',
      'Quantity invoiced',
      'Quantity shipped',
      'Quantity refunded',
      'Price',
      'Item total price',
    ],
  );
  const { headers } = await csv('/orders');
  match(headers.get('content-disposition') ?? '', /filename="all-orders\.csv"/);
});

type Row = Readonly<Record<string, unknown>>;

const toPlain = (row: Row) => [
  row['Order'] ?? row['id'],
  String(row['Account'] ?? row['accountName']).replace(/^'/, ''),
  Number(row['Total'] ?? row['totalPrice']),
];

async function expectReadBack(readBack: (bytes: Uint8Array) => Row[]): Promise<void> {
  const { bytes } = await csv('/orders?currency=EUR&format=spreadsheet');
  const exact = await records('/orders?currency=EUR');
  deepEqual(readBack(bytes).map(toPlain), exact.map(toPlain));
}

test('Gnumeric reads the file for people with its ids, amounts and letters', NEEDS_GNUMERIC, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyport-sheet-'));
  const [given, read] = [join(folder, 'orders.csv'), join(folder, 'read.csv')];
  await expectReadBack((bytes) => {
    writeFileSync(given, bytes);
    execFileSync(SSCONVERT, [given, read], { stdio: 'ignore' });
    return parse(readFileSync(read), { columns: true });
  });
  rmSync(folder, { recursive: true });
});

test('SheetJS reads the file for people with its ids, amounts and letters', () =>
  expectReadBack((bytes) => {
    const { SheetNames, Sheets } = readSheets(bytes, { type: 'buffer' });
    return sheets.sheet_to_json(Sheets[SheetNames[0] ?? ''] ?? {});
  }));

test('200: a list of more rows than a page is complete', async () => {
  const lines = Array.from({ length: 2_300 }, (_, place) =>
    JSON.stringify({ id: crypto.randomUUID(), name: `Many ${place}` }),
  );
  const imported = await fetch(`${h.url}/admin/v1/imports/sellers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${h.operatorToken}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  equal(imported.status, 200);
  const names = new Set((await records('/sellers?query=many&sort=name')).map(({ name }) => name));
  equal(names.size, 2_300);
});

test('200: every list with a cursor has a CSV file', async () => {
  const paths = ['accounts', 'clients', 'products', 'offers', 'imports', 'payments', 'rejections', 'audit'];
  for (const path of [...paths, 'approvals', 'webhook-endpoints'])
    equal((await csv(`/${path}`)).status, 200, path);
});

test('forty files that wait for the database use one connection, and other requests are served', async () => {
  const waiting = async () => {
    const { rows } = await sql<{ pids: number }>`
      SELECT count(*) AS pids FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE relation = 'audit_entry'::regclass AND NOT granted AND query NOT LIKE '%audit_unsealed%'`.execute(
      h.database.db,
    );
    return rows[0]?.pids;
  };
  let files: ReturnType<typeof csv>[] = [];
  await withAuditLocked(async () => {
    files = Array.from({ length: 40 }, () => csv(`/audit?accountId=${acme.accountId}`));
    await waitUntil(async () => (await waiting()) === 1, 'a file that waits');

    for (let count = 0; count < 15; count += 1) equal((await acme.get('/orders')).status, 200);
    equal(await waiting(), 1);
  });
  const texts = await Promise.all(files.map(async (file) => (await file).text));
  equal(new Set(texts).size, 1);
  match(texts[0] ?? '', /account\.create/);
});

test.each([
  ['its client is disabled', (path: string) => h.admin('DELETE', path)],
  [
    'its client may no longer call from there',
    (path: string) => h.admin('PATCH', path, { allowedAddresses: ['203.0.113.1'] }),
  ],
])('a file in progress is broken off when %s', async (_, endAccess) => {
  await sql`
    WITH entry AS (
      INSERT INTO audit_entry (client_id, action, data)
      SELECT 'filler', 'filler', jsonb_build_object('text', repeat('x', 2000)) FROM generate_series(1, 15000)
      RETURNING id
    )
    INSERT INTO audit_unsealed SELECT id FROM entry`.execute(h.database.db);
  const client = await h.operate('POST', '/clients', { name: 'Reader', operatorRole: 'admin' });
  const token = await h.tokenFor(client.clientId, client.clientSecret);
  const response = await fetch(`${h.url}/admin/v1/audit`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
  });
  equal(response.status, 200);
  const { body } = response;
  const reader = (body ?? fail()).getReader();
  await reader.read();

  equal((await endAccess(`/clients/${client.clientId}`)).status < 300, true);
  // A quick machine would otherwise read the rest of the file before the service looks at the client again.
  await withAuditLocked(() =>
    rejects(async () => {
      while (!(await reader.read()).done);
    }, /terminated/),
  );
});

test('a file whose reader stops reading holds up no other file', async () => {
  const { body } = await fetch(`${h.url}/admin/v1/audit`, {
    headers: { authorization: `Bearer ${h.operatorToken}`, accept: 'text/csv' },
  });
  const reader = (body ?? fail()).getReader();
  await reader.read();

  equal((await records('/orders')).length, 5);
  await reader.cancel();
});

test('400 and 401: the file has the same errors as the list', async () => {
  equal((await csv('/orders?totalFrom=much')).status, 400);
  equal((await csv('/orders?page=2')).status, 400);
  equal((await csv('/orders', 'nonsense')).status, 401);
});
