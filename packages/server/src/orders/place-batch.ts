/**
 * One transaction of a group commit: load and lock, decide in the pure core, write back. What it reads and writes is in
 * placement.sql.ts; when it runs, and what happens when it fails, is in placement.ts.
 */
import { must } from '@keyport/core/assert';
import type { IdempotencyRecord } from '@keyport/core/idempotency';
import { buildOrderId, type RoundFunction } from '@keyport/core/ids';
import {
  decidePlaceOrders,
  type PlacedOrder,
  type PlacementDecision,
  type PlacementState,
  type PlaceOrder,
  type PlaceOrderOutcome,
  recordKey,
} from '@keyport/core/place-order';
import type { RiskRules } from '@keyport/core/risk-rules';
import { sendStamps } from '../db/catalogue-clock.sql.ts';
import { commitLikeAWrite } from '../db/commit-like-a-write.ts';
import type { HouseAccounts } from '../db/house-accounts.sql.ts';
import type { Session } from '../db/prepared.ts';
import type { PipelinedWork } from '../db/transaction.ts';
import { buildErrorBody } from '../http/error-body.ts';
import { buildOrder, describeRejection, viewPlacedOrder } from './order-response.ts';
import {
  insertBatch,
  insertGatewayPayments,
  type LoadedAccount,
  loadDaySums,
  loadRequests,
  loadStock,
  lockIdempotencyKeys,
  type NewRecord,
  type NewTransfer,
  type UnitRequest,
} from './placement.sql.ts';

/** The first response of a request, as it was or would be stored: status, and the body without its traceId. */
export type StoredResponse = { readonly status: number; readonly body: string };

export type PlacementResult =
  | ({ readonly kind: 'response' } & StoredResponse)
  | ({ readonly kind: 'replay' } & StoredResponse)
  | { readonly kind: 'processing'; readonly retryAfterMs: number }
  | { readonly kind: 'key-reused' }
  /** Committed as pending_payment: the provider has to be asked now. */
  | {
      readonly kind: 'charge';
      readonly orderId: string;
      readonly customer: string;
      readonly amountMinor: number;
      /** Why the order is held once it is paid. */
      readonly holdReason: string | null;
    };

/** Status of a stored response that carries an order (A41 turns it into 200 when it is replayed). */
export const CREATED = 201;

export type BatchOptions = {
  readonly cooldownMs: number;
  readonly orderIdRounds: RoundFunction;
  readonly houseAccounts: HouseAccounts;
  /** Base of doc_url in rejections. */
  readonly publicUrl: () => string;
  /** False when no payment provider is configured: gateway accounts then have no payment method. */
  readonly hasGateway: boolean;
  /** How long the provider is waited for before the worker asks it, milliseconds. */
  readonly gatewayTimeoutMs: number;
  readonly riskRules: RiskRules;
  /** The time without steps of the database's clock, given what that says (A221); both microseconds since the epoch. */
  readonly realMicros: (nowMicros: number) => number;
};

type LoadedBatch = {
  readonly commands: readonly PlaceOrder[];
  readonly state: PlacementState;
  readonly accounts: ReadonlyMap<string, LoadedAccount>;
};

/** What a batch leaves behind once it is committed. */
export type PlacedBatch = {
  /** One per command, in their order. */
  readonly results: readonly PlacementResult[];
  readonly isCatalogueChanged: boolean;
};

/**
 * A transaction's work for these commands; nothing is visible before it is committed. `onDecided` gets the
 * results before that.
 */
export function placeBatch(
  commands: readonly PlaceOrder[],
  options: BatchOptions,
  onDecided: (results: readonly PlacementResult[]) => void,
): PipelinedWork<LoadedBatch, PlacedBatch> {
  return {
    load: (session) => loadBatch(session, commands, options),
    save(session, loaded) {
      const decision = decidePlaceOrders(commands, loaded.state);
      const results = decision.outcomes.map((outcome) => describeOutcome(outcome, loaded, options));
      onDecided(results);
      const sent = saveBatch(session, loaded, decision, results, options);
      return { value: { results, isCatalogueChanged: decision.offers.length > 0 }, sent };
    },
  };
}

/** Loads and locks everything that the batch may need, in the one lock order (placement.sql.ts). */
async function loadBatch(
  session: Session,
  commands: readonly PlaceOrder[],
  options: BatchOptions,
): Promise<LoadedBatch> {
  const [locks, requests, stock] = await Promise.all([
    lockIdempotencyKeys(session, commands),
    loadRequests(session, commands),
    loadStock(session, commands),
  ]);
  const records = new Map<string, IdempotencyRecord | 'locked-elsewhere'>();
  commands.forEach((command, index) => {
    const record = requests.records[index] ?? (locks.isLocked[index] ? undefined : 'locked-elsewhere');
    if (record !== undefined) records.set(recordKey(command.accountId, command.idempotencyKey), record);
  });
  const realMicros = options.realMicros(locks.nowMicros);
  const presentAccounts = await withPresentSums(session, requests.accounts, realMicros);
  const accounts = new Map(
    presentAccounts.map((account) => [account.id, withPaymentMethod(account, options)]),
  );
  const epochSeconds = Math.floor(locks.nowMicros / 1_000_000);
  const state: PlacementState = {
    nowMicros: locks.nowMicros,
    clockAheadMicros: locks.nowMicros - realMicros,
    cooldownMs: options.cooldownMs,
    riskRules: options.riskRules,
    records,
    accounts,
    products: new Map(stock.products.map((product) => [product.id, product])),
    offers: new Map(stock.offers.map((offer) => [offer.id, offer])),
    orderIds: locks.serials.map((serial) =>
      buildOrderId({ epochSeconds, serial, round: options.orderIdRounds }),
    ),
  };
  return { commands, state, accounts };
}

function describeOutcome(
  outcome: PlaceOrderOutcome,
  loaded: LoadedBatch,
  options: BatchOptions,
): PlacementResult {
  if (outcome.kind === 'rejected') {
    const body = buildErrorBody(describeRejection(outcome.rejection), options.publicUrl());
    return { kind: 'response', status: body.error.status, body: JSON.stringify(body) };
  }
  if (outcome.kind !== 'placed') return outcome;
  const { order } = outcome;
  if (order.status === 'pending_payment') {
    const account = must(loaded.accounts.get(order.command.accountId), 'the account of an order');
    const customer = must(
      account.gatewayCustomer,
      'the customer of an account that pays through the provider',
    );
    const { id: orderId, holdReason } = order;
    return { kind: 'charge', orderId, customer, amountMinor: order.price.totalPriceMinor, holdReason };
  }
  const data = buildOrder(viewPlacedOrder(order, loaded.state.nowMicros));
  return { kind: 'response', status: CREATED, body: JSON.stringify({ data }) };
}

/** Sends what was decided, the clock's stamps last (A8). */
function saveBatch(
  session: Session,
  loaded: LoadedBatch,
  decision: PlacementDecision,
  results: readonly PlacementResult[],
  options: BatchOptions,
): Promise<unknown>[] {
  const { accounts } = loaded;
  const records = newRecords(loaded, decision, results);
  if (records.length === 0) {
    return results.some(({ kind }) => kind === 'replay') ? [commitLikeAWrite(session)] : [];
  }
  const orders = decision.outcomes.flatMap((outcome) => (outcome.kind === 'placed' ? [outcome.order] : []));
  const accountOf = (order: PlacedOrder) =>
    must(accounts.get(order.command.accountId), 'the account of an order');
  const sent = [
    insertBatch(session, {
      records,
      orders,
      actor: 'keyport',
      units: orders.flatMap(unitRequests),
      transfers: orders.flatMap((order) => newTransfers(order, accountOf(order), options.houseAccounts)),
      accounts: decision.accounts.map((account) => ({
        ...must(accounts.get(account.id), 'an account of the batch'),
        ...account,
      })),
      offers: decision.offers,
    }),
  ];
  const payments = results.flatMap((result) => (result.kind === 'charge' ? [result] : []));
  if (payments.length > 0)
    sent.push(insertGatewayPayments(session, payments, { firstCheckMs: options.gatewayTimeoutMs }));
  if (decision.offers.length > 0)
    sent.push(
      sendStamps(
        session,
        decision.offers.map((offer) => offer.productId),
      ),
    );
  return sent;
}

/** The outcome of every request that reached checkout, rejections too (A39). */
function newRecords(
  { commands }: LoadedBatch,
  decision: PlacementDecision,
  results: readonly PlacementResult[],
): NewRecord[] {
  return decision.outcomes.flatMap((outcome, index): NewRecord[] => {
    if (outcome.kind !== 'placed' && outcome.kind !== 'rejected') return [];
    const { accountId, idempotencyKey, fingerprint } = must(commands[index], 'a command for every outcome');
    const result = must(results[index], 'a result for every outcome');
    const response = result.kind === 'response' ? result : { status: null, body: null };
    const orderId = outcome.kind === 'placed' ? outcome.order.id : null;
    return [
      { accountId, idempotencyKey, fingerprint, status: response.status, body: response.body, orderId },
    ];
  });
}

function unitRequests(order: PlacedOrder): UnitRequest[] {
  if (order.units === 'none') return [];
  const { itemId, offer, command } = order;
  const expires = order.status === 'pending_payment';
  return [{ itemId, offerId: offer.id, quantity: command.line.quantity, state: order.units, expires }];
}

function newTransfers(
  order: PlacedOrder,
  account: LoadedAccount,
  houseAccounts: HouseAccounts,
): NewTransfer[] {
  return order.transfers.map((transfer) => ({
    kind: transfer.kind,
    fromLedgerAccountId: transfer.from === 'prepaid' ? account.ledgerAccountId : houseAccounts[transfer.from],
    toLedgerAccountId: transfer.to === 'prepaid' ? account.ledgerAccountId : houseAccounts[transfer.to],
    amountMinor: transfer.amountMinor,
    accountId: account.id,
    prepaidBalanceAfterMinor: transfer.prepaidBalanceAfterMinor,
    orderId: order.id,
  }));
}

/** Without a provider, or without a customer that it could charge, there is no payment method (A65). */
function withPaymentMethod(account: LoadedAccount, { hasGateway }: BatchOptions): LoadedAccount {
  const isChargeable = hasGateway && account.gatewayCustomer !== null;
  return account.paymentMethod === 'gateway' && !isChargeable ? { ...account, paymentMethod: null } : account;
}

const MICROS_PER_HOUR = 3_600_000_000;
const HOURS_PER_DAY = 24;

/**
 * With the sums of the present day and hour. The next day or hour stays, and what is ordered counts there (A222): this batch
 * began before it and waited for the account. A later one is of a clock that was ahead.
 */
async function withPresentSums(
  session: Session,
  accounts: readonly LoadedAccount[],
  realMicros: number,
): Promise<LoadedAccount[]> {
  const hour = Math.floor(realMicros / MICROS_PER_HOUR);
  const day = Math.floor(hour / HOURS_PER_DAY);
  const isPresent = (stored: number, present: number) => stored === present || stored === present + 1;
  const began = accounts.filter(({ spendDay }) => !isPresent(spendDay, day));
  const daySums = began.length === 0 ? undefined : await loadDaySums(session, began, day);
  return accounts.map((account) => ({
    ...account,
    ...daySums?.get(account.id),
    ...(isPresent(account.orderHour, hour) ? {} : { orderHour: hour, hourOrders: 0 }),
  }));
}
