import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '@keyport/sdk/package.json' with { type: 'json' };
import { test } from 'vitest';
import { NEEDS_BROWSER, openPage } from '../../server/test/support/browser.ts';
import { sharedHarness, skipBecause } from '../../server/test/support/vitest.ts';

const SDK = join(import.meta.dirname, '..');
// typedoc exits with 1 if a public name has no description or a link leads nowhere.
execFileSync(process.execPath, ['node_modules/typedoc/bin/typedoc', '--logLevel', 'Warn'], { cwd: SDK });
const h = await sharedHarness();

test('every page and file of the reference is served, and nothing else', async () => {
  const entries = await readdir(join(SDK, 'build'), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(SDK, 'build').length));
  for (const path of ['', ...paths]) {
    const { status } = await fetch(`${h.url}/docs/sdk${path}`);
    equal(status, 200, path);
  }
  for (const path of ['/', '/x.html', '/assets', '/..%2fpackage.json', '/assets/..%2f..%2fpackage.json']) {
    equal((await fetch(`${h.url}/docs/sdk${path}`)).status, 404, path);
  }
});

const tarball = (version: string) => fetch(`${h.url}/docs/sdk/keyport-sdk-${version}.tgz`);

test('each version of the package has an address that never changes, and one address leads to the current version (A543)', async (t) => {
  const moved = await fetch(`${h.url}/docs/sdk/keyport-sdk.tgz`, { redirect: 'manual' });
  deepEqual(
    [moved.status, moved.headers.get('location'), moved.headers.get('cache-control')],
    [302, `keyport-sdk-${manifest.version}.tgz`, 'no-store'],
  );
  const current = await tarball(manifest.version);
  deepEqual(
    ['cache-control', 'content-type', 'content-encoding'].map((name) => current.headers.get(name)),
    ['public, max-age=31536000, immutable', 'application/gzip', null],
  );
  const built = await readFile(join(SDK, 'build', `keyport-sdk-${manifest.version}.tgz`));
  const bytes = Buffer.from(await current.arrayBuffer());
  equal(bytes.equals(built), true);

  // An earlier version of the service left this package.
  const older = join(SDK, 'releases/keyport-sdk-0.0.1.tgz');
  await mkdir(join(SDK, 'releases'), { recursive: true });
  await writeFile(older, 'older');
  t.onTestFinished(() => rm(older));
  equal(await (await tarball('0.0.1')).text(), 'older');
  const missing = await tarball('0.0.2');
  equal(missing.status, 404);
  match(
    (await missing.json()).error.message,
    new RegExp(`current version is keyport-sdk-${manifest.version}`),
  );
});

test('a browser opens the reference, follows its links and finds a method, without problems', async (t) => {
  skipBecause(t, NEEDS_BROWSER.skip && 'there is no Chromium');
  const { page, requested, problems } = await openPage(t);
  await page.goto(`${h.url}/docs/sdk`);
  await page.getByRole('link', { name: 'index' }).first().click();
  await page.getByRole('link', { name: 'Keyport', exact: true }).first().click();
  match(page.url(), /\/docs\/sdk\/classes\/index\.Keyport\.html$/);
  await page.getByRole('heading', { name: 'Class Keyport' }).waitFor();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox').fill('createOrderOnce');
  await page
    .getByRole('option', { name: /createOrderOnce/ })
    .first()
    .waitFor();
  deepEqual(
    requested.filter((url) => !url.startsWith(h.url) && !url.startsWith('data:')),
    [],
  );
  deepEqual(problems, []);
});
