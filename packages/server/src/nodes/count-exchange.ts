/**
 * No request waits for the exchange. While the database is unreachable, each node counts for itself. A175.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { COUNTS_CHANNEL, MESSAGE_SIZE_BYTES_MAX, notifyCounts } from './count-exchange.sql.ts';

const INTERVAL_MS = 200;
/** A round covers about 1,300 clients. */
const MESSAGES_MAX = 16;

/** Each kind counts by its own keys. */
export type CountKind = 'reads' | 'orders' | 'failures' | 'guesses' | 'webhook-account' | 'webhook-host';

export type OnCounted = (key: string, count: number) => void;

type Entry = readonly [kind: CountKind, key: string, count: number];

export type CountExchangeOptions = {
  readonly database: Pick<Database, 'kind' | 'kysely' | 'listen'>;
  readonly log: Logger;
};

export class CountExchange {
  readonly #options: CountExchangeOptions;
  readonly #listeners = new Map<CountKind, OnCounted>();
  /** Identifies its own messages, which a node also receives. */
  readonly #node = randomUUID();
  readonly #unpublished = new Map<CountKind, Map<string, number>>();
  #timer: NodeJS.Timeout | undefined;
  #publishing: Promise<void> | undefined;
  #listening: { close(): Promise<void> } | undefined;

  constructor(options: CountExchangeOptions) {
    this.#options = options;
  }

  /** Receives the counts of other nodes. */
  on(kind: CountKind, listener: OnCounted): void {
    this.#listeners.set(kind, listener);
  }

  async start(): Promise<void> {
    const { database } = this.#options;
    // The embedded engine serves one process.
    if (database.kind === 'postgres') {
      this.#listening = await database.listen(COUNTS_CHANNEL, (message) => this.#receive(message));
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#listening?.close();
    this.#listening = undefined;
    await this.#publishing;
  }

  count(kind: CountKind, key: string): void {
    if (this.#listening === undefined) return;
    let counts = this.#unpublished.get(kind);
    if (counts === undefined) {
      counts = new Map();
      this.#unpublished.set(kind, counts);
    }
    counts.set(key, (counts.get(key) ?? 0) + 1);
    this.#schedulePublish();
  }

  /** One at a time: if the database hangs, more would take all connections from orders. */
  #schedulePublish(): void {
    if (this.#publishing === undefined) this.#timer ??= setTimeout(() => this.#publish(), INTERVAL_MS);
  }

  #publish(): void {
    const { database, log } = this.#options;
    this.#timer = undefined;
    this.#publishing = notifyCounts(database.kysely, this.#takeMessages())
      .catch((error: unknown) => {
        log.debug({ err: error }, 'publishing counts to other nodes failed; each node counts for itself');
      })
      .finally(() => {
        this.#publishing = undefined;
        if (this.#unpublished.size > 0 && this.#listening !== undefined) this.#schedulePublish();
      });
  }

  #takeMessages(): string[] {
    const messages: string[] = [];
    let entries: string[] = [];
    const begin = `{"node":"${this.#node}","counts":[`;
    let sizeBytes = begin.length;
    const end = () => {
      messages.push(`${begin}${entries.join()}]}`);
      entries = [];
      sizeBytes = begin.length;
    };
    for (const [kind, counts] of this.#unpublished) {
      for (const [key, count] of counts) {
        const entry = JSON.stringify([kind, key, count] satisfies Entry);
        if (sizeBytes + entry.length + 3 > MESSAGE_SIZE_BYTES_MAX) end();
        if (messages.length === MESSAGES_MAX) return messages;
        entries.push(entry);
        sizeBytes += entry.length + 1;
        counts.delete(key);
      }
      this.#unpublished.delete(kind);
    }
    if (entries.length > 0) end();
    return messages;
  }

  #receive(message: string): void {
    // Empty after a reconnect.
    if (message === '') return;
    try {
      const { node, counts }: { node: string; counts: readonly Entry[] } = JSON.parse(message);
      if (node === this.#node) return;
      for (const [kind, key, count] of counts) this.#listeners.get(kind)?.(key, count);
    } catch (error) {
      // Any client of the database may notify; an exception would end the process.
      this.#options.log.warn({ err: error }, 'unreadable count message; ignoring it');
    }
  }
}
