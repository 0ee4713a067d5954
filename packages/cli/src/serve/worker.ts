/** A worker of `keyport serve --workers N`: a whole node that asks its primary what to start and reports when it is ready. */
import cluster from 'node:cluster';
import type { Config } from '@keyport/server/config';
import { describeFailure } from '../failure.ts';
import type { FromPrimary, FromWorker } from './messages.ts';
import { openLog, type RunningProcess, runService } from './process.ts';
import { describeService } from './welcome.ts';

export function serveAsWorker(config: Config): void {
  let running: RunningProcess | undefined;
  const response = async (message: FromPrimary) => {
    if (message.kind === 'start') running = await start(config, message);
    else if (message.kind === 'leave') running?.leave();
    else {
      const values = await running?.service.metricValues();
      if (values !== undefined) send({ kind: 'counted', values });
    }
  };
  process.on('message', (message: FromPrimary) => {
    response(message).catch((error: unknown) => {
      console.error(`keyport: ${describeFailure(error)}`);
      process.exit(1);
    });
  });
  // Only the primary handles it, even when a terminal sends it to every process.
  process.on('SIGHUP', () => {});
  send({ kind: 'present' });
}

async function start(
  config: Config,
  { worker, demo }: Extract<FromPrimary, { kind: 'start' }>,
): Promise<RunningProcess> {
  const log = openLog(config).child({ worker });
  // A secret that was generated is not generated again.
  const own =
    demo === undefined
      ? config
      : { ...config, demoClientId: demo.clientId, demoClientSecret: demo.clientSecret };
  const running = await runService(own, log, { servesMetrics: false });
  send({ kind: 'ready', welcome: describeService(running.service, own) });
  return running;
}

function send(message: FromWorker): void {
  // Without the primary this process ends when the channel closes.
  if (cluster.worker?.isConnected()) cluster.worker.send(message, () => {});
}
