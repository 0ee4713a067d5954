/** Loaded into a process before its own code: SIGUSR2 then ends every worker thread, the embedded database among them. */
import type { Worker } from 'node:worker_threads';

const threads = new Set<Worker>();
process.on('worker', (thread) => threads.add(thread));
process.on('SIGUSR2', () => {
  for (const thread of threads) void thread.terminate();
});
