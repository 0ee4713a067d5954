import { createHmac, randomBytes } from 'node:crypto';
import type { KeyportEvent } from '../events.ts';
import { cursorOfNow, followEvents } from './events.ts';
import { formatJson, printable } from './output.ts';
import type { Session } from './session.ts';

/** The same limit as for webhook endpoints. */
const RESPONSE_TIMEOUT_MS = 15_000;

const SECRET_PREFIX = 'whsec_';
const SECRET_SIZE_BYTES = 32;
const SECRET_SIZE_BYTES_MIN = 24;

export const SECRET_RULE = 'It must be whsec_ followed by at least 24 bytes in base64.';

export type ListenOptions = {
  readonly json?: boolean | undefined;
  readonly forwardTo?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly secret?: Buffer | undefined;
  readonly cursor?: string | undefined;
};

export async function listen(connect: () => Promise<Session>, options: ListenOptions): Promise<never> {
  const { json, forwardTo, types, secret = randomBytes(SECRET_SIZE_BYTES) } = options;
  const cursor = options.cursor ?? (await cursorOfNow(await connect()));
  if (forwardTo !== undefined) console.error(`Signed with the secret ${writeSecret(secret)}`);
  console.error('Waiting for events. Press Ctrl-C to end.');
  return followEvents(connect, { cursor, types }, async (event) => {
    if (json) console.log(formatJson(event, 0));
    const outcome = forwardTo === undefined ? undefined : await forward(event, forwardTo, secret);
    const line = `${describe(event)}${outcome === undefined ? '' : `  → ${outcome}`}`;
    if (!json) console.log(line);
    else if (outcome !== undefined) console.error(line);
  });
}

/** Undefined if the text is not a secret. */
export function parseSecret(text: string): Buffer | undefined {
  const secret = Buffer.from(text.replace(SECRET_PREFIX, ''), 'base64');
  return secret.length >= SECRET_SIZE_BYTES_MIN && writeSecret(secret) === text ? secret : undefined;
}

function writeSecret(secret: Buffer): string {
  return SECRET_PREFIX + secret.toString('base64');
}

function describe({ createdAt, type, id, data }: KeyportEvent): string {
  return printable(`${createdAt}  ${type}  ${id}${'order' in data ? `  order ${data.order.id}` : ''}`);
}

/** A missing receiver does not end the command, because it may be restarting. */
async function forward(event: KeyportEvent, target: string, secret: Buffer): Promise<string> {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${event.id}.${timestamp}.${body}`).digest('base64');
  const startedAtMs = performance.now();
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return `${response.status} in ${Math.round(performance.now() - startedAtMs)} ms`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return printable(`no response: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
