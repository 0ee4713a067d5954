/**
 * A lease lets only one node send to an endpoint; if it dies, another resends unfinished deliveries. A314 to
 * A316.
 */
import { randomUUID } from 'node:crypto';
import type { Event } from '@keyport/contract/webhooks/events';
import type { WebhookAttempt } from '@keyport/contract/webhooks/webhooks';
import { formatDateTime } from '@keyport/core/date-time';
import { retryDelayMs } from '@keyport/core/retry-plan';
import type { Logger } from 'pino';
import { NAME_OF } from '../../custody/envelope.ts';
import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Database } from '../../db/engines/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { receivesType } from '../endpoints/change-endpoint.ts';
import { hostOf } from '../endpoints/targets.ts';
import { signatureHeaders } from '../signature.ts';
import { EndpointLane } from './endpoint-lane.ts';
import { HostLimits } from './host-limits.ts';
import * as sql from './queue.sql.ts';
import type { Sender } from './sender.ts';

/** For due retries, and endpoints that other nodes released. */
const POLL_INTERVAL_MS = 500;
/** Results that arrive within this time share a round. */
const ROUND_INTERVAL_MIN_MS = 20;
const PROLONG_INTERVAL_MS = 1_000;
const CLAIMED_MAX = 64;
const HELD_MAX = 1_000;
const IDLE_MS = 5_000;
const SLOW_MS = 1_000;
const FRESH_MAX = 512;
const SLOW_MAX = 1_000;
const ROOM_EACH_MIN = 2;
const CLOSING_MS = 2_000;
const GONE = 410;

const NOT_SENT = {
  unbuilt: 'The service could not build the event; nothing was sent.',
  unwanted: 'The endpoint no longer receives events of this type; nothing was sent.',
};

type ViewEvents = (rows: readonly sql.DueDelivery['event'][]) => Promise<readonly (Event | undefined)[]>;

export type DispatcherOptions = {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly sender: Pick<Sender, 'send' | 'close'>;
  /** In the order of the rows; undefined for an event that cannot be shown. */
  readonly viewEvents: ViewEvents;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly onAttempt?: Metrics['onWebhookAttempt'] | undefined;
  readonly onDisabled?: Metrics['onWebhookDisabled'] | undefined;
};

type Message = { readonly id: string; readonly createdAt: string; readonly body: string };

/** One delivery of each endpoint in turn, longest wait first. */
function inTurns(due: readonly sql.DueDelivery[], usedAtMs: (endpoint: number) => number): sql.DueDelivery[] {
  const counts = new Map<number, number>();
  const placed = due.map((delivery) => {
    const place = counts.get(delivery.endpoint) ?? 0;
    counts.set(delivery.endpoint, place + 1);
    return { delivery, place };
  });
  const waited = ({ delivery }: (typeof placed)[number]) => usedAtMs(delivery.endpoint);
  return placed
    .toSorted((one, other) => one.place - other.place || waited(one) - waited(other))
    .map(({ delivery }) => delivery);
}

type Returned = sql.Attempted & {
  readonly url: string;
  readonly statusCode: number | undefined;
  readonly isRetry: boolean;
  readonly isTest?: boolean;
  readonly isUnsent?: true;
};

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #holder = randomUUID();
  readonly #lanes = new Map<number, EndpointLane>();
  readonly #hosts = new HostLimits();
  readonly #secrets = new Map<string, Buffer>();
  readonly #sending = new Set<Promise<void>>();
  #returned: Returned[] = [];
  #round: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextRoundAtMs = Number.POSITIVE_INFINITY;
  #roundStartedAtMs = Number.NEGATIVE_INFINITY;
  #prolongedAtMs = Number.NEGATIVE_INFINITY;
  #isWanted = false;
  #isClosed = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(0);
  }

  wake(): void {
    this.#isWanted = true;
    this.#schedule(ROUND_INTERVAL_MIN_MS);
  }

  get inFlight(): number {
    return this.#sending.size;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#round;
    const { sender, log } = this.#options;
    const limit = setTimeout(() => void sender.close(), CLOSING_MS);
    await Promise.all(this.#sending);
    clearTimeout(limit);
    await sender.close();
    try {
      await this.#record();
      await this.#release([...this.#lanes.keys()]);
      await sql.deleteNode(this.#options.database.db, this.#holder);
    } catch (error) {
      log.warn({ err: error }, 'handing over deliveries failed; other nodes take them over within seconds');
    }
  }

  #schedule(waitMs: number): void {
    if (this.#isClosed || this.#round !== undefined) return;
    const nowMs = performance.now();
    const atMs = Math.max(
      nowMs + Math.min(waitMs, POLL_INTERVAL_MS),
      this.#roundStartedAtMs + ROUND_INTERVAL_MIN_MS,
    );
    if (atMs >= this.#nextRoundAtMs) return;
    clearTimeout(this.#timer);
    this.#nextRoundAtMs = atMs;
    this.#timer = setTimeout(() => this.#begin(), atMs - nowMs);
  }

  #begin(): void {
    this.#nextRoundAtMs = Number.POSITIVE_INFINITY;
    this.#roundStartedAtMs = performance.now();
    this.#isWanted = false;
    this.#round = this.#options.database
      .inSpan('deliver webhooks', () => this.#runRound(), { extent: 'whole' })
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'a round of webhook deliveries failed; retrying');
      })
      .finally(() => {
        this.#round = undefined;
        this.#schedule(this.#isWanted ? ROUND_INTERVAL_MIN_MS : POLL_INTERVAL_MS);
      });
  }

  async #runRound(): Promise<void> {
    await this.#record();
    await this.#hold();
    if (this.#lanes.size === 0) return;
    const nowMs = performance.now();
    const { lanes, roomEach, room } = this.#chooseLanes(nowMs);
    if (lanes.length === 0) return;
    const { database } = this.#options;
    const limits = lanes.map((lane) => ({
      endpoint: lane.endpoint,
      limit: lane.size + Math.min(lane.roomAt(nowMs), roomEach),
    }));
    const due = (await sql.listDue(database.db, limits)).filter(
      ({ endpoint, event }) => this.#lanes.get(endpoint)?.has(event.id) === false,
    );
    const turns = inTurns(due, (endpoint) => this.#lanes.get(endpoint)?.usedAtMs ?? 0).slice(0, room);
    if (turns.length > 0) await this.#sendAll(turns);
    if (turns.length < due.length) this.#isWanted = true;
    const idle = lanes.filter((lane) => lane.isIdle(nowMs, IDLE_MS)).map(({ endpoint }) => endpoint);
    if (idle.length > 0) await this.#release(idle);
  }

  async #hold(): Promise<void> {
    const { database } = this.#options;
    const { db } = database;
    const limit = Math.min(CLAIMED_MAX, HELD_MAX - this.#lanes.size);
    const hasFree = limit > 0 && (await sql.hasFreeEndpoints(db));
    if (this.#lanes.size === 0 && !hasFree) return;
    const nowMs = performance.now();
    if (nowMs - this.#prolongedAtMs >= PROLONG_INTERVAL_MS) {
      const lease = await sql.prolongLease(db, this.#holder, [...this.#lanes.keys()]);
      const held = new Set(lease.held);
      this.#hosts.nodeCount = lease.nodeCount;
      for (const endpoint of this.#lanes.keys()) if (!held.has(endpoint)) this.#lanes.delete(endpoint);
      this.#prolongedAtMs = nowMs;
    }
    if (!hasFree) return;
    const claimed = await runTransaction(database, {}, (tx) => sql.claimEndpoints(tx, this.#holder, limit));
    for (const endpoint of claimed) {
      if (!this.#lanes.has(endpoint)) this.#lanes.set(endpoint, new EndpointLane(endpoint, nowMs));
    }
    if (claimed.length === CLAIMED_MAX) this.#isWanted = true;
  }

  /** `roomEach`: deliveries to look up per endpoint; `room`: to send in total. */
  #chooseLanes(nowMs: number) {
    const all = [...this.#lanes.values()].map((lane) => ({ lane, slow: lane.countSlow(nowMs, SLOW_MS) }));
    const hosts = this.#hosts.count([...this.#lanes.values()], nowMs, SLOW_MS);
    const slow = all.reduce((sum, one) => sum + one.slow, 0);
    const room = FRESH_MAX - all.reduce((sum, one) => sum + one.lane.size - one.slow, 0);
    const mayAddSlow = slow < SLOW_MAX;
    const lanes = all
      .filter(
        ({ lane, slow: own }) =>
          lane.roomAt(nowMs) > 0 && hosts.hasRoom(lane) && (mayAddSlow || (own === 0 && !lane.isFailing)),
      )
      .map(({ lane }) => lane);
    // Most endpoints have little to send.
    const roomEach = Math.max(ROOM_EACH_MIN, Math.ceil((FRESH_MAX * 4) / Math.max(1, lanes.length)));
    return { lanes: room > 0 ? lanes : [], roomEach, room };
  }

  async #sendAll(due: readonly sql.DueDelivery[]): Promise<void> {
    const { database, viewEvents } = this.#options;
    const numbers = [...new Set(due.map(({ endpoint }) => endpoint))];
    const held = await sql.listHeldEndpoints(database.db, numbers);
    const endpoints = new Map(held.map((endpoint) => [endpoint.number, endpoint]));
    const rows = [...new Map(due.map(({ event }) => [event.id, event])).values()];
    const events = await viewEvents(rows);
    const messages = new Map<string, Message>();
    for (const [index, event] of events.entries()) {
      if (event === undefined) continue;
      const { id, createdAt } = event;
      messages.set(rows[index]?.id ?? '', { id, createdAt, body: JSON.stringify(event) });
    }
    for (const delivery of due) if (!messages.has(delivery.event.id)) this.#setAside(delivery, 'unbuilt');
    const secrets = new Map<number, readonly Buffer[]>();
    for (const endpoint of held) {
      secrets.set(endpoint.number, await this.#open(endpoint));
      const lane = this.#lanes.get(endpoint.number);
      if (lane !== undefined) lane.host = hostOf(endpoint.url);
    }
    const nowMs = performance.now();
    const hosts = this.#hosts.count([...this.#lanes.values()], nowMs, SLOW_MS);
    for (const delivery of due) {
      const [endpoint, message] = [endpoints.get(delivery.endpoint), messages.get(delivery.event.id)];
      const lane = this.#lanes.get(delivery.endpoint);
      // Disabled or deleted after the claim.
      if (endpoint === undefined || message === undefined || lane === undefined || this.#isClosed) continue;
      if (!receivesType(endpoint.types, delivery.event.type)) {
        this.#setAside(delivery, 'unwanted');
        continue;
      }
      if (lane.roomAt(nowMs) === 0 || !hosts.hasRoom(lane)) continue;
      hosts.begin(lane);
      lane.begin(delivery.event.id, nowMs);
      const sending = this.#send(delivery, endpoint, message, secrets.get(delivery.endpoint) ?? []);
      this.#sending.add(sending);
      void sending.finally(() => this.#sending.delete(sending));
    }
  }

  /** Notes why nothing is sent. An event that cannot be built is retried as usual; an unwanted one is not. */
  #setAside({ endpoint, event, tries, dueAt }: sql.DueDelivery, reason: keyof typeof NOT_SENT): void {
    const at = formatDateTime(Math.round(this.#options.nowMs() * 1000));
    this.#returned.push({
      endpoint,
      dueAt,
      eventId: event.id,
      attempt: { at, durationMs: 0, error: NOT_SENT[reason] },
      isDelivered: false,
      retryInMs: reason === 'unbuilt' ? retryDelayMs(tries + 1, Math.random()) : undefined,
      url: '',
      statusCode: undefined,
      isRetry: tries > 0,
      isUnsent: true,
    });
    this.wake();
  }

  async #open({ secrets }: sql.HeldEndpoint): Promise<Buffer[]> {
    const opened: Buffer[] = [];
    for (const stored of secrets) {
      const known = this.#secrets.get(stored.id);
      const secret =
        known ?? (await this.#options.masterKeys.unwrap(stored, NAME_OF.webhookSecret(stored.id)));
      if (known === undefined && this.#secrets.size >= HELD_MAX * 2) this.#secrets.clear();
      this.#secrets.set(stored.id, secret);
      opened.push(secret);
    }
    return opened;
  }

  /** Never throws. */
  async #send(
    { endpoint, event, tries, dueAt }: sql.DueDelivery,
    { url }: sql.HeldEndpoint,
    message: Message,
    secrets: readonly Buffer[],
  ): Promise<void> {
    const { sender, onAttempt } = this.#options;
    const startedAtMs = this.#options.nowMs();
    const timestampSeconds = Math.floor(startedAtMs / 1000);
    const headers = signatureHeaders({ ...message, timestampSeconds }, secrets);
    const { outcome, retryAfterMs, ...result } = await sender.send({ url, headers, body: message.body });
    const isFirst = tries === 0 && this.#lanes.get(endpoint)?.isFailing === false;
    const delayMs = isFirst ? startedAtMs - Date.parse(message.createdAt) : undefined;
    onAttempt?.({ outcome, durationMs: result.durationMs, delayMs });
    // The endpoint's next holder sends it again.
    if (outcome === 'aborted') return;
    const isDelivered = outcome === 'delivered';
    const isFinal = isDelivered || result.statusCode === GONE;
    const attempt: WebhookAttempt = { at: formatDateTime(Math.round(startedAtMs * 1000)), ...result };
    this.#returned.push({
      endpoint,
      dueAt,
      eventId: event.id,
      attempt,
      isDelivered,
      retryInMs: isFinal ? undefined : retryDelayMs(tries + 1, Math.random(), retryAfterMs),
      url,
      statusCode: result.statusCode,
      isRetry: tries > 0,
      isTest: event.type === 'webhook.test',
    });
    this.wake();
  }

  /** On failure, the next round retries. */
  async #record(): Promise<void> {
    const returned = [...this.#returned];
    if (returned.length === 0) return;
    const { database, log, onDisabled } = this.#options;
    const delivered = new Set(returned.filter((one) => one.isDelivered).map(({ endpoint }) => endpoint));
    const failures = returned
      .filter(({ endpoint, isUnsent }) => !delivered.has(endpoint) && !isUnsent)
      .map(({ endpoint, attempt, isRetry }) => ({ endpoint, error: attempt.error ?? '', isRetry }));
    // After days without events, a first failure proves little.
    const repeated = failures.filter(({ isRetry }) => isRetry);
    const tested = returned.filter(({ isTest, isDelivered }) => isTest && isDelivered);
    const gone = returned.filter(({ statusCode }) => statusCode === GONE);
    const disabled = await runTransaction(database, {}, async (tx) => {
      const ids = {
        gone: gone.length > 0 ? await sql.disableGone(tx, gone) : [],
        failing: repeated.length > 0 ? await sql.disableFailing(tx, repeated) : [],
      };
      if (tested.length > 0) await sql.noteTested(tx, tested);
      await sql.recordAttempts(tx, returned);
      if (delivered.size > 0) await sql.noteSuccesses(tx, [...delivered]);
      const failed = failures.map(({ endpoint }) => endpoint);
      if (failed.length > 0) await sql.noteFailures(tx, failed);
      return ids;
    });
    this.#returned = this.#returned.slice(returned.length);
    const nowMs = performance.now();
    for (const { endpoint, eventId, isDelivered, isUnsent, url } of returned) {
      if (isUnsent) continue;
      this.#lanes.get(endpoint)?.end(eventId, isDelivered, nowMs);
      this.#hosts.note(hostOf(url), isDelivered, nowMs);
    }
    for (const reason of ['gone', 'failing'] as const) {
      for (const endpointId of disabled[reason]) {
        log.warn({ endpointId, reason }, 'webhook endpoint disabled');
        onDisabled?.(reason);
      }
    }
  }

  async #release(endpoints: readonly number[]): Promise<void> {
    if (endpoints.length === 0) return;
    await runTransaction(this.#options.database, {}, async (tx) => {
      await sql.lockQueues(tx, this.#holder, endpoints);
      await sql.releaseQueues(tx, this.#holder, endpoints);
    });
    for (const endpoint of endpoints) this.#lanes.delete(endpoint);
  }
}
