/**
 * Loaded into a node's process before the service. Injects faults on command of the parent process, and ends
 * with it.
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
// The channel alone must not keep the process running.
process.channel?.unref();

// A killed process does not write its compile cache, and the next one would start more slowly.
setTimeout(flushCompileCache, COMPILED_AFTER_MS).unref();

// Timers and `performance` do not follow a step of a real clock either.
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
