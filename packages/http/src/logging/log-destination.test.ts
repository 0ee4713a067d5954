/** R31. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { skipBecause } from '../../../server/test/support/vitest.ts';

const MODULE = new URL('./log-destination.ts', import.meta.url).href;

/** Writes 40 MB in ten bursts, prints its memory use and exits. */
const WRITER = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { openLogDestination } from '${MODULE}';
  const log = openLogDestination(2);
  const line = 'x'.repeat(999) + '\\n';
  for (let burst = 0; burst < 10; burst += 1) {
    for (let count = 0; count < 4000; count += 1) log.write(line);
    await sleep(150);
  }
  console.log(process.memoryUsage().rss);
  log.write('the last line\\n');
  process.exit(0);`;

/** Writes 40 MB as fast as its file accepts them, and ends with a line that only the exit writes. */
const PATIENT_WRITER = `
  import { openLogDestination } from '${MODULE}';
  const log = openLogDestination(2);
  for (let burst = 0; burst < 10; burst += 1) {
    for (let count = 0; count < 4000; count += 1) log.write(burst + ' ' + count + ' '.repeat(990) + '\\n');
    await new Promise((resolve) => log.flush(resolve));
  }
  log.write('the last line\\n');
  process.exit(0);`;

/** Resolves with the program's output and exit code. */
async function runWriter(stderr: 'pipe' | number, program = WRITER) {
  const args = ['--input-type=module-typescript', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', stderr] });
  let printed = '';
  child.stdout?.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'exit');
  return { code, residentMb: Number(printed) / 1e6 };
}

test('a log without a reader costs little memory and does not keep the process from ending', async () => {
  const { code, residentMb } = await runWriter('pipe');
  assert.equal(code, 0);
  assert.ok(residentMb < 150, `${residentMb} MB`);
});

test('a log on a full disk costs little memory and does not delay the end of the process', async (t) => {
  skipBecause(t, !existsSync('/dev/full') && 'this system has no /dev/full');
  const full = openSync('/dev/full', 'w');
  const { code, residentMb } = await runWriter(full);
  closeSync(full);
  assert.equal(code, 0);
  assert.ok(residentMb < 150, `${residentMb} MB`);
});

test('a log in a file has every line, including the last ones before the end', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'keyport-log-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = openSync(join(folder, 'log'), 'w');
  await runWriter(file, PATIENT_WRITER);
  closeSync(file);
  const lines = readFileSync(join(folder, 'log'), 'utf8').split('\n');
  const bursts = Array.from({ length: 10 }, (_, burst) => burst);
  const expected = bursts.flatMap((burst) => Array.from({ length: 4000 }, (_, count) => `${burst} ${count}`));
  assert.deepEqual(
    lines.map((line) => line.trimEnd()),
    [...expected, 'the last line', ''],
  );
});

/** Writes 1 MB, more than a pipe accepts in one write, and exits after a flush. */
const LEAVER = `
  import { openLogDestination } from '${MODULE}';
  const log = openLogDestination(2);
  for (let count = 0; count < 1000; count += 1) log.write('x'.repeat(999) + '\\n');
  log.write('the last line\\n');
  log.flush(() => process.exit(0));`;

test('a log in a pipe has every line of a process that flushes it before the end', async () => {
  const args = ['--input-type=module-typescript', '--eval', LEAVER];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  const lines = text.split('\n');
  assert.equal(lines.at(-2), 'the last line');
  assert.equal(lines.length, 1002);
});
