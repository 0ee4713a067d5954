/** The measured service runs in its own process, without the demo, with the operator of the load tests. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { OPERATOR } from '@keyport/proof/load/operator';

const COMMAND = '../../packages/cli/bin/keyport.js';

export type Child = { readonly url: string; readonly process: ChildProcess; stop(): Promise<void> };

export function startService(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Child> {
  return startChild(COMMAND, {
    args: ['serve', '--json'],
    env: {
      KEYPORT_PORT: '0',
      KEYPORT_DEMO: 'false',
      KEYPORT_LOG_LEVEL: 'warn',
      KEYPORT_STOP_DELAY_MS: '0',
      KEYPORT_OPERATOR_ID: OPERATOR.client_id,
      KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
      KEYPORT_DATABASE_URL: databaseUrl,
      KEYPORT_DATA_DIR: 'memory',
      ...settings,
    },
  });
}

/** Runs a file and sends it `message`. Resolves when it prints its address. */
export async function startChild(
  file: string,
  options: {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly message?: object;
  } = {},
): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), options.args ?? [], {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  if (options.message !== undefined) child.send(options.message);
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    if (child.stdout === null) return reject(new Error('the child has no output'));
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{"url"')) resolve(JSON.parse(line).url);
    });
  });
  return {
    url,
    process: child,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export async function toResidentMb({ process: { pid } }: Child): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}
