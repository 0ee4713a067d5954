/** One transaction of a group commit. */
import { must } from '@keyport/core/assert';
import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_SECOND } from '@keyport/core/date-time';
import { balanceEvents, eventsOfPlacement, type NewEvent } from '@keyport/core/events';
import type { IdempotencyRecord } from '@keyport/core/idempotency';
import type { DrawOrderId } from '@keyport/core/ids';
import type { OfferState } from '@keyport/core/orders/offer-selection';
import {
  decidePlaceOrders,
  mayLackUnits,
  type OwnReservation,
  type PlacedOrder,
  type PlacementDecision,
  type PlacementState,
  type PlaceOrder,
  type PlaceOrderOutcome,
  recordKey,
} from '@keyport/core/orders/place-order';
import type { ReservationEnd } from '@keyport/core/orders/reservations';
import type { RiskRules } from '@keyport/core/orders/risk-rules';
import { buildErrorBody } from '@keyport/http/replies/errors';
import { type OrdersOnlyChange, sendPlacedOrders } from '../../catalogue/catalogue-clock.sql.ts';
import { commitLikeAWrite } from '../../db/commit-like-a-write.ts';
import type { Session } from '../../db/engines/prepared.ts';
import { failuresIn, firstCause } from '../../db/errors.ts';
import type { PipelinedWork } from '../../db/transaction.ts';
import type { HouseAccounts } from '../../ledger/house-accounts.sql.ts';
import { continueBooks, type NewTransfer } from '../../ledger/transfers.sql.ts';
import type { Charge } from '../../payments/gateway.ts';
import {
  CREATED,
  createdBody,
  describeRejection,
  type StoredResponse,
  viewPlacedOrder,
} from '../order-response.ts';
import {
  insertReservations,
  loadAllowances,
  loadOwnReservations,
  lockReservations,
  orderReservations,
} from '../reservations/placed-reservations.sql.ts';
import { reservedBody } from '../reservations/view-reservation.ts';
import {
  type LoadedAccount,
  loadAccounts,
  loadDaySums,
  loadRecords,
  lockIdempotencyKeys,
} from './idempotency-records.sql.ts';
import { insertBatch, insertGatewayPayments, loadStock, type NewRejection } from './placement.sql.ts';

export type PlacementResult =
  | ({ readonly kind: 'response' } & StoredResponse)
  | ({ readonly kind: 'replay' } & StoredResponse)
  | { readonly kind: 'processing'; readonly retryAfterMs: number }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'reservation-ended'; readonly end: ReservationEnd }
  /** The order is pending_payment; the provider must be called. */
  | ({ readonly kind: 'charge' } & Charge);

export type BatchOptions = {
  readonly cooldownMs: number;
  readonly drawOrderId: DrawOrderId;
  readonly houseAccounts: HouseAccounts;
  /** A cache by account id; it never expires, because these ids never change. */
  readonly ledgerAccountIds: Map<string, number>;
  readonly publicUrl: () => string;
  /** If false, gateway accounts have no payment method. */
  readonly hasGateway: boolean;
  /** The worker queries the provider only after this time. */
  readonly gatewayTimeoutMs: number;
  readonly riskRules: RiskRules;
};

type LoadedBatch = {
  readonly commands: readonly PlaceOrder[];
  readonly state: PlacementState;
  readonly accounts: ReadonlyMap<string, LoadedAccount>;
  readonly offers: ReadonlyMap<string, OfferState>;
};

export type PlacedBatch = {
  readonly results: readonly PlacementResult[];
  /** Undefined if nothing is sold or reserved. */
  readonly sale: Promise<OrdersOnlyChange> | undefined;
};

/** Calls `onDecided` before the commit. */
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
      const { sent, sale } = saveBatch(session, loaded, decision, results, options);
      return { value: { results, sale }, sent: sale === undefined ? sent : [...sent, sale] };
    },
  };
}

/** Awaits statements of one transaction, some of which send further statements. */
async function allSent<const T extends readonly unknown[]>(
  sent: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  const failures = failuresIn(await Promise.allSettled(sent));
  if (failures.length > 0) throw firstCause(failures);
  return Promise.all(sent);
}

/** Takes locks in the order of placement.sql.ts. */
async function loadBatch(
  session: Session,
  commands: readonly PlaceOrder[],
  options: BatchOptions,
): Promise<LoadedBatch> {
  const [locks, found, loaded, stock, reservations, allowances] = await allSent([
    lockIdempotencyKeys(session, commands),
    loadRecords(session, commands),
    loadAccounts(session, commands, options.ledgerAccountIds),
    loadStock(session, commands),
    lockReservations(session, commands),
    loadAllowances(session, commands),
  ]);
  const records = new Map<string, IdempotencyRecord | 'locked-elsewhere'>();
  commands.forEach(({ accountId, idempotencyKey }, index) => {
    if (!locks.isLocked[index]) records.set(recordKey(accountId, idempotencyKey), 'locked-elsewhere');
  });
  for (const record of found) records.set(recordKey(record.accountId, record.idempotencyKey), record);
  const currentAccounts = await withCurrentSums(session, loaded, locks.nowMicros);
  const accounts = new Map(
    currentAccounts.map((account) => [account.id, withPaymentMethod(account, options)]),
  );
  const ownReservations = await loadOwnOfShortages(session, commands, stock.offers);
  const epochSeconds = Math.floor(locks.nowMicros / MICROS_PER_SECOND);
  const offers = new Map(stock.offers.map((offer) => [offer.id, offer]));
  const state: PlacementState = {
    nowMicros: locks.nowMicros,
    cooldownMs: options.cooldownMs,
    riskRules: options.riskRules,
    records,
    accounts,
    products: stock.products,
    offers,
    reservations,
    allowances,
    ownReservations,
    orderIds: drawDistinct(commands.length, () => options.drawOrderId(epochSeconds)),
  };
  return { commands, state, accounts, offers };
}

/** Usually no order lacks units, and then nothing is sent. */
async function loadOwnOfShortages(
  session: Session,
  commands: readonly PlaceOrder[],
  offers: readonly OfferState[],
): Promise<OwnReservation[]> {
  const byProduct = Map.groupBy(offers, ({ productId }) => productId);
  const toProduct = new Map(offers.map(({ id, productId }) => [id, productId]));
  const wanted = commands.map((command) => {
    const { line } = command;
    return {
      command,
      productId: line.kind === 'auto' ? line.productId : (toProduct.get(line.offerId) ?? ''),
    };
  });
  const units = new Map<string, number>();
  for (const { command, productId } of wanted)
    units.set(productId, (units.get(productId) ?? 0) + command.line.quantity);
  const short = wanted.flatMap(({ command, productId }) => {
    const { line, accountId } = command;
    const all = byProduct.get(productId) ?? [];
    const named = line.kind === 'auto' ? all : all.filter(({ id }) => id === line.offerId);
    const lacks = mayLackUnits(command, named, units.get(productId) ?? 0);
    return lacks ? named.map(({ id: offerId }) => ({ accountId, offerId })) : [];
  });
  return short.length === 0 ? [] : loadOwnReservations(session, short);
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
  if (outcome.kind === 'reserved') {
    const body = reservedBody(outcome.reservation, loaded.state.nowMicros);
    return { kind: 'response', status: CREATED, body };
  }
  if (outcome.kind !== 'placed') return outcome;
  const { order } = outcome;
  if (order.status === 'pending_payment') {
    const { accountId } = order.command;
    const account = must(loaded.accounts.get(accountId), 'the account of an order');
    const customer = must(
      order.customer ?? account.gatewayCustomer,
      'the customer of an account that pays through the provider',
    );
    return { kind: 'charge', orderId: order.id, customer, amountMinor: order.price.totalPriceMinor };
  }
  const body = createdBody(viewPlacedOrder(order, loaded.state.nowMicros));
  return { kind: 'response', status: CREATED, body };
}

/** Statements that stamp changes with the catalogue clock come last (A8). */
function saveBatch(
  session: Session,
  loaded: LoadedBatch,
  decision: PlacementDecision,
  results: readonly PlacementResult[],
  options: BatchOptions,
): { readonly sent: Promise<unknown>[]; readonly sale: Promise<OrdersOnlyChange> | undefined } {
  const { accounts, offers, state } = loaded;
  const rejections = newRejections(loaded, decision, results);
  const placed = decision.outcomes.flatMap((outcome) => (outcome.kind === 'placed' ? [outcome.order] : []));
  const reserved = decision.outcomes.flatMap((outcome, index) => {
    const result = results[index];
    return outcome.kind === 'reserved' && result?.kind === 'response'
      ? [{ ...outcome.reservation, response: result.body }]
      : [];
  });
  if (rejections.length + placed.length + reserved.length === 0) {
    const hasReplay = results.some(({ kind }) => kind === 'replay');
    return { sent: hasReplay ? [commitLikeAWrite(session)] : [], sale: undefined };
  }
  const today = Math.floor(state.nowMicros / MICROS_PER_DAY);
  const changed = new Map(
    decision.accounts.map((account) => {
      const loadedAccount = must(accounts.get(account.id), 'an account of the batch');
      return [account.id, { ...loadedAccount, ...account }];
    }),
  );
  const transfers: NewTransfer[] = [];
  const orders = placed.map((order) => {
    const account = must(changed.get(order.command.accountId), 'the account of an order');
    const { rows, statementEnd } = continueBooks(account, order.transfers, options.houseAccounts, {
      orderId: order.id,
      nowMicros: state.nowMicros,
    });
    transfers.push(...rows);
    changed.set(account.id, { ...account, statementEnd });
    return { ...order, spendDay: account.spendDay === today ? null : account.spendDay };
  });
  const sent: Promise<unknown>[] = [
    insertBatch(session, {
      rejections,
      orders,
      transfers,
      accounts: [...changed.values()],
      offers: decision.offers.map(({ id, nextUnit }) => ({
        id,
        nextUnit,
        firstUnit: must(offers.get(id), 'an offer of the batch').nextUnit,
      })),
    }),
  ];
  const payments = results.flatMap((result) => (result.kind === 'charge' ? [result] : []));
  if (payments.length > 0)
    sent.push(insertGatewayPayments(session, payments, { firstCheckMs: options.gatewayTimeoutMs }));
  const ordered = placed.flatMap(({ id, command: { reservationId } }) =>
    reservationId === undefined ? [] : [{ id, reservationId }],
  );
  if (reserved.length > 0) sent.push(insertReservations(session, reserved));
  if (ordered.length > 0) sent.push(orderReservations(session, ordered));
  if (placed.length + reserved.length === 0) return { sent, sale: undefined };
  const sale = sendPlacedOrders(session, {
    offers: decision.offers.map(({ id, productId, availableText, availableImage }) => ({
      id,
      productId,
      quantity: availableText + availableImage,
    })),
    completeOrders: placed.flatMap(({ id, status, command }) =>
      status === 'complete' ? [{ id, accountId: command.accountId }] : [],
    ),
    events: eventsOfBatch(placed, [...changed.values()], accounts),
  });
  return { sent, sale };
}

/** The change log has the ids of complete orders. */
function eventsOfBatch(
  placed: readonly PlacedOrder[],
  changed: readonly LoadedAccount[],
  before: ReadonlyMap<string, LoadedAccount>,
): NewEvent[] {
  return [
    ...placed.flatMap(eventsOfPlacement),
    ...changed.flatMap(({ id, balanceMinor, balanceLowThresholdMinor }) =>
      balanceEvents(id, balanceLowThresholdMinor, {
        beforeMinor: must(before.get(id), 'an account of the batch').balanceMinor,
        afterMinor: balanceMinor,
      }),
    ),
  ];
}

function newRejections(
  { commands }: LoadedBatch,
  decision: PlacementDecision,
  results: readonly PlacementResult[],
): NewRejection[] {
  return results.flatMap((result, index): NewRejection[] => {
    if (result.kind !== 'response' || decision.outcomes[index]?.kind !== 'rejected') return [];
    const { accountId, idempotencyKey, fingerprint } = must(commands[index], 'a command for every outcome');
    return [{ accountId, idempotencyKey, fingerprint, status: result.status, body: result.body }];
  });
}

/** Without a customer to charge, there is no payment method (A30). */
function withPaymentMethod(account: LoadedAccount, { hasGateway }: BatchOptions): LoadedAccount {
  const isChargeable = hasGateway && account.gatewayCustomer !== null;
  return account.paymentMethod === 'gateway' && !isChargeable ? { ...account, paymentMethod: null } : account;
}

function drawDistinct(count: number, draw: () => string): string[] {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(draw());
  return [...drawn];
}

/**
 * Keeps a stored day or hour that is one ahead: a later batch may have locked the account first. Only
 * a clock that was ahead stores one further ahead.
 */
async function withCurrentSums(
  session: Session,
  accounts: readonly LoadedAccount[],
  nowMicros: number,
): Promise<LoadedAccount[]> {
  const hour = Math.floor(nowMicros / MICROS_PER_HOUR);
  const day = Math.floor(nowMicros / MICROS_PER_DAY);
  const isCurrent = (stored: number, current: number) => stored === current || stored === current + 1;
  const began = accounts.filter(({ spendDay }) => !isCurrent(spendDay, day));
  const daySums = began.length === 0 ? undefined : await loadDaySums(session, began, day);
  return accounts.map((account) => ({
    ...account,
    ...daySums?.get(account.id),
    ...(isCurrent(account.orderHour, hour) ? {} : { orderHour: hour, hourOrders: 0 }),
  }));
}
