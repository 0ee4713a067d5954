/** Exit status: 0 done, 1 failed, 2 wrong usage. Standard output has results only. */
import { runCommand } from './run-command.ts';

// The reader of our output may stop early (`keyport audit | head`).
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await runCommand(process.argv.slice(2));
