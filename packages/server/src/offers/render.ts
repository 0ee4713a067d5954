/** Product responses as JSON texts, written by hand because they are prepared once and sent a thousand times. Pure. */
import { CURRENCY, OFFERS_PER_PRODUCT_MAX, TOTAL_QUANTITY_MAX } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';

/** An offer that can be bought: active, with stock. */
export type ListedOffer = {
  readonly id: string;
  /** EUR cents. */
  readonly priceMinor: number;
  /** Units available, at least 1. */
  readonly quantity: number;
};

export type ListedProduct = {
  /** 14 digits. */
  readonly id: string;
  readonly name: string;
  /** A8, microseconds since the epoch. */
  readonly stampMicros: number;
  /** Cheapest first; equal prices: the larger quantity, then the lower id (A31). At least one. */
  readonly offers: readonly ListedOffer[];
};

/** Units over these offers, as the contract reports them: at most a million (A5). */
export function totalQuantity(offers: readonly ListedOffer[]): number {
  let total = 0;
  for (const offer of offers) total += offer.quantity;
  return Math.min(total, TOTAL_QUANTITY_MAX);
}

/** Price of the cheapest; undefined without offers. */
export function minPrice(offers: readonly ListedOffer[]): string | undefined {
  const [cheapest] = offers;
  return cheapest === undefined ? undefined : formatMinor(cheapest.priceMinor);
}

/** Spec: Product, an element of the list. */
export function renderProduct(product: ListedProduct): string {
  const { id, name, stampMicros, offers } = product;
  return `{"id":"${id}","name":${JSON.stringify(name)},"totalQuantity":${totalQuantity(offers)},"minPrice":"${minPrice(offers)}","updatedAt":"${formatDateTime(stampMicros)}","offers":${renderOffers(offers)},"currency":"${CURRENCY}"}`;
}

/** Spec: ProductWithOffers, the single look-up. */
export function renderProductWithOffers(product: ListedProduct): string {
  const { id, name, stampMicros, offers } = product;
  return `{"id":"${id}","name":${JSON.stringify(name)},"totalQuantity":${totalQuantity(offers)},"offers":${renderOffers(offers)},"updatedAt":"${formatDateTime(stampMicros)}","currency":"${CURRENCY}"}`;
}

function renderOffers(offers: readonly ListedOffer[]): string {
  const cheapest = offers.slice(0, OFFERS_PER_PRODUCT_MAX);
  return `[${cheapest.map(renderOffer).join(',')}]`;
}

function renderOffer(offer: ListedOffer): string {
  return `{"id":"${offer.id}","price":"${formatMinor(offer.priceMinor)}","quantity":${offer.quantity}}`;
}
