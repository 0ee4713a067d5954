import cluster from 'node:cluster';
import { parseConfig } from '@keyport/server/config';
import { type Command, InvalidArgumentError } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { describeFailure } from '../failure.ts';
import { announceService } from '../service/running-service.ts';
import { formatWelcome } from './welcome.ts';

/** Each has a pool of database connections and the whole catalogue in memory. */
const WORKERS_MAX = 64;

type ServeOptions = { readonly workers: number; readonly json?: true };

export function addServeCommand(program: Command): void {
  addLeafCommand(program, {
    name: 'serve',
    summary: 'Run the service',
    example: 'KEYPORT_PORT=9000 keyport serve',
  })
    .option(
      '--workers <count>',
      'processes that share the port, one per core at most; PostgreSQL only',
      readCount,
      1,
    )
    .action(({ workers, json }: ServeOptions) => serve(workers, json === true));
}

/** Loading the service takes longer than most commands, which do not need it. */
async function serve(workerCount: number, isJson: boolean): Promise<void> {
  const config = parseConfig();
  if (cluster.isWorker) {
    const { serveAsWorker } = await import('./worker.ts');
    return serveAsWorker(config).catch((error: unknown) => {
      console.error(`keyport: ${describeFailure(error)}`);
      process.exit(1);
    });
  }
  const welcome =
    workerCount === 1
      ? await (await import('./process.ts')).serveInThisProcess(config)
      : await (await import('./workers.ts')).serveInWorkers(config, workerCount);
  await announceService(config, welcome.url).catch((error: Error) => {
    console.error(`keyport: other commands need --url or KEYPORT_URL to find the service: ${error.message}`);
  });
  console.log(isJson ? JSON.stringify(welcome) : formatWelcome(welcome));
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d{1,2}$/.test(text) && count >= 1 && count <= WORKERS_MAX) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${WORKERS_MAX}.`);
}
