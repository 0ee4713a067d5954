/**
 * The checks that need no test: format and lint, types, dead code, and that the committed OpenAPI document is the
 * generated one. `npm run check` prints the output of the failing ones; scripts/test.ts counts each as one test.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = `${ROOT}node_modules/`;

/** Each is a script that Node runs, so that no shell and no PATH matters. */
const CHECKS: { name: string; command: string[] }[] = [
  {
    name: 'biome finds nothing in format and lint',
    command: [`${MODULES}@biomejs/biome/bin/biome`, 'check', '--error-on-warnings', '.'],
  },
  {
    name: 'packages/core has no type error',
    command: [`${MODULES}typescript/bin/tsc`, '-p', 'packages/core'],
  },
  {
    name: 'packages/contract has no type error',
    command: [`${MODULES}typescript/bin/tsc`, '-p', 'packages/contract'],
  },
  {
    name: 'the workspace has no type error',
    command: [`${MODULES}typescript/bin/tsc`, '-p', 'tsconfig.json'],
  },
  { name: 'knip finds no dead code', command: [`${MODULES}knip/bin/knip.js`, '--no-progress'] },
  { name: 'the OpenAPI document is current', command: ['scripts/write-openapi.ts', '--check'] },
];

export type CheckResult = { name: string; isPassed: boolean; output: string };

/** Runs the checks one after the other, and hands out each result as it comes. */
export async function* runChecks(): AsyncGenerator<CheckResult> {
  for (const { name, command } of CHECKS) yield { name, ...(await runNode(command)) };
}

function runNode(args: string[]): Promise<{ isPassed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ isPassed: false, output: String(error) }));
    child.once('close', (code) => resolve({ isPassed: code === 0, output }));
  });
}

if (import.meta.main) {
  for await (const { name, isPassed, output } of runChecks()) {
    console.log(`${isPassed ? 'ok    ' : 'FAILED'} ${name}`);
    if (isPassed) continue;
    console.log(output);
    process.exitCode = 1;
  }
}
