/** The worked examples of the documents. */
import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
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

const OFFER = '0ffe4000-0000-4000-8000-000000000001';

test('the last line about an offer counts, and a repeated line is unchanged, with and without a mapping', async () => {
  await keyport('seller', 'put', '5e11e700-0000-4000-8000-000000000099', '--name', 'Trial');
  await keyport('product', 'put', '30000000000017', '--name', 'Star Harbour', '--checkout-class', 'standard');
  const offer = ['--product-id', '30000000000017', '--seller-id', '5e11e700-0000-4000-8000-000000000099'];
  await keyport('offer', 'put', OFFER, ...offer, '--price', '9.00', '--status', 'active');
  const lists: [name: string, text: string, mapping?: object][] = [
    ['plain.csv', `id,price\n${OFFER},10.00\n${OFFER},12.00\n${OFFER},10.00\n`],
    [
      'mapped.csv',
      // A byte order mark before a quoted header with a line end, an unnamed column, and blank rows.
      `\ufeff"Offer\nid";Price;\r\n${OFFER};12,00;\r\n${OFFER};9,00;\r\n;;;;\r\n${OFFER};10,00;;\r\n`,
      { prices: { fields: { id: { column: 'Offer\nid' }, price: { column: 'Price', decimal: ',' } } } },
    ],
  ];
  for (const [name, text, parts] of lists) {
    const path = join(folder, name);
    await writeFile(path, text);
    const map = join(folder, `${name}.json`);
    await writeFile(map, JSON.stringify({ source: { format: 'csv', delimiter: ';' }, ...parts }));
    const run = await keyport('import', 'prices', path, ...(parts === undefined ? [] : ['--map', map]));
    match(run.stdout, /^3 lines read: 3 written, 0 unchanged, 0 rejected\./, run.stderr);
    equal((await shown('offer', 'show', OFFER))['price'], '10.00');
  }
  const keys = join(folder, 'keys.csv');
  await writeFile(
    keys,
    `Offer;Key\n${OFFER};TWICE-1\n${OFFER};TWICE-1\n${OFFER};="TWICE-2"\n${OFFER};8,96529E+19\n`,
  );
  const map = join(folder, 'keys.json');
  const fields = { offerId: { column: 'Offer' }, code: { column: 'Key' } };
  await writeFile(map, JSON.stringify({ source: { format: 'csv', delimiter: ';' }, keys: { fields } }));
  const run = await keyport('import', 'keys', keys, '--map', map);
  match(
    run.stdout,
    /^4 lines read: 2 written, 1 unchanged, 1 rejected\.\n {2}line 5: code is what a spreadsheet shows/,
  );
});

test.each(['utf8', 'utf16le'] as const)(
  'a mapping may begin with a byte order mark: %s',
  async (encoding) => {
    const path = join(folder, 'marked.csv');
    const map = join(folder, 'marked.json');
    await writeFile(path, `Offer;Key\n${OFFER};MARKED-1\n`);
    const fields = { offerId: { column: 'Offer' }, code: { column: 'Key' } };
    const mapping = JSON.stringify({ source: { format: 'csv', delimiter: ';' }, keys: { fields } });
    await writeFile(map, `\ufeff${mapping}`, encoding);
    const { stdout, stderr } = await keyport('import', 'keys', path, '--map', map);
    match(stdout, /^1 lines? read: [01] written, [01] unchanged, 0 rejected/, stderr);
  },
);

test('a rejected row of keys does not show the key, with columns in the wrong order too', async () => {
  const path = join(folder, 'swapped.csv');
  const map = join(folder, 'swapped.json');
  await writeFile(path, 'LEAKY-AAAA-1111,SKU-1\n');
  await writeFile(join(folder, 'skus.csv'), `SKU-1,${OFFER}\n`);
  const fields = { offerId: { column: 1, dictionary: 'skus.csv' }, code: { column: 2 } };
  await writeFile(map, JSON.stringify({ source: { format: 'csv', headerLine: 0 }, keys: { fields } }));
  const { stdout } = await keyport('import', 'keys', path, '--map', map);
  match(stdout, /1 rejected\.\n {2}line 1: offerId: the value is not in skus\.csv; add it there/);
  const runs = JSON.stringify(await keyport('imports', 'list', '--json'));
  doesNotMatch(stdout + runs, /LEAKY/);
});

test('an unknown seller is rejected as a name, and changes no other seller', async () => {
  const path = join(folder, 'named.csv');
  const map = join(folder, 'named.json');
  await writeFile(path, `Product;Shop;Price\n30000000000017;Trial+;1.23\n30000000000017; TRIAL ;11.00\n`);
  const fields = {
    productId: { column: 'Product' },
    sellerId: { column: 'Shop', read: 'seller' },
    price: { column: 'Price', decimal: '.' },
  };
  await writeFile(map, JSON.stringify({ source: { format: 'csv', delimiter: ';' }, prices: { fields } }));
  const { stdout } = await keyport('import', 'prices', path, '--map', map);
  match(
    stdout,
    /^2 lines read: 1 written, 0 unchanged, 1 rejected\.\n {2}line 2: sellerId: "Trial\+" is not the name or id of a seller/,
  );
  equal((await shown('offer', 'show', OFFER))['price'], '11.00');
});
