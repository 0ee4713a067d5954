import type { KeyportEvent } from '../events.ts';
import { KeyportError } from '../requests/errors.ts';
import { sleep } from '../requests/time.ts';
import { CommandFailure } from './failure.ts';
import type { Session } from './session.ts';

const WAIT_SECONDS = 30;
const RETRY_DELAY_MS_MIN = 1_000;
const RETRY_DELAY_MS_MAX = 60_000;

type Types = readonly string[] | undefined;

export async function cursorOfNow({ keyport, signal, explain }: Session): Promise<string> {
  const pages = keyport.events.list({ cursor: 'now', signal }).pages();
  const { value } = await pages.next().catch((error: unknown) => {
    throw explain(error);
  });
  if (value !== undefined) return value.meta.nextCursor;
  throw new CommandFailure('the service returned no cursor');
}

export async function followEvents(
  connect: () => Promise<Session>,
  from: { readonly cursor: string; readonly types: Types },
  handle: (event: KeyportEvent) => Promise<void>,
): Promise<never> {
  let { cursor } = from;
  let delayMs = RETRY_DELAY_MS_MIN;
  for (;;) {
    let explain = (error: unknown) => error;
    try {
      // Connects each time, because a restarted service may have a different address.
      const { keyport, signal, ...session } = await connect();
      explain = session.explain;
      const feed = keyport.events.list({ cursor, types: from.types, wait: WAIT_SECONDS, signal });
      for await (const { data, meta } of feed.pages()) {
        delayMs = RETRY_DELAY_MS_MIN;
        for (const event of data) await handle(event);
        cursor = meta.nextCursor;
      }
    } catch (error) {
      const failure = explain(error);
      if (!(failure instanceof CommandFailure) || isFinal(error)) throw failure;
      console.error(`${failure.message}\nRetrying in ${delayMs / 1000} s.`);
      await sleep(delayMs, undefined);
      delayMs = Math.min(delayMs * 2, RETRY_DELAY_MS_MAX);
    }
  }
}

/** A retry cannot correct wrong credentials or cursors. */
function isFinal(error: unknown): boolean {
  return error instanceof KeyportError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
