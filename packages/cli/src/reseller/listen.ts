import { EVENT_TYPES } from '@keyport/core/events';
import { type ListenOptions, listen, parseSecret, SECRET_RULE } from '@keyport/sdk-source/commands/listen';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import {
  addClientOptions,
  addUrlOption,
  type ClientOptions,
  connectReseller,
} from '../service/connection.ts';

type Options = ClientOptions & ListenOptions & { readonly url?: string };

export function addListenCommand(program: Command): void {
  const command = addLeafCommand(program, {
    name: 'listen',
    summary: 'Print the events of a reseller as they happen, and forward them to a local address',
    example: 'keyport listen --forward-to http://127.0.0.1:3000/webhooks',
  });
  addClientOptions(addUrlOption(command))
    .option('--forward-to <url>', 'the address that receives each event like a webhook endpoint', parseTarget)
    .addOption(new Option('--types <type...>', 'only these types of event').choices(EVENT_TYPES))
    .addOption(
      new Option('--secret <secret>', 'signs the forwarded events; a new one by default')
        .env('WEBHOOK_SECRET')
        .argParser(readSecret),
    )
    .option('--cursor <cursor>', 'start after this cursor; from now by default')
    .action(async ({ url, clientId, clientSecret, ...options }: Options) => {
      await listen(() => connectReseller(url, { clientId, clientSecret }), options);
    });
}

function parseTarget(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('It must start with http:// or https://.');
}

function readSecret(text: string): Buffer {
  const secret = parseSecret(text);
  if (secret !== undefined) return secret;
  throw new InvalidArgumentError(SECRET_RULE);
}
