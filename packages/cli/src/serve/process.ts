import { closeSync, openSync } from 'node:fs';
import { createLogger } from '@keyport/http/logging/log';
import { openLogDestination } from '@keyport/http/logging/log-destination';
import type { Config } from '@keyport/server/config';
import { openEmbedded } from '@keyport/server/db/engines/embedded';
import { databaseImage } from '@keyport/server/db/migrations/database-image';
import manifest from '@keyport/server/package.json' with { type: 'json' };
import type { RunningService, ServiceOptions } from '@keyport/server/service';
import type { Logger } from 'pino';
import { type HeldAddresses, holdAddresses } from './addresses.ts';
import { describeService, type Welcome } from './welcome.ts';

/** Starts after the configured delay, and covers requests in progress, the last batch and the pools. */
export const STOP_TIMEOUT_MS = 15_000;

/** One Ctrl-C can arrive several times: from the terminal, npm, bin/keyport.js and the primary. */
export const SAME_SIGNAL_MS = 1_000;

export async function serveInThisProcess(config: Config): Promise<Welcome> {
  const { log, addresses } = await beginStart(config);
  onHangup(() => log.info('SIGHUP ignored: it only replaces the workers of `serve --workers`'));
  const { service } = await runService(config, log, { beforeListening: addresses.release });
  return describeService(service, config);
}

/** Everything after this takes seconds. */
export async function beginStart(
  config: Config,
): Promise<{ readonly log: Logger; readonly addresses: HeldAddresses }> {
  const log = openLog(config);
  const database = config.databaseUrl === undefined ? `embedded, in ${config.dataDir}` : 'PostgreSQL';
  log.info({ version: manifest.version, mode: config.mode, database }, 'starting');
  // The following imports would delay the first log line.
  await new Promise((resolve) => log.flush(resolve));
  return { log, addresses: await holdAddresses(config) };
}

export function openLog(config: Config): Logger {
  return createLogger(config.logLevel, openLogDestination(2));
}

export type RunningProcess = {
  readonly service: RunningService;
  /** Ends gracefully while the node stays ready: another process takes over. */
  leave(): void;
};

export async function runService(
  config: Config,
  log: Logger,
  options: Pick<ServiceOptions, 'servesMetrics' | 'beforeListening'> = {},
): Promise<RunningProcess> {
  endOnFault(log);
  const ending = endOnSignals(log, config.stopDelayMs);
  // Its thread starts while this one loads the service, which awaits it.
  const database = config.databaseUrl === undefined ? openEngine(config, log) : {};
  const { startService } = await import('@keyport/server/service');
  const service = await startService(config, { ...options, database, log });
  ending.setService(service);
  return { service, leave: ending.leave };
}

function openEngine({ dataDir }: Config, log: Logger) {
  const onFailure = (error: Error) => endWith(log, error, 'the embedded database has stopped');
  const engine = openEmbedded({ dataDir, imageFolder: databaseImage(), onFailure });
  // A later await reports the error.
  engine.catch(() => {});
  return { engine };
}

/** Nothing in this process can be trusted; the supervisor starts a new one. */
export function endOnFault(log: Logger): void {
  process.on('uncaughtException', (error) => endWith(log, error, 'uncaught exception'));
  process.on('unhandledRejection', (reason) => endWith(log, reason, 'unhandled rejection'));
}

function endWith(log: Logger, error: unknown, what: string): never {
  log.fatal({ err: error }, what);
  process.exit(1);
}

/**
 * The first signal closes the service gracefully; a second one, or one during the start, ends the process.
 */
function endOnSignals(log: Logger, delayMs: number) {
  let service: RunningService | undefined;
  let signalledAtMs: number | undefined;
  let isStopping = false;
  const stop = async (reason: Record<string, string>, staysReady: boolean) => {
    if (isStopping || service === undefined) return;
    isStopping = true;
    log.info({ ...reason, delayMs }, 'stopping');
    setTimeout(
      () => endWith(log, new Error(`not closed within ${STOP_TIMEOUT_MS / 1000} s`), 'stopped by force'),
      delayMs + STOP_TIMEOUT_MS,
    );
    await service.close({ delayMs, staysReady });
    log.info('stopped');
    log.flush(() => process.exit(0));
  };
  onSignal((signal) => {
    const isSame = signalledAtMs !== undefined && performance.now() - signalledAtMs < SAME_SIGNAL_MS;
    if (isSame) return;
    if (service === undefined || signalledAtMs !== undefined) process.exit(1);
    signalledAtMs = performance.now();
    void stop({ signal }, false);
  });
  return {
    setService(running: RunningService) {
      service = running;
    },
    leave: () => void stop({ reason: 'replaced' }, true),
  };
}

export function onSignal(listener: (signal: NodeJS.Signals) => void): void {
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, listener);
}

/** SIGHUP calls the listener, or stops the service like SIGTERM if the terminal was closed. */
export function onHangup(listener: () => void): void {
  const hasTerminal = process.stdin.isTTY;
  process.on('SIGHUP', () => {
    if (hasTerminal && isTerminalClosed()) process.kill(process.pid, 'SIGTERM');
    else listener();
  });
}

function isTerminalClosed(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}
