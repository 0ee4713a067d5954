import { EVENT_TYPES } from '@keyport/core/events';
import { checkup, formatCheckup, hasFailed } from '@keyport/sdk-source/commands/checkup';
import { type ListenOptions, listen, parseSecret, SECRET_RULE } from '@keyport/sdk-source/commands/listen';
import { formatTree } from '@keyport/sdk-source/commands/output';
import { readSecretFile } from '@keyport/sdk-source/commands/secret-file';
import {
  isTriggeredType,
  TRIGGERED_TYPES,
  type TriggeredType,
  trigger,
  typeRule,
} from '@keyport/sdk-source/commands/trigger';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addLeafCommand } from './command-shape.ts';
import { CommandFailure } from './failure.ts';
import { printResult } from './output.ts';
import {
  addClientOptions,
  addSecretOption,
  addUrlOption,
  type ClientOptions,
  connectReseller,
} from './service/connection.ts';

type Options = ClientOptions & { readonly json?: true; readonly url?: string };

export function addResellerCommands(program: Command): void {
  addListenCommand(program);
  addTriggerCommand(program);
  addCheckupCommand(program);
}

function addListenCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'listen',
    summary: 'Print the events of a reseller as they happen, and forward them to a local address',
    example: 'keyport listen --forward-to http://127.0.0.1:3000/webhooks',
  });
  const summary = 'the secret that signs the forwarded events, by default a new one';
  addSecretOption(addClientOptions(addUrlOption(command)), 'secret', 'WEBHOOK_SECRET', summary)
    .option('--forward-to <url>', 'the address that receives each event like a webhook endpoint', parseTarget)
    .addOption(new Option('--types <type...>', 'only these types of event').choices(EVENT_TYPES))
    .option('--cursor <cursor>', 'start after this cursor; from now by default')
    .action(async ({ secret: fromVariable, secretFile, ...options }: ListenCommand) => {
      const secret = readSecret(secretFile === undefined ? fromVariable : readSecretFile(secretFile));
      await listen(() => connectReseller(options.url, options), { ...options, secret });
    });
}

function parseTarget(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('It must start with http:// or https://.');
}

type ListenCommand = Options &
  Omit<ListenOptions, 'secret'> & { readonly secret?: string; readonly secretFile?: string };

function readSecret(text: string | undefined): Buffer | undefined {
  const secret = text === undefined ? undefined : parseSecret(text);
  if (text === undefined || secret !== undefined) return secret;
  throw new CommandFailure(`the secret of --secret-file or WEBHOOK_SECRET cannot be used. ${SECRET_RULE}`);
}

function addTriggerCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'trigger',
    summary: 'Trigger an event of this type in the sandbox, and print it',
    example: 'keyport trigger order.complete',
  });
  addClientOptions(addUrlOption(command))
    .argument('<type>', `one of ${TRIGGERED_TYPES.join(', ')}`, parseType)
    .action(async (type: TriggeredType, { json, url, ...credentials }: Options) => {
      const event = await trigger(await connectReseller(url, credentials), type);
      printResult(json, event, [formatTree(event)]);
    });
}

function parseType(text: string): TriggeredType {
  if (isTriggeredType(text)) return text;
  throw new InvalidArgumentError(typeRule(text));
}

function addCheckupCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'checkup',
    summary: 'Check how a client used the sandbox; exit with 1 if a check failed',
    example: 'keyport checkup --client-id CLIENT_ID --client-secret-file secret.txt',
  });
  addClientOptions(addUrlOption(command))
    .option('--since <date-time>', 'only requests since this time')
    .action(async ({ json, url, since, ...client }: Options & { readonly since?: string }) => {
      const judged = await checkup(await connectReseller(url, client), since);
      if (hasFailed(judged)) process.exitCode = 1;
      printResult(json, judged, [formatCheckup(judged)]);
    });
}
