/** The service in a process of its own, so that it has its processor for itself; prints its address as one JSON line. */
import { parseConfig } from '@keyport/server/config';
import { startService } from '@keyport/server/service';

const service = await startService(parseConfig());
console.log(JSON.stringify({ url: service.url }));
process.once('SIGTERM', async () => {
  await service.close();
  process.exit(0);
});
