/** HAProxy with the configuration of deploy/haproxy. */
import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Owner, onEnd } from '../../../packages/server/test/support/database.ts';
import { endProcess } from '../../../packages/server/test/support/processes.ts';

const CONFIGURATION = fileURLToPath(new URL('../../../deploy/haproxy/haproxy.cfg', import.meta.url));
const LOOK_INTERVAL_MS = 50;
const START_TIMEOUT_MS = 120_000;

export function haproxyObstacle(): string | undefined {
  return spawnSync('haproxy', ['-v']).status === 0 ? undefined : 'HAProxy is not installed';
}

export async function startHaproxy(
  owner: Owner,
  { port, nodePorts }: { readonly port: number; readonly nodePorts: readonly [number, number] },
): Promise<string> {
  const [first, second] = nodePorts;
  const child = spawn('haproxy', ['-db', '-f', CONFIGURATION], {
    env: {
      PATH: process.env['PATH'] ?? '',
      LISTEN: `127.0.0.1:${port}`,
      NODE_1: `127.0.0.1:${first}`,
      NODE_2: `127.0.0.1:${second}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onEnd(owner, async () => void (await endProcess(child)));
  const url = `http://127.0.0.1:${port}`;
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (performance.now() > deadlineMs) throw new Error('HAProxy reaches no node that is ready');
    await sleep(LOOK_INTERVAL_MS);
  }
  return url;
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}
