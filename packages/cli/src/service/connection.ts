import { findInvisible, trimInvisible } from '@keyport/core/invisible';
import { readSecretFile } from '@keyport/sdk-source/commands/secret-file';
import { type Client, openSession, type Session } from '@keyport/sdk-source/commands/session';
import { openCredentialsFile } from '@keyport/server/access/clients/credentials-file';
import { type Config, localUrl, parseConfig } from '@keyport/server/config';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandFailure } from '../failure.ts';
import { type ApiClient, connectClient } from './api-client.ts';
import { findService } from './running-service.ts';

const OPERATOR_SETTINGS = 'KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET';
const ADVICE = 'Start it with `keyport serve`, or set --url or KEYPORT_URL';

export function addUrlOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--url <url>',
      'the address of the service; by default KEYPORT_URL, or where it runs on this machine',
    ).argParser(parseUrl),
  );
}

function parseUrl(given: string): string {
  const text = trimInvisible(given);
  const hidden = findInvisible(text);
  if (hidden !== undefined)
    throw new InvalidArgumentError(`It has ${hidden}, which cannot be seen: remove it.`);
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('It must start with http:// or https://.');
}

export async function connect(url: string | undefined): Promise<ApiClient> {
  const config = parseConfig();
  return connectTo(config, (await locate(config, url)).url);
}

export async function connectTo(config: Config, url: string): Promise<ApiClient> {
  const operator = await findOperator(config);
  return connectClient(url, { ...operator, setBy: OPERATOR_SETTINGS, advice: ADVICE });
}

export type ClientOptions = {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly clientSecretFile?: string | undefined;
};

/** The variable sets the hidden option; as an argument every user of the machine could see the secret. */
export function addSecretOption(command: Command, name: string, variable: string, summary: string): Command {
  const hidden = new Option(`--${name} <secret>`).env(variable).argParser(trimInvisible).hideHelp();
  return command
    .addOption(hidden)
    .option(`--${name}-file <file>`, `a file with ${summary}, or - for standard input (or ${variable})`)
    .hook('preAction', (_, action) => {
      if (action.getOptionValueSource(hidden.attributeName()) === 'cli')
        action.error(
          `error: --${name} would show the secret to others. Use --${name}-file, or set ${variable}.`,
        );
    });
}

export function addClientOptions(command: Command): Command {
  const withId = command.addOption(
    new Option('--client-id <id>', "the reseller's client").env('CLIENT_ID').argParser(trimInvisible),
  );
  return addSecretOption(withId, 'client-secret', 'CLIENT_SECRET', 'its secret');
}

/** Without credentials, connects as the demo reseller of a sandbox on this machine. */
export async function connectReseller(
  url: string | undefined,
  { clientId, clientSecretFile, clientSecret: fromVariable }: ClientOptions,
): Promise<Session> {
  const config = parseConfig();
  const clientSecret = clientSecretFile === undefined ? fromVariable : readSecretFile(clientSecretFile);
  const isGiven = clientId !== undefined && clientSecret !== undefined;
  const kept = isGiven ? undefined : await openCredentialsFile(config).find('demo');
  const given = isGiven ? { clientId, clientSecret } : kept;
  if (given === undefined || (clientId !== undefined && given.clientId !== clientId)) {
    throw new CommandFailure(
      'reseller credentials are missing. Set CLIENT_ID and CLIENT_SECRET, or --client-id and --client-secret-file',
    );
  }
  const { url: baseUrl } = await locate(config, url);
  return openSession(baseUrl, { ...given, setBy: 'CLIENT_ID and CLIENT_SECRET', advice: ADVICE });
}

export async function locate(
  config: Config,
  given: string | undefined,
): Promise<{ readonly url: string; readonly pid?: number }> {
  const named = given ?? config.serviceUrl;
  if (named !== undefined) return { url: named.replace(/\/+$/, '') };
  const running = await findService(config);
  if (running !== undefined) return running;
  const { host, port } = config;
  if (port === 0) {
    throw new CommandFailure(
      `no running service is registered in ${config.dataDir}, and KEYPORT_PORT=0 picks any port. ` +
        'Start it with `keyport serve`, or set --url or KEYPORT_URL',
    );
  }
  return { url: localUrl(host, port) };
}

async function findOperator(config: Config): Promise<Pick<Client, 'clientId' | 'clientSecret'>> {
  const kept = await openCredentialsFile(config).find('operator');
  const clientId = config.operatorId ?? kept?.clientId;
  const clientSecret =
    config.operatorSecret ?? (kept?.clientId === clientId ? kept?.clientSecret : undefined);
  if (clientId === undefined || clientSecret === undefined) {
    throw new CommandFailure(
      `there are no operator credentials in the environment or in ${config.dataDir}. ` +
        'Set KEYPORT_OPERATOR_ID and KEYPORT_OPERATOR_SECRET, or run this in the folder of the sandbox',
    );
  }
  return { clientId, clientSecret };
}
