/** The tools are in the folder clients, outside the workspace. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '@keyport/sdk/package.json' with { type: 'json' };
import { test } from 'vitest';
import { onEnd } from '../support/database.ts';
import { startHarness } from '../support/harness.ts';
import { skipBecause, wholeFile } from '../support/vitest.ts';

const CLIENTS = join(import.meta.dirname, '../../../../clients');
const MODULES = join(CLIENTS, 'node_modules');
const COMPILER = join(MODULES, 'typescript/bin/tsc');
const SDK_BUILD = join(import.meta.dirname, '../../../sdk/build');

const run = promisify(execFile);
const node = (...args: string[]) => run(process.execPath, args, { cwd: CLIENTS });

const isInstalled = existsSync(join(MODULES, 'publint')) || (await install());
const skip = !isInstalled && 'the generators are not installed, and the registry cannot be reached';

const h = await startHarness(wholeFile);
const { codes } = await h.seed.listing({ price: '1.00', stock: 2 });
const reseller = await h.seed.reseller({ balance: '10.00' });

test('Spectral finds no fault, and the clients of two generators compile strictly', async (t) => {
  skipBecause(t, skip);
  const folder = await mkdtemp(join(tmpdir(), 'keyport-clients-'));
  onEnd(t, () => rm(folder, { recursive: true }));
  const document = join(folder, 'openapi.json');
  await writeFile(document, await (await fetch(`${h.url}/openapi.json`)).text());
  await rm(join(CLIENTS, 'generated'), { recursive: true, force: true });
  await node('generate.mjs', document);
  await node(COMPILER, '-p', '.');
});

for (const journey of ['hey-api', 'openapi-typescript']) {
  test(`the client of ${journey} gets a token, reads the catalogue, orders, and gets the keys`, async (t) => {
    skipBecause(t, skip);
    const { clientId, clientSecret } = reseller;
    const { stdout } = await run(process.execPath, [`journeys/${journey}.ts`], {
      cwd: CLIENTS,
      env: { ...process.env, KEYPORT_URL: h.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
    });
    const { codes: got, id, ...rest } = JSON.parse(stdout);
    deepEqual(rest, { status: 'complete', rejection: 'offer-not-available', availableQuantity: 0 });
    equal(got.length, 1);
    equal(codes.includes(got[0]), true);
    equal((await reseller.get(`/orders/${id}`)).status, 200);
  });
}

test('publint and arethetypeswrong find no fault in the tarball of the SDK', async (t) => {
  skipBecause(t, skip);
  const tarball = join(SDK_BUILD, `keyport-sdk-${manifest.version}.tgz`);
  const publint = await node(join(MODULES, 'publint/src/cli.js'), tarball, '--strict');
  match(publint.stdout, /All good/);
  const attw = [join(MODULES, '@arethetypeswrong/cli/dist/index.js'), tarball];
  const { stdout } = await node(...attw, '--format', 'table-flipped', '--no-emoji');
  match(stdout, /@keyport\/sdk\/admin/);
});

async function install(): Promise<boolean> {
  const npm = process.env['npm_execpath'];
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  try {
    await run(command, [...args, 'ci', '--prefix', CLIENTS], { cwd: CLIENTS });
    return true;
  } catch (error) {
    if (
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(
        String(Reflect.get(Object(error), 'stderr')),
      )
    )
      return false;
    throw error;
  }
}
