/** The worked examples of the documents. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { startOwnService } from './support/own-service.ts';

const EXAMPLES = join(import.meta.dirname, '../../../docs/examples');
const MARKETPLACE = join(EXAMPLES, 'marketplace-export');
const SUPPLIER = join(EXAMPLES, 'supplier-price-list');

const { folder, keyport } = await startOwnService(wholeFile);

/** A copy, so that rejected lines are not written beside the example. */
async function importExample(kind: string, source: string, mapping: string) {
  const copy = join(folder, `${kind}.csv`);
  await copyFile(source, copy);
  const run = await keyport('import', kind, copy, '--map', mapping, '--json');
  const { data } = JSON.parse(run.stdout === '' ? '{}' : run.stdout);
  equal(run.stdout === '' ? run.stderr : '', '');
  const { read, written, unchanged, rejected } = data;
  return {
    counts: [read, written, unchanged, rejected],
    errors: data.errors,
    rejects: `${copy}.rejects.csv`,
  };
}

async function shown(...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse((await keyport(...args, '--json')).stdout).data;
}

test('imports sellers, products and offers from rows of a marketplace export, and keeps rejected rows unchanged', async () => {
  const mapping = join(MARKETPLACE, 'mapping.json');
  const source = join(MARKETPLACE, 'export.csv');
  const sellers = await importExample('sellers', source, mapping);
  const products = await importExample('products', source, mapping);
  deepEqual([sellers.counts[1], sellers.counts[3]], [2, 0]);
  deepEqual([products.counts[1], products.counts[3]], [3, 0]);
  const offers = await importExample('offers', source, mapping);
  deepEqual(offers.counts, [4, 3, 0, 1]);
  const message = 'price: "$12.00" is not an amount in EUR with "." before the cents.';
  deepEqual(offers.errors, [{ line: 6, message }]);
  const lines = (await readFile(source, 'utf8')).split('\n');
  equal(await readFile(offers.rejects, 'utf8'), `${lines[0]}\n${lines[5]}\n`);
  equal(await readFile(`${offers.rejects}.txt`, 'utf8'), `line 6: ${message}\n`);

  const product = await shown('product', 'show', '51000000050077');
  deepEqual([product['name'], product['region']], ['The "Last" Lighthouse', 'Europe']);
  deepEqual(product['categories'], [{ id: 'adventure', name: 'Adventure' }]);
  const { id, ...offer } = await shown('offer', 'show', uuids.listing);
  deepEqual(
    [id, offer],
    [
      uuids.listing,
      {
        productId: '51000000048213',
        sellerId: uuids.merchant,
        price: '1024.50',
        status: 'active',
        quantity: 0,
        units: { available: 0, reserved: 0, sold: 0, withdrawn: 0 },
      },
    ],
  );

  const again = await importExample('offers', source, mapping);
  deepEqual(again.counts, [4, 0, 3, 1]);
});

/** Python: uuid5(namespace, 'L-90001') and uuid5(namespace, 'm-17'). */
const uuids = {
  listing: '86632314-444e-57bb-b91b-ac3eab799fd7',
  merchant: '4f7241e7-8dd9-5876-b721-16c370104ff1',
};

test('imports a supplier price list with semicolons, Latin 1, decimal commas, dates, and article numbers from a dictionary', async () => {
  await keyport('seller', 'put', '7e0d4a1c-0b0a-4a39-8d2e-3f6a5b9c1d77', '--name', 'Supplier');
  const mapping = join(SUPPLIER, 'mapping.json');
  const source = join(SUPPLIER, 'prices.csv');
  const products = await importExample('products', source, mapping);
  deepEqual(products.counts, [4, 3, 0, 1]);
  const message = '"XX-NEU" is not in products.csv; add it there.';
  deepEqual(products.errors, [{ line: 7, message: `id: ${message}` }]);
  const product = await shown('product', 'show', '51000000048213');
  deepEqual(
    [product['name'], product['publisher'], product['releaseDate']],
    ['Star Harbour', 'Möwe Spiele', '2025-12-24'],
  );
  const offers = await importExample('offers', source, mapping);
  deepEqual([offers.counts, offers.errors], [[4, 3, 0, 1], [{ line: 7, message: `productId: ${message}` }]]);
  // The offer that could not be created is unknown.
  const prices = await importExample('prices', source, mapping);
  deepEqual(prices.counts, [4, 0, 3, 1]);
  match(prices.errors[0].message, /^id names no offer/);
  const bytes = await readFile(source);
  const end = Buffer.from('XX-NEU;Noch nicht angelegt;;;5,00 \u0080;ja;\n', 'latin1');
  deepEqual(await readFile(offers.rejects), Buffer.concat([bytes.subarray(0, bytes.indexOf('\n') + 1), end]));
});

test('an unusable mapping is rejected before a line is read, with the name of the wrong member', async () => {
  const source = join(folder, 'source.csv');
  await writeFile(source, 'a,b\n1,2\n');
  const id = { column: 'a', uuidIn: '5b0c6a52-6d1f-4f0e-9c53-1e1f6a0c9b11' };
  const csv = { format: 'csv' };
  const rows: [mapping: unknown, problem: RegExp][] = [
    ['{', /It is not JSON/],
    [
      { source: { format: 'xml' }, sellers: { fields: {} } },
      /mapping\.source\.format must be "csv" or "ndjson"/,
    ],
    [{ source: csv, products: { fields: {} } }, /mapping\.sellers is missing/],
    [
      { source: csv, sellers: { fields: { id } } },
      /mapping\.sellers\.fields\.name is missing: sellers need it/,
    ],
    [
      { source: csv, sellers: { fields: { id, name: {} } } },
      /fields\.name must have exactly one of column, columns and constant/,
    ],
    [
      { source: csv, sellers: { fields: { id, name: { column: 'b', trim: true } } } },
      /mapping\.sellers\.fields\.name\.trim/,
    ],
    [
      { source: csv, sellers: { fields: { id, name: { column: 'b' }, price: { column: 'b' } } } },
      /fields\.price is not a field of sellers/,
    ],
    [
      { source: csv, sellers: { fields: { id, name: { column: 'c' } } } },
      /lacks columns that the mapping names, or has them twice: c\. Its columns are a, b/,
    ],
    [
      { source: csv, sellers: { fields: { id, name: { column: 'b', dictionary: 'none.csv' } } } },
      /none\.csv/,
    ],
    [
      { source: csv, sellers: { fields: { id, name: { column: 'b' } }, skipWhen: [{ column: 'a' }] } },
      /skipWhen\[0\] must have exactly one of/,
    ],
  ];
  for (const [mapping, problem] of rows) {
    const path = join(folder, 'mapping.json');
    await writeFile(path, typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
    const { code, stdout, stderr } = await keyport('import', 'sellers', source, '--map', path);
    deepEqual([code, stdout], [1, ''], stderr);
    match(stderr, problem);
  }
});
