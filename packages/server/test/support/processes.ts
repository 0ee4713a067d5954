import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export const PROCESS_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** The first line means that the process is ready. Rejects with `log` if the process ends first. */
export async function firstLine(
  child: ChildProcess,
  log: () => string | Promise<string> = () => '',
): Promise<string> {
  if (child.stdout === null) throw new Error('a process has an output');
  const ended = async () => {
    const [code, signal] = await once(child, 'exit');
    throw new Error(`a process ended with ${code ?? signal} before it was ready:\n${await log()}`);
  };
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended()]);
  return line;
}

export function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Resolves with its exit code when it is gone. */
export async function endProcess(
  child: ChildProcess | undefined,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<number | null> {
  if (child === undefined) return null;
  if (isRunning(child)) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}
