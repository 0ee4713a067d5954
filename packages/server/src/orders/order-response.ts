/** Builds the contract's Order and the texts of checkout rejections. Pure. R2, R10, A7, A35. */
import type { Order } from '@keyport/contract/orders/orders';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import type { OrderStatus } from '@keyport/core/orders/order-status';
import type { PlacedOrder, PlaceOrderRejection } from '@keyport/core/orders/place-order';
import { placedQuantities, type Quantities } from '@keyport/core/orders/placed-order';
import { ApiError } from '@keyport/http/replies/api-error';

export type OrderItemView = {
  readonly id: string;
  readonly productId: string;
  readonly productName: string;
  readonly offerId: string;
  readonly sellerId: string;
  readonly sellerName: string;
  readonly unitPriceMinor: number;
  readonly quantity: Quantities;
};

/** An order as it is shown. Amounts are in minor units of `10^-decimals` of its currency. */
export type OrderView = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly createdAtMicros: number;
  readonly currency: string;
  readonly decimals: number;
  readonly discountMinor: number;
  readonly totalPriceMinor: number;
  readonly reference: string | null;
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

/** Status of the response that carries an order (A41 turns it into 200 when it is replayed). */
export const CREATED = 201;

/** The body of that response, without its traceId. */
export function createdBody(order: OrderView): string {
  return JSON.stringify({ data: buildOrder(order) });
}

/** A stored body, which has no traceId, as a response has it. A41. */
export function withTraceId(body: string, traceId: string): string {
  return `{"traceId":"${traceId}",${body.slice(1)}`;
}

/** A freshly placed order as it is shown. */
export function viewPlacedOrder(order: PlacedOrder, createdAtMicros: number): OrderView {
  const { offer, product, command } = order;
  return {
    id: order.id,
    status: order.status,
    createdAtMicros,
    currency: 'EUR',
    decimals: 2,
    discountMinor: order.price.discountMinor,
    totalPriceMinor: order.price.totalPriceMinor,
    reference: command.line.reference ?? null,
    items: [
      {
        id: order.itemId,
        productId: product.id,
        productName: product.name,
        offerId: offer.id,
        sellerId: offer.sellerId,
        sellerName: offer.sellerName,
        unitPriceMinor: offer.priceMinor,
        quantity: placedQuantities(order.status, command.line.quantity),
      },
    ],
  };
}

type Shortage = Extract<PlaceOrderRejection, { code: 'offer-not-available' }>;
type CartRejection = Extract<PlaceOrderRejection, { code: 'cart-validation-error' }>;

/** The error of a rejected checkout: what happened, and the facts that help to act. */
export function describeRejection(rejection: PlaceOrderRejection): ApiError {
  switch (rejection.code) {
    case 'cart-validation-error':
      return new ApiError(rejection.code, describeCart(rejection));
    case 'product-excluded':
      return new ApiError(rejection.code, {
        message: `Product ${rejection.productId} belongs to the class ${rejection.checkoutClass}, which cannot be ordered through this interface.`,
        data: { productId: rejection.productId, checkoutClass: rejection.checkoutClass },
      });
    case 'offer-not-available':
      return new ApiError(rejection.code, describeShortage(rejection));
    case 'max-price-exceeded': {
      const [offerPrice, maxPrice] = [
        formatMinor(rejection.offerPriceMinor),
        formatMinor(rejection.maxPriceMinor),
      ];
      return new ApiError(rejection.code, {
        message: `The offer costs ${offerPrice} EUR now, above maxPrice ${maxPrice}.`,
        data: { offerPrice, maxPrice },
      });
    }
    case 'payment-not-configured':
      return new ApiError(rejection.code);
    case 'insufficient-funds': {
      const [required, available] = [
        formatMinor(rejection.requiredMinor),
        formatMinor(rejection.availableMinor),
      ];
      return new ApiError(rejection.code, {
        message: `The order costs ${required} EUR and the balance is ${available} EUR. Top up the account.`,
        data: { required, available },
      });
    }
  }
}

function describeShortage(rejection: Shortage) {
  const { kind, availableQuantity, minPriceMinor, quantity } = rejection;
  const data = {
    reason: kind === 'manual' ? undefined : availableQuantity >= quantity ? 'price' : 'stock',
    availableQuantity,
    minPrice: minPriceMinor === undefined ? undefined : formatMinor(minPriceMinor),
    quantity,
  };
  return { message: shortageMessage(rejection), data };
}

function shortageMessage(rejection: Shortage): string {
  const { kind, availableQuantity, minPriceMinor, maxPriceMinor, quantity } = rejection;
  if (minPriceMinor === undefined) {
    return kind === 'auto'
      ? 'The product is unknown, or no offer of it is in stock.'
      : 'The offer is unknown, paused or out of stock.';
  }
  if (kind === 'manual') {
    return `The offer has ${units(availableQuantity)} in stock, fewer than the ${quantity} ordered.`;
  }
  return `No single offer has ${units(quantity)} at a price of at most ${formatMinor(maxPriceMinor)} EUR. The largest stock of an offer is ${units(availableQuantity)}, the lowest price ${formatMinor(minPriceMinor)} EUR.`;
}

function units(count: number): string {
  return `${count} ${count === 1 ? 'unit' : 'units'}`;
}

function describeCart(rejection: CartRejection): { message: string; data: Record<string, unknown> } {
  switch (rejection.reason) {
    case 'account-not-active':
      return {
        message: `The account is ${rejection.accountStatus} and may not order. Contact your account manager.`,
        data: { reason: rejection.reason, accountStatus: rejection.accountStatus },
      };
    case 'own-offer':
      return {
        message: 'The offer is your own; choose one of another seller.',
        data: { reason: rejection.reason },
      };
    case 'order-value-max': {
      const [limit, requested] = [formatMinor(rejection.limitMinor), formatMinor(rejection.valueMinor)];
      return {
        message: `The order costs ${requested} EUR, above the account's limit of ${limit} EUR per order.`,
        data: { reason: rejection.reason, limit, requested },
      };
    }
    case 'daily-spend-max': {
      const { limitMinor, usedMinor, valueMinor } = rejection;
      const [limit, used, remaining, requested] = [
        limitMinor,
        usedMinor,
        left(limitMinor, Number(usedMinor)),
        valueMinor,
      ].map((minor) => formatMinor(minor));
      return {
        message: `The order costs ${requested} EUR, above what is left of the account's limit of ${limit} EUR per UTC day: ${remaining} EUR.`,
        data: { reason: rejection.reason, limit, used, remaining, requested },
      };
    }
    case 'reserved-units-max':
    case 'daily-units-max': {
      const { reason, limit, used, quantity: requested } = rejection;
      const remaining = left(limit, used);
      const [what, when] =
        reason === 'daily-units-max' ? ['order', ' per UTC day'] : ['reservation', ' reserved at once'];
      return {
        message: `The ${what} has ${units(requested)}, above what is left of the account's limit of ${units(limit)}${when}: ${units(remaining)}.`,
        data: { reason, limit, used, remaining, requested },
      };
    }
  }
}

/** More may be used than the limit is now: it can be lowered during the day. */
function left(limit: number, used: number): number {
  return Math.max(0, limit - used);
}
