/** `keyport serve` in live mode, in its own process. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Owner, onEnd } from '../../packages/server/test/support/database.ts';
import { endProcess, firstLine } from '../../packages/server/test/support/processes.ts';

const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/keyport.js', import.meta.url));
const INSIDE = new URL('./nodes/inside-node.ts', import.meta.url).href;

export type InsideCommand =
  | { readonly kind: 'block'; readonly ms: number }
  | { readonly kind: 'step the clock'; readonly offsetMs: number }
  | { readonly kind: 'use up the heap' | 'reject' };

/** A file, or a way in which a log can fail. */
export type LogPlace = { readonly file: string } | 'not read' | 'disk full';

export type NodeProcess = {
  /** Undefined while it does not run. */
  url(): string | undefined;
  start(): Promise<void>;
  kill(): Promise<void>;
  terminate(): void;
  /** Stops it with SIGSTOP until `go`. */
  pause(): { go(): void };
  command(command: InsideCommand): void;
  /** Resolves even if no one ended the process. */
  ended(): Promise<number | null>;
};

/** The process must not end before its owner. */
export function nodeProcess(
  owner: Owner,
  options: {
    readonly environment: Readonly<Record<string, string>>;
    readonly log: LogPlace;
    readonly wrapper?: readonly string[];
  },
): NodeProcess {
  const { environment, log, wrapper = [] } = options;
  let child: ChildProcess | undefined;
  let url: string | undefined;

  const running = () => {
    assert.ok(child !== undefined && url !== undefined, 'the node runs');
    return child;
  };

  async function start(): Promise<void> {
    const [command, ...args] = [...wrapper, process.execPath, '--import', INSIDE, COMMAND, 'serve', '--json'];
    assert.ok(command !== undefined);
    const started = spawn(command, args, {
      env: environment,
      stdio: ['ignore', 'pipe', openLog(log), 'ipc'],
    });
    child = started;
    started.once('exit', () => {
      if (child === started) url = undefined;
    });
    url = JSON.parse(await firstLine(started, () => readLog(log))).url;
  }

  onEnd(owner, async () => {
    await endProcess(child);
  });
  return {
    url: () => url,
    start,
    async kill() {
      await endProcess(running());
    },
    terminate() {
      running().kill('SIGTERM');
    },
    pause() {
      const paused = running();
      paused.kill('SIGSTOP');
      return { go: () => void paused.kill('SIGCONT') };
    },
    command(command) {
      running().send(command);
    },
    async ended() {
      const [code] = await once(running(), 'exit');
      return code;
    },
  };
}

function openLog(log: LogPlace): 'pipe' | number {
  if (log === 'not read') return 'pipe';
  return openSync(log === 'disk full' ? '/dev/full' : log.file, 'a');
}

async function readLog(log: LogPlace): Promise<string> {
  return typeof log === 'string' ? log : readFile(log.file, 'utf8');
}
