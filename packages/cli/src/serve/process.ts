import { closeSync, openSync } from 'node:fs';
import { createLogger } from '@keyport/http/logging/log';
import { openLogDestination } from '@keyport/http/logging/log-destination';
import type { Config } from '@keyport/server/config';
import { openEmbedded } from '@keyport/server/db/engines/embedded';
import { databaseImage } from '@keyport/server/db/migrations/database-image';
import manifest from '@keyport/server/package.json' with { type: 'json' };
import type { RunningService } from '@keyport/server/service';
import type { Logger } from 'pino';
import { holdAddresses } from './addresses.ts';
import { describeService, type Welcome } from './welcome.ts';

/** Starts after the configured delay, and covers requests in progress, the last batch and the pools. */
const STOP_TIMEOUT_MS = 15_000;

/** One Ctrl-C can arrive several times: from the terminal, npm and bin/keyport.js. */
const SAME_SIGNAL_MS = 1_000;

export async function serveInThisProcess(config: Config): Promise<Welcome> {
  const log = createLogger(config.logLevel, openLogDestination(2));
  const database = config.databaseUrl === undefined ? `embedded, in ${config.dataDir}` : 'PostgreSQL';
  log.info({ version: manifest.version, mode: config.mode, database }, 'starting');
  // The imports of the service take seconds and would delay the first log line.
  await new Promise((resolve) => log.flush(resolve));
  const addresses = await holdAddresses(config);
  process.on('uncaughtException', (error) => endWith(log, error, 'uncaught exception'));
  process.on('unhandledRejection', (reason) => endWith(log, reason, 'unhandled rejection'));
  const setService = endOnSignals(log, config.stopDelayMs);
  // The engine's thread starts while this one loads the service, which awaits it.
  const options = config.databaseUrl === undefined ? openEngine(config, log) : {};
  const { startService } = await import('@keyport/server/service');
  const service = await startService(config, {
    beforeListening: addresses.release,
    database: options,
    log,
  });
  setService(service);
  return describeService(service, config);
}

function openEngine({ dataDir }: Config, log: Logger) {
  const onFailure = ({ message }: Error) => {
    log.fatal(`${message}; start the service again, or restore the data folder if that fails again`);
    process.exit(1);
  };
  const engine = openEmbedded({ dataDir, imageFolder: databaseImage(), onFailure });
  // A later await reports the error.
  engine.catch(() => {});
  return { engine };
}

/** Nothing in this process can be trusted; the supervisor starts a new one. */
function endWith(log: Logger, error: unknown, what: string): never {
  log.fatal({ err: error }, what);
  process.exit(1);
}

const STOPPING = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;
/** Without a listener, each of these would end the process. bin/keyport.js ignores SIGUSR1. */
const IGNORED = ['SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGIO', 'SIGPWR'] as const;

/**
 * The first signal closes the service gracefully. A second one, or one during the start, ends the process. The
 * result takes the service when it runs.
 */
function endOnSignals(log: Logger, delayMs: number): (running: RunningService) => void {
  let service: RunningService | undefined;
  let signalledAtMs: number | undefined;
  const onSignal = async (signal: NodeJS.Signals) => {
    const isSame = signalledAtMs !== undefined && performance.now() - signalledAtMs < SAME_SIGNAL_MS;
    if (isSame) return;
    if (service === undefined || signalledAtMs !== undefined) process.exit(1);
    signalledAtMs = performance.now();
    log.info({ signal, delayMs }, 'stopping');
    setTimeout(
      () => endWith(log, new Error(`not closed within ${STOP_TIMEOUT_MS / 1000} s`), 'stopped by force'),
      delayMs + STOP_TIMEOUT_MS,
    );
    await service.close({ delayMs });
    log.info('stopped');
    log.flush(() => process.exit(0));
  };
  for (const name of STOPPING) process.on(name, onSignal);
  for (const name of IGNORED) process.on(name, () => {});
  // The service stops if its terminal was closed.
  const hasTerminal = process.stdin.isTTY;
  process.on('SIGHUP', () => {
    if (hasTerminal && isTerminalClosed()) process.kill(process.pid, 'SIGTERM');
    else log.info('SIGHUP ignored: the service reads its settings only at the start');
  });
  return (running) => {
    service = running;
  };
}

function isTerminalClosed(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}
