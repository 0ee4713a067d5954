/** The contract's Order and the texts of checkout rejections. R2, R10, A7, A35. */
import type { Order } from '@keyport/contract/orders/orders';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import type { OrderStatus } from '@keyport/core/orders/order-status';
import type { PlacedOrder, PlaceOrderRejection } from '@keyport/core/orders/place-order';
import { placedQuantities, type Quantities } from '@keyport/core/orders/placed-order';
import { ApiError } from '@keyport/http/replies/api-error';
import { type ItemTerms, type OrderTerms, placedTerms } from './order-terms.sql.ts';

export type OrderItemView = ItemTerms & {
  readonly id: string;
  readonly productId: string;
  readonly sellerId: string;
  readonly quantity: Quantities;
};

/** Amounts are in units of `10^-decimals` of the order's currency. */
export type OrderView = OrderTerms & {
  readonly id: string;
  readonly status: OrderStatus;
  readonly createdAtMicros: number;
  readonly currency: string;
  readonly decimals: number;
  readonly items: readonly OrderItemView[];
};

export function buildOrder(order: OrderView): Order {
  const price = (amountMinor: number) => formatMinor(amountMinor, order.decimals);
  const bySeller = Map.groupBy(order.items, (item) => item.sellerId);
  return {
    id: order.id,
    status: order.status,
    createdAt: formatDateTime(order.createdAtMicros),
    discount: price(order.discountMinor),
    totalPrice: price(order.totalPriceMinor),
    currency: order.currency,
    ...(order.reference === null ? {} : { reference: order.reference }),
    transactions: [...bySeller.entries()].map(([sellerId, items], index) => ({
      id: `${order.id}-${index + 1}`,
      seller: { id: sellerId, name: items[0]?.sellerName ?? '' },
      items: items.map((item) => ({
        id: item.id,
        product: { id: item.productId, name: item.productName },
        offer: { id: item.offerId },
        quantity: { ...item.quantity },
        price: price(item.unitPriceMinor),
        totalPrice: price(item.unitPriceMinor * item.quantity.ordered),
      })),
    })),
  };
}

/** The body has no traceId (A41). */
export type StoredResponse = { readonly status: number; readonly body: string };

/** A replay returns 200 instead (A41). */
export const CREATED = 201;

export function createdBody(order: OrderView): string {
  return JSON.stringify({ data: buildOrder(order) });
}

export function withTraceId(body: string, traceId: string): string {
  return `{"traceId":"${traceId}",${body.slice(1)}`;
}

export function viewPlacedOrder(order: PlacedOrder, createdAtMicros: number): OrderView {
  const { offer, product, command } = order;
  const terms = placedTerms(order);
  const quantity = placedQuantities(order.status, command.line.quantity);
  const item = { ...terms.item, id: order.itemId, productId: product.id, sellerId: offer.sellerId, quantity };
  const { id, status } = order;
  return { ...terms.order, id, status, createdAtMicros, currency: 'EUR', decimals: 2, items: [item] };
}

type Shortage = Extract<PlaceOrderRejection, { code: 'offer-not-available' }>;
type CartRejection = Extract<PlaceOrderRejection, { code: 'cart-validation-error' }>;

export function describeRejection(rejection: PlaceOrderRejection): ApiError {
  switch (rejection.code) {
    case 'cart-validation-error': {
      const [message, facts] = describeCart(rejection);
      return new ApiError(rejection.code, { message, data: { reason: rejection.reason, ...facts } });
    }
    case 'product-excluded': {
      const { productId, checkoutClass } = rejection;
      return new ApiError(rejection.code, {
        message: `Product ${productId} belongs to the class ${checkoutClass}, which cannot be ordered through this interface.`,
        data: { productId, checkoutClass },
      });
    }
    case 'offer-not-available':
      return new ApiError(rejection.code, describeShortage(rejection));
    case 'max-price-exceeded': {
      const offerPrice = formatMinor(rejection.offerPriceMinor);
      const maxPrice = formatMinor(rejection.maxPriceMinor);
      return new ApiError(rejection.code, {
        message: `The offer costs ${offerPrice} EUR now, above maxPrice ${maxPrice}.`,
        data: { offerPrice, maxPrice },
      });
    }
    case 'payment-not-configured':
      return new ApiError(rejection.code);
    case 'insufficient-funds': {
      const required = formatMinor(rejection.requiredMinor);
      const available = formatMinor(rejection.availableMinor);
      return new ApiError(rejection.code, {
        message: `The order costs ${required} EUR and the balance is ${available} EUR. Top up the account.`,
        data: { required, available },
      });
    }
  }
}

function describeShortage(rejection: Shortage) {
  const { kind, availableQuantity, minPriceMinor, quantity, ownReservation } = rejection;
  const minPrice = minPriceMinor === undefined ? undefined : formatMinor(minPriceMinor);
  const reason = kind === 'manual' ? undefined : availableQuantity >= quantity ? 'price' : 'stock';
  const own =
    ownReservation === undefined
      ? ''
      : ` Your own reservation ${ownReservation.id} holds ${units(ownReservation.quantity)}: order this reservation, or release it first.`;
  return {
    message: `${shortageMessage(rejection, minPrice)}${own}`,
    data: { reason, availableQuantity, minPrice, quantity, reservationId: ownReservation?.id },
  };
}

function shortageMessage(rejection: Shortage, minPrice: string | undefined): string {
  const { kind, availableQuantity, maxPriceMinor, quantity } = rejection;
  if (minPrice === undefined)
    return kind === 'auto'
      ? 'The product is unknown, or no offer of it is in stock.'
      : 'The offer is unknown, paused or out of stock.';
  if (kind === 'manual')
    return `The offer has ${units(availableQuantity)} in stock, fewer than the ${quantity} ordered.`;
  return `No single offer has ${units(quantity)} at a price of at most ${formatMinor(maxPriceMinor)} EUR. The largest stock of an offer is ${units(availableQuantity)}, the lowest price ${minPrice} EUR.`;
}

function units(count: number): string {
  return `${count} ${count === 1 ? 'unit' : 'units'}`;
}

/** The facts do not include the reason. */
function describeCart(rejection: CartRejection): [message: string, facts: Record<string, unknown>] {
  switch (rejection.reason) {
    case 'account-not-active': {
      const { accountStatus } = rejection;
      const message = `The account is ${accountStatus} and may not order. Contact your account manager.`;
      return [message, { accountStatus }];
    }
    case 'own-offer':
      return ["The offer is your own; choose another seller's offer.", {}];
    case 'order-value-max': {
      const limit = formatMinor(rejection.limitMinor);
      const requested = formatMinor(rejection.valueMinor);
      const message = `The order costs ${requested} EUR, above the account's limit of ${limit} EUR per order.`;
      return [message, { limit, requested }];
    }
    case 'daily-spend-max': {
      const { limitMinor, usedMinor, valueMinor } = rejection;
      const limit = formatMinor(limitMinor);
      const remaining = formatMinor(left(limitMinor, Number(usedMinor)));
      const requested = formatMinor(valueMinor);
      return [
        `The order costs ${requested} EUR, above the remaining ${remaining} EUR of the account's limit of ${limit} EUR per UTC day.`,
        { limit, used: formatMinor(usedMinor), remaining, requested },
      ];
    }
    case 'reserved-units-max':
    case 'daily-units-max': {
      const { reason, limit, used, quantity: requested } = rejection;
      const remaining = left(limit, used);
      const [what, when] =
        reason === 'daily-units-max' ? ['order', ' per UTC day'] : ['reservation', ' reserved at a time'];
      return [
        `The ${what} has ${units(requested)}, above the remaining ${units(remaining)} of the account's limit of ${units(limit)}${when}.`,
        { limit, used, remaining, requested },
      ];
    }
  }
}

/** A limit lowered during the day may be below the used amount. */
function left(limit: number, used: number): number {
  return Math.max(0, limit - used);
}
