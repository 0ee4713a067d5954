/** One transaction places all orders queued while the previous one committed (A240). */
import { must } from '@keyport/core/assert';
import type { IdempotencyRecord } from '@keyport/core/idempotency';
import { type PlaceOrder, recordKey } from '@keyport/core/orders/place-order';
import { QueueFull } from '@keyport/http/admission/overload';
import { ApiError } from '@keyport/http/replies/api-error';
import type { OrdersOnlyChange } from '../../catalogue/catalogue-clock.sql.ts';
import { commitTransactionLikeAWrite } from '../../db/commit-like-a-write.ts';
import type { Database } from '../../db/engines/database.ts';
import { isOutOfResources, isUniqueViolation, isUnreachable } from '../../db/errors.ts';
import { CommitOutcomeUnknown, runPipelinedTransaction, runTransaction } from '../../db/transaction.ts';
import type { Cause, Tracer } from '../../in-span.ts';
import type { Charge } from '../../payments/gateway.ts';
import type { StoredResponse } from '../order-response.ts';
import { FairQueue } from './fair-queue.ts';
import { findRecords, waitForIdempotencyKeys } from './idempotency-records.sql.ts';
import { type BatchOptions, type PlacementResult, placeBatch } from './place-batch.ts';

/** Thrown thousands of times a second under overload. */
const TOO_MANY_ORDERS = new QueueFull('orders');

/** Larger batches gain no throughput and delay the first caller. */
const BATCH_SIZE_MAX = 256;

/** A batch takes half of the callers, while the other half gets responses. */
const CALLERS_DECAY = 0.9;

/** Includes orders in progress. More would only wait longer: 1.6 s with 4,096, 0.1 s with this limit. */
const ORDERS_AT_ONCE_MAX = 320;

/** An account gives up an order in the queue to one that would have fewer by more than this factor. */
const FAR_MORE = 4;

/** A stuck batch must not keep its keys at 409 for longer than 15 s. */
const TRANSACTION_LIMITS = { statementTimeoutMs: 3000, lockTimeoutMs: 2000, deadlineMs: 10_000 };
const BATCH_OPTIONS = {
  ...TRANSACTION_LIMITS,
  keepsPlans: true,
  // Another attempt draws other ids.
  mayRetry: (error: unknown) => isUniqueViolation(error, 'order_pkey'),
};

/** Exceeded only if the server hangs. */
const WAIT_MAX_MS = 3_000;

/** Time to place the orders of a failed batch one by one; clients must retry the remaining ones. */
const ONE_BY_ONE_MAX_MS = 5_000;

/** For a COMMIT without response, after the transaction's own limit. */
const RESOLVE_LIMITS = { ...TRANSACTION_LIMITS, deadlineMs: 4_000 };

/** An order that runs alone delays those behind it. */
const ALONE_OPTIONS = { ...BATCH_OPTIONS, lockTimeoutMs: 200 };

export type PlacementOptions = Omit<BatchOptions, 'ledgerAccountIds' | 'hasGateway'> & {
  /** Undefined without a payment provider. */
  readonly charge: ((charge: Charge) => Promise<StoredResponse>) | undefined;
  readonly database: Database;
  readonly tracer: Tracer;
  /** `sale`: if only orders caused the changes. */
  readonly onCatalogueChanged: (sale?: OrdersOnlyChange) => void;
  readonly onBatch?: (batch: { readonly size: number; readonly durationMs: number }) => void;
};

export type FinalResult = Exclude<PlacementResult, { readonly kind: 'charge' }>;

type Waiting = {
  readonly command: PlaceOrder;
  readonly sinceMs: number;
  readonly cause: Cause | undefined;
  readonly resolve: (result: PlacementResult) => void;
  readonly reject: (error: unknown) => void;
};

/** For a duplicate on this node (A40). */
const IN_FLIGHT_RETRY_AFTER_MS = 1000;

export class Placement {
  readonly #options: PlacementOptions & BatchOptions;
  readonly #queue = new FairQueue<Waiting>();
  /** Orders that wait or are in progress, by account. */
  readonly #inProgress = new Map<string, number>();
  #inProgressCount = 0;
  /** Fingerprints by record key. */
  readonly #inFlight = new Map<string, string>();
  #isRunning = false;
  /** Recent maximum of concurrent requests. */
  #callers = 0;

  constructor(options: PlacementOptions) {
    this.#options = {
      ...options,
      hasGateway: options.charge !== undefined,
      ledgerAccountIds: new Map(),
    };
  }

  get queueDepth(): number {
    return this.#queue.length;
  }

  /** False while `submit` would reject an order of this account. */
  hasRoomFor(accountId: string): boolean {
    return this.#inProgressCount < ORDERS_AT_ONCE_MAX || this.#findBusierAccount(accountId) !== undefined;
  }

  /** After service-unavailable and internal-server-error the order can be retried. */
  async submit(command: PlaceOrder): Promise<FinalResult> {
    const key = recordKey(command.accountId, command.idempotencyKey);
    const inFlight = this.#inFlight.get(key);
    if (inFlight !== undefined)
      return inFlight === command.fingerprint
        ? { kind: 'processing', retryAfterMs: IN_FLIGHT_RETRY_AFTER_MS }
        : { kind: 'key-reused' };
    if (!this.#evictFor(command.accountId)) throw TOO_MANY_ORDERS;
    this.#inFlight.set(key, command.fingerprint);
    try {
      const result = await this.#enqueue(command);
      if (result.kind !== 'charge') return result;
      const charge = must(this.#options.charge, 'gateway orders are placed only with a gateway');
      return { kind: 'response', ...(await charge(result)) };
    } catch (error) {
      throw error instanceof CommitOutcomeUnknown || isUnreachable(error)
        ? databaseUnreachable(error)
        : error;
    } finally {
      this.#inFlight.delete(key);
    }
  }

  /** The account with the most orders, if it holds far more than this account would. */
  #findBusierAccount(accountId: string): string | undefined {
    let most = ((this.#inProgress.get(accountId) ?? 0) + 1) * FAR_MORE;
    let busiest: string | undefined;
    for (const [id, count] of this.#inProgress) {
      if (count > most) [most, busiest] = [count, id];
    }
    return busiest;
  }

  /** If the queue is full, the account with the most orders gives up its newest. */
  #evictFor(accountId: string): boolean {
    if (this.#inProgressCount < ORDERS_AT_ONCE_MAX) return true;
    const busiest = this.#findBusierAccount(accountId);
    if (busiest === undefined) return false;
    const newest = this.#queue.takeNewest(busiest);
    newest?.reject(TOO_MANY_ORDERS);
    // If all its orders are in progress, the queue becomes shorter soon.
    return newest !== undefined || this.#queue.length < ORDERS_AT_ONCE_MAX;
  }

  async #enqueue(command: PlaceOrder): Promise<PlacementResult> {
    const { accountId } = command;
    const cause = this.#options.tracer.current();
    this.#inProgress.set(accountId, (this.#inProgress.get(accountId) ?? 0) + 1);
    this.#inProgressCount += 1;
    try {
      return await new Promise((resolve, reject) => {
        this.#queue.push(accountId, { command, sinceMs: performance.now(), cause, resolve, reject });
        if (!this.#isRunning) void this.#run();
      });
    } finally {
      const left = (this.#inProgress.get(accountId) ?? 0) - 1;
      if (left > 0) this.#inProgress.set(accountId, left);
      else this.#inProgress.delete(accountId);
      this.#inProgressCount -= 1;
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (this.#rejectLate(); this.#queue.length > 0; this.#rejectLate()) {
      this.#callers = Math.max(this.#inFlight.size, this.#callers * CALLERS_DECAY);
      const size = Math.min(BATCH_SIZE_MAX, Math.ceil(this.#callers / 2));
      const batch = this.#queue.take(size);
      await this.#options.tracer.inSpan('place orders', () => this.#runBatch(batch), {
        causes: batch.flatMap(({ cause }) => (cause === undefined ? [] : [cause])),
        attributes: { 'keyport.batch_size': batch.length },
      });
    }
    this.#isRunning = false;
  }

  #rejectLate(): void {
    for (const { reject } of this.#queue.takeOlderThan(performance.now() - WAIT_MAX_MS))
      reject(databaseUnreachable(new Error(`not placed within ${WAIT_MAX_MS} ms`)));
  }

  async #runBatch(batch: readonly Waiting[], limits = BATCH_OPTIONS): Promise<void> {
    const startedAt = performance.now();
    let decided: readonly PlacementResult[] = [];
    try {
      const { database, onCatalogueChanged, onBatch } = this.#options;
      const commands = batch.map((waiting) => waiting.command);
      const work = placeBatch(commands, this.#options, (results) => (decided = results));
      const { results, sale } = await runPipelinedTransaction(database, limits, work);
      if (sale !== undefined) onCatalogueChanged(await sale);
      batch.forEach((waiting, index) => {
        waiting.resolve(must(results[index], 'a result for every command'));
      });
      onBatch?.({ size: batch.length, durationMs: performance.now() - startedAt });
    } catch (error) {
      await this.#recover(batch, decided, error);
    }
  }

  /** One bad command must not fail the others, so those of a rolled-back batch run one by one. */
  async #recover(
    batch: readonly Waiting[],
    decided: readonly PlacementResult[],
    error: unknown,
  ): Promise<void> {
    if (error instanceof CommitOutcomeUnknown) {
      const undecided: Undecided[] = [];
      for (const [index, waiting] of batch.entries()) {
        const result = must(decided[index], 'a result for every command of a batch that was to be committed');
        // The replayed commit may be on this server alone (A160), or this batch ended the reservation.
        if (result.kind === 'replay' || result.kind === 'reservation-ended') waiting.reject(error);
        // Independent of this commit.
        else if (isDuplicate(result)) waiting.resolve(result);
        else undecided.push({ waiting, decided: result });
      }
      if (undecided.length > 0) await this.#resolveUnknown(undecided, error);
      return;
    }
    if (batch.length > 1 && !isUnreachable(error) && !isOutOfResources(error)) {
      const until = performance.now() + ONE_BY_ONE_MAX_MS;
      for (const waiting of batch) {
        if (performance.now() < until) await this.#runBatch([waiting], ALONE_OPTIONS);
        else waiting.reject(TOO_MANY_ORDERS);
      }
      return;
    }
    for (const waiting of batch) waiting.reject(error);
  }

  /** Once the transaction has released the locks of its keys, the records show its outcome. */
  async #resolveUnknown(undecided: readonly Undecided[], unknown: CommitOutcomeUnknown): Promise<void> {
    const keys = undecided.map(({ waiting }) => waiting.command);
    try {
      const records = await runTransaction(this.#options.database, RESOLVE_LIMITS, async (tx) => {
        await waitForIdempotencyKeys(tx, keys);
        await commitTransactionLikeAWrite(tx);
        return findRecords(tx, keys);
      });
      this.#options.onCatalogueChanged();
      const byKey = new Map(
        records.map((record) => [recordKey(record.accountId, record.idempotencyKey), record]),
      );
      for (const one of undecided) {
        const { accountId, idempotencyKey } = one.waiting.command;
        settle(one, byKey.get(recordKey(accountId, idempotencyKey)), unknown);
      }
    } catch (error) {
      for (const { waiting } of undecided) waiting.reject(new CommitOutcomeUnknown(error));
    }
  }
}

type NewResult = Extract<PlacementResult, { kind: 'response' | 'charge' }>;

type Undecided = { readonly waiting: Waiting; readonly decided: NewResult };

function settle(
  { waiting, decided }: Undecided,
  record: IdempotencyRecord | undefined,
  unknown: CommitOutcomeUnknown,
): void {
  if (record === undefined || record.fingerprint !== waiting.command.fingerprint) {
    waiting.reject(unknown);
  } else if (record.status === null || record.body === null) {
    waiting.resolve({ kind: 'processing', retryAfterMs: IN_FLIGHT_RETRY_AFTER_MS });
  } else {
    const { status, body } = record;
    // This process may have hung until another node placed a retry.
    waiting.resolve({ kind: isResponseTo(decided, body) ? 'response' : 'replay', status, body });
  }
}

function isDuplicate(result: PlacementResult): result is Exclude<PlacementResult, NewResult> {
  return result.kind !== 'response' && result.kind !== 'charge';
}

function isResponseTo(decided: NewResult, body: string): boolean {
  // If a payment was due, only the order's id is known.
  return decided.kind === 'charge' ? body.includes(`"${decided.orderId}"`) : body === decided.body;
}

/** The outcome is unknown; a retry with the same key resolves it. */
function databaseUnreachable(cause: unknown): ApiError {
  return new ApiError('service-unavailable', {
    message:
      'The database could not be reached. Send the same request with the same Idempotency-Key again in a second.',
    headers: { 'retry-after': '1' },
    cause,
  });
}
