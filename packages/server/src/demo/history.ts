/**
 * Orders in EUR have statuses that a prepaid account can reach; the others represent imported orders.
 * Quantities follow A36.
 */
import { must } from '@keyport/core/assert';
import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
import type { Quantities } from '@keyport/core/orders/placed-order';
import type { OrderItemView, OrderView } from '../orders/order-response.ts';
import { type DemoSeller, type Listing, readRows, toCode } from './catalogue.ts';

export type DemoOrder = Omit<OrderView, 'id' | 'reference' | 'items'> & {
  /** Imported orders have no keys or ledger entries: they are in progress and not held, or not in EUR. */
  readonly isImported: boolean;
  readonly items: readonly DemoOrderItem[];
};

export type DemoOrderItem = Omit<OrderItemView, 'id'> & {
  /** One for each shipped or held unit; empty for imported orders. */
  readonly codes: readonly string[];
};

/** A row is an item; an order's items have the same age. */
type OrderRow = Record<
  | ('ageSeconds' | 'status' | 'currency' | 'decimals' | 'discountMinor' | 'offerId' | 'unitPriceMinor')
  | keyof Quantities,
  string
>;

/** Oldest first. Only their times depend on `nowMicros`. */
export function loadHistory(
  listings: readonly Listing[],
  sellers: readonly DemoSeller[],
  nowMicros: number,
): DemoOrder[] {
  const listingByOffer = new Map(listings.map((listing) => [listing.offer.id, listing]));
  const sellerNames = new Map(sellers.map(({ id, name }) => [id, name]));
  const rows = Map.groupBy(readRows<OrderRow>('orders'), ({ ageSeconds }) => ageSeconds);
  return Array.from(rows, ([ageSeconds, lines]) => {
    const { status, currency, decimals, discountMinor } = must(lines[0], 'an order has an item');
    const isImported = currency !== 'EUR' || !['complete', 'closed', 'held'].includes(status);
    const items = lines.map((line): DemoOrderItem => {
      const { offer, product, keyPattern } = must(listingByOffer.get(line.offerId), line.offerId);
      const shipped = Number(line.shipped);
      const units = status === 'held' ? Number(line.ordered) : shipped;
      return {
        productId: product.id,
        productName: product.name,
        offerId: offer.id,
        sellerId: offer.sellerId,
        sellerName: must(sellerNames.get(offer.sellerId), offer.sellerId),
        quantity: {
          ordered: Number(line.ordered),
          invoiced: Number(line.invoiced),
          shipped,
          refunded: Number(line.refunded),
        },
        unitPriceMinor: Number(line.unitPriceMinor),
        codes: Array.from({ length: isImported ? 0 : units }, (_, index) =>
          toCode(`${offer.id}/${ageSeconds}/${index}`, keyPattern),
        ),
      };
    });
    const sumMinor = items.reduce(
      (sum, { quantity, unitPriceMinor }) => sum + quantity.ordered * unitPriceMinor,
      0,
    );
    return {
      createdAtMicros: nowMicros - Number(ageSeconds) * 1_000_000,
      status: must(
        ORDER_STATUSES.find((one) => one === status),
        status,
      ),
      currency,
      decimals: Number(decimals),
      isImported,
      items,
      discountMinor: Number(discountMinor),
      totalPriceMinor: sumMinor - Number(discountMinor),
    };
  });
}
