/**
 * Mutation tests of the rules that move money and stock: `npm run mutate [-- NAME…]`, where NAME is a file
 * below without its extension, after `npm ci --prefix mutation`. The report is in packages/core/reports.
 * Exits with 1 if the score is below 90 %.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CORE = fileURLToPath(new URL('../packages/core', import.meta.url));
const STRYKER = fileURLToPath(
  new URL('../mutation/node_modules/@stryker-mutator/core/bin/stryker.js', import.meta.url),
);
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const CONFIG = fileURLToPath(new URL('./mutate.vitest.config.ts', import.meta.url));

const SCORE_MIN_PERCENT = 90;

/** The tests of which at least one must fail when the file is changed. */
const TESTS_BY_FILE: Readonly<Record<string, readonly string[]>> = {
  money: ['money'],
  idempotency: ['idempotency'],
  ledger: ['ledger'],
  'orders/offer-selection': ['orders/offer-selection'],
  'orders/pricing': ['orders/pricing'],
  'orders/decide-change': ['orders/decide-change'],
  'orders/place-order': ['orders/place-order'],
};

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in TESTS_BY_FILE))
    throw new Error(`${name} is not one of ${Object.keys(TESTS_BY_FILE).join(', ')}`);
}
await access(STRYKER).catch(() => {
  throw new Error('Stryker is not installed; run: npm ci --prefix mutation');
});
for (const [name, tests] of Object.entries(TESTS_BY_FILE)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const code = await mutate(name, tests);
  if (code !== 0) process.exitCode = 1;
}

async function mutate(name: string, tests: readonly string[]): Promise<number> {
  const testFiles = tests.map((test) => `src/${test}.test.ts`).join(' ');
  const settings = {
    mutate: [`src/${name}.ts`],
    testRunner: 'command',
    commandRunner: {
      command: `"${process.execPath}" "${VITEST}" run --root . --config "${CONFIG}" --reporter=dot ${testFiles}`,
    },
    coverageAnalysis: 'off',
    concurrency: 1,
    // Stryker would rewrite it with an interface that TypeScript 7 no longer has; the tests run without it.
    ignorePatterns: ['tsconfig.json'],
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowEmojis: false, reportTests: false },
    htmlReporter: { fileName: `reports/${name}.html` },
    thresholds: { high: 100, low: SCORE_MIN_PERCENT, break: SCORE_MIN_PERCENT },
  };
  const settingsFile = join(CORE, 'reports', `${name}.json`);
  await mkdir(dirname(settingsFile), { recursive: true });
  await writeFile(settingsFile, JSON.stringify(settings, undefined, 2));
  const child = spawn(process.execPath, [STRYKER, 'run', settingsFile], { cwd: CORE, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
