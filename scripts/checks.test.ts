import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startServing } from '../packages/cli/test/support/keyport.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = `${ROOT}node_modules/`;

/** Node runs each script directly, so that no shell and no PATH matters. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  'biome finds nothing in format and lint': [
    `${MODULES}@biomejs/biome/bin/biome`,
    'check',
    '--error-on-warnings',
    '.',
  ],
  'no project of tsconfig.json has a type error': [`${MODULES}typescript/bin/tsc`, '-b'],
  'knip finds no dead code': [`${MODULES}knip/bin/knip.js`, '--no-progress'],
  'the OpenAPI documents are current': ['scripts/write-openapi.ts', '--check'],
};

describe.concurrent('checks', () => {
  test.for(Object.entries(CHECKS))('%s', async ([, command]) => {
    const { code, output } = await run(command);
    if (code !== 0) expect.fail(output);
  });

  test('the service starts in an empty folder, serves a request and shuts down gracefully', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyport-start-'));
    try {
      const service = await startServing({ KEYPORT_DATA_DIR: folder, KEYPORT_PORT: '0' });
      try {
        const { status } = await fetch(`${service.welcome.url}/health/ready`);
        expect(status).toBe(200);
        expect(await service.stop('SIGTERM'), await service.output()).toBe(0);
      } finally {
        await service.stop('SIGKILL');
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
