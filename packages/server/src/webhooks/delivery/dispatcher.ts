/**
 * Sends what is due in the queue. A round claims due deliveries in one statement (queue.sql.ts) and begins to
 * send them; it also records the results that have arrived. Each result wakes the next round. The claim of a
 * node that dies lapses, and any node sends the delivery again. A314 to A316.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '@keyport/contract/webhooks/events';
import { formatDateTime } from '@keyport/core/date-time';
import { retryDelayMs } from '@keyport/core/retry-plan';
import type { Logger } from 'pino';
import { NAME_OF } from '../../custody/envelope.ts';
import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Database } from '../../db/engines/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { RepeatedTask } from '../../repeated-task.ts';
import { receivesType } from '../endpoints/change-endpoint.ts';
import { toHost } from '../endpoints/targets.ts';
import { signatureHeaders } from '../signature.ts';
import * as sql from './queue.sql.ts';
import { SendCaps } from './send-caps.ts';
import type { Sender } from './sender.ts';

/** Finds due retries, and what other nodes made due. */
const POLL_INTERVAL_MS = 500;
/** Results that arrive within this time share a round. */
const ROUND_INTERVAL_MIN_MS = 20;
const SECRETS_MAX = 10_000;
const CLOSING_MS = 2_000;
const GONE = 410;

const NOT_SENT = {
  unbuilt: 'The service could not build the event; nothing was sent.',
  unwanted: 'The endpoint no longer receives events of this type; nothing was sent.',
};

export type DispatcherOptions = {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly sender: Pick<Sender, 'send' | 'close'>;
  /** In the order of the rows; undefined for an event that cannot be shown. */
  readonly viewEvents: (
    rows: readonly sql.ClaimedDelivery['event'][],
  ) => Promise<readonly (Event | undefined)[]>;
  readonly nodeCount: () => number;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly onAttempt?: Metrics['onWebhookAttempt'] | undefined;
  readonly onDisabled?: Metrics['onWebhookDisabled'] | undefined;
};

type Endpoint = Omit<sql.DueTarget, 'secrets'> & {
  readonly host: string;
  readonly secrets: readonly Buffer[];
};
type Returned = Pick<sql.Attempted, 'endpoint' | 'dueAt' | 'eventId'>;
/** `outcome`: undefined if nothing was sent. */
type Result = sql.Attempted & { readonly outcome?: sql.Outcome };

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #task: RepeatedTask;
  readonly #caps: SendCaps;
  readonly #secrets = new Map<string, Buffer>();
  readonly #sending = new Set<Promise<void>>();
  #results: Result[] = [];
  #isWanted = false;
  #isClosed = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#caps = new SendCaps(options.nodeCount);
    this.#task = new RepeatedTask({
      intervalMs: POLL_INTERVAL_MS,
      work: () => this.#runRounds(),
      onFailure: (error) =>
        options.log.warn({ err: error }, 'a round of webhook deliveries failed; retrying'),
    });
  }

  start(): void {
    this.#task.start('at-once');
  }

  wake(): void {
    this.#isWanted = true;
    if (!this.#isClosed) void this.#task.run();
  }

  get inFlight(): number {
    return this.#caps.inFlight;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#task.close();
    const { sender } = this.#options;
    const limit = setTimeout(() => void sender.close(), CLOSING_MS);
    await Promise.all(this.#sending);
    clearTimeout(limit);
    await sender.close();
    await this.#record();
  }

  async openSecrets({ secrets }: Pick<sql.Target, 'secrets'>): Promise<Buffer[]> {
    const opened: Buffer[] = [];
    for (const { id, wrapped, masterKeyId } of secrets) {
      const stored = { wrapped: Buffer.from(wrapped, 'base64'), masterKeyId };
      const secret =
        this.#secrets.get(id) ?? (await this.#options.masterKeys.unwrap(stored, NAME_OF.webhookSecret(id)));
      if (this.#secrets.size >= SECRETS_MAX) this.#secrets.clear();
      this.#secrets.set(id, secret);
      opened.push(secret);
    }
    return opened;
  }

  async #runRounds(): Promise<void> {
    do {
      this.#isWanted = false;
      const round = () => Promise.all([this.#record(), this.#sendDue()]);
      await this.#options.database.inSpan('deliver webhooks', round, { extent: 'whole' });
      await sleep(ROUND_INTERVAL_MIN_MS);
    } while (this.#isWanted && !this.#isClosed);
  }

  async #sendDue(): Promise<void> {
    const { database, viewEvents } = this.#options;
    const endpoints = new Map<number, Endpoint>();
    for (const target of await sql.listDueTargets(database.db, this.#caps.listFull(performance.now()))) {
      const secrets = await this.openSecrets(target);
      endpoints.set(target.number, { ...target, host: toHost(target.url), secrets });
    }
    const startedAtMs = performance.now();
    const shares = this.#caps.share([...endpoints.values()], startedAtMs);
    if (shares.length === 0) return;
    const claimed = await sql.claimDeliveries(database.db, shares);
    const rows = [...new Map(claimed.map(({ event }) => [event.id, event])).values()];
    const events = await viewEvents(rows);
    const eventOf = new Map(rows.map(({ id }, index) => [id, events[index]]));
    // The claims of deliveries that would begin too late lapse.
    if (performance.now() - startedAtMs > sql.CLAIM_USABLE_MS) return;
    for (const delivery of claimed) {
      const [endpoint, event] = [endpoints.get(delivery.endpoint), eventOf.get(delivery.event.id)];
      if (endpoint === undefined) continue;
      if (event === undefined) this.#setAside(delivery, 'unbuilt');
      else if (!receivesType(endpoint.types, event.type)) this.#setAside(delivery, 'unwanted');
      else {
        const sending = this.#send(delivery, endpoint, event);
        this.#sending.add(sending);
        void sending.finally(() => this.#sending.delete(sending));
      }
    }
  }

  /** Notes why nothing is sent. An event that cannot be built is retried as usual; an unwanted one is not. */
  #setAside(delivery: sql.ClaimedDelivery, reason: keyof typeof NOT_SENT): void {
    const at = formatDateTime(Math.round(this.#options.nowMs() * 1000));
    this.#return(delivery, {
      attempt: { at, durationMs: 0, error: NOT_SENT[reason] },
      isDelivered: false,
      retryInMs: reason === 'unbuilt' ? retryDelayMs(delivery.tries + 1, Math.random()) : undefined,
    });
  }

  /** Never throws. */
  async #send(delivery: sql.ClaimedDelivery, endpoint: Endpoint, event: Event): Promise<void> {
    const { sender, onAttempt, nowMs } = this.#options;
    const end = this.#caps.begin(endpoint, performance.now());
    const { tries } = delivery;
    const { url, secrets } = endpoint;
    const startedAtMs = nowMs();
    const body = JSON.stringify(event);
    const timestampSeconds = Math.floor(startedAtMs / 1000);
    const headers = signatureHeaders({ id: event.id, timestampSeconds, body }, secrets);
    const { outcome, retryAfterMs, ...result } = await sender.send({ url, headers, body });
    const isDelivered = outcome === 'delivered';
    end(isDelivered, performance.now());
    const isFirst = tries === 0 && !endpoint.isFailing;
    const delayMs = isFirst ? startedAtMs - Date.parse(event.createdAt) : undefined;
    onAttempt?.({ outcome, durationMs: result.durationMs, delayMs });
    if (outcome === 'aborted') return;
    const isGone = result.statusCode === GONE;
    this.#return(delivery, {
      attempt: { at: formatDateTime(Math.round(startedAtMs * 1000)), ...result },
      isDelivered,
      retryInMs: isDelivered || isGone ? undefined : retryDelayMs(tries + 1, Math.random(), retryAfterMs),
      outcome: {
        endpoint: endpoint.number,
        isDelivered,
        error: tries > 0 ? (result.error ?? null) : null,
        goneUrl: isGone ? url : null,
        testedUrl: isDelivered && event.type === 'webhook.test' ? url : null,
      },
    });
  }

  #return({ endpoint, dueAt, event }: sql.ClaimedDelivery, result: Omit<Result, keyof Returned>): void {
    this.#results.push({ endpoint, dueAt, eventId: event.id, ...result });
    this.wake();
  }

  /** Never throws. After a failure, the next round records the same results. */
  async #record(): Promise<void> {
    const results = [...this.#results];
    if (results.length === 0) return;
    const { database, log, onDisabled } = this.#options;
    try {
      const changed = await runTransaction(database, {}, async (tx) => {
        const noted = await sql.noteOutcomes(tx, toOutcomes(results));
        await sql.recordAttempts(tx, results);
        return noted;
      });
      this.#results = this.#results.slice(results.length);
      for (const { id, disabledReason } of changed) {
        if (disabledReason === null) continue;
        const reason = disabledReason === sql.GONE_REASON ? 'gone' : 'failing';
        log.warn({ endpointId: id, reason }, 'webhook endpoint disabled');
        onDisabled?.(reason);
      }
    } catch (error) {
      log.warn({ err: error }, 'recording webhook deliveries failed; retrying');
    }
  }
}

/** One of each endpoint. */
function toOutcomes(results: readonly Result[]): sql.Outcome[] {
  const outcomes = new Map<number, sql.Outcome>();
  for (const { endpoint, outcome } of results) {
    if (outcome === undefined) continue;
    const before = outcomes.get(endpoint);
    outcomes.set(endpoint, {
      endpoint,
      isDelivered: outcome.isDelivered || before?.isDelivered === true,
      error: outcome.error ?? before?.error ?? null,
      goneUrl: outcome.goneUrl ?? before?.goneUrl ?? null,
      testedUrl: outcome.testedUrl ?? before?.testedUrl ?? null,
    });
  }
  return [...outcomes.values()];
}
