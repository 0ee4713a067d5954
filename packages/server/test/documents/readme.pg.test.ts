/** The first order of the README, as a newcomer pastes it into a shell. */
import { equal, match } from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startHarness } from '../support/harness.ts';

const README = join(import.meta.dirname, '../../../../README.md');
const SANDBOX_URL = 'http://127.0.0.1:8080';

const skip = canRun('sh', ['-c', 'command -v curl sed']) ? false : 'there is no sh with curl and sed';

test('the lines of the README place an order and show its key and the history', { skip }, async (t) => {
  const h = await startHarness(t);
  const { codes } = await h.seed.listing({ price: '12.30', stock: 1 });
  const { clientId, clientSecret } = await h.seed.reseller({ balance: '20.00' });

  const text = await readFile(README, 'utf8');
  const [, lines = ''] = /^```sh\n(BASE=.*?)^```/ms.exec(text) ?? [];
  const script = lines.replace(SANDBOX_URL, h.url);
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
    timeout: 60_000,
  });

  const [productId, order = '{}', keys = '{}', history = '{}'] = stdout.split('\n');
  match(productId ?? '', /^[0-9]{14}$/);
  const { data } = JSON.parse(order);
  equal(data.status, 'complete');
  equal(JSON.parse(keys).data[0].keys[0].code, codes[0]);
  equal(JSON.parse(history).data[0].id, data.id);
});

function canRun(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
