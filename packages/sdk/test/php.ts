/** Runs the PHP library of clients/php. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { Harness, Reseller } from '../../server/test/support/harness.ts';

export const LIBRARY = join(import.meta.dirname, '../../../clients/php');
const PROGRAM = join(LIBRARY, 'test/program.php');

const modules = spawnSync('php', ['-m'], { encoding: 'utf8' });
const missing = ['curl', 'pdo_sqlite', 'posix'].filter((name) => !modules.stdout?.split('\n').includes(name));
export const noPhp =
  modules.error !== undefined || missing.length > 0
    ? `PHP with ${missing.join(', ')} is not installed`
    : undefined;

export const buy = (offerId: string, maxPrice = '10.00') => ({ manual: { offerId, quantity: 1, maxPrice } });

export async function openFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-php-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** The program's output; undefined if it was killed at the step. */
export function runPhp(what: string, input: object, step = 0): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CRASH_AT: String(step) };
    execFile('php', [PROGRAM, what, JSON.stringify(input)], { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (error.signal === 'SIGKILL') resolve(undefined);
      else reject(new Error(stdout + stderr, { cause: error }));
    });
  });
}

export async function finishPhp(what: string, input: object) {
  const printed = await runPhp(what, input);
  if (printed === undefined) throw new Error(`${what} was killed`);
  return JSON.parse(printed);
}

export function credentials(h: Harness, { clientId, clientSecret }: Reseller, baseUrl = h.url) {
  return { baseUrl, clientId, clientSecret };
}
