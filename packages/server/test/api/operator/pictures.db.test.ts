/** A595. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'vitest';
import { onEnd } from '../../support/database.ts';
import { startHarness } from '../../support/harness.ts';
import { seedPerson } from '../../support/person.ts';
import { wholeFile } from '../../support/vitest.ts';

const asked: string[] = [];
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const host = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  if (path === '/moved') response.writeHead(302, { location: '/a.png' }).end();
  else if (path === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>secret');
  else {
    response.writeHead(path === '/gone' ? 404 : 200, { 'content-type': 'image/png; charset=binary' });
    response.end(path === '/large' ? Buffer.alloc(2_000_001) : PNG);
  }
});
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
onEnd(wholeFile, async () => void host.close());
const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
const h = await startHarness(wholeFile);
const viewer = await seedPerson(h, 'viewer');

async function pictureOf(
  thumbnail: string | null,
  headers: Record<string, string> = { cookie: viewer.cookie },
) {
  const { productId } = await h.seed.listing({ product: { thumbnail } });
  const url = `${h.url}/console/pictures/${productId}/thumbnail`;
  return () => fetch(url, { headers, redirect: 'manual' });
}

test('200: a picture is fetched once, and cannot run scripts in a page', async () => {
  const show = await pictureOf(`${origin}/a.png`);
  for (let count = 0; count < 2; count += 1) {
    const response = await show();
    equal(response.status, 200);
    equal(response.headers.get('content-type'), 'image/png');
    match(response.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    match(response.headers.get('cache-control') ?? '', /private/);
    deepEqual(Buffer.from(await response.arrayBuffer()), PNG);
  }
  deepEqual(asked, ['/a.png']);
});

for (const [why, url] of [
  ['there is none', null],
  ['its address leads elsewhere', `${origin}/moved`],
  ['it is not an image', `${origin}/page`],
  ['it is too large', `${origin}/large`],
  ['it is gone', `${origin}/gone`],
  ['it is a response of the service itself', `${h.url}/health/live`],
  ['its address is inside a network', 'http://10.0.0.1/a.png'],
] as const) {
  test(`204: no picture is shown if ${why}`, async () => {
    const show = await pictureOf(url);
    equal((await show()).status, 204);
    asked.length = 0;
    equal((await show()).status, 204);
    deepEqual(asked, []);
  });
}

test('401, 404: only operators see pictures, and only those of products', async () => {
  asked.length = 0;
  const show = await pictureOf(`${origin}/b.png`, {});
  equal((await show()).status, 401);
  const { cookie } = viewer;
  for (const path of ['99999999999999/thumbnail', '10000000000001/slug', 'x/thumbnail'])
    equal((await fetch(`${h.url}/console/pictures/${path}`, { headers: { cookie } })).status, 404);
  deepEqual(asked, []);
});
