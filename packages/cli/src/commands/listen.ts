/** `keyport listen`: brings the events of a reseller to a program on this machine, signed as webhooks are. */
import { randomBytes } from 'node:crypto';
import type { Event } from '@keyport/contract/events';
import { EVENT_TYPES } from '@keyport/core/events';
import { SECRET_SIZE_BYTES, signatureHeaders, writeSecret } from '@keyport/server/webhooks/signature';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { addClientOptions, addUrlOption, type ClientOptions, connectReseller } from '../connection.ts';
import { cursorOfNow, followEvents } from '../event-stream.ts';
import { printable } from '../output.ts';

type Options = ClientOptions & {
  readonly json?: true;
  readonly url?: string;
  readonly forwardTo?: string;
  readonly types?: readonly string[];
  readonly secret?: Buffer;
  readonly cursor?: string;
};

/** As long as a webhook endpoint has. */
const ANSWER_TIMEOUT_MS = 15_000;

export function addListenCommand(program: Command): void {
  const listen = addLeafCommand(program, {
    name: 'listen',
    summary: 'Print the events of a reseller as they happen, and forward them to a program on this machine',
    example: 'keyport listen --forward-to http://127.0.0.1:3000/webhooks',
  });
  addClientOptions(addUrlOption(listen))
    .option('--forward-to <url>', 'where each event is sent, as to a webhook endpoint', parseTarget)
    .addOption(new Option('--types <type...>', 'only these types of events').choices(EVENT_TYPES))
    .addOption(
      new Option('--secret <secret>', 'that signs what is forwarded; a new one unless given')
        .env('WEBHOOK_SECRET')
        .argParser(parseSecret),
    )
    .option('--cursor <cursor>', 'from there on; otherwise from now')
    .action(async ({ json, url, forwardTo, types, secret, cursor, ...credentials }: Options) => {
      const connect = () => connectReseller(url, credentials);
      const from = cursor ?? (await cursorOfNow(await connect()));
      const key = secret ?? randomBytes(SECRET_SIZE_BYTES);
      if (forwardTo !== undefined) console.error(`Signed with the secret ${writeSecret(key)}`);
      console.error('Waiting for events. Press Ctrl-C to end.');
      await followEvents(connect, { cursor: from, types }, async (event) => {
        if (json) console.log(JSON.stringify(event));
        const outcome = forwardTo === undefined ? undefined : await forward(event, forwardTo, key);
        const line = `${describe(event)}${outcome === undefined ? '' : `  → ${outcome}`}`;
        if (!json) console.log(line);
        else if (outcome !== undefined) console.error(line);
      });
    });
}

function describe({ createdAt, type, id, data }: Event): string {
  return printable(`${createdAt}  ${type}  ${id}${'order' in data ? `  order ${data.order.id}` : ''}`);
}

/** What came of it. A program that is not there is no reason to end: it may be restarting. */
async function forward(event: Event, target: string, secret: Buffer): Promise<string> {
  const body = JSON.stringify(event);
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const startedAtMs = performance.now();
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders({ id: event.id, timestampSeconds, body }, [secret]),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return `${response.status} in ${Math.round(performance.now() - startedAtMs)} ms`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return printable(`no answer: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function parseTarget(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('It must start with http:// or https://.');
}

function parseSecret(text: string): Buffer {
  const secret = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
  if (secret.length >= 24 && writeSecret(secret) === text) return secret;
  throw new InvalidArgumentError('It is whsec_ and at least 24 bytes in base64.');
}
