import { printableLines } from '@keyport/sdk-source/commands/output';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { createProgram } from './command-shape.ts';
import { describeFailure } from './failure.ts';
import { addServeCommand } from './serve/serve.ts';

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

/** Runs one command and sets the exit status of this process; never rejects. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await (await loadProgram(args)).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error instanceof InvalidArgumentError) console.error(error.message);
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
    } else {
      console.error(`keyport: ${printableLines(describeFailure(error))}`);
      process.exitCode = EXIT_FAILED;
    }
  }
}

/** `serve` does not wait for the other commands' modules. */
async function loadProgram([name]: readonly string[]): Promise<Command> {
  if (name !== 'serve') return (await import('./program.ts')).buildProgram();
  const program = createProgram();
  addServeCommand(program);
  return program;
}
