/**
 * Decides a batch of order placements over loaded, locked state. Pure and synchronous: no clock, no I/O, no exception
 * for a rejection. The second order of a batch sees the stock and the balance that the first one left.
 * R9; order of checks: A30.
 */
import { assert, must } from './assert.ts';
import type { CheckoutClass } from './checkout-class.ts';
import {
  type DuplicateDecision,
  decideDuplicate,
  type IdempotencyRecord,
  type OrderLine,
} from './idempotency.ts';
import { chargeTransfer, type PaymentMethod, refundTransfer, type Transfer } from './ledger.ts';
import {
  availableQuantity,
  isDeliverable,
  type OfferState,
  selectOffer,
  summarizeOffers,
} from './offer-selection.ts';
import type { PlacedStatus } from './placed-order.ts';
import { type LinePrice, priceLine } from './pricing.ts';
import { listRisks, type RiskRules } from './risk-rules.ts';

export type PlaceOrder = {
  /** UUID of the account that orders. */
  readonly accountId: string;
  /** Lower-case UUID (A37). */
  readonly idempotencyKey: string;
  readonly fingerprint: string;
  readonly line: OrderLine;
  /** Of the request: 32 hexadecimal digits. */
  readonly traceId: string;
  /** In the sandbox: what its sender wants to see happen. */
  readonly rehearsal?: Rehearsal | undefined;
};

/** Takes the place of what checkout would find. Nothing but sandbox mode makes one. */
export type Rehearsal = {
  readonly reject?: (seen: CheckoutView) => PlaceOrderRejection;
  /** It is paid and then held, for this reason. */
  readonly holdReason?: string;
  /** Only image keys are left (A44). */
  readonly hasImagesOnly?: true;
  /** The provider is asked for it as for this customer, however the account pays. */
  readonly customer?: string;
};

/** What checkout knows of an order. */
export type CheckoutView = {
  readonly line: OrderLine;
  readonly account: AccountState;
  /** Undefined: unknown. */
  readonly product: ProductState | undefined;
  /** The one that is named, or all of the product. */
  readonly offers: readonly OfferState[];
};

export type AccountState = {
  readonly id: string;
  readonly status: 'active' | 'suspended' | 'closed';
  readonly paymentMethod: PaymentMethod | null;
  readonly discountBasisPoints: number;
  readonly holdOrders: boolean;
  /** The seller that this account is, if it is one: it may not buy its own offers (A33). */
  readonly sellerId: string | null;
  readonly orderValueMaxMinor: number | null;
  readonly dailySpendMaxMinor: number | null;
  readonly dailyUnitsMax: number | null;
  balanceMinor: number;
  /** The value of the orders so far on the UTC day of the batch; a balance can be filled again, so it has no bound (A502). */
  daySpendMinor: bigint;
  dayUnits: number;
  /** Microseconds since the epoch. */
  readonly createdAtMicros: number;
  /** Orders placed so far in the hour of the batch. */
  hourOrders: number;
};

export type ProductState = {
  readonly id: string;
  readonly name: string;
  readonly checkoutClass: CheckoutClass;
};

/** Everything that the batch may need, loaded and locked before the first decision. */
export type PlacementState = {
  /** The database's clock, microseconds since the epoch. */
  readonly nowMicros: number;
  /** How far that clock has stepped ahead of the time that has passed, microseconds (A221). */
  readonly clockAheadMicros: number;
  readonly cooldownMs: number;
  readonly riskRules: RiskRules;
  /** By `recordKey`; `locked-elsewhere`: a concurrent duplicate of the request is in flight on another node. */
  readonly records: ReadonlyMap<string, IdempotencyRecord | 'locked-elsewhere'>;
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly products: ReadonlyMap<string, ProductState>;
  readonly offers: ReadonlyMap<string, OfferState>;
  /** One fresh order id per command, in the order of the commands. */
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
      readonly reason: 'daily-units-max';
      readonly limit: number;
      readonly used: number;
      readonly quantity: number;
    };

/** Why checkout says no, with its facts. Amounts in EUR cents. */
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
  /** Why it is held once it is paid; null: it is not. */
  readonly holdReason: string | null;
  readonly offer: OfferState;
  readonly product: ProductState;
  readonly price: LinePrice;
  readonly paymentMethod: PaymentMethod;
  /** The number of its first unit; null when only image keys are left (A44), of which it takes none. */
  readonly firstUnit: number | null;
  readonly transfers: readonly Transfer[];
};

export type PlaceOrderOutcome =
  | { readonly kind: 'placed'; readonly order: PlacedOrder }
  | { readonly kind: 'rejected'; readonly rejection: PlaceOrderRejection }
  | DuplicateDecision;

export type PlacementDecision = {
  /** One per command, in the order of the commands. */
  readonly outcomes: readonly PlaceOrderOutcome[];
  /** Accounts and offers as the batch leaves them, only those it changed. */
  readonly accounts: readonly AccountState[];
  readonly offers: readonly OfferState[];
};

/** The wait for a retry while its duplicate is in flight on another node: a second (A40). */
const OTHER_NODE_RETRY_AFTER_MS = 1000;

export function recordKey(accountId: string, idempotencyKey: string): string {
  return `${accountId}/${idempotencyKey}`;
}

/** The id of an order's item: its order's id and two digits (at most 18, within a bigint). */
export function orderItemId(orderId: string, itemIndex: number): string {
  assert(itemIndex >= 0 && itemIndex < 99, 'an order has at most 99 items');
  return `${orderId}${String(itemIndex + 1).padStart(2, '0')}`;
}

/** The batch's own copies of what it changes, so that loaded state stays as it was read. */
class WorkingSet {
  readonly state: PlacementState;
  readonly #offersByProduct: ReadonlyMap<string, readonly OfferState[]>;
  readonly #accounts = new Map<string, AccountState>();
  readonly #offers = new Map<string, OfferState>();
  /** Records of this batch's own requests: open until it is committed, so a concurrent duplicate in it must wait (A40). */
  readonly #openRecords = new Map<string, IdempotencyRecord>();
  readonly #changedAccounts = new Set<AccountState>();
  readonly #changedOffers = new Set<OfferState>();

  constructor(state: PlacementState) {
    this.state = state;
    for (const account of state.accounts.values()) this.#accounts.set(account.id, { ...account });
    for (const offer of state.offers.values()) this.#offers.set(offer.id, { ...offer });
    this.#offersByProduct = Map.groupBy(this.#offers.values(), (offer) => offer.productId);
  }

  account(id: string): AccountState {
    return must(this.#accounts.get(id), 'the account of a command is loaded');
  }

  offer(id: string): OfferState | undefined {
    return this.#offers.get(id);
  }

  offersOf(productId: string): readonly OfferState[] {
    return this.#offersByProduct.get(productId) ?? [];
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
    if (order.firstUnit === null) return;
    order.offer.nextUnit += quantity;
    order.offer.availableText -= quantity;
    assert(order.offer.availableText >= 0, 'an order never takes more units than the offer has');
    this.#changedOffers.add(order.offer);
  }

  changes(): { accounts: AccountState[]; offers: OfferState[] } {
    return { accounts: [...this.#changedAccounts], offers: [...this.#changedOffers] };
  }
}

/** One outcome per command, and the accounts and offers as the batch leaves them. */
export function decidePlaceOrders(commands: readonly PlaceOrder[], state: PlacementState): PlacementDecision {
  assert(state.orderIds.length >= commands.length, 'there is an order id for every command');
  const work = new WorkingSet(state);
  const outcomes = commands.map((command, index) => {
    const key = recordKey(command.accountId, command.idempotencyKey);
    const repeat = decideAgainstRecord(command, work.record(key), state);
    if (repeat !== undefined) return repeat;
    work.openRecord(key, command.fingerprint);
    const outcome = decideCheckout(command, work, must(state.orderIds[index], 'an order id'));
    if (outcome.kind === 'placed') work.apply(outcome.order, work.account(command.accountId));
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
function decideCheckout(command: PlaceOrder, work: WorkingSet, orderId: string): PlaceOrderOutcome {
  const { line } = command;
  const account = work.account(command.accountId);
  const named = line.kind === 'manual' ? work.offer(line.offerId) : undefined;
  const productId = line.kind === 'auto' ? line.productId : named?.productId;
  const product = productId === undefined ? undefined : work.state.products.get(productId);
  const offer =
    line.kind === 'auto'
      ? selectAuto(line, account, work)
      : named !== undefined && isOnSale(named, line.quantity)
        ? named
        : undefined;
  const price =
    offer === undefined
      ? undefined
      : priceLine({
          unitPriceMinor: offer.priceMinor,
          quantity: line.quantity,
          discountBasisPoints: account.discountBasisPoints,
        });

  const { rehearsal } = command;
  if (rehearsal?.reject !== undefined) {
    return refuse(rehearsal.reject({ line, account, product, offers: offersOf(line, work) }));
  }
  const cart = rejectCart(command, account, named, price);
  if (cart !== undefined) return refuse({ code: 'cart-validation-error', ...cart });
  if (product !== undefined && product.checkoutClass !== 'standard') {
    return refuse({ code: 'product-excluded', productId: product.id, checkoutClass: product.checkoutClass });
  }
  if (offer === undefined || price === undefined || product === undefined) {
    return refuse(offerNotAvailable(line, account, work));
  }
  if (offer.priceMinor > line.maxPriceMinor) {
    return refuse({
      code: 'max-price-exceeded',
      offerPriceMinor: offer.priceMinor,
      maxPriceMinor: line.maxPriceMinor,
    });
  }
  const paymentMethod = rehearsal?.customer === undefined ? account.paymentMethod : 'gateway';
  if (paymentMethod === null) return refuse({ code: 'payment-not-configured' });
  if (paymentMethod === 'balance' && account.balanceMinor < price.totalPriceMinor) {
    return refuse({
      code: 'insufficient-funds',
      requiredMinor: price.totalPriceMinor,
      availableMinor: account.balanceMinor,
    });
  }
  const holdReason = rehearsal?.holdReason ?? findHoldReason(account, price, work.state);
  const hasText = rehearsal?.hasImagesOnly !== true && isDeliverable(offer, line.quantity);
  const firstUnit = hasText ? offer.nextUnit : null;
  const base = { id: orderId, itemId: orderItemId(orderId, 0), command, offer, product, price, holdReason };
  return {
    kind: 'placed',
    order: { ...base, ...payAndFulfil(account, paymentMethod, { firstUnit, price, holdReason }) },
  };
}

/** Why orders of an account are held whose orders an operator looks through. */
export const UNDER_REVIEW = 'the account is under review';

/** An account under review, or the risk rules that catch the order. */
function findHoldReason(account: AccountState, price: LinePrice, state: PlacementState): string | null {
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

function refuse(rejection: PlaceOrderRejection): PlaceOrderOutcome {
  return { kind: 'rejected', rejection };
}

function selectAuto(
  line: Extract<OrderLine, { kind: 'auto' }>,
  account: AccountState,
  work: WorkingSet,
): OfferState | undefined {
  return selectOffer(work.offersOf(line.productId), {
    quantity: line.quantity,
    maxPriceMinor: line.maxPriceMinor,
    ownSellerId: account.sellerId,
  });
}

function isOnSale(offer: OfferState, quantity: number): boolean {
  return offer.isActive && availableQuantity(offer) >= quantity;
}

/** The account's own rules (A33): its state, its own offers, its limits. */
function rejectCart(
  command: PlaceOrder,
  account: AccountState,
  named: OfferState | undefined,
  price: LinePrice | undefined,
): CartReason | undefined {
  const { quantity } = command.line;
  if (account.status !== 'active') return { reason: 'account-not-active', accountStatus: account.status };
  if (named !== undefined && named.sellerId === account.sellerId) return { reason: 'own-offer' };
  if (account.dailyUnitsMax !== null && account.dayUnits + quantity > account.dailyUnitsMax) {
    return { reason: 'daily-units-max', limit: account.dailyUnitsMax, used: account.dayUnits, quantity };
  }
  if (price === undefined) return undefined;
  const valueMinor = price.totalPriceMinor;
  if (account.orderValueMaxMinor !== null && valueMinor > account.orderValueMaxMinor) {
    return { reason: 'order-value-max', limitMinor: account.orderValueMaxMinor, valueMinor };
  }
  if (
    account.dailySpendMaxMinor !== null &&
    account.daySpendMinor + BigInt(valueMinor) > account.dailySpendMaxMinor
  ) {
    const { dailySpendMaxMinor: limitMinor, daySpendMinor: usedMinor } = account;
    return { reason: 'daily-spend-max', limitMinor, usedMinor, valueMinor };
  }
  return undefined;
}

function offerNotAvailable(line: OrderLine, account: AccountState, work: WorkingSet): PlaceOrderRejection {
  return {
    code: 'offer-not-available',
    kind: line.kind,
    quantity: line.quantity,
    maxPriceMinor: line.maxPriceMinor,
    ...summarizeOffers(offersOf(line, work), account.sellerId),
  };
}

function offersOf(line: OrderLine, work: WorkingSet): readonly OfferState[] {
  if (line.kind === 'auto') return work.offersOf(line.productId);
  const named = work.offer(line.offerId);
  return named === undefined ? [] : [named];
}

/** How far the order gets inside this decision (R12, R20, A44). */
function payAndFulfil(
  account: AccountState,
  paymentMethod: PaymentMethod,
  { firstUnit, price, holdReason }: Pick<PlacedOrder, 'firstUnit' | 'price' | 'holdReason'>,
): Pick<PlacedOrder, 'status' | 'paymentMethod' | 'firstUnit' | 'transfers'> {
  // A provider is not asked for nothing: an order that costs nothing is paid at once.
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
