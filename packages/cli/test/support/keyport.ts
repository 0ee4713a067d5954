import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { must } from '@keyport/core/assert';
import { type Owner, onEnd } from '../../../server/test/support/database.ts';
import {
  endProcess,
  firstLine,
  isRunning,
  PROCESS_ENVIRONMENT,
} from '../../../server/test/support/processes.ts';
import type { CommandToRun, Run } from './command-process.ts';

const SHIM = fileURLToPath(new URL('../../bin/keyport.js', import.meta.url));

type Settings = Readonly<Record<string, string>>;

export type RunOptions = {
  readonly settings?: Settings;
  readonly input?: string | Buffer;
  readonly nodeArgs?: readonly string[];
  /** The path of another copy of the command. */
  readonly shim?: string;
};

export function runKeyport(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return startKeyport(args, options).ended;
}

export function startKeyport(args: readonly string[], options: RunOptions = {}) {
  const { settings = {}, input = '', nodeArgs = [], shim = SHIM } = options;
  const child = spawn(process.execPath, [...nodeArgs, shim, ...args], { env: environment(settings) });
  child.stdin.on('error', () => {}).end(input);
  const run = async (): Promise<Run> => {
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    if (isRunning(child)) await once(child, 'exit');
    return { code: child.exitCode, stdout, stderr };
  };
  return { child, ended: run() };
}

/**
 * Returns a function that runs commands one after another in one process, which takes a twentieth of the time: loading the
 * modules takes most of a command's time. Tests of the process itself use `runKeyport`.
 */
export function runCommands(owner: Owner) {
  const child = fork(fileURLToPath(new URL('./command-process.ts', import.meta.url)), {
    env: environment({}),
  });
  onEnd(owner, async () => void (await endProcess(child)));
  const waiting: PromiseWithResolvers<Run>[] = [];
  child.on('message', (run: Run) => waiting.shift()?.resolve(run));
  child.once('exit', () => {
    for (const { reject } of waiting) reject(new Error('the process of the commands ended'));
  });
  return (args: readonly string[], settings: Settings, input = ''): Promise<Run> => {
    const result = Promise.withResolvers<Run>();
    waiting.push(result);
    child.send({ args, input, environment: environment(settings) } satisfies CommandToRun);
    return result.promise;
  };
}

export function spawnKeyport(args: readonly string[], settings: Settings): ChildProcess {
  return spawn(process.execPath, [SHIM, ...args], { env: environment(settings), stdio: 'ignore' });
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any members of a line
type LogLine = Record<string, any>;

export type Serving = {
  /** What `keyport serve --json` printed. */
  readonly welcome: {
    readonly url: string;
    readonly curl: string;
    readonly operator: { readonly clientId: string; readonly clientSecret?: string };
    readonly demo?: {
      readonly clientId: string;
      readonly clientSecret: string;
      readonly productId: string;
    };
  };
  readonly pid: number;
  logged(fits: (line: LogLine) => boolean): Promise<LogLine>;
  lines(fits: (line: LogLine) => boolean): LogLine[];
  output(): Promise<string>;
  /** Returns the exit status; null when the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
};

/** Resolves when the service is ready. If it ends before that, the error contains its log. */
export async function startServing(settings: Settings, args: readonly string[] = []): Promise<Serving> {
  const child = spawn(process.execPath, [SHIM, 'serve', '--json', ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = followLog(child.stderr);
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  const line = await firstLine(child, () => log.whole);
  return {
    welcome: JSON.parse(line),
    pid: must(child.pid, 'a process id'),
    logged: log.find,
    lines: (fits) => log.lines.filter(fits),
    output: async () => Buffer.concat(printed).toString() + (await log.whole),
    stop: (signal) => endProcess(child, signal),
  };
}

/** Text that is not JSON, such as the message of a failed start, is only part of the whole output. */
function followLog(stream: Readable) {
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  let whole = '';
  const ended = new Promise<string>((resolve) => {
    const reader = createInterface({ input: stream });
    reader.on('line', (line) => {
      whole += `${line}\n`;
      if (!line.startsWith('{')) return;
      lines.push(JSON.parse(line));
      for (const look of [...waiting]) look();
    });
    reader.on('close', () => resolve(whole));
  });
  const find = (fits: (line: LogLine) => boolean) =>
    new Promise<LogLine>((resolve) => {
      const look = () => {
        const line = lines.find(fits);
        if (line === undefined) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      look();
    });
  return { lines, find, whole: ended };
}

function environment(settings: Settings): Record<string, string> {
  return { ...PROCESS_ENVIRONMENT, TZ: 'UTC', ...settings };
}
