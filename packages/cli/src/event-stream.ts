/** Follows the event feed for a command: from a cursor on, over lost connections and tokens that expire. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CURSOR_OF_NOW, type Event } from '@keyport/contract/events';
import { KeyportError } from '@keyport/sdk-source';
import type { ApiClient } from './api-client.ts';
import { CommandFailure } from './failure.ts';

const WAIT_SECONDS = '30';
const RETRY_DELAY_MS_MIN = 1_000;
const RETRY_DELAY_MS_MAX = 60_000;

type Types = readonly string[] | undefined;

/** Where the events end now. */
export async function cursorOfNow(client: ApiClient): Promise<string> {
  return (await readPage(client, CURSOR_OF_NOW, {})).next;
}

/** The next events of these types; an empty list when none came for a while. */
export async function nextEvents(
  client: ApiClient,
  cursor: string,
  { types, waitSeconds = WAIT_SECONDS }: { readonly types?: Types; readonly waitSeconds?: string },
): Promise<{ readonly events: readonly Event[]; readonly next: string }> {
  return readPage(client, cursor, {
    wait: waitSeconds,
    ...(types === undefined ? {} : { 'types[]': types }),
  });
}

/** Calls `handle` for each event after the cursor, one after the other, for ever. */
export async function followEvents(
  connect: () => Promise<ApiClient>,
  from: { readonly cursor: string; readonly types: Types },
  handle: (event: Event) => Promise<void>,
): Promise<never> {
  let { cursor } = from;
  let delayMs = RETRY_DELAY_MS_MIN;
  for (;;) {
    try {
      // Found anew each time: a service that was restarted may listen elsewhere.
      const client = await connect();
      for (;;) {
        const { events, next } = await nextEvents(client, cursor, from);
        delayMs = RETRY_DELAY_MS_MIN;
        for (const event of events) await handle(event);
        cursor = next;
      }
    } catch (error) {
      if (!(error instanceof CommandFailure) || isFinal(error)) throw error;
      console.error(`${error.message}\nTrying again in ${delayMs / 1000} s.`);
      await sleep(delayMs);
      delayMs = Math.min(delayMs * 2, RETRY_DELAY_MS_MAX);
    }
  }
}

/** Credentials and cursors do not become right again. */
function isFinal({ cause }: CommandFailure): boolean {
  return cause instanceof KeyportError && cause.status >= 400 && cause.status < 500 && cause.status !== 429;
}

async function readPage(
  client: ApiClient,
  cursor: string,
  query: Readonly<Record<string, string | readonly string[]>>,
) {
  const { body } = await client.call('listEvents', { query: { ...query, cursor } });
  const { data = [], meta } = body;
  if (meta === undefined || !('nextCursor' in meta) || meta.nextCursor === null)
    throw new CommandFailure('the service answered without a cursor');
  return { events: data, next: meta.nextCursor };
}
