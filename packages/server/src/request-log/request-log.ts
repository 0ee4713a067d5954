/**
 * Entries wait in memory for a batch; a successful read only increments a number, except in the sandbox. Entries beyond the bounds
 * and failed ones count as omitted. A703. Every write can be repeated, because its outcome is unknown if the
 * database stops: entries have ids, and counts replace this node's earlier ones.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '@keyport/core/assert';
import { MICROS_PER_SECOND } from '@keyport/core/date-time';
import { isMemberId } from '@keyport/core/ids';
import type { Exchange } from '@keyport/http/server/exchange';
import { HUNG_UP, type RequestRecord } from '@keyport/http/server/request-record';
import type { Database } from '../db/engines/database.ts';
import { CommitOutcomeUnknown, runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { describeEntry, type EndedRequest, type Entry, loggedBeginning } from './describe-entry.ts';
import * as sql from './requests.sql.ts';

/** Other nodes see a request after this delay at most, if the database is not busy. */
export const WRITE_INTERVAL_MS = 1_000;
const MINUTE_MS = 60_000;
/** Per account and node. */
const ENTRIES_PER_SECOND = 100;
const BUFFER_ENTRIES_MAX = 10_000;
const BUFFER_CHARS_MAX = 16 * 1024 * 1024;
/** The sandbox logs this many successful reads of an account on each node. */
const READS_PER_SECOND = 100;
/** A read that finds more waiting entries is omitted, so that reads leave the buffer to other requests. */
const BUFFER_READS_MAX = 1_000;
/** Waiting rows of `request_count`. */
const COUNTS_MAX = 50_000;
/** Per account and node: the beginnings of bodies that the log keeps. */
const CHARS_PER_SECOND = 256 * 1024;
const BATCH_ENTRIES = 100;
/** Other requests run after each turn. */
const TURN_MS = 2;
const DELETED_MAX = 5_000;
/** An earlier time is a corrected clock, not the order of two readings. */
const STEP_BACK_MICROS = 60 * MICROS_PER_SECOND;

export type RequestLogOptions = {
  readonly database: Database;
  readonly nowMs: () => number;
  readonly toAddress: (request: Exchange['request']) => string;
  /** The sandbox's check-up needs successful reads and hashes of tokens, too. */
  readonly isForCheckup: boolean;
  readonly onFailure: (error: unknown) => void;
};

type TokenBucket = { second: number; left: number; charsLeft: number; readsLeft: number };

type Facts = Pick<EndedRequest, 'accountId' | 'operation' | 'record'>;

export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #writing: RepeatedTask;
  #entries: EndedRequest[] = [];
  #chars = 0;
  readonly #buckets = new Map<string, TokenBucket>();
  /** The accounts whose reads were logged since old ones were deleted. */
  readonly #readers = new Set<string>();
  #lastArrivalMicros = 0;
  /** Since the last round, by account and operation. */
  #reads = new Map<string, Map<string, number>>();
  /** The batch whose COMMIT got no response. */
  #unknown: readonly Entry[] = [];
  /** This node's counts of the current minute, and those that are not written yet. */
  readonly #counts = new Map<string, { row: sql.CountRow; isWritten: boolean }>();
  readonly #node = randomUUID();
  readonly counts = { written: 0, omitted: 0 };

  constructor(options: RequestLogOptions) {
    this.#options = options;
    const { onFailure } = options;
    this.#writing = new RepeatedTask({ intervalMs: WRITE_INTERVAL_MS, work: () => this.#write(), onFailure });
  }

  start(): void {
    this.#writing.start('later');
  }

  /** Call after the last response, so that nothing recorded is lost. */
  async close(): Promise<void> {
    await this.#writing.closeAfterWork();
  }

  /** Resolves when every request that ended by now is written or omitted. */
  written(): Promise<void> {
    return this.#writing.runFresh();
  }

  /**
   * Grows with each request, so that entries of a node are in the order of their arrival. A larger step back of the clock
   * is followed: it corrects times that were wrong.
   */
  readonly stampArrival = (): number => {
    const nowMicros = Math.floor(this.#options.nowMs() * 1000);
    const isSlightlyBack = this.#lastArrivalMicros - nowMicros < STEP_BACK_MICROS;
    this.#lastArrivalMicros = isSlightlyBack ? Math.max(nowMicros, this.#lastArrivalMicros + 1) : nowMicros;
    return this.#lastArrivalMicros;
  };

  readonly onExchangeEnd = (exchange: Exchange, record: RequestRecord): void => {
    const accountId = exchange.principal?.accountId;
    const { operation } = exchange.route;
    if (accountId === undefined || operation === undefined || isAbandonedPage(exchange, record)) return;
    if (!isSuccessfulRead(record)) this.#record(exchange, { accountId, operation, record });
    else {
      this.#countRead(accountId, operation);
      if (this.#options.isForCheckup) this.#recordRead(exchange, { accountId, operation, record });
    }
  };

  #countRead(accountId: string, operation: string): void {
    let reads = this.#reads.get(accountId);
    if (reads === undefined) {
      reads = new Map();
      this.#reads.set(accountId, reads);
    }
    reads.set(operation, (reads.get(operation) ?? 0) + 1);
  }

  #record(exchange: Exchange, facts: Facts): void {
    const { requestText, responseText } = exchange;
    const requestBody = loggedBeginning(requestText);
    const responseBody = loggedBeginning(responseText);
    const chars = (requestBody?.text.length ?? 0) + (responseBody?.text.length ?? 0);
    const { accountId } = facts;
    const isFull = this.#entries.length >= BUFFER_ENTRIES_MAX || this.#chars + chars > BUFFER_CHARS_MAX;
    const bucket = this.#bucketFor(accountId);
    bucket.left -= 1;
    bucket.charsLeft -= chars;
    if (isFull || bucket.left < 0 || bucket.charsLeft < 0) {
      this.#leaveOut(accountId);
      return;
    }
    this.#chars += chars;
    this.#add(exchange, { ...facts, requestBody, responseBody });
  }

  /** The entry of a read has no bodies, because they may contain product keys. */
  #recordRead(exchange: Exchange, facts: Facts): void {
    const { accountId } = facts;
    const bucket = this.#bucketFor(accountId);
    bucket.readsLeft -= 1;
    if (this.#entries.length >= BUFFER_READS_MAX || bucket.readsLeft < 0) {
      this.#leaveOut(accountId, sql.READS_LEFT_OUT);
      return;
    }
    this.#readers.add(accountId);
    this.#add(exchange, { ...facts, requestBody: undefined, responseBody: undefined });
  }

  #add(
    { request, principal, params, arrivedAtMicros }: Exchange,
    facts: Facts & Pick<EndedRequest, 'requestBody' | 'responseBody'>,
  ): void {
    assert(principal !== undefined, 'an account has a client');
    assert(arrivedAtMicros !== undefined, 'the server stamps arrivals');
    const { isForCheckup, toAddress } = this.#options;
    this.#entries.push({
      ...facts,
      clientId: principal.clientId,
      arrivedAtMicros,
      url: request.url ?? '',
      orderId: params['orderId'],
      address: toAddress(request),
      userAgent: request.headers['user-agent'],
      idempotencyKey: request.headers['idempotency-key'],
      authorization: isForCheckup ? request.headers.authorization : undefined,
    });
  }

  #bucketFor(accountId: string): TokenBucket {
    const second = Math.floor(performance.now() / 1000);
    let bucket = this.#buckets.get(accountId);
    if (bucket === undefined || bucket.second !== second) {
      bucket = {
        second,
        left: ENTRIES_PER_SECOND,
        charsLeft: CHARS_PER_SECOND,
        readsLeft: READS_PER_SECOND,
      };
      this.#buckets.set(accountId, bucket);
    }
    return bucket;
  }

  #leaveOut(accountId: string, operation = sql.LEFT_OUT): void {
    if (operation === sql.LEFT_OUT) this.counts.omitted += 1;
    const atMs = Math.floor(this.#options.nowMs() / 1000) * 1000;
    this.#addCount({ accountId, atMs, operation, count: 1 });
  }

  #addCount(row: sql.CountRow): void {
    const key = `${row.accountId} ${row.atMs} ${row.operation}`;
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= COUNTS_MAX) return;
    const count = (known?.row.count ?? 0) + row.count;
    this.#counts.set(key, { row: { ...row, count }, isWritten: false });
  }

  async #write(): Promise<void> {
    const nowMs = this.#options.nowMs();
    this.#closeReads(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS);
    const ended = this.#entries;
    this.#entries = [];
    this.#chars = 0;
    const second = Math.floor(performance.now() / 1000);
    for (const [accountId, bucket] of this.#buckets)
      if (bucket.second < second - 1) this.#buckets.delete(accountId);
    await this.#insert(this.#unknown);
    for (let start = 0; start < ended.length; start += BATCH_ENTRIES)
      await this.#insert(await inTurns(ended.slice(start, start + BATCH_ENTRIES), describeEntry));
    await this.#writeCounts(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS);
  }

  async #insert(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    try {
      // Entries that may be in the log already must not count as omitted, so they go first.
      if (this.#unknown.length > 0 && entries !== this.#unknown) throw new Error('an earlier batch waits');
      await runTransaction(this.#options.database, {}, (tx) => sql.insertEntries(tx, entries));
      this.#unknown = [];
      this.counts.written += entries.length;
    } catch (error) {
      this.#options.onFailure(error);
      if (error instanceof CommitOutcomeUnknown) this.#unknown = entries;
      else if (entries !== this.#unknown) {
        for (const entry of entries)
          this.#leaveOut(entry.accountId, isSuccessfulRead(entry) ? sql.READS_LEFT_OUT : sql.LEFT_OUT);
      }
    }
  }

  #closeReads(atMs: number): void {
    const reads = this.#reads;
    this.#reads = new Map();
    for (const [accountId, counts] of reads)
      for (const [operation, count] of counts) this.#addCount({ accountId, atMs, operation, count });
  }

  async #writeCounts(minuteMs: number): Promise<void> {
    const counts = [...this.#counts.values()].filter(({ isWritten }) => !isWritten);
    if (counts.length > 0) {
      const rows = counts.map(({ row }) => row);
      await runTransaction(this.#options.database, {}, (tx) => sql.putCounts(tx, this.#node, rows));
      for (const count of counts) count.isWritten = true;
    }
    for (const [key, { row, isWritten }] of this.#counts)
      if (isWritten && row.atMs < minuteMs) this.#counts.delete(key);
  }

  /** Returns whether more entries or counts wait. */
  async forgetOld(): Promise<boolean> {
    const { database } = this.#options;
    const readers = [...this.#readers];
    this.#readers.clear();
    if (readers.length > 0) await runTransaction(database, {}, (tx) => sql.deleteOldReads(tx, readers));
    let isMore = false;
    for (const table of sql.LOG_TABLES) {
      const deleted = await runTransaction(database, { keepsPlans: true }, (tx) =>
        sql.deleteOld(tx, table, DELETED_MAX),
      );
      isMore ||= deleted === DELETED_MAX;
    }
    return isMore;
  }
}

/** A page that a person leaves stops its reads. They would hide the requests of programs in the log. */
function isAbandonedPage({ principal }: Exchange, { status, method }: RequestRecord): boolean {
  return status === HUNG_UP && method === 'GET' && isMemberId(principal?.clientId ?? '');
}

function isSuccessfulRead({ status, method }: Pick<RequestRecord, 'status' | 'method'>): boolean {
  return status < 400 && (method === 'GET' || method === 'HEAD');
}

async function inTurns<In, Out>(all: readonly In[], work: (one: In) => Out): Promise<Out[]> {
  const results: Out[] = [];
  let turnEndsAtMs = performance.now() + TURN_MS;
  for (const one of all) {
    results.push(work(one));
    if (performance.now() < turnEndsAtMs) continue;
    await nextTurn();
    turnEndsAtMs = performance.now() + TURN_MS;
  }
  return results;
}
