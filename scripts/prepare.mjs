/**
 * What `npm ci` makes ready: the package of the SDK, which tests and `npm pack` need. An installation without development
 * dependencies does not. Plain JavaScript, since npm runs it with whatever Node the machine has.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const sdk = new URL('../packages/sdk/', import.meta.url);
const tsdown = find('tsdown');
if (tsdown !== undefined) {
  const { build } = await import(tsdown);
  await build({ cwd: fileURLToPath(sdk), logLevel: 'warn' });
}

function find(name) {
  if (!existsSync(sdk)) return undefined;
  try {
    return pathToFileURL(createRequire(new URL('package.json', sdk)).resolve(name)).href;
  } catch {
    return undefined;
  }
}
