/**
 * Loaded into a node's process before the service (`--import`): what a fault test does to a process from within. It hears
 * commands over the channel to the process that started it, and ends with that process, however it ended.
 */
import type { InsideCommand } from './node-process.ts';

process.on('disconnect', () => process.exit(1));
process.on('message', (command: InsideCommand) => {
  if (command.kind === 'block') blockFor(command.ms);
});
// The service decides when the process has nothing to do any more.
process.channel?.unref();

function blockFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
