import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type Child = { readonly url: string; readonly process: ChildProcess; stop(): Promise<void> };

/** Runs a file of this folder and sends it `message`. Resolves when it prints its address. */
export async function startChild(
  file: string,
  options: { readonly env?: Readonly<Record<string, string>>; readonly message?: object } = {},
): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
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

export type Usage = {
  readonly processorMs: number;
  readonly longestPauseMs: number;
  readonly residentMb: number;
};

/** The child must be a service that runs serve.ts. */
export function readUsage({ process: child }: Child): Promise<Usage> {
  return new Promise((resolve) => {
    child.once('message', (used) => resolve(used as Usage));
    child.send('usage');
  });
}
