/**
 * Decides a batch of order placements over loaded, locked state. Pure and synchronous: no clock, no I/O, no exception
 * for a rejection. The second order of a batch sees the stock and the balance after the first one.
 */
import { assert, must } from '../assert.ts';
import {
  type DuplicateDecision,
  decideDuplicate,
  type IdempotencyRecord,
  type OrderLine,
} from '../idempotency.ts';
import { chargeTransfer, type PaymentMethod, refundTransfer, type Transfer } from '../ledger.ts';
import type { CheckoutClass } from './checkout-class.ts';
import {
  availableQuantity,
  isDeliverable,
  type OfferState,
  selectOffer,
  summarizeOffers,
} from './offer-selection.ts';
import type { PlacedStatus } from './placed-order.ts';
import { type LinePrice, priceLine } from './pricing.ts';
import { endOf, expiryOf, type ReservationEnd, type ReservationState } from './reservations.ts';
import { listRisks, type RiskRules } from './risk-rules.ts';

export type PlaceOrder = {
  readonly accountId: string;
  /** Lower-case UUID. */
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly line: OrderLine;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Forces an outcome. Only sandbox mode sets it. */
  readonly decorate?: ((checkout: Checkout) => Checkout) | undefined;
  /** Sets the line aside instead of ordering it. */
  readonly reserve?: { readonly id: string; readonly ttlSeconds: number };
  /** Orders what is set aside; the line is that of the reservation. */
  readonly reservationId?: string;
};

/** Decides a single order that is no duplicate. */
export type Checkout = (view: CheckoutView) => CheckoutOutcome;

/** The facts of an order. */
export type CheckoutView = {
  readonly orderId: string;
  readonly command: PlaceOrder;
  readonly account: AccountState;
  /** Undefined: unknown. */
  readonly product: ProductState | undefined;
  /** The named offer, or all offers of the product. */
  readonly offers: readonly OfferState[];
  /** The reservation to order. */
  readonly reservation: ReservationState | undefined;
  /** Undefined if the command reserves nothing. */
  readonly allowance: ReservationAllowance | undefined;
  readonly state: Pick<PlacementState, 'nowMicros' | 'clockAheadMicros' | 'riskRules'>;
};

export type AccountState = {
  readonly id: string;
  readonly status: 'active' | 'suspended' | 'closed';
  readonly paymentMethod: PaymentMethod | null;
  readonly discountBasisPoints: number;
  readonly holdOrders: boolean;
  /** An account of a seller may not buy its own offers. */
  readonly sellerId: string | null;
  readonly orderValueMaxMinor: number | null;
  readonly dailySpendMaxMinor: number | null;
  readonly dailyUnitsMax: number | null;
  balanceMinor: number;
  /** The value of today's orders (UTC). A bigint: balances can be topped up, so it has no bound. */
  daySpendMinor: bigint;
  dayUnits: number;
  /** Microseconds since the epoch. */
  readonly createdAtMicros: number;
  /** Orders placed so far in this hour. */
  hourOrders: number;
};

export type ProductState = {
  readonly id: string;
  readonly name: string;
  readonly checkoutClass: CheckoutClass;
};

export type ReservationAllowance = {
  readonly unitsMax: number;
  /** Units of its active reservations. */
  readonly units: number;
};

/** Everything that the batch needs, loaded and locked before the first decision. */
export type PlacementState = {
  /** The database's clock, microseconds since the epoch. */
  readonly nowMicros: number;
  /** How far that clock has stepped ahead of elapsed time, microseconds (A221). */
  readonly clockAheadMicros: number;
  readonly cooldownMs: number;
  readonly riskRules: RiskRules;
  /** By `recordKey`; `locked-elsewhere`: another node is processing a duplicate of the request. */
  readonly records: ReadonlyMap<string, IdempotencyRecord | 'locked-elsewhere'>;
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly products: ReadonlyMap<string, ProductState>;
  readonly offers: ReadonlyMap<string, OfferState>;
  /** Those to order, by id. */
  readonly reservations: ReadonlyMap<string, ReservationState>;
  /** By account; of those that reserve. */
  readonly allowances: ReadonlyMap<string, ReservationAllowance>;
  /** One new order id per command, in the same order. */
  readonly orderIds: readonly string[];
};

export type CartReason =
  | { readonly reason: 'account-not-active'; readonly accountStatus: 'suspended' | 'closed' }
  | { readonly reason: 'own-offer' }
  | { readonly reason: 'order-value-max'; readonly limitMinor: number; readonly valueMinor: number }
  | {
      readonly reason: 'daily-spend-max';
      readonly limitMinor: number;
      readonly usedMinor: bigint;
      readonly valueMinor: number;
    }
  | {
      readonly reason: 'daily-units-max' | 'reserved-units-max';
      readonly limit: number;
      readonly used: number;
      readonly quantity: number;
    };

/** Why checkout rejected an order, with its facts. Amounts in EUR cents. */
export type PlaceOrderRejection =
  | ({ readonly code: 'cart-validation-error' } & CartReason)
  | { readonly code: 'product-excluded'; readonly productId: string; readonly checkoutClass: CheckoutClass }
  | {
      readonly code: 'offer-not-available';
      readonly kind: 'auto' | 'manual';
      readonly quantity: number;
      readonly maxPriceMinor: number;
      readonly availableQuantity: number;
      readonly minPriceMinor: number | undefined;
    }
  | { readonly code: 'max-price-exceeded'; readonly offerPriceMinor: number; readonly maxPriceMinor: number }
  | { readonly code: 'payment-not-configured' }
  | { readonly code: 'insufficient-funds'; readonly requiredMinor: number; readonly availableMinor: number };

export type PlacedOrder = {
  readonly id: string;
  readonly itemId: string;
  readonly command: PlaceOrder;
  readonly status: PlacedStatus;
  /** Why it is held after payment; null: it is not held. */
  readonly holdReason: string | null;
  readonly offer: OfferState;
  readonly product: ProductState;
  readonly price: LinePrice;
  readonly paymentMethod: PaymentMethod;
  /** The provider's customer to charge instead of the account's. Only sandbox mode sets it. */
  readonly customer?: string;
  /** The number of its first unit; null if only image keys are left: it takes no unit (A44). */
  readonly firstUnit: number | null;
  readonly transfers: readonly Transfer[];
};

/** A new reservation. */
export type ReservedLine = {
  readonly id: string;
  readonly command: PlaceOrder;
  readonly offer: OfferState;
  readonly price: LinePrice;
  readonly firstUnit: number;
  readonly expiresAtMicros: number;
};

type CheckoutOutcome =
  | { readonly kind: 'placed'; readonly order: PlacedOrder }
  | { readonly kind: 'reserved'; readonly reservation: ReservedLine }
  | { readonly kind: 'rejected'; readonly rejection: PlaceOrderRejection }
  /** Rejected too, but not stored for its key: 409. */
  | { readonly kind: 'reservation-ended'; readonly end: ReservationEnd };

export type PlaceOrderOutcome = CheckoutOutcome | DuplicateDecision;

export type PlacementDecision = {
  /** One per command, in the same order. */
  readonly outcomes: readonly PlaceOrderOutcome[];
  /** The final state of the changed accounts and offers. */
  readonly accounts: readonly AccountState[];
  readonly offers: readonly OfferState[];
};

/** The wait before a retry while another node is processing the duplicate. */
const OTHER_NODE_RETRY_AFTER_MS = 1000;

export function recordKey(accountId: string, idempotencyKey: string): string {
  return `${accountId}/${idempotencyKey}`;
}

/** The id of an order's item: its order's id and two digits (at most 18 digits, within a bigint). */
export function orderItemId(orderId: string, itemIndex: number): string {
  assert(itemIndex >= 0 && itemIndex < 99, 'an order has at most 99 items');
  return `${orderId}${String(itemIndex + 1).padStart(2, '0')}`;
}

/** The batch's copies of what it changes, so that the loaded state stays unchanged. */
class WorkingSet {
  readonly state: PlacementState;
  readonly #offersByProduct: ReadonlyMap<string, readonly OfferState[]>;
  readonly #accounts = new Map<string, AccountState>();
  readonly #offers = new Map<string, OfferState>();
  /** Requests of this batch: unfinished until it is committed, so a duplicate in the batch must wait (A40). */
  readonly #openRecords = new Map<string, IdempotencyRecord>();
  readonly #changedAccounts = new Set<AccountState>();
  readonly #changedOffers = new Set<OfferState>();
  readonly #reservations: Map<string, ReservationState>;
  readonly #allowances: Map<string, ReservationAllowance>;

  constructor(state: PlacementState) {
    this.state = state;
    for (const account of state.accounts.values()) this.#accounts.set(account.id, { ...account });
    for (const offer of state.offers.values()) this.#offers.set(offer.id, { ...offer });
    this.#offersByProduct = Map.groupBy(this.#offers.values(), (offer) => offer.productId);
    this.#reservations = new Map(state.reservations);
    this.#allowances = new Map(state.allowances);
  }

  account(id: string): AccountState {
    return must(this.#accounts.get(id), 'the account of a command is loaded');
  }

  view(command: PlaceOrder, orderId: string): CheckoutView {
    const { line, accountId } = command;
    const named = line.kind === 'manual' ? this.#offers.get(line.offerId) : undefined;
    const productId = line.kind === 'auto' ? line.productId : (named?.productId ?? '');
    const offers =
      line.kind === 'auto' ? this.#offersByProduct.get(productId) : named === undefined ? [] : [named];
    const product = this.state.products.get(productId);
    return {
      orderId,
      command,
      account: this.account(accountId),
      product,
      offers: offers ?? [],
      reservation:
        command.reservationId === undefined ? undefined : this.#reservations.get(command.reservationId),
      allowance: command.reserve && this.#allowances.get(accountId),
      state: this.state,
    };
  }

  record(key: string): IdempotencyRecord | 'locked-elsewhere' | undefined {
    return this.state.records.get(key) ?? this.#openRecords.get(key);
  }

  openRecord(key: string, fingerprint: string): void {
    this.#openRecords.set(key, { fingerprint, status: null, body: null, finishedAtMicros: null });
  }

  apply(order: PlacedOrder, account: AccountState): void {
    for (const transfer of order.transfers) {
      account.balanceMinor = transfer.prepaidBalanceAfterMinor ?? account.balanceMinor;
    }
    const { quantity } = order.command.line;
    if (order.status !== 'closed') {
      account.daySpendMinor += BigInt(order.price.totalPriceMinor);
      account.dayUnits += quantity;
    }
    account.hourOrders += 1;
    this.#changedAccounts.add(account);
    const { reservationId } = order.command;
    if (reservationId !== undefined) this.#order(reservationId, order.id);
    else if (order.firstUnit !== null) this.#takeUnits(order.offer, quantity);
  }

  reserve({ offer, command: { accountId, line } }: ReservedLine): void {
    this.#takeUnits(offer, line.quantity);
    const { unitsMax, units } = must(this.#allowances.get(accountId), 'the allowance of who reserves');
    this.#allowances.set(accountId, { unitsMax, units: units + line.quantity });
  }

  #order(reservationId: string, orderId: string): void {
    const reservation = must(this.#reservations.get(reservationId), 'an ordered reservation is loaded');
    this.#reservations.set(reservationId, { ...reservation, status: 'ordered', orderId });
  }

  #takeUnits(offer: OfferState, quantity: number): void {
    offer.nextUnit += quantity;
    offer.availableText -= quantity;
    assert(offer.availableText >= 0, 'an order never takes more units than the offer has');
    this.#changedOffers.add(offer);
  }

  changes(): { accounts: AccountState[]; offers: OfferState[] } {
    return { accounts: [...this.#changedAccounts], offers: [...this.#changedOffers] };
  }
}

export function decidePlaceOrders(commands: readonly PlaceOrder[], state: PlacementState): PlacementDecision {
  assert(state.orderIds.length >= commands.length, 'there is an order id for every command');
  const work = new WorkingSet(state);
  const outcomes = commands.map((command, index) => {
    const key = recordKey(command.accountId, command.idempotencyKey);
    const repeat = decideAgainstRecord(command, work.record(key), state);
    if (repeat !== undefined) return repeat;
    work.openRecord(key, command.fingerprint);
    const checkout = command.decorate?.(decideCheckout) ?? decideCheckout;
    const outcome = checkout(work.view(command, must(state.orderIds[index], 'an order id')));
    if (outcome.kind === 'placed') work.apply(outcome.order, work.account(command.accountId));
    else if (outcome.kind === 'reserved') work.reserve(outcome.reservation);
    return outcome;
  });
  return { outcomes, ...work.changes() };
}

function decideAgainstRecord(
  command: PlaceOrder,
  record: IdempotencyRecord | 'locked-elsewhere' | undefined,
  state: PlacementState,
): DuplicateDecision | undefined {
  if (record === undefined) return undefined;
  if (record === 'locked-elsewhere') return { kind: 'processing', retryAfterMs: OTHER_NODE_RETRY_AFTER_MS };
  return decideDuplicate(record, {
    fingerprint: command.fingerprint,
    nowMicros: state.nowMicros,
    cooldownMs: state.cooldownMs,
  });
}

/** Checks in the order of A30, one per line. Only an offer on sale has a price: no limit reveals a hidden one (A67). */
function decideCheckout(view: CheckoutView): CheckoutOutcome {
  const { command, account, product, reservation } = view;
  if (command.reservationId !== undefined)
    return decideReserved(view, must(reservation, 'the reservation of a command is loaded'));
  const { line } = command;
  const offer = findOffer(view);
  const price =
    offer === undefined
      ? undefined
      : priceLine({
          unitPriceMinor: offer.priceMinor,
          quantity: line.quantity,
          discountBasisPoints: account.discountBasisPoints,
        });

  const cart = rejectCart(view, price);
  if (cart !== undefined) return reject({ code: 'cart-validation-error', ...cart });
  if (product !== undefined && product.checkoutClass !== 'standard') {
    return reject({ code: 'product-excluded', productId: product.id, checkoutClass: product.checkoutClass });
  }
  if (offer === undefined || price === undefined || product === undefined) {
    return reject(offerNotAvailable(view));
  }
  if (offer.priceMinor > line.maxPriceMinor) {
    return reject({
      code: 'max-price-exceeded',
      offerPriceMinor: offer.priceMinor,
      maxPriceMinor: line.maxPriceMinor,
    });
  }
  const isDelivered = isDeliverable(offer, line.quantity);
  if (command.reserve !== undefined) {
    // Images have no numbers that could be set aside, and are not delivered here (A607).
    if (!isDelivered) return reject(offerNotAvailable(view));
    return { kind: 'reserved', reservation: reserveLine(command, command.reserve, { offer, price, view }) };
  }
  return pay(view, { offer, product, price, firstUnit: isDelivered ? offer.nextUnit : null });
}

/** The offer may be paused by now or the product excluded: its units and its price are set aside (A601). */
function decideReserved(view: CheckoutView, reservation: ReservationState): CheckoutOutcome {
  const { unitPriceMinor, price, firstUnit } = reservation;
  const end = endOf(reservation, view.state.nowMicros);
  if (end !== undefined) return { kind: 'reservation-ended', end };
  const cart = rejectCart(view, price);
  if (cart !== undefined) return reject({ code: 'cart-validation-error', ...cart });
  const [offer] = view.offers;
  return pay(view, {
    offer: { ...must(offer, 'offers are never deleted'), priceMinor: unitPriceMinor },
    product: must(view.product, 'products are never deleted'),
    price,
    firstUnit,
  });
}

function reserveLine(
  command: PlaceOrder,
  { id, ttlSeconds }: NonNullable<PlaceOrder['reserve']>,
  { offer, price, view }: Pick<ReservedLine, 'offer' | 'price'> & { readonly view: CheckoutView },
): ReservedLine {
  const expiresAtMicros = expiryOf(view.state.nowMicros, ttlSeconds);
  return { id, command, offer, price, firstUnit: offer.nextUnit, expiresAtMicros };
}

function pay(
  { command, account, orderId: id, state }: CheckoutView,
  bought: Pick<PlacedOrder, 'offer' | 'product' | 'price' | 'firstUnit'>,
): CheckoutOutcome {
  const { price, firstUnit } = bought;
  const { paymentMethod } = account;
  if (paymentMethod === null) return reject({ code: 'payment-not-configured' });
  if (paymentMethod === 'balance' && account.balanceMinor < price.totalPriceMinor) {
    return reject({
      code: 'insufficient-funds',
      requiredMinor: price.totalPriceMinor,
      availableMinor: account.balanceMinor,
    });
  }
  const holdReason = findHoldReason(account, price, state);
  return {
    kind: 'placed',
    order: {
      id,
      itemId: orderItemId(id, 0),
      command,
      ...bought,
      holdReason,
      ...payAndFulfil(account, paymentMethod, { firstUnit, price, holdReason }),
    },
  };
}

/** The hold reason for accounts whose orders an operator reviews. */
export const UNDER_REVIEW = 'the account is under review';

function findHoldReason(
  account: AccountState,
  price: LinePrice,
  state: CheckoutView['state'],
): string | null {
  const risks = listRisks(state.riskRules, {
    totalPriceMinor: price.totalPriceMinor,
    accountAgeMicros: state.nowMicros - state.clockAheadMicros - account.createdAtMicros,
    hourOrders: account.hourOrders + 1,
  });
  const reasons = [
    ...(account.holdOrders ? [UNDER_REVIEW] : []),
    ...risks.map((risk) => `risk rule: ${risk}`),
  ];
  return reasons.length === 0 ? null : reasons.join('; ');
}

function reject(rejection: PlaceOrderRejection): CheckoutOutcome {
  return { kind: 'rejected', rejection };
}

function findOffer({ command: { line }, account, offers }: CheckoutView): OfferState | undefined {
  if (line.kind === 'manual') return offers.find((named) => isOnSale(named, line.quantity));
  return selectOffer(offers, {
    quantity: line.quantity,
    maxPriceMinor: line.maxPriceMinor,
    ownSellerId: account.sellerId,
  });
}

function isOnSale(offer: OfferState, quantity: number): boolean {
  return offer.isActive && availableQuantity(offer) >= quantity;
}

/**
 * The account's own rules (A33): its status, its own offers, its limits. A reservation counts against the units that it may
 * reserve, and not before it is ordered against the limits of the day.
 */
function rejectCart(view: CheckoutView, price: LinePrice | undefined): CartReason | undefined {
  const { command, account, offers, allowance } = view;
  const { kind, quantity } = command.line;
  if (account.status !== 'active') return { reason: 'account-not-active', accountStatus: account.status };
  const isOwn = kind === 'manual' && offers.some(({ sellerId }) => sellerId === account.sellerId);
  if (isOwn) return { reason: 'own-offer' };
  const isOrder = command.reserve === undefined;
  if (isOrder && account.dailyUnitsMax !== null && account.dayUnits + quantity > account.dailyUnitsMax) {
    return { reason: 'daily-units-max', limit: account.dailyUnitsMax, used: account.dayUnits, quantity };
  }
  if (allowance !== undefined && allowance.units + quantity > allowance.unitsMax) {
    return { reason: 'reserved-units-max', limit: allowance.unitsMax, used: allowance.units, quantity };
  }
  if (price === undefined) return undefined;
  const valueMinor = price.totalPriceMinor;
  if (account.orderValueMaxMinor !== null && valueMinor > account.orderValueMaxMinor) {
    return { reason: 'order-value-max', limitMinor: account.orderValueMaxMinor, valueMinor };
  }
  if (
    isOrder &&
    account.dailySpendMaxMinor !== null &&
    account.daySpendMinor + BigInt(valueMinor) > account.dailySpendMaxMinor
  ) {
    const { dailySpendMaxMinor: limitMinor, daySpendMinor: usedMinor } = account;
    return { reason: 'daily-spend-max', limitMinor, usedMinor, valueMinor };
  }
  return undefined;
}

function offerNotAvailable({ command: { line }, account, offers }: CheckoutView): PlaceOrderRejection {
  return {
    code: 'offer-not-available',
    kind: line.kind,
    quantity: line.quantity,
    maxPriceMinor: line.maxPriceMinor,
    ...summarizeOffers(offers, account.sellerId),
  };
}

/** The status and the transfers of the order when it is placed. */
function payAndFulfil(
  account: AccountState,
  paymentMethod: PaymentMethod,
  { firstUnit, price, holdReason }: Pick<PlacedOrder, 'firstUnit' | 'price' | 'holdReason'>,
): Pick<PlacedOrder, 'status' | 'paymentMethod' | 'firstUnit' | 'transfers'> {
  // The provider charges no zero amounts: such an order is paid immediately.
  if (paymentMethod === 'gateway' && price.totalPriceMinor > 0) {
    return { status: 'pending_payment', paymentMethod, firstUnit, transfers: [] };
  }
  const charge =
    price.totalPriceMinor === 0
      ? []
      : [chargeTransfer(paymentMethod, price.totalPriceMinor, account.balanceMinor)];
  if (firstUnit === null) {
    const refunds = charge.map((transfer) =>
      refundTransfer(
        paymentMethod,
        transfer.amountMinor,
        must(transfer.prepaidBalanceAfterMinor, 'a balance charge'),
      ),
    );
    return { status: 'closed', paymentMethod, firstUnit, transfers: [...charge, ...refunds] };
  }
  const status = holdReason === null ? 'complete' : 'held';
  return { status, paymentMethod, firstUnit, transfers: charge };
}
