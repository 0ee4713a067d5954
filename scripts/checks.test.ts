/** What needs no test of its own: format and lint, types, dead code, and that the OpenAPI document is the generated one. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = `${ROOT}node_modules/`;

/** Each is a script that Node runs, so that no shell and no PATH matters. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  'biome finds nothing in format and lint': [
    `${MODULES}@biomejs/biome/bin/biome`,
    'check',
    '--error-on-warnings',
    '.',
  ],
  'packages/core has no type error': [`${MODULES}typescript/bin/tsc`, '-p', 'packages/core'],
  'packages/contract has no type error': [`${MODULES}typescript/bin/tsc`, '-p', 'packages/contract'],
  'the workspace has no type error': [`${MODULES}typescript/bin/tsc`, '-p', 'tsconfig.json'],
  'knip finds no dead code': [`${MODULES}knip/bin/knip.js`, '--no-progress'],
  'the OpenAPI document is current': ['scripts/write-openapi.ts', '--check'],
};

describe.concurrent('checks', () => {
  test.for(Object.entries(CHECKS))('%s', async ([, command]) => {
    const { code, output } = await run(command);
    if (code !== 0) expect.fail(output);
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
