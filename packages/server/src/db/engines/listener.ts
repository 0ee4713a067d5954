/** LISTEN needs a permanent session, outside the pool. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig, escapeIdentifier } from 'pg';
import { RepeatedTask } from '../../repeated-task.ts';
import type { Outage } from '../connect-failure.ts';
import { toProcessId } from './session-settings.ts';

/** The session is otherwise idle, so only a heartbeat reveals a lost connection quickly. */
const HEARTBEAT_INTERVAL_MS = 10_000;
const RECONNECT_DELAY_MIN_MS = 100;
const RECONNECT_DELAY_MAX_MS = 5_000;

export type Listening = { close(): Promise<void> };

export class Channels {
  readonly #callbacks = new Map<string, Set<(payload: string) => void>>();

  add(channel: string, onNotify: (payload: string) => void): Listening {
    const ofChannel = this.#callbacks.get(channel) ?? new Set();
    this.#callbacks.set(channel, ofChannel.add(onNotify));
    // LISTEN stays active: tracking whether callbacks remain costs more than it saves.
    return { close: async () => void ofChannel.delete(onNotify) };
  }

  get statements(): string[] {
    return [...this.#callbacks.keys()].map(listenStatement);
  }

  notify({
    channel,
    payload = '',
  }: {
    readonly channel: string;
    readonly payload?: string | undefined;
  }): void {
    for (const onNotify of this.#callbacks.get(channel) ?? []) onNotify(payload);
  }

  notifyAll(): void {
    for (const channel of this.#callbacks.keys()) this.notify({ channel });
  }
}

export function listenStatement(channel: string): string {
  return `LISTEN ${escapeIdentifier(channel)};`;
}

export function createListener(connection: ClientConfig, onError: (error: Error) => void, outage: Outage) {
  const channels = new Channels();
  const closed = new AbortController();
  let current: Client | undefined;
  let isListenerLost = false;

  const open = async () => {
    const client = new Client({ ...connection, application_name: 'keyport-listen' });
    // Set before connecting, so that no channel added in the meantime is missed.
    current = client;
    client.on('error', onError);
    client.on('notification', (message) => channels.notify(message));
    await client.connect().catch((error: unknown) => {
      outage.begin(error);
      throw error;
    });
    try {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      if (rows[0]?.pid !== toProcessId(client)) {
        // The connection points to a pooler, through which no notification would arrive.
        isListenerLost = true;
        await client.end();
        return;
      }
      for (const statement of channels.statements) await client.query(statement);
    } catch (error) {
      // Otherwise, each LISTEN that a standby rejects would leave a session open.
      client.connection.stream.destroy();
      throw error;
    }
    const heartbeat = new RepeatedTask({
      intervalMs: HEARTBEAT_INTERVAL_MS,
      work: async () => void (await client.query('SELECT 1')),
      onFailure: () => client.connection.stream.destroy(),
    });
    heartbeat.start('later');
    client.once('end', () => {
      void heartbeat.close();
      void reopen();
    });
  };

  const reopen = async () => {
    for (let delayMs = RECONNECT_DELAY_MIN_MS; !closed.signal.aborted; ) {
      try {
        await open();
        channels.notifyAll();
        return;
      } catch (error) {
        if (error instanceof Error) onError(error);
        const jitteredMs = delayMs * (0.5 + Math.random() / 2);
        await sleep(jitteredMs, undefined, { signal: closed.signal, ref: false }).catch(() => {});
        delayMs = Math.min(delayMs * 2, RECONNECT_DELAY_MAX_MS);
      }
    }
  };

  return {
    async listen(channel: string, onNotify: (payload: string) => void): Promise<Listening> {
      const listening = channels.add(channel, onNotify);
      if (current === undefined) await open();
      else if (!isListenerLost) await current.query(listenStatement(channel)).catch(() => {});
      return listening;
    },
    async close(): Promise<void> {
      closed.abort();
      await current?.end();
    },
  };
}
