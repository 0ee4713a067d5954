/**
 * Keeps one PostgreSQL server for the process that started it (support/postgres.ts): when its standard input
 * closes, it ends the server and removes its folder. A line on standard input restarts the server; standard
 * output gets `pid N` and `exit`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export type WatchdogSettings = {
  folder: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  logFile: string;
  /** The user that the server runs as if it may not run as the current one. */
  userId: number | undefined;
};

// Ctrl-C reaches the whole process group; the folder must still be removed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const settings: WatchdogSettings = JSON.parse(process.argv[2] ?? '');
let server: ChildProcess | undefined;

for await (const _line of createInterface({ input: process.stdin })) server = start();
await end(server);
await rm(settings.folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);

function start(): ChildProcess {
  const { command, args, env, folder, logFile, userId } = settings;
  const log = openSync(logFile, 'a');
  const user = userId === undefined ? {} : { uid: userId, gid: userId };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', log, log], ...user });
  child.once('error', () => console.log('exit'));
  child.once('exit', () => console.log('exit'));
  console.log(`pid ${child.pid}`);
  return child;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // No one needs this server any more, so it ends immediately. SIGCONT wakes it if a test stopped it.
  child.kill('SIGQUIT');
  child.kill('SIGCONT');
  await exited;
}
