/** A product is rendered once and sent many times. */
import { CURRENCY, OFFERS_PER_PRODUCT_MAX, TOTAL_QUANTITY_MAX } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';

export type ListedOffer = {
  readonly id: string;
  readonly priceMinor: number;
  readonly quantity: number;
};

export type CatalogueProduct = {
  /** 14 digits. */
  readonly id: number;
  readonly name: string;
  /** Increases in the order of visibility (A8). */
  readonly stampMicros: number;
  readonly firstStampMicros: number;
  /** Increases when the details change. */
  readonly detailsVersion: number;
  /** False if the API excludes the product from checkout. */
  readonly isOrderable: boolean;
  /** The order is that of `compareOffers`. */
  readonly offers: readonly ListedOffer[];
};

export type PreparedProduct = Omit<CatalogueProduct, 'name' | 'offers'> & {
  /** Undefined if the product has no offer. */
  readonly listing: Listing | undefined;
};

export type Listing = Rendered & {
  readonly cheapestMinor: number;
  readonly highestPriceMinor: number;
  readonly totalQuantity: number;
  /** The offers beyond those that are shown. */
  readonly hidden: readonly ListedOffer[];
};

export type Rendered = {
  /** A comma and the element of the list, with `minPrice` and `offers` last. */
  readonly bytes: Buffer;
  readonly minPriceAt: number;
  readonly offersAt: number;
};

const NOTHING_HIDDEN: readonly ListedOffer[] = [];

type Allocate = (sizeBytes: number) => Buffer;

/** The product gets memory of its own: shared memory would stay as long as any of its products. */
export function prepareProduct(product: CatalogueProduct): PreparedProduct {
  return prepareIn(Buffer.allocUnsafeSlow, product);
}

const CHUNK_SIZE_BYTES = 1 << 20;

/** Prepares the products of a whole catalogue side by side, because a million allocations take their time. */
export function prepareCatalogue(): (product: CatalogueProduct) => PreparedProduct {
  let chunk = Buffer.alloc(0);
  let usedBytes = 0;
  const allocate = (sizeBytes: number) => {
    if (usedBytes + sizeBytes > chunk.length) {
      chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_SIZE_BYTES, sizeBytes));
      usedBytes = 0;
    }
    usedBytes += sizeBytes;
    return chunk.subarray(usedBytes - sizeBytes, usedBytes);
  };
  return (product) => prepareIn(allocate, product);
}

function prepareIn(allocate: Allocate, product: CatalogueProduct): PreparedProduct {
  const { name: _name, offers, ...kept } = product;
  return { ...kept, listing: offers.length === 0 ? undefined : toListing(product, allocate) };
}

function toListing(product: CatalogueProduct, allocate: Allocate): Listing {
  const { offers } = product;
  const isAllShown = offers.length <= OFFERS_PER_PRODUCT_MAX;
  return {
    ...render(product, allocate),
    cheapestMinor: offers[0]?.priceMinor ?? 0,
    highestPriceMinor: offers.at(-1)?.priceMinor ?? 0,
    totalQuantity: computeTotal(offers),
    hidden: isAllShown ? NOTHING_HIDDEN : offers.slice(OFFERS_PER_PRODUCT_MAX),
  };
}

export function render(
  product: Pick<CatalogueProduct, 'id' | 'name' | 'stampMicros' | 'offers'>,
  allocate: Allocate,
): Rendered {
  const { id, name, stampMicros, offers } = product;
  const head = `,{"id":"${id}","name":${JSON.stringify(name)},"totalQuantity":${computeTotal(offers)},"updatedAt":"${formatDateTime(stampMicros)}","currency":"${CURRENCY}"`;
  const minPrice = `,"minPrice":"${formatMinor(offers[0]?.priceMinor ?? 0)}"`;
  const shown = offers
    .slice(0, OFFERS_PER_PRODUCT_MAX)
    .map(
      (offer) =>
        `{"id":"${offer.id}","price":"${formatMinor(offer.priceMinor)}","quantity":${offer.quantity}}`,
    );
  const minPriceAt = Buffer.byteLength(head);
  const text = `${head}${minPrice},"offers":[${shown.join(',')}]}`;
  const bytes = allocate(minPriceAt + text.length - head.length);
  bytes.write(text);
  return { bytes, minPriceAt, offersAt: minPriceAt + minPrice.length };
}

/** The name and all offers of a listed product. */
export function readListing({ bytes, hidden }: Listing): Pick<CatalogueProduct, 'name' | 'offers'> {
  const { name, offers }: RenderedProduct = JSON.parse(bytes.toString('utf8', 1));
  const shown = offers.map(({ id, price, quantity }) => ({
    id,
    priceMinor: Number(price.replace('.', '')),
    quantity,
  }));
  return { name, offers: [...shown, ...hidden] };
}

type RenderedProduct = {
  readonly name: string;
  readonly offers: readonly { readonly id: string; readonly price: string; readonly quantity: number }[];
};

export function computeTotal(offers: readonly ListedOffer[]): number {
  let total = 0;
  for (const { quantity } of offers) total += quantity;
  return Math.min(total, TOTAL_QUANTITY_MAX);
}

export function compareOffers(left: ListedOffer, right: ListedOffer): number {
  return (
    left.priceMinor - right.priceMinor || right.quantity - left.quantity || (left.id < right.id ? -1 : 1)
  );
}
