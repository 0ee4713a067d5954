/** Measures `npm start` until ready, in an empty folder and then again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@keyport/server/test/support/postgres';
import { demand, median } from './report.ts';

const ROUNDS = 3;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export async function benchStart(): Promise<void> {
  const first: number[] = [];
  const second: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'keyport-start-'));
    first.push(await start(dataDir));
    second.push(await start(dataDir));
    await rm(dataDir, { recursive: true });
  }
  demand('`npm start` until ready, the first time', median(first), { atMost: 6 }, ' s');
  demand('`npm start` until ready, the second time', median(second), { atMost: 3 }, ' s');
}

/** Returns seconds. */
async function start(dataDir: string): Promise<number> {
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
  // The process group has npm, the command and the service.
  process.kill(-pid, 'SIGTERM');
  await ended;
  return seconds;
}
