/** Measures `npm start` until ready, in an empty folder and then again, against a bare start of Node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@keyport/server/test/support/postgres';
import { processorMsOf } from './processor-time.ts';
import { median } from './report.ts';

const ROUNDS = 3;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Start = { readonly seconds: number; readonly processorSeconds: number };

export async function benchStart(): Promise<void> {
  const first: Start[] = [];
  const second: Start[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'keyport-start-'));
    bare.push(await startBare());
    first.push(await start(dataDir));
    second.push(await start(dataDir));
    await rm(dataDir, { recursive: true });
  }
  const of = (starts: readonly Start[], pick: keyof Start) => median(starts.map((one) => one[pick]));
  const bareSeconds = median(bare);
  console.log(`npm start until ready, embedded engine; Node alone ${bareSeconds.toFixed(2)} s\n`);
  for (const [name, starts, goal] of [
    ['first', first, 4],
    ['second', second, 2],
  ] as const) {
    const seconds = of(starts, 'seconds');
    console.log(
      `  ${name.padEnd(8)} ${seconds.toFixed(1)} s (goal: ${goal}), ${of(starts, 'processorSeconds').toFixed(1)} s of ` +
        `processor time, ${(seconds / bareSeconds).toFixed(0)} times Node alone`,
    );
  }
  console.log();
}

async function startBare(): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(process.execPath, ['-e', '']), 'exit');
  return (performance.now() - startedAt) / 1000;
}

async function start(dataDir: string): Promise<Start> {
  const port = String(await freePort());
  const startedAt = performance.now();
  const env = { ...process.env, KEYPORT_DATA_DIR: dataDir, KEYPORT_PORT: port };
  const child = spawn('npm', ['start', '--silent'], { cwd: ROOT, env, stdio: 'ignore', detached: true });
  const ended = once(child, 'exit');
  const { pid = 0 } = child;
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
    await sleep(20);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const processorSeconds = (await processorMsOf(pid)) / 1000;
  // The process group has npm, the command and the service.
  process.kill(-pid, 'SIGTERM');
  await ended;
  return { seconds, processorSeconds };
}
