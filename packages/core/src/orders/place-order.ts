/** Each order of a batch starts from the stock and balance that the previous one left. */
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
import { computeExpiry, type ReservationEnd, type ReservationState, toEnd } from './reservations.ts';
import { listRisks, type RiskRules } from './risk-rules.ts';

export type PlaceOrder = {
  readonly accountId: string;
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly line: OrderLine;
  readonly traceId: string;
  /** Forces an outcome in the sandbox. */
  readonly decorate?: ((checkout: Checkout) => Checkout) | undefined;
  readonly reserve?: { readonly id: string; readonly ttlSeconds: number };
  /** The reservation to order, which has the same `line`. */
  readonly reservationId?: string;
};

export type Checkout = (view: CheckoutView) => CheckoutOutcome;

export type CheckoutView = {
  readonly orderId: string;
  readonly command: PlaceOrder;
  readonly account: AccountState;
  readonly product: ProductState | undefined;
  /** The named offer, or all offers of the product. */
  readonly offers: readonly OfferState[];
  readonly reservation: ReservationState | undefined;
  readonly allowance: ReservationAllowance | undefined;
  /** The account's active reservations of these offers. */
  readonly ownReservations: readonly OwnReservation[];
  readonly state: Pick<PlacementState, 'nowMicros' | 'riskRules'>;
};

export type AccountState = {
  readonly id: string;
  readonly status: 'active' | 'suspended' | 'closed';
  readonly paymentMethod: PaymentMethod | null;
  readonly discountBasisPoints: number;
  readonly holdOrders: boolean;
  /** The account may not buy this seller's offers. */
  readonly sellerId: string | null;
  readonly orderValueMaxMinor: number | null;
  readonly dailySpendMaxMinor: number | null;
  readonly dailyUnitsMax: number | null;
  balanceMinor: number;
  /** Spent on this UTC day. A bigint, because deposits have no bound. */
  daySpendMinor: bigint;
  dayUnits: number;
  readonly createdAtMicros: number;
  hourOrders: number;
};

export type ProductState = {
  readonly id: string;
  readonly name: string;
  readonly checkoutClass: CheckoutClass;
};

export type ReservationAllowance = {
  readonly unitsMax: number;
  /** Units in the account's active reservations. */
  readonly units: number;
};

/** An active reservation, which can be the reason why an order of its own account lacks units. */
export type OwnReservation = {
  readonly id: string;
  readonly accountId: string;
  readonly offerId: string;
  readonly quantity: number;
  readonly reference: string | null;
};

/** The loaded and locked rows. Times are by the database's clock. */
export type PlacementState = {
  readonly nowMicros: number;
  readonly cooldownMs: number;
  readonly riskRules: RiskRules;
  /** Keyed by `recordKey`; `locked-elsewhere` if another node is processing a duplicate. */
  readonly records: ReadonlyMap<string, IdempotencyRecord | 'locked-elsewhere'>;
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly products: ReadonlyMap<string, ProductState>;
  readonly offers: ReadonlyMap<string, OfferState>;
  readonly reservations: ReadonlyMap<string, ReservationState>;
  readonly allowances: ReadonlyMap<string, ReservationAllowance>;
  /** Loaded only for commands that `mayLackUnits`. */
  readonly ownReservations: readonly OwnReservation[];
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
      readonly ownReservation?: OwnReservation;
    }
  | { readonly code: 'max-price-exceeded'; readonly offerPriceMinor: number; readonly maxPriceMinor: number }
  | { readonly code: 'payment-not-configured' }
  | { readonly code: 'insufficient-funds'; readonly requiredMinor: number; readonly availableMinor: number };

export type PlacedOrder = {
  readonly id: string;
  readonly itemId: string;
  readonly command: PlaceOrder;
  readonly status: PlacedStatus;
  readonly holdReason: string | null;
  readonly offer: OfferState;
  readonly product: ProductState;
  readonly price: LinePrice;
  readonly paymentMethod: PaymentMethod;
  /** The sandbox charges this customer instead of the account's. */
  readonly customer?: string;
  /** Null if only image keys remain (A44). */
  readonly firstUnit: number | null;
  readonly transfers: readonly Transfer[];
};

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
  /** The only outcome that is not stored for the key. */
  | { readonly kind: 'reservation-ended'; readonly end: ReservationEnd };

export type PlaceOrderOutcome = CheckoutOutcome | DuplicateDecision;

export type PlacementDecision = {
  readonly outcomes: readonly PlaceOrderOutcome[];
  readonly accounts: readonly AccountState[];
  readonly offers: readonly OfferState[];
};

const OTHER_NODE_RETRY_AFTER_MS = 1000;

export function recordKey(accountId: string, idempotencyKey: string): string {
  return `${accountId}/${idempotencyKey}`;
}

/** At most 18 digits, which fit a bigint. */
export function orderItemId(orderId: string, itemIndex: number): string {
  assert(itemIndex >= 0 && itemIndex < 99, 'an order has at most 99 items');
  return `${orderId}${String(itemIndex + 1).padStart(2, '0')}`;
}

/** Copies of the state that the batch changes. */
class WorkingSet {
  readonly state: PlacementState;
  readonly #offersByProduct: ReadonlyMap<string, readonly OfferState[]>;
  readonly #accounts = new Map<string, AccountState>();
  readonly #offers = new Map<string, OfferState>();
  /** A duplicate in the batch must wait until the batch is committed (A40). */
  readonly #openRecords = new Map<string, IdempotencyRecord>();
  readonly #changedAccounts = new Set<AccountState>();
  readonly #changedOffers = new Set<OfferState>();
  readonly #reservations: Map<string, ReservationState>;
  readonly #allowances: Map<string, ReservationAllowance>;
  #ownReservations: readonly OwnReservation[];

  constructor(state: PlacementState) {
    this.state = state;
    for (const account of state.accounts.values()) this.#accounts.set(account.id, { ...account });
    for (const offer of state.offers.values()) this.#offers.set(offer.id, { ...offer });
    this.#offersByProduct = Map.groupBy(this.#offers.values(), (offer) => offer.productId);
    this.#reservations = new Map(state.reservations);
    this.#allowances = new Map(state.allowances);
    this.#ownReservations = state.ownReservations;
  }

  account(id: string): AccountState {
    return must(this.#accounts.get(id), 'the account of a command is loaded');
  }

  view(command: PlaceOrder, orderId: string): CheckoutView {
    const { line, accountId, reservationId } = command;
    const named = line.kind === 'manual' ? this.#offers.get(line.offerId) : undefined;
    const productId = line.kind === 'auto' ? line.productId : (named?.productId ?? '');
    const offers =
      line.kind === 'auto' ? this.#offersByProduct.get(productId) : named === undefined ? [] : [named];
    return {
      orderId,
      command,
      account: this.account(accountId),
      product: this.state.products.get(productId),
      offers: offers ?? [],
      reservation: reservationId === undefined ? undefined : this.#reservations.get(reservationId),
      allowance: command.reserve && this.#allowances.get(accountId),
      ownReservations: this.#ownReservations.filter(
        (own) => own.accountId === accountId && offers?.some(({ id }) => id === own.offerId),
      ),
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
    for (const transfer of order.transfers)
      account.balanceMinor = transfer.prepaidBalanceAfterMinor ?? account.balanceMinor;
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

  reserve({ id, offer, command: { accountId, line } }: ReservedLine): void {
    const { quantity, reference = null } = line;
    this.#takeUnits(offer, quantity);
    const own = { id, accountId, offerId: offer.id, quantity, reference };
    this.#ownReservations = [...this.#ownReservations, own];
    const { unitsMax, units } = must(this.#allowances.get(accountId), 'the allowance of an account');
    this.#allowances.set(accountId, { unitsMax, units: units + quantity });
  }

  #order(reservationId: string, orderId: string): void {
    const reservation = must(this.#reservations.get(reservationId), 'an ordered reservation is loaded');
    this.#reservations.set(reservationId, { ...reservation, status: 'ordered', orderId });
    this.#ownReservations = this.#ownReservations.filter(({ id }) => id !== reservationId);
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
  { fingerprint }: PlaceOrder,
  record: IdempotencyRecord | 'locked-elsewhere' | undefined,
  { nowMicros, cooldownMs }: PlacementState,
): DuplicateDecision | undefined {
  if (record === undefined) return undefined;
  if (record === 'locked-elsewhere') return { kind: 'processing', retryAfterMs: OTHER_NODE_RETRY_AFTER_MS };
  return decideDuplicate(record, { fingerprint, nowMicros, cooldownMs });
}

/** Checks in the order of A30. Only offers on sale are priced, so no limit reveals a hidden price (A67). */
function decideCheckout(view: CheckoutView): CheckoutOutcome {
  const { command, account, product, reservation } = view;
  if (command.reservationId !== undefined)
    return decideReserved(view, must(reservation, 'the reservation of a command is loaded'));
  const { quantity, maxPriceMinor } = command.line;
  const { discountBasisPoints } = account;
  const offer = findOffer(view);
  const price = offer && priceLine({ unitPriceMinor: offer.priceMinor, quantity, discountBasisPoints });

  const cart = rejectCart(view, price);
  if (cart !== undefined) return reject({ code: 'cart-validation-error', ...cart });
  if (product !== undefined && product.checkoutClass !== 'standard')
    return reject({ code: 'product-excluded', productId: product.id, checkoutClass: product.checkoutClass });
  if (offer === undefined || price === undefined || product === undefined)
    return reject(offerNotAvailable(view));
  const { priceMinor: offerPriceMinor } = offer;
  if (offerPriceMinor > maxPriceMinor)
    return reject({ code: 'max-price-exceeded', offerPriceMinor, maxPriceMinor });
  const firstUnit = isDeliverable(offer, quantity) ? offer.nextUnit : null;
  if (command.reserve === undefined) return pay(view, { offer, product, price, firstUnit });
  // Image units have no numbers to reserve, and are not delivered here (A600).
  if (firstUnit === null) return reject(offerNotAvailable(view));
  const { id, ttlSeconds } = command.reserve;
  const expiresAtMicros = computeExpiry(view.state.nowMicros, ttlSeconds);
  return { kind: 'reserved', reservation: { id, command, offer, price, firstUnit, expiresAtMicros } };
}

/** Works for paused offers and excluded products too, since units and price are reserved (A601). */
function decideReserved(view: CheckoutView, reservation: ReservationState): CheckoutOutcome {
  const { unitPriceMinor, price, firstUnit } = reservation;
  const end = toEnd(reservation, view.state.nowMicros);
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

function pay(
  { command, account, orderId: id, state }: CheckoutView,
  bought: Pick<PlacedOrder, 'offer' | 'product' | 'price' | 'firstUnit'>,
): CheckoutOutcome {
  const { price, firstUnit } = bought;
  const { paymentMethod, balanceMinor: availableMinor } = account;
  if (paymentMethod === null) return reject({ code: 'payment-not-configured' });
  const { totalPriceMinor: requiredMinor } = price;
  if (paymentMethod === 'balance' && availableMinor < requiredMinor)
    return reject({ code: 'insufficient-funds', requiredMinor, availableMinor });
  const holdReason = findHoldReason(account, price, state);
  const paid = payAndFulfil(account, paymentMethod, { firstUnit, price, holdReason });
  return {
    kind: 'placed',
    order: { id, itemId: orderItemId(id, 0), command, ...bought, holdReason, paymentMethod, ...paid },
  };
}

export const UNDER_REVIEW = 'the account is under review';

function findHoldReason(
  account: AccountState,
  price: LinePrice,
  state: CheckoutView['state'],
): string | null {
  const risks = listRisks(state.riskRules, {
    totalPriceMinor: price.totalPriceMinor,
    accountAgeMicros: state.nowMicros - account.createdAtMicros,
    hourOrders: account.hourOrders + 1,
  });
  const reasons = risks.map((risk) => `risk rule: ${risk}`);
  if (account.holdOrders) reasons.unshift(UNDER_REVIEW);
  return reasons.length === 0 ? null : reasons.join('; ');
}

function reject(rejection: PlaceOrderRejection): CheckoutOutcome {
  return { kind: 'rejected', rejection };
}

function findOffer({ command: { line }, account, offers }: CheckoutView): OfferState | undefined {
  if (line.kind === 'manual')
    return offers.find((named) => named.isActive && availableQuantity(named) >= line.quantity);
  return selectOffer(offers, {
    quantity: line.quantity,
    maxPriceMinor: line.maxPriceMinor,
    ownSellerId: account.sellerId,
  });
}

/** A33. A reservation counts against daily limits only when it is ordered. */
function rejectCart(view: CheckoutView, price: LinePrice | undefined): CartReason | undefined {
  const { command, account, offers, allowance } = view;
  const { kind, quantity } = command.line;
  if (account.status !== 'active') return { reason: 'account-not-active', accountStatus: account.status };
  const isOwn = kind === 'manual' && offers.some(({ sellerId }) => sellerId === account.sellerId);
  if (isOwn) return { reason: 'own-offer' };
  const isOrder = command.reserve === undefined;
  if (isOrder && account.dailyUnitsMax !== null && account.dayUnits + quantity > account.dailyUnitsMax)
    return { reason: 'daily-units-max', limit: account.dailyUnitsMax, used: account.dayUnits, quantity };
  if (allowance !== undefined && allowance.units + quantity > allowance.unitsMax)
    return { reason: 'reserved-units-max', limit: allowance.unitsMax, used: allowance.units, quantity };
  if (price === undefined) return undefined;
  const valueMinor = price.totalPriceMinor;
  if (account.orderValueMaxMinor !== null && valueMinor > account.orderValueMaxMinor)
    return { reason: 'order-value-max', limitMinor: account.orderValueMaxMinor, valueMinor };
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

function offerNotAvailable(view: CheckoutView): PlaceOrderRejection {
  const { line } = view.command;
  const { account, offers } = view;
  const ownReservation = findOwnReservation(view);
  return {
    code: 'offer-not-available',
    kind: line.kind,
    quantity: line.quantity,
    maxPriceMinor: line.maxPriceMinor,
    ...summarizeOffers(offers, account.sellerId),
    ...(ownReservation === undefined ? {} : { ownReservation }),
  };
}

/** The one with the request's reference, then with its quantity, then with the least that suffices, then the largest. */
function findOwnReservation({
  command: { line },
  ownReservations,
}: CheckoutView): OwnReservation | undefined {
  const { quantity, reference } = line;
  const rank = (own: OwnReservation) => [
    own.reference !== null && own.reference === reference ? 0 : 1,
    own.quantity >= quantity ? own.quantity - quantity : MISSING_UNITS_RANK - own.quantity,
  ];
  const [best] = ownReservations.toSorted((one, other) => {
    const [oneReference = 0, oneQuantity = 0] = rank(one);
    const [otherReference = 0, otherQuantity = 0] = rank(other);
    return oneReference - otherReference || oneQuantity - otherQuantity;
  });
  return best;
}

/** This is larger than every difference of quantities. */
const MISSING_UNITS_RANK = 1_000;

/** Whether the command can lack units when the whole batch is decided, so that its reservations must be known. */
export function mayLackUnits(
  { line, reservationId }: PlaceOrder,
  offers: readonly OfferState[],
  unitsOfBatch: number,
): boolean {
  if (reservationId !== undefined) return false;
  return !offers.some(
    (offer) => offer.isActive && offer.priceMinor <= line.maxPriceMinor && isDeliverable(offer, unitsOfBatch),
  );
}

function payAndFulfil(
  account: AccountState,
  paymentMethod: PaymentMethod,
  { firstUnit, price, holdReason }: Pick<PlacedOrder, 'firstUnit' | 'price' | 'holdReason'>,
): Pick<PlacedOrder, 'status' | 'transfers'> {
  // Providers do not charge zero amounts, so such an order is paid immediately.
  if (paymentMethod === 'gateway' && price.totalPriceMinor > 0)
    return { status: 'pending_payment', transfers: [] };
  const { totalPriceMinor } = price;
  const charge =
    totalPriceMinor === 0 ? [] : [chargeTransfer(paymentMethod, totalPriceMinor, account.balanceMinor)];
  if (firstUnit === null) {
    const refunds = charge.map(({ amountMinor, prepaidBalanceAfterMinor }) =>
      refundTransfer(paymentMethod, amountMinor, must(prepaidBalanceAfterMinor, 'a balance charge')),
    );
    return { status: 'closed', transfers: [...charge, ...refunds] };
  }
  return { status: holdReason === null ? 'complete' : 'held', transfers: charge };
}
