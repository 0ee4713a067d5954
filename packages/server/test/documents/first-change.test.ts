/** In a copy of the repository, the guide's test fails before the change and passes after it. */
import { equal, match, notEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { ROOT, readFirstChange, type Step } from '../support/first-change.ts';

const NOT_COPIED = new Set(['node_modules', '.git', '.data']);

test('the first change works as CONTRIBUTING.md describes', { timeout: 600_000 }, async () => {
  const { guide, steps } = await readFirstChange();
  equal(steps.length, 6);
  const copy = await copyRepository();
  const [first, ...others] = steps;
  await carryOut(copy, first);
  const [, command = ''] = /^npx (vitest run .*)$/m.exec(guide) ?? [];
  const failed = await run(copy, 'vitest/vitest.mjs', command.split(' ').slice(1));
  notEqual(failed.code, 0);
  match(failed.output, /canOrder/);
  for (const step of others) await carryOut(copy, step);
  equal((await run(copy, '../scripts/write-openapi.ts', [])).code, 0);
  match(await readFile(join(copy, 'docs/openapi-operators.json'), 'utf8'), /"canOrder"/);
  const types = await run(copy, 'typescript/bin/tsc', ['-b']);
  equal(types.code, 0, types.output);
  const passed = await run(copy, 'vitest/vitest.mjs', command.split(' ').slice(1));
  equal(passed.code, 0, passed.output);
});

async function carryOut(copy: string, step: Step | undefined): Promise<void> {
  if (step === undefined) throw new Error('The guide has no step.');
  const path = join(copy, step.path);
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(step.before, () => step.after),
  );
}

/** The copy uses the installed npm packages, but its own workspace packages. */
async function copyRepository(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'keyport-first-change-'));
  onTestFinished(() => rm(copy, { recursive: true }));
  for (const name of await readdir(ROOT)) {
    if (!NOT_COPIED.has(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  }
  const modules = join(ROOT, 'node_modules');
  await mkdir(join(copy, 'node_modules'));
  for (const name of await readdir(modules)) {
    if (name !== '@keyport') await symlink(join(modules, name), join(copy, 'node_modules', name));
  }
  await cp(join(modules, '@keyport'), join(copy, 'node_modules/@keyport'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return copy;
}

function run(
  copy: string,
  script: string,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const command = [join(copy, 'node_modules', script), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: copy }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}
