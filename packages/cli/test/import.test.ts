import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'vitest';
import { wholeFile } from '../../server/test/support/vitest.ts';
import type { Run } from './support/command-process.ts';
import { runKeyport, startKeyport } from './support/keyport.ts';
import { startOwnService } from './support/own-service.ts';
import { startUploadProxy } from './support/upload-proxy.ts';

const { folder, service, settings, keyport } = await startOwnService(wholeFile);

test('imports a file, standard input or an address, plain or compressed', async (t) => {
  const sellers = ndjson(Array.from({ length: 3 }, (_, index) => seller(index)));
  const zipped = gzipSync(sellers);
  const server = createServer((request, response) => {
    response.end(request.url === '/feeds/sellers.ndjson.gz?day=1' ? zipped : sellers);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/feeds`;
  const imports = [
    () => toImport('sellers', file('plain.ndjson', sellers)),
    () => toImport('sellers', file('zipped.ndjson.gz', zipped)),
    () => toImport('sellers', file('zipped-too.ndjson', zipped)),
    () => toImport('sellers', Promise.resolve(`${url}/sellers.ndjson`)),
    () => toImport('sellers', Promise.resolve(`${url}/sellers.ndjson.gz?day=1`)),
    () =>
      runKeyport(['import', 'sellers', '-', '--format', 'ndjson', '--json'], { settings, input: sellers }),
    () => runKeyport(['import', 'sellers', '-', '--format', 'ndjson', '--json'], { settings, input: zipped }),
  ];
  const results: number[][] = [];
  for (const run of imports) results.push(counts(await run()));
  deepEqual(results, [[3, 3, 0, 0], ...Array(imports.length - 1).fill([3, 0, 3, 0])]);
});

test('unreadable input is reported, and nothing is imported', async () => {
  const sellers = ndjson(Array.from({ length: 500 }, () => seller(randomUUID())));
  const zipped = gzipSync(sellers);
  const cut = await keyport('import', 'sellers', await file('cut.ndjson.gz', zipped.subarray(0, -50)));
  deepEqual([cut.code, cut.stdout], [1, '']);
  match(cut.stderr, /cut\.ndjson\.gz is not valid gzip, or its end is missing/);
  const missing = await keyport('import', 'sellers', join(folder, 'missing.csv'));
  match(missing.stderr, /^keyport: the file cannot be read: ENOENT/);
  const address = await keyport('import', 'sellers', `${service.welcome.url}/nothing.csv`);
  match(address.stderr, /nothing\.csv returned 404/);
});

test('rejected lines are kept unchanged, with their reasons, and are imported when corrected', async () => {
  const good = [randomUUID(), randomUUID()];
  const bad = [`nonsense,"Two\nlines"`, `,"No one, at all"`];
  const path = await file(
    'shops.csv',
    `id,name\r\n${good[0]},One\r\n${bad[0]}\r\n${bad[1]}\r\n${good[1]},Two`,
  );
  const { code, stdout } = await keyport('import', 'sellers', path);
  equal(code, 1);
  match(stdout, /^4 lines read: 2 written, 0 unchanged, 2 rejected\.\n {2}line 3: id must be a UUID/);
  const rejects = `${path}.rejects.csv`;
  equal(await readFile(rejects, 'utf8'), `id,name\r\n${bad[0]}\r\n${bad[1]}\r\n`);
  match(
    await readFile(`${rejects}.txt`, 'utf8'),
    /^line 3: id must be a UUID.*\nline 5: id is required.*\n$/,
  );
  for (const kept of [rejects, `${rejects}.txt`]) equal((await stat(kept)).mode & 0o777, 0o600);

  const corrected = (await readFile(rejects, 'utf8')).replace(/nonsense|^(?=,)/gm, () => randomUUID());
  await writeFile(rejects, corrected);
  deepEqual(counts(await keyport('import', 'sellers', rejects, '--json')), [2, 2, 0, 0]);
  equal(existsSync(`${rejects}.rejects.csv`), false);

  await writeFile(path, 'id,name\n');
  await keyport('import', 'sellers', path);
  deepEqual(
    [existsSync(rejects), existsSync(`${rejects}.txt`)],
    [false, false],
    'they belong to the last import',
  );
});

test('rejected lines of standard input are written to the file of --rejects, never over the imported file', async () => {
  const rejects = join(folder, 'of-input.ndjson');
  const input = `{"id":1}\n${ndjson([seller(randomUUID())])}`;
  const args = ['import', 'sellers', '-', '--format', 'ndjson'];
  equal((await runKeyport([...args, '--rejects', rejects], { settings, input })).code, 1);
  equal(await readFile(rejects, 'utf8'), '{"id":1}\n');
  const same = await keyport('import', 'sellers', rejects, '--rejects', rejects);
  deepEqual([same.code, await readFile(rejects, 'utf8')], [2, '{"id":1}\n']);
  match(
    (await keyport('import', 'sellers', rejects, '--rejects', join(folder, 'no', 'x'))).stderr,
    /--rejects/,
  );
});

test('an import survives lost connections: it is sent again, and every bad line is kept', async (t) => {
  const { path, lines, bad } = await manySellers('network.ndjson', 12_000);
  const proxy = await startUploadProxy(service.welcome.url, { cutAfterBytes: [400_000, 700_000] });
  t.onTestFinished(() => proxy.close());
  const run = await runKeyport(['import', 'sellers', path, '--json'], {
    settings: { ...settings, KEYPORT_URL: proxy.url },
  });
  equal(run.code, 1, run.stderr);
  match(run.stderr, /ended before its report.*\nSending the import again in 0\.5 s\.$/m);
  const { data } = JSON.parse(run.stdout);
  deepEqual(
    [data.read, data.written + data.unchanged, data.rejected],
    [lines.length, lines.length - bad.length, bad.length],
  );
  deepEqual(await keptLines(path), bad);
  const again = counts(await keyport('import', 'sellers', path, '--json'));
  deepEqual(again.slice(1, 3), [0, lines.length - bad.length]);
});

test('Ctrl-C stops the import, and the command says what the service has stored', async (t) => {
  const { path, lines, bad } = await manySellers('stopped.ndjson', 6_000);
  const proxy = await startUploadProxy(service.welcome.url, { holdAfterBytes: 300_000 });
  t.onTestFinished(() => proxy.close());
  const stopped = startKeyport(['import', 'sellers', path], {
    settings: { ...settings, KEYPORT_URL: proxy.url },
  });
  await proxy.held;
  stopped.child.kill('SIGINT');
  const { code, stderr, stdout } = await stopped.ended;
  deepEqual([code, stdout], [130, '']);
  match(
    stderr,
    /Stopped\. The service (?:stopped|is still reading it) after \d+ of 6000 lines: .* Run the same command again: lines that are stored are unchanged\.\n$/,
  );
  const again = counts(await keyport('import', 'sellers', path, '--json'));
  deepEqual([again[0], again[3]], [lines.length, bad.length]);
});

test('--delete-missing takes the rest off sale when it is confirmed', async () => {
  const shop = seller(randomUUID());
  const product = { id: '70000000000017', name: 'Game', checkoutClass: 'standard' };
  const offer = { productId: product.id, sellerId: shop.id, price: '5.00', status: 'active' };
  const [kept, gone] = [randomUUID(), randomUUID()];
  await toImport('sellers', file('shop.ndjson', ndjson([shop])));
  await toImport('products', file('game.ndjson', ndjson([product])));
  await toImport('offers', file('both.ndjson', ndjson([kept, gone].map((id) => ({ id, ...offer })))));
  const rest = await file('rest.ndjson', ndjson([{ id: kept, ...offer }]));
  const unconfirmed = await keyport('import', 'offers', rest, '--delete-missing');
  equal(unconfirmed.code, 2);
  match(unconfirmed.stderr, /--delete-missing was not confirmed; type yes, or set --yes/);
  match((await keyport('offer', 'show', gone)).stdout, /^status +active$/m);
  const tried = await keyport('import', 'offers', rest, '--delete-missing', '--dry-run');
  match(tried.stdout, /^1 line read: .*\n1 would be taken off sale, because the source lacks them\.\n$/);
  const { stdout } = await keyport('import', 'offers', rest, '--delete-missing', '--yes');
  match(stdout, /\n1 taken off sale, because the source lacks them\.\nTo put them back: /);
  match((await keyport('offer', 'show', gone)).stdout, /^status +paused$/m);
  match((await keyport('offer', 'show', kept)).stdout, /^status +active$/m);
});

test('a truncated file takes nothing off sale until the number of removals is confirmed, and they can be undone', async () => {
  const shop = seller(randomUUID());
  const product = { id: '70000000000024', name: 'Game', checkoutClass: 'standard' };
  const offer = {
    id: randomUUID(),
    productId: product.id,
    sellerId: shop.id,
    price: '5.00',
    status: 'active',
  };
  const keys = Array.from({ length: 61 }, (_, index) => ({ offerId: offer.id, code: `TRUNCATED-${index}` }));
  await toImport('sellers', file('truncated-shop.ndjson', ndjson([shop])));
  await toImport('products', file('truncated-game.ndjson', ndjson([product])));
  await toImport('offers', file('truncated-offer.ndjson', ndjson([offer])));
  await toImport('keys', file('all-keys.ndjson', ndjson(keys)));
  const quantity = async () =>
    /^quantity +(\d+)$/m.exec((await keyport('offer', 'show', offer.id)).stdout)?.[1];

  const path = await file('one-key.ndjson', ndjson(keys.slice(0, 1)));
  const removing = ['import', 'keys', path, '--delete-missing'];
  const refused = await keyport(...removing, '--yes');
  deepEqual([refused.code, await quantity()], [1, '61']);
  match(refused.stdout, /^60 of 61 unsold keys are missing .* nothing was taken off sale/m);
  match(refused.stdout, /^To confirm, add to this command: --confirm-removals 60$/m);
  equal((await keyport(...removing, '--confirm-removals', '59')).code, 1);
  equal((await keyport(...removing, '--confirm-removals', 'all')).code, 2);

  const { code, stdout } = await keyport(...removing, '--confirm-removals', '60');
  deepEqual([code, await quantity()], [0, '1']);
  const [, runId = ''] = /^To put them back: keyport catalogue restore-removed (\d+) /m.exec(stdout) ?? [];
  const restoring = ['catalogue', 'restore-removed', runId, '--reason', 'The feed was truncated'];
  match((await keyport(...restoring)).stdout, /^restored +60\nkept +0$/m);
  equal(await quantity(), '61');
  match((await keyport(...restoring)).stdout, /^restored +60\nkept +0$/m);
});

function seller(id: number | string) {
  const uuid = typeof id === 'string' ? id : `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
  return { id: uuid, name: `Seller ${id}` };
}

function ndjson(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Every hundredth line is bad. */
async function manySellers(name: string, count: number) {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify(index % 100 === 99 ? { id: `bad ${name} ${index}` } : seller(randomUUID())),
  );
  const path = await file(name, `${lines.join('\n')}\n`);
  return { path, lines, bad: lines.filter((line) => line.includes('"bad ')) };
}

/** In source order, which may differ from the order in which they were reported. */
async function keptLines(path: string): Promise<string[]> {
  const reasons = (await readFile(`${path}.rejects.ndjson.txt`, 'utf8')).trimEnd().split('\n');
  const lines = (await readFile(`${path}.rejects.ndjson`, 'utf8')).trimEnd().split('\n');
  equal(reasons.length, lines.length);
  const numbers = reasons.map((reason) => Number(/^line (\d+): /.exec(reason)?.[1]));
  return lines
    .map((line, index) => ({ line, number: numbers[index] ?? 0 }))
    .toSorted((a, b) => a.number - b.number)
    .map(({ line }) => line);
}

async function toImport(kind: string, path: Promise<string>): Promise<Run> {
  const run = await keyport('import', kind, await path, '--json');
  ok(run.stdout !== '', run.stderr);
  return run;
}

function counts({ stdout, stderr }: Run): number[] {
  ok(stdout !== '', stderr);
  const { data } = JSON.parse(stdout);
  return [data.read, data.written, data.unchanged, data.rejected];
}
