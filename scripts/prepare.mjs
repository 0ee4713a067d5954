/**
 * `npm ci` runs this with the Node that it installed. Builds the SDK's types, package, reference and tarball
 * (served at /docs/sdk), the console, the portal, and the files that a first start would otherwise create. Without
 * development dependencies, it builds only the types.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SDK = fileURLToPath(new URL('../packages/sdk/', import.meta.url));
const CONSOLE = fileURLToPath(new URL('../packages/console/', import.meta.url));

await run(SDK, fileURLToPath(new URL('sdk-contract.ts', import.meta.url)));

const build = find('tsdown/dist/run.mjs');
const describe = find('typedoc/bin/typedoc');
const npm = process.env.npm_execpath;
const jobs = [];
if (build !== undefined && describe !== undefined && npm !== undefined) {
  mkdirSync(`${SDK}build`, { recursive: true });
  for (const file of readdirSync(`${SDK}build`)) if (file.endsWith('.tgz')) rmSync(`${SDK}build/${file}`);
  jobs.push(buildPackage());
  jobs.push(run(SDK, fileURLToPath(new URL('first-start.ts', import.meta.url))));
  // A test reports the warnings of TypeDoc.
  jobs.push(run(SDK, describe, '--logLevel', 'Error', '--treatWarningsAsErrors', 'false'));
}

// A container image has only parts of the workspace; another stage builds the console.
const vite = find('vite/bin/vite.js');
if (vite !== undefined && existsSync(CONSOLE)) {
  for (const app of ['console', 'portal'])
    jobs.push(run(CONSOLE, vite, 'build', '--mode', app, '--logLevel', 'warn'));
}
await Promise.all(jobs);

async function buildPackage() {
  await run(SDK, build, '--logLevel', 'error');
  await run(SDK, npm, 'pack', '--ignore-scripts', '--pack-destination', 'build');
}

function find(tool) {
  return [`${SDK}node_modules/`, `${SDK}../../node_modules/`].map((folder) => folder + tool).find(existsSync);
}

function run(cwd, script, ...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd }, (error, stdout, stderr) => {
      if (error === null) return resolve();
      console.error(stdout + stderr);
      process.exit(1);
    });
  });
}
