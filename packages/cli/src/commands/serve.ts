/**
 * `keyport serve`: runs the service until it is told to stop. Standard output has what to do next and nothing else;
 * the log goes to standard error.
 */
import { join } from 'node:path';
import { type Config, parseConfig } from '@keyport/server/config';
import type { RunningService } from '@keyport/server/service';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { addLeafCommand } from '../command-shape.ts';

/** Requests in flight, the last batch and the pools have this long after the signal. */
const STOP_TIMEOUT_MS = 15_000;

/** One Ctrl-C can arrive several times at once: from the terminal, from npm and from bin/keyport.js. */
const SAME_SIGNAL_MS = 1_000;

export function addServeCommand(program: Command): void {
  addLeafCommand(program, {
    name: 'serve',
    summary: 'Run the service',
    example: 'KEYPORT_PORT=9000 keyport serve',
  }).action(({ json }: { json?: true }) => serve(json === true));
}

async function serve(isJson: boolean): Promise<void> {
  const config = parseConfig();
  // Loaded late: the service takes longer than most commands, which do without.
  const { createLogger } = await import('@keyport/server/http/log');
  const { startService } = await import('@keyport/server/service');
  const { openLogDestination } = await import('@keyport/server/http/log-destination');
  const log = createLogger(config.logLevel, openLogDestination(2));
  endOnFault(log);
  const stopper = stopOnSignals(log);
  const service = await startService(config, {
    log,
    database: {
      url: config.databaseUrl,
      dataDir: config.dataDir,
      onFailure: (error) => endWith(log, error, 'the embedded database has stopped'),
    },
  });
  stopper.setService(service);
  const welcome = describeService(service, config);
  console.log(isJson ? JSON.stringify(welcome) : formatWelcome(welcome));
}

/** Whoever watches the process starts a new one: after a fault nothing in this one is sure any more. */
function endOnFault(log: Logger): void {
  process.on('uncaughtException', (error) => endWith(log, error, 'uncaught exception'));
  process.on('unhandledRejection', (reason) => endWith(log, reason, 'unhandled rejection'));
}

function endWith(log: Logger, error: unknown, what: string): never {
  log.fatal({ err: error }, what);
  process.exit(1);
}

/** The first signal closes the service in peace, a second one ends the process at once, as does one during the start. */
function stopOnSignals(log: Logger) {
  let service: RunningService | undefined;
  let stoppingSinceMs: number | undefined;
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSinceMs !== undefined && performance.now() - stoppingSinceMs < SAME_SIGNAL_MS) return;
    if (service === undefined || stoppingSinceMs !== undefined) process.exit(1);
    stoppingSinceMs = performance.now();
    log.info({ signal }, 'stopping');
    setTimeout(
      () =>
        endWith(log, new Error(`not closed ${STOP_TIMEOUT_MS / 1000} s after ${signal}`), 'stopped by force'),
      STOP_TIMEOUT_MS,
    );
    await service.close();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return {
    setService(running: RunningService) {
      service = running;
    },
  };
}

type Welcome = {
  readonly url: string;
  readonly publicUrl: string;
  readonly mode: string;
  readonly reference: string;
  readonly operator: {
    readonly clientId: string;
    /** Of a secret that this start generated; otherwise there is where it is kept. */
    readonly clientSecret?: string | undefined;
    readonly secretKeptIn?: string;
  };
  readonly demo?: { readonly clientId: string; readonly clientSecret: string; readonly productId: string };
  readonly curl?: string;
};

function describeService({ url, publicUrl, mode, operator, demo }: RunningService, config: Config): Welcome {
  const isOperatorSecretNew = operator.isNew && config.operatorSecret === undefined;
  return {
    url,
    publicUrl,
    mode,
    reference: `${publicUrl}/docs`,
    operator: {
      clientId: operator.clientId,
      ...(isOperatorSecretNew
        ? { clientSecret: operator.clientSecret }
        : { secretKeptIn: describeSecretPlace(config, operator.clientSecret) }),
    },
    ...(demo?.clientSecret === undefined
      ? {}
      : {
          demo: { clientId: demo.clientId, clientSecret: demo.clientSecret, productId: demo.productId },
          curl: buildCurl(publicUrl, demo.clientId, demo.clientSecret),
        }),
  };
}

function describeSecretPlace(config: Config, secret: string | undefined): string {
  if (config.operatorSecret !== undefined) return 'KEYPORT_OPERATOR_SECRET';
  if (secret !== undefined) return join(config.dataDir, 'credentials.json');
  return 'no file: it was shown once, when it was made; for another operator set KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET';
}

/** One line for a shell with curl and sed: gets a token and reads the first page of the catalogue. */
function buildCurl(publicUrl: string, clientId: string, clientSecret: string): string {
  const token =
    `curl -s -d grant_type=client_credentials -d client_id=${shellQuote(clientId)} ` +
    `--data-urlencode ${shellQuote(`client_secret=${clientSecret}`)} ${publicUrl}/oauth/token | ` +
    `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;
  return `curl -s -H "Authorization: Bearer $(${token})" "${publicUrl}/export/v1/product-offers?itemsPerPage=10"`;
}

/** Bare where that is safe, which is always so for what the service generates. */
function shellQuote(text: string): string {
  return /^[\w=.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function formatWelcome({ publicUrl, mode, reference, operator, demo, curl }: Welcome): string {
  const lines = [
    `Keyport is ready (${mode}).`,
    '',
    `  Base URL        ${publicUrl}`,
    `  API reference   ${reference}`,
    '',
    `  Operator        ${operator.clientId}`,
    operator.clientSecret === undefined
      ? `  its secret      kept in ${operator.secretKeptIn}`
      : `  its secret      ${operator.clientSecret}`,
  ];
  if (demo !== undefined) {
    lines.push('', `  Demo reseller   ${demo.clientId}`, `  its secret      ${demo.clientSecret}`);
    lines.push('', 'The first page of the catalogue, as the demo reseller sees it:', '', `  ${curl}`);
  }
  return `${lines.join('\n')}\n`;
}
