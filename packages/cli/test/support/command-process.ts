/**
 * Runs one command after another in this process, for `runCommands` in keyport.ts. Each command has its own environment, input
 * and output, as if it were a new process; only the modules are loaded once.
 */
import { Readable } from 'node:stream';
import { runCommand } from '../../src/run-command.ts';

export type Run = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type CommandToRun = {
  readonly args: readonly string[];
  readonly environment: Record<string, string>;
  readonly input: string;
};

let last = Promise.resolve();

process.on('message', (command: CommandToRun) => {
  last = last.then(async () => void process.send?.(await run(command)));
});
process.once('disconnect', () => process.exit());

async function run({ args, environment, input }: CommandToRun): Promise<Run> {
  process.env = environment;
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  const stdout = collect(process.stdout);
  const stderr = collect(process.stderr);
  await runCommand(args);
  return { code: Number(process.exitCode ?? 0), stdout: stdout(), stderr: stderr() };
}

function collect(stream: NodeJS.WriteStream): () => string {
  const written: Buffer[] = [];
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown) => {
    written.push(Buffer.from(chunk));
    const done = typeof encoding === 'function' ? encoding : callback;
    if (typeof done === 'function') process.nextTick(() => done());
    return true;
  };
  return () => Buffer.concat(written).toString();
}
