/** A worker of `keyport serve --workers N`: a whole node that asks its primary what to start and tells it when it is ready. */
import cluster from 'node:cluster';
import type { Config } from '@keyport/server/config';
import { describeFailure } from '../failure.ts';
import type { FromPrimary, FromWorker } from './messages.ts';
import { openLog, type RunningProcess, runService } from './process.ts';
import { describeService } from './welcome.ts';

export function serveAsWorker(config: Config): void {
  let running: RunningProcess | undefined;
  const answer = async (message: FromPrimary) => {
    if (message.kind === 'start') running = await start(config, message);
    else if (message.kind === 'leave') running?.leave();
    else {
      const values = await running?.service.metricValues();
      if (values !== undefined) tell({ kind: 'counted', values });
    }
  };
  process.on('message', (message: FromPrimary) => {
    answer(message).catch((error: unknown) => {
      console.error(`keyport: ${describeFailure(error)}`);
      process.exit(1);
    });
  });
  tell({ kind: 'present' });
}

async function start(
  config: Config,
  { worker, siblings }: Extract<FromPrimary, { kind: 'start' }>,
): Promise<RunningProcess> {
  const log = openLog(config).child({ worker });
  const own = siblings === undefined ? config : { ...config, ...settingsOf(siblings) };
  const running = await runService(own, log, { servesMetrics: false });
  tell({ kind: 'ready', welcome: describeService(running.service, own) });
  return running;
}

/** What a URL leaves out. */
const HTTP_PORT = 80;

/** The first worker may have been given a free port and have made the demo's secret: the others take both over. */
function settingsOf({ url, demo }: NonNullable<Extract<FromPrimary, { kind: 'start' }>['siblings']>) {
  const port = Number(new URL(url).port || HTTP_PORT);
  return demo === undefined
    ? { port }
    : { port, demoClientId: demo.clientId, demoClientSecret: demo.clientSecret };
}

function tell(message: FromWorker): void {
  // The primary has gone: this process ends with the channel.
  if (cluster.worker?.isConnected()) cluster.worker.send(message, () => {});
}
