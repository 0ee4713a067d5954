/**
 * Loaded into a node's process before the service (`--import`): what a fault test does to a process from within. It hears
 * commands over the channel to the process that started it, and ends with that process, however it ended.
 */
import { flushCompileCache } from 'node:module';
import type { InsideCommand } from '../node-process.ts';

/** By then everything is loaded. */
const COMPILED_AFTER_MS = 2_000;

let clockOffsetMs = 0;

process.on('disconnect', () => process.exit(1));
process.on('message', (command: InsideCommand) => {
  if (command.kind === 'step the clock') clockOffsetMs = command.offsetMs;
  else if (command.kind === 'block') blockFor(command.ms);
  else if (command.kind === 'use up the heap') useUpHeap();
  else void Promise.reject(new Error('an unhandled rejection'));
});
// The service decides when the process has nothing to do any more.
process.channel?.unref();

// A process that is killed does not write it at its end, and the next one would start more slowly.
setTimeout(flushCompileCache, COMPILED_AFTER_MS).unref();

// The clock of the service and its libraries. Timers and `performance` do not follow a step of the system's
// clock either.
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

function now(): number {
  return RealDate.now() + clockOffsetMs;
}

function blockFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function useUpHeap(): void {
  for (const kept: string[][] = []; ; ) kept.push(Array.from({ length: 10_000 }, String));
}
