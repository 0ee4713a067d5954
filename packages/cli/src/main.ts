/** Runs the command line. Exit status: 0 done, 1 failed, 2 wrong usage. Standard output has results only. */
import { CommanderError, InvalidArgumentError } from 'commander';
import { describeFailure } from './failure.ts';
import { buildProgram } from './program.ts';

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

// The reader of our output may stop early (`keyport audit | head`), which is no failure.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await buildProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    if (error instanceof InvalidArgumentError) console.error(error.message);
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
  } else {
    console.error(`keyport: ${describeFailure(error)}`);
    process.exitCode = EXIT_FAILED;
  }
}
