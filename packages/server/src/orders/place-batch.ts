/**
 * One transaction of a group commit: load and lock, decide in the pure core, write back. What it reads and writes is in
 * placement.sql.ts; when it runs, and what happens when it fails, is in placement.ts.
 */
import { assert, must } from '@keyport/core/assert';
import { utcDay } from '@keyport/core/date-time';
import type { IdempotencyRecord } from '@keyport/core/idempotency';
import { buildOrderId, type RoundFunction } from '@keyport/core/ids';
import type { OfferState } from '@keyport/core/offer-selection';
import {
  decidePlaceOrders,
  type PlacedOrder,
  type PlacementDecision,
  type PlacementState,
  type PlaceOrder,
  type PlaceOrderOutcome,
  type ProductState,
  recordKey,
} from '@keyport/core/place-order';
import type { RiskRules } from '@keyport/core/risk-rules';
import type { Transaction } from 'kysely';
import { stampProducts } from '../db/catalogue-clock.sql.ts';
import type { HouseAccounts } from '../db/house-accounts.sql.ts';
import type { Schema } from '../db/schema.ts';
import { buildErrorBody } from '../http/error-body.ts';
import { buildOrder, describeRejection, viewPlacedOrder } from './order-response.ts';
import {
  insertBatch,
  insertGatewayPayments,
  type LoadedAccount,
  listIdempotencyRecords,
  listProducts,
  lockAccounts,
  lockIdempotencyKeys,
  lockOffers,
  type NewRecord,
  type NewTransfer,
  type UnitRequest,
} from './placement.sql.ts';

type Tx = Transaction<Schema>;

/** The first answer of a request, as it was or would be stored: status, and the body without its traceId. */
export type StoredAnswer = { readonly status: number; readonly body: string };

export type PlacementResult =
  | ({ readonly kind: 'answer' } & StoredAnswer)
  | ({ readonly kind: 'replay' } & StoredAnswer)
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

/** Status of a stored answer that carries an order (A41 turns it into 200 when it is replayed). */
export const CREATED = 201;

export type BatchOptions = {
  readonly cooldownMs: number;
  readonly orderIdRounds: RoundFunction;
  readonly houseAccounts: HouseAccounts;
  /** Base of doc_url in refusals. */
  readonly publicUrl: () => string;
  /** False when no payment provider is configured: gateway accounts then have no payment method. */
  readonly hasGateway: boolean;
  /** How long the provider is waited for before the worker asks it, milliseconds. */
  readonly gatewayTimeoutMs: number;
  readonly riskRules: RiskRules;
};

type LoadedBatch = {
  readonly commands: readonly PlaceOrder[];
  readonly state: PlacementState;
  readonly accounts: ReadonlyMap<string, LoadedAccount>;
  /** UTC day of the batch. */
  readonly day: string;
};

/** One result per command, in their order; nothing is visible to anybody before the caller commits. */
export async function placeBatch(
  tx: Tx,
  commands: readonly PlaceOrder[],
  options: BatchOptions,
): Promise<{ results: PlacementResult[]; isCatalogueChanged: boolean }> {
  const loaded = await loadBatch(tx, commands, options);
  const decision = decidePlaceOrders(commands, loaded.state);
  const results = decision.outcomes.map((outcome) => describeOutcome(outcome, loaded, options));
  await saveBatch(tx, loaded, decision, results, options);
  return { results, isCatalogueChanged: decision.offers.length > 0 };
}

/** Loads and locks everything that the batch may need, in the one lock order (placement.sql.ts). */
async function loadBatch(
  tx: Tx,
  commands: readonly PlaceOrder[],
  options: BatchOptions,
): Promise<LoadedBatch> {
  const locks = await lockIdempotencyKeys(tx, commands);
  const records = new Map<string, IdempotencyRecord | 'locked-elsewhere'>();
  for (const record of await listIdempotencyRecords(tx, commands)) {
    records.set(recordKey(record.accountId, record.idempotencyKey), record);
  }
  commands.forEach((command, index) => {
    const key = recordKey(command.accountId, command.idempotencyKey);
    if (locks.isLocked[index] === false && !records.has(key)) records.set(key, 'locked-elsewhere');
  });
  const open = commands.filter(
    (command) => !records.has(recordKey(command.accountId, command.idempotencyKey)),
  );
  const day = utcDay(locks.nowMicros);
  const accounts =
    open.length === 0 ? [] : await lockAccounts(tx, distinct(open.map(({ accountId }) => accountId)), day);
  const stock = open.length === 0 ? { offers: [], products: [] } : await loadStock(tx, open);
  const usable = accounts.map((account) => (options.hasGateway ? account : withoutGateway(account)));
  const accountsById = new Map(usable.map((account) => [account.id, account]));
  const epochSeconds = Math.floor(locks.nowMicros / 1_000_000);
  const state: PlacementState = {
    nowMicros: locks.nowMicros,
    cooldownMs: options.cooldownMs,
    riskRules: options.riskRules,
    records,
    accounts: accountsById,
    products: new Map(stock.products.map((product) => [product.id, product])),
    offers: new Map(stock.offers.map((offer) => [offer.id, offer])),
    orderIds: locks.serials.map((serial) =>
      buildOrderId({ epochSeconds, serial, round: options.orderIdRounds }),
    ),
  };
  return { commands, state, accounts: accountsById, day };
}

async function loadStock(
  tx: Tx,
  commands: readonly PlaceOrder[],
): Promise<{ offers: OfferState[]; products: ProductState[] }> {
  const offerIds = distinct(commands.flatMap(({ line }) => (line.kind === 'manual' ? [line.offerId] : [])));
  const productIds = distinct(commands.flatMap(({ line }) => (line.kind === 'auto' ? [line.productId] : [])));
  const stock = await lockOffers(tx, { offerIds, productIds });
  const found = new Set(stock.products.map((product) => product.id));
  const withoutOffers = productIds.filter((id) => !found.has(id));
  if (withoutOffers.length === 0) return stock;
  return { offers: stock.offers, products: [...stock.products, ...(await listProducts(tx, withoutOffers))] };
}

function describeOutcome(
  outcome: PlaceOrderOutcome,
  loaded: LoadedBatch,
  options: BatchOptions,
): PlacementResult {
  if (outcome.kind === 'refused') {
    const body = buildErrorBody(describeRejection(outcome.rejection), options.publicUrl());
    return { kind: 'answer', status: body.error.status, body: JSON.stringify(body) };
  }
  if (outcome.kind !== 'placed') return outcome;
  const { order } = outcome;
  if (order.status === 'pending_payment') {
    const customer = loaded.accounts.get(order.command.accountId)?.gatewayCustomer ?? '';
    const { id: orderId, holdReason } = order;
    return { kind: 'charge', orderId, customer, amountMinor: order.price.totalPriceMinor, holdReason };
  }
  const data = buildOrder(viewPlacedOrder(order, loaded.state.nowMicros));
  return { kind: 'answer', status: CREATED, body: JSON.stringify({ data }) };
}

/** Writes what was decided; asserts that every write hit what the decision counted on. */
async function saveBatch(
  tx: Tx,
  loaded: LoadedBatch,
  decision: PlacementDecision,
  results: readonly PlacementResult[],
  options: BatchOptions,
): Promise<void> {
  const { accounts, state, day } = loaded;
  const records = newRecords(loaded, decision, results);
  if (records.length === 0) return;
  const orders = decision.outcomes.flatMap((outcome) => (outcome.kind === 'placed' ? [outcome.order] : []));
  const accountOf = (order: PlacedOrder) =>
    must(accounts.get(order.command.accountId), 'the account of an order');
  const units = orders.flatMap(unitRequests);
  const saved = await insertBatch(tx, {
    nowMicros: state.nowMicros,
    day,
    records,
    orders,
    actor: 'keyport',
    units,
    transfers: orders.flatMap((order) => newTransfers(order, accountOf(order), options.houseAccounts)),
    accounts: decision.accounts,
    offers: decision.offers,
  });
  const unitCount = units.reduce((sum, line) => sum + line.quantity, 0);
  assert(
    saved.units === unitCount,
    `the offers' counts promised ${unitCount} units and ${saved.units} were there`,
  );
  assert(saved.accounts === decision.accounts.length, 'every account that the batch changed is there');
  assert(saved.offers === decision.offers.length, 'every offer that the batch changed is there');
  const payments = results.flatMap((result) => (result.kind === 'charge' ? [result] : []));
  if (payments.length > 0)
    await insertGatewayPayments(tx, payments, { firstCheckMs: options.gatewayTimeoutMs });
  await stampProducts(
    tx,
    decision.offers.map((offer) => offer.productId),
  );
}

/** The outcome of every request that reached checkout, refusals too (A39). */
function newRecords(
  { commands }: LoadedBatch,
  decision: PlacementDecision,
  results: readonly PlacementResult[],
): NewRecord[] {
  return decision.outcomes.flatMap((outcome, index): NewRecord[] => {
    if (outcome.kind !== 'placed' && outcome.kind !== 'refused') return [];
    const { accountId, idempotencyKey, fingerprint } = must(commands[index], 'a command for every outcome');
    const result = must(results[index], 'a result for every outcome');
    const answer = result.kind === 'answer' ? result : { status: null, body: null };
    const orderId = outcome.kind === 'placed' ? outcome.order.id : null;
    return [{ accountId, idempotencyKey, fingerprint, status: answer.status, body: answer.body, orderId }];
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

function withoutGateway(account: LoadedAccount): LoadedAccount {
  return account.paymentMethod === 'gateway' ? { ...account, paymentMethod: null } : account;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
