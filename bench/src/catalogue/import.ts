/**
 * Compares imports with COPY: the service imports files into one database, and COPY writes the same rows into
 * the tables of another one with all indexes, constraints and triggers. Both alternate, after a warm-up.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fetchToken, OPERATOR } from '@keyport/proof/load/operator';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { startService } from '../service.ts';
import { type ImportFiles, writeImportFiles } from './import-files.ts';

const PRODUCTS_DEFAULT = 100_000;
const WARM_UP_PRODUCTS = 10_000;
const FIRST_ID = 10_000_000_000_000;
const GOAL = 0.25;

const KINDS = ['products', 'offers', 'keys'] as const;
type Kind = (typeof KINDS)[number];

/** The tables that each kind of file fills, in the order of references, and their rows from product $1 on. */
const ROWS: Readonly<Record<Kind, readonly { table: string; columns: string; rows: string }[]>> = {
  products: [
    {
      table: 'product',
      columns: 'id, name, checkout_class, details',
      rows: 'FROM product WHERE id >= $1 ORDER BY id',
    },
    {
      table: 'product_stamp',
      columns: 'product_id, stamp, first_stamp',
      rows: 'FROM product_stamp WHERE product_id >= $1 ORDER BY stamp',
    },
  ],
  offers: [
    {
      table: 'offer',
      columns: 'id, product_id, seller_id, price_minor, status',
      rows: 'FROM offer WHERE product_id >= $1',
    },
  ],
  keys: [
    {
      table: 'data_key',
      columns: 'id, wrapped, created_at, master_key_id',
      rows: `FROM data_key WHERE id IN
        (SELECT data_key_id FROM stock_key JOIN offer ON offer.id = offer_id WHERE product_id >= $1)`,
    },
    {
      table: 'stock_key',
      columns: 'id, offer_id, kind, number, data_key_id, nonce, ciphertext, code_mac',
      rows: 'FROM stock_key WHERE offer_id IN (SELECT id FROM offer WHERE product_id >= $1) ORDER BY id',
    },
  ],
};

/** `products` is the number of products in the measured files. Each has three offers and one key. */
export async function benchImport({ products = PRODUCTS_DEFAULT }: { products?: number }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-bench-'));
  const postgres = await startPostgres({ durable: true });
  const [oursUrl, copyUrl] = [
    await createDatabase(postgres.url, 'ours'),
    await createDatabase(postgres.url, 'copy'),
  ];
  // The service also migrates the target database of COPY.
  await (await startService({ databaseUrl: copyUrl })).stop();
  const service = await startService({ databaseUrl: oursUrl });
  const [ours, copy] = [new Client(oursUrl), new Client(copyUrl)];
  try {
    await Promise.all([ours.connect(), copy.connect()]);
    const token = await fetchToken(service.url, OPERATOR);
    const side: Side = { url: service.url, token, ours, copy, folder };
    await run(side, await writeImportFiles(folder, FIRST_ID, WARM_UP_PRODUCTS), FIRST_ID);
    const firstId = FIRST_ID + WARM_UP_PRODUCTS;
    const times = await run(side, await writeImportFiles(folder, firstId, products), firstId);
    report(products, times);
  } finally {
    await Promise.all([ours.end(), copy.end()]);
    await service.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Side = { url: string; token: string; ours: Client; copy: Client; folder: string };
type Times = Record<Kind, { oursMs: number; copyMs: number }>;

async function run(side: Side, { files, products }: ImportFiles, firstId: number): Promise<Times> {
  await importFile(side, 'sellers', files.sellers);
  const sellers = { table: 'seller', columns: 'id, name', rows: 'FROM seller' };
  await copyRows(side, { ...sellers, rows: await missingSellers(side) }, firstId);
  const times: Times = {
    products: { oursMs: 0, copyMs: 0 },
    offers: { oursMs: 0, copyMs: 0 },
    keys: { oursMs: 0, copyMs: 0 },
  };
  for (const kind of KINDS) {
    const startedAt = performance.now();
    const { written, rejected } = await importFile(side, kind, files[kind]);
    times[kind].oursMs = performance.now() - startedAt;
    if (written !== products * (kind === 'offers' ? 3 : 1) || rejected > 0)
      throw new Error(`${kind}: ${written} written, ${rejected} rejected`);
    for (const rows of ROWS[kind]) times[kind].copyMs += await copyRows(side, rows, firstId);
  }
  return times;
}

/** Excludes the sellers of the warm-up, because COPY cannot skip existing rows. */
async function missingSellers({ copy }: Side): Promise<string> {
  const { rows } = await copy.query<{ id: string }>('SELECT id FROM seller');
  const known = rows.map(({ id }) => `'${id}'`).join(', ');
  return known === '' ? 'FROM seller' : `FROM seller WHERE id NOT IN (${known})`;
}

/** Returns the duration of COPY in milliseconds. */
async function copyRows(
  { ours, copy, folder }: Side,
  { table, columns, rows }: { table: string; columns: string; rows: string },
  firstId: number,
): Promise<number> {
  const path = join(folder, `${table}.copy`);
  const query = `COPY (SELECT ${columns} ${rows.replace('$1', String(firstId))}) TO STDOUT`;
  await pipeline(ours.query(copyTo(query)), createWriteStream(path));
  const startedAt = performance.now();
  await pipeline(createReadStream(path), copy.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`)));
  const ms = performance.now() - startedAt;
  await rm(path);
  return ms;
}

export function importFile(
  { url, token }: { readonly url: string; readonly token: string },
  kind: string,
  path: string,
): Promise<{ written: number; rejected: number }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const outgoing = request(`${url}/admin/v1/imports/${kind}`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text).data);
        else reject(new Error(text));
      });
    });
    outgoing.on('error', reject);
    createReadStream(path).pipe(outgoing);
  });
}

async function createDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = new Client(adminUrl);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function report(products: number, times: Times): void {
  const counts = { products, offers: products * 3, keys: products };
  console.log('import, against COPY of the same rows');
  let [oursTotalMs, copyTotalMs] = [0, 0];
  for (const kind of KINDS) {
    const { oursMs, copyMs } = times[kind];
    oursTotalMs += oursMs;
    copyTotalMs += copyMs;
    const rate = (ms: number) => `${Math.round(counts[kind] / (ms / 1000))}/s`.padStart(9);
    const ratio = (copyMs / oursMs).toFixed(2);
    console.log(
      `  ${String(counts[kind]).padStart(8)} ${kind.padEnd(9)} import ${rate(oursMs)}  COPY ${rate(copyMs)}  ratio ${ratio}`,
    );
  }
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const ratio = (copyTotalMs / oursTotalMs).toFixed(2);
  console.log(
    `  all: ${seconds(oursTotalMs)} against ${seconds(copyTotalMs)}: ratio ${ratio} (goal ${GOAL})\n`,
  );
}
