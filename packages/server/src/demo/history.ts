/**
 * Past orders of the demo reseller, so that the order history has something to page through. Orders in EUR
 * are in states that a prepaid account really reaches; the other currencies stand for orders imported from
 * elsewhere. Quantities follow A36: invoiced = paid, shipped = keys assigned.
 */

import { must } from '@keyport/core/assert';
import { parseMinor, shareHalfUp } from '@keyport/core/money';
import type { OrderStatus } from '@keyport/core/order-status';
import type { DemoOffer } from './offers.ts';
import type { CatalogueEntry } from './products.ts';
import { createRandom, type Random } from './random.ts';

export type DemoOrder = {
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  readonly status: Exclude<OrderStatus, 'pending'>;
  readonly currency: string;
  /** Decimals of the currency: the power of ten in one unit of it. */
  readonly decimals: number;
  /** Imported orders have neither keys nor ledger entries here; they are those that are not in EUR. */
  readonly isImported: boolean;
  readonly items: readonly DemoOrderItem[];
  /** Minor units of the order currency. */
  readonly discountMinor: number;
  /** Minor units of the order currency: the lines less the discount. */
  readonly totalPriceMinor: number;
};

export type DemoOrderItem = {
  readonly productId: string;
  readonly productName: string;
  readonly offerId: string;
  readonly sellerId: string;
  readonly quantity: Quantity;
  /** Minor units of the order currency. */
  readonly unitPriceMinor: number;
  /** The text keys delivered, one for each unit shipped; empty for imported orders. */
  readonly codes: readonly string[];
};

export type Quantity = {
  readonly ordered: number;
  readonly invoiced: number;
  readonly shipped: number;
  readonly refunded: number;
};

/** An offer with the catalogue entry of its product. */
export type Listing = {
  readonly offer: DemoOffer;
  readonly entry: CatalogueEntry;
};

/** How an order ended up; each fixes the status and the quantities (R12, A36). */
type Fate = {
  readonly status: DemoOrder['status'];
  /** The oldest such an order can be: open orders do not stay open for months. */
  readonly ageMinutesMax: number;
  readonly quantityOf: (ordered: number, random: Random) => Quantity;
};

type Currency = {
  readonly code: string;
  readonly decimals: number;
  /** EUR cents for one unit. Fixed: the demo needs plausible, not current. */
  readonly rateCents: number;
};

const HISTORY_MINUTES = 90 * 24 * 60;
const OPEN_MINUTES = 20;
const HELD_MINUTES = 2 * 24 * 60;

const delivered = (ordered: number) => ({ ordered, invoiced: ordered, shipped: ordered, refunded: 0 });
const unpaid = (ordered: number) => ({ ordered, invoiced: 0, shipped: 0, refunded: 0 });
const paid = (ordered: number) => ({ ...unpaid(ordered), invoiced: ordered });

const COMPLETE: Fate = { status: 'complete', ageMinutesMax: HISTORY_MINUTES, quantityOf: delivered };
const PARTLY_REFUNDED: Fate = {
  ...COMPLETE,
  // One unit more than was asked for, so that a part is never the whole.
  quantityOf: (ordered, random) => ({ ...delivered(ordered + 1), refunded: random.between(1, ordered) }),
};
const CLOSED: Fate = {
  ...COMPLETE,
  status: 'closed',
  quantityOf: (ordered) => ({ ...delivered(ordered), refunded: ordered }),
};
const CLOSED_UNDELIVERED: Fate = {
  ...CLOSED,
  quantityOf: (ordered) => ({ ...paid(ordered), refunded: ordered }),
};
const CANCELED: Fate = { status: 'canceled', ageMinutesMax: HISTORY_MINUTES, quantityOf: unpaid };
const HELD: Fate = { status: 'held', ageMinutesMax: HELD_MINUTES, quantityOf: paid };
const PROCESSING: Fate = { status: 'processing', ageMinutesMax: OPEN_MINUTES, quantityOf: paid };
const PENDING_PAYMENT: Fate = { status: 'pending_payment', ageMinutesMax: OPEN_MINUTES, quantityOf: unpaid };

const EUR: Currency = { code: 'EUR', decimals: 2, rateCents: 100 };
const USD: Currency = { code: 'USD', decimals: 2, rateCents: 88 };
const PLN: Currency = { code: 'PLN', decimals: 2, rateCents: 23.5 };
const GBP: Currency = { code: 'GBP', decimals: 2, rateCents: 116 };
const JPY: Currency = { code: 'JPY', decimals: 0, rateCents: 0.57 };
const KWD: Currency = { code: 'KWD', decimals: 3, rateCents: 287 };

/** What the history is made of. Only imported orders wait for payment or delivery: no worker has to settle them. */
const PLAN: readonly (readonly [count: number, currency: Currency, fate: Fate])[] = [
  [27, EUR, COMPLETE],
  [3, EUR, PARTLY_REFUNDED],
  [3, EUR, CLOSED],
  [2, EUR, CLOSED_UNDELIVERED],
  [4, EUR, CANCELED],
  [2, EUR, HELD],
  [5, USD, COMPLETE],
  [1, USD, CLOSED],
  [1, USD, PROCESSING],
  [3, PLN, COMPLETE],
  [1, PLN, CANCELED],
  [1, PLN, PENDING_PAYMENT],
  [3, GBP, COMPLETE],
  [1, GBP, PARTLY_REFUNDED],
  [1, GBP, PROCESSING],
  [1, JPY, COMPLETE],
  [1, KWD, COMPLETE],
];

/** The account's discount in percent when the order was placed; it had none for most of the time. */
const DISCOUNT_PERCENTS: readonly (readonly [percent: number, weight: number])[] = [
  [0, 70],
  [2, 30],
];

/** Orders of the 90 days before `now`, oldest first. Excluded products and paused offers are never in them. */
export function generateHistory(seed: string, listings: readonly Listing[], now: Date): DemoOrder[] {
  const random = createRandom(`${seed}/history`);
  const orderable = listings.filter(
    ({ offer, entry }) => offer.status === 'active' && entry.product.checkoutClass === 'standard',
  );
  if (orderable.length === 0) return [];
  const orders = PLAN.flatMap(([count, currency, fate]) =>
    Array.from({ length: count }, () => createOrder(random, orderable, currency, fate, now)),
  );
  return orders.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
}

function createOrder(
  random: Random,
  listings: readonly Listing[],
  currency: Currency,
  fate: Fate,
  now: Date,
): DemoOrder {
  const isImported = currency.code !== 'EUR';
  // One item is what this service accepts in an order; other systems accepted more.
  const itemCount = isImported ? random.between(1, 3) : 1;
  const items = Array.from({ length: itemCount }, () =>
    createItem(random, random.pick(listings), currency, fate),
  );
  const sumMinor = items.reduce(
    (sum, { quantity, unitPriceMinor }) => sum + quantity.ordered * unitPriceMinor,
    0,
  );
  const discountMinor = shareHalfUp(sumMinor, random.weighted(DISCOUNT_PERCENTS), 100);
  return {
    createdAt: createdAt(random, fate, now),
    status: fate.status,
    currency: currency.code,
    decimals: currency.decimals,
    isImported,
    items,
    discountMinor,
    totalPriceMinor: sumMinor - discountMinor,
  };
}

function createItem(random: Random, listing: Listing, currency: Currency, fate: Fate): DemoOrderItem {
  const { offer, entry } = listing;
  const quantity = fate.quantityOf(
    random.weighted([
      [1, 60],
      [random.between(2, 5), 30],
      [random.between(6, 25 - 1), 10],
    ]),
    random,
  );
  const priceCents = must(parseMinor(offer.price), 'price of an offer');
  const unitPriceMinor = Math.round((priceCents / currency.rateCents) * 10 ** currency.decimals);
  const codeCount = currency.code === 'EUR' ? quantity.shipped : 0;
  return {
    productId: offer.productId,
    productName: entry.product.name,
    offerId: offer.id,
    sellerId: offer.sellerId,
    quantity,
    unitPriceMinor: Math.max(1, unitPriceMinor),
    codes: Array.from({ length: codeCount }, () => random.code(entry.codePattern)),
  };
}

/** Recent orders are more frequent than old ones, so that some are still inside the keys window. */
function createdAt(random: Random, fate: Fate, now: Date): string {
  const ageMs = (1 + (fate.ageMinutesMax - 1) * random.unit() ** 2) * 60_000;
  return new Date(now.getTime() - Math.floor(ageMs)).toISOString();
}
