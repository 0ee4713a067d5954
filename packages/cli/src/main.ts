/** Exit status: 0 done, 1 failed, 2 wrong usage. Standard output has results only. */
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { createProgram } from './command-shape.ts';
import { describeFailure } from './failure.ts';
import { addServeCommand } from './serve/serve.ts';

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

// The reader of our output may stop early (`keyport audit | head`).
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await (await loadProgram()).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    if (error instanceof InvalidArgumentError) console.error(error.message);
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
  } else {
    console.error(`keyport: ${describeFailure(error)}`);
    process.exitCode = EXIT_FAILED;
  }
}

/** `serve` does not wait for the other commands' modules. */
async function loadProgram(): Promise<Command> {
  if (process.argv[2] !== 'serve') return (await import('./program.ts')).buildProgram();
  const program = createProgram();
  addServeCommand(program);
  return program;
}
