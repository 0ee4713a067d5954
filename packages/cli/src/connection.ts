/** Where the service is, and with which credentials a command calls it: options, settings, the sandbox's own file. */
import { openCredentialsFile } from '@keyport/server/auth/credentials-file';
import { type Config, localUrl, parseConfig } from '@keyport/server/config';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ApiClient, connectClient, type Operator } from './api-client.ts';
import { CommandFailure } from './failure.ts';

/** Adds `--url` to a command that calls a running service. */
export function addUrlOption(command: Command): Command {
  return command.addOption(
    new Option('--url <url>', 'where the service is; otherwise as its settings say')
      .env('KEYPORT_URL')
      .argParser(parseUrl),
  );
}

function parseUrl(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('It must start with http:// or https://.');
}

/** A client of the service at `url`, or at the configured address. Throws CommandFailure and ConfigError. */
export async function connect(url: string | undefined): Promise<ApiClient> {
  const config = parseConfig();
  return connectClient(url ?? configuredUrl(config), await findOperator(config));
}

function configuredUrl({ publicUrl, host, port }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  if (port === 0) {
    throw new CommandFailure(
      'with KEYPORT_PORT=0 the service has a port of its own choice: say where it is with --url or KEYPORT_URL',
    );
  }
  return localUrl(host, port);
}

async function findOperator(config: Config): Promise<Operator> {
  const kept = await openCredentialsFile(config).find('operator');
  const clientId = config.operatorId ?? kept?.clientId;
  const clientSecret =
    config.operatorSecret ?? (kept?.clientId === clientId ? kept?.clientSecret : undefined);
  if (clientId === undefined || clientSecret === undefined) {
    throw new CommandFailure(
      `there are no operator credentials in the environment or in ${config.dataDir}. ` +
        'Set KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET, or run this where the sandbox keeps its data',
    );
  }
  return { clientId, clientSecret };
}
