#!/usr/bin/env node
/** `npx keyport-sdk`, without a checkout of the service. Exit status: 0 success, 1 failure, 2 wrong usage. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { checkup, formatCheckup, hasFailed } from './commands/checkup.ts';
import { CommandFailure } from './commands/failure.ts';
import { listen, parseSecret, SECRET_RULE } from './commands/listen.ts';
import { formatJson, formatTree, printableLines } from './commands/output.ts';
import { readSecretFile } from './commands/secret-file.ts';
import { openSession, type Session } from './commands/session.ts';
import { isTriggeredType, TRIGGERED_TYPES, trigger, typeRule } from './commands/trigger.ts';
import { SDK_VERSION } from './generated/reseller-contract.ts';

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

const HELP = `Usage: keyport-sdk <command> [options]

  listen           print the events of your account as they happen, and forward them to your program
    --forward-to <url>    the URL to which each event is sent, like a webhook
    --secret-file <file>  signs forwarded events (or WEBHOOK_SECRET; default: a new one)
    --types <type>        only events of this type; may be repeated
    --cursor <cursor>     events after this cursor (default: from now on)
  trigger <type>   make an event of this type happen in the sandbox, and print it:
                   ${wrap(TRIGGERED_TYPES)}
  checkup          print the sandbox's check-up of your client; exit with 1 if a check failed
    --since <date-time>   only requests since this time

  --url <url>               the URL of the service (or KEYPORT_URL)
  --client-id <id>          your client (or CLIENT_ID)
  --client-secret-file <file>  a file with its secret, or - for standard input (or CLIENT_SECRET)
  --json                    print JSON
  --help, --version

Example:
  npx keyport-sdk listen --forward-to http://127.0.0.1:3000/webhooks`;

const SHARED = {
  url: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret-file': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

const LISTEN = {
  'forward-to': { type: 'string' },
  'secret-file': { type: 'string' },
  types: { type: 'string', multiple: true },
  cursor: { type: 'string' },
} as const;

const CHECKUP = { since: { type: 'string' } } as const;

/** A wrong command line; nothing was sent. */
class WrongUsage extends Error {}

async function main([command, ...args]: readonly string[]): Promise<void> {
  switch (command) {
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      return console.log(HELP);
    case '--version':
      return console.log(SDK_VERSION);
    case 'listen': {
      const { values } = parse(args, { ...SHARED, ...LISTEN }, 0);
      if (printsHelp(values)) return;
      const { json, types, cursor, 'forward-to': forwardTo } = values;
      if (forwardTo !== undefined && !/^https?:$/.test(toProtocol(forwardTo)))
        throw new WrongUsage('--forward-to must start with http:// or https://.');
      const text = toSecret(values['secret-file'], 'WEBHOOK_SECRET');
      const secret = text === undefined ? undefined : parseSecret(text);
      if (text !== undefined && secret === undefined)
        throw new WrongUsage(`The secret (--secret-file or WEBHOOK_SECRET) cannot be used. ${SECRET_RULE}`);
      const session = connect(values);
      return listen(async () => session, { json, types, cursor, forwardTo, secret });
    }
    case 'trigger': {
      const { values, positionals } = parse(args, SHARED, 1);
      if (printsHelp(values)) return;
      const [type = ''] = positionals;
      if (!isTriggeredType(type))
        throw new WrongUsage(
          `${type === '' ? 'The type is missing' : `The type cannot be ${type}`}. ${typeRule(type)}`,
        );
      const event = await trigger(connect(values), type);
      return console.log(values.json ? formatJson(event) : formatTree(event));
    }
    case 'checkup': {
      const { values } = parse(args, { ...SHARED, ...CHECKUP }, 0);
      if (printsHelp(values)) return;
      const judged = await checkup(connect(values), values.since);
      if (hasFailed(judged)) process.exitCode = EXIT_FAILED;
      return console.log(values.json ? formatJson(judged) : formatCheckup(judged));
    }
    default:
      throw new WrongUsage(`There is no command ${command}.`);
  }
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  positionalsMax: number,
) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    const extra = parsed.positionals[positionalsMax];
    if (extra !== undefined) throw new WrongUsage(`Unexpected argument ${extra}.`);
    return parsed;
  } catch (error) {
    if (error instanceof TypeError) throw new WrongUsage(error.message);
    throw error;
  }
}

type Connection = {
  readonly url?: string;
  readonly 'client-id'?: string;
  readonly 'client-secret-file'?: string;
};

function connect(values: Connection): Session {
  const url = values.url ?? setting('KEYPORT_URL');
  const clientId = values['client-id'] ?? setting('CLIENT_ID');
  const clientSecret = toSecret(values['client-secret-file'], 'CLIENT_SECRET');
  if (url === undefined) throw new WrongUsage('The URL of the service is missing. Set --url or KEYPORT_URL.');
  if (clientId === undefined || clientSecret === undefined)
    throw new WrongUsage(
      'There are no credentials. Set CLIENT_ID and CLIENT_SECRET, or --client-id and --client-secret-file.',
    );
  const advice = 'Check --url or KEYPORT_URL';
  return openSession(url, { clientId, clientSecret, setBy: 'CLIENT_ID and CLIENT_SECRET', advice });
}

function toSecret(file: string | undefined, name: string): string | undefined {
  return file === undefined ? setting(name) : readSecretFile(file);
}

function setting(name: string): string | undefined {
  return process.env[name]?.trim() || undefined;
}

/** Whether it printed the help or the version. */
function printsHelp({ help, version }: { readonly help?: boolean; readonly version?: boolean }): boolean {
  if (help) console.log(HELP);
  else if (version) console.log(SDK_VERSION);
  return help === true || version === true;
}

function toProtocol(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}

function wrap(types: readonly string[]): string {
  const half = Math.ceil(types.length / 2);
  return [types.slice(0, half), types.slice(half)]
    .map((line) => line.join(', '))
    .join(',\n                   ');
}

// The reader may stop early (`keyport-sdk listen | head`).
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

main(process.argv.slice(2)).catch((error: unknown) => {
  const isWrong = error instanceof WrongUsage;
  const message =
    isWrong || error instanceof CommandFailure || !(error instanceof Error) ? String(error) : error.stack;
  console.error(`keyport-sdk: ${printableLines(message?.replace(/^(?:Error|CommandFailure): /, '') ?? '')}`);
  if (isWrong) console.error('Use --help to see the usage.');
  process.exitCode = isWrong ? EXIT_WRONG_USAGE : EXIT_FAILED;
});
