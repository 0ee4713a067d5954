/**
 * What `npm ci` makes ready: the package of the SDK, which tests and `npm pack` need, and its reference, which the service shows
 * at /docs/sdk. An installation without development dependencies does not. Plain JavaScript, since npm runs it with whatever
 * Node the machine has.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SDK = fileURLToPath(new URL('../packages/sdk/', import.meta.url));
const TOOLS = [
  ['tsdown/dist/run.mjs', '--logLevel', 'error'],
  ['typedoc/bin/typedoc', '--logLevel', 'Warn'],
];

for (const [tool, ...args] of TOOLS) {
  const script = [`${SDK}node_modules/`, `${SDK}../../node_modules/`]
    .map((folder) => folder + tool)
    .find(existsSync);
  if (script === undefined) continue;
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: SDK, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
