import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Config } from '@keyport/server/config';
import { openLog, runService } from './process.ts';
import { describeService, type Welcome } from './welcome.ts';

export type WorkerStart = {
  readonly worker: number;
  /** Created by the first worker, so undefined for that worker; also undefined without the demo. */
  readonly demo: Welcome['demo'];
};

export async function serveAsWorker(config: Config): Promise<void> {
  // Only the primary handles SIGHUP, even if a terminal sends it to all.
  process.on('SIGHUP', () => {});
  const messages = await once(process, 'message');
  const { worker, demo }: WorkerStart = messages[0];
  const own = demo ? { ...config, demoClientId: demo.clientId, demoClientSecret: demo.clientSecret } : config;
  const log = openLog(config).child({ worker });
  const { service, leave } = await runService(own, log, { servesMetrics: false });
  process.on('message', (message: 'leave' | 'count') => {
    if (message === 'leave') leave();
    else void service.metricValues().then(send);
  });
  send(describeService(service, own));
}

function send(message: object | undefined): void {
  if (message !== undefined && cluster.worker?.isConnected()) cluster.worker.send(message, () => {});
}
