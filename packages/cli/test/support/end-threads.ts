/**
 * Loaded into a process before its own code: SIGUSR2 ends every worker thread, including the embedded
 * database.
 */
import type { Worker } from 'node:worker_threads';

const threads = new Set<Worker>();
process.on('worker', (thread) => threads.add(thread));
process.on('SIGUSR2', () => {
  for (const thread of threads) void thread.terminate();
});
