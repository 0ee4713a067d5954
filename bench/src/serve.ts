/** The service in its own process. Responds to every message with its resource usage since the last one. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseConfig } from '@keyport/server/config';
import { startService } from '@keyport/server/service';
import type { Usage } from './processes.ts';

const service = await startService(parseConfig());
console.log(JSON.stringify({ url: service.url }));

/** Milliseconds between two samples of the loop; a measured delay includes one interval. */
const RESOLUTION_MS = 1;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
let before = process.cpuUsage();
process.on('message', () => {
  const { user, system } = process.cpuUsage(before);
  const used: Usage = {
    processorMs: (user + system) / 1000,
    longestPauseMs: delays.max / 1e6 - RESOLUTION_MS,
    residentMb: process.memoryUsage.rss() / 1e6,
  };
  before = process.cpuUsage();
  delays.reset();
  process.send?.(used);
});
process.once('SIGTERM', async () => {
  await service.close();
  process.exit(0);
});
