/**
 * Orders take the ordinary path. Forced rejections contain the real order's facts where possible. A331.
 */
import type { ErrorCode } from '@keyport/contract/errors';
import type { OrderFate } from '@keyport/contract/sandbox/scenarios';
import { availableQuantity } from '@keyport/core/orders/offer-selection';
import type {
  Checkout,
  CheckoutView,
  PlacedOrder,
  PlaceOrderRejection,
} from '@keyport/core/orders/place-order';
import { priceLine } from '@keyport/core/orders/pricing';
import type { Rehearsal } from '../operations/operation.ts';
import { DECLINING_CUSTOMER, WAITING_CUSTOMER } from './rehearsed-gateway.ts';

type Reject = (view: CheckoutView) => PlaceOrderRejection;

const REJECTIONS: Readonly<Record<PlaceOrderRejection['code'], Reject>> = {
  'cart-validation-error': (view) => {
    const valueMinor = computeTotal(view);
    return {
      code: 'cart-validation-error',
      reason: 'order-value-max',
      limitMinor: Math.max(0, valueMinor - 1),
      valueMinor,
    };
  },
  'product-excluded': ({ command: { line }, product }) => ({
    code: 'product-excluded',
    productId: product?.id ?? (line.kind === 'auto' ? line.productId : UNKNOWN_PRODUCT_ID),
    checkoutClass: 'subscription',
  }),
  'offer-not-available': ({ command, offers: [offer] }) => {
    const { kind, quantity, maxPriceMinor } = command.line;
    return {
      code: 'offer-not-available',
      kind,
      quantity,
      maxPriceMinor,
      availableQuantity: quantity - 1,
      minPriceMinor: quantity === 1 ? undefined : (offer?.priceMinor ?? maxPriceMinor),
    };
  },
  'max-price-exceeded': ({ command, offers: [offer] }) => {
    const { maxPriceMinor } = command.line;
    const offerPriceMinor = Math.max(offer?.priceMinor ?? 0, maxPriceMinor + 1);
    return { code: 'max-price-exceeded', maxPriceMinor, offerPriceMinor };
  },
  'payment-not-configured': () => ({ code: 'payment-not-configured' }),
  'insufficient-funds': (view) => {
    const requiredMinor = computeTotal(view);
    return {
      code: 'insufficient-funds',
      requiredMinor,
      availableMinor: Math.max(0, Math.min(view.account.balanceMinor, requiredMinor - 1)),
    };
  },
};

const UNKNOWN_PRODUCT_ID = '10000000000000';

const FATES: Readonly<Record<OrderFate, Rehearsal>> = {
  held: { decorate: forceHold },
  'pending-payment': paidBy(WAITING_CUSTOMER),
  'image-keys': { decorate: imagesOnly },
};

export function rehearsalOfFate(fate: OrderFate): Rehearsal {
  return FATES[fate];
}

/** Undefined if checkout never returns the code. */
export function rehearsalOfCode(code: ErrorCode): Rehearsal | undefined {
  if (code === 'payment-went-wrong') return paidBy(DECLINING_CUSTOMER);
  if (code === 'order-not-paid') return paidBy(WAITING_CUSTOMER);
  if (!isRejection(code)) return undefined;
  return { decorate: () => (view) => ({ kind: 'rejected', rejection: REJECTIONS[code](view) }) };
}

function isRejection(code: ErrorCode): code is PlaceOrderRejection['code'] {
  return Object.hasOwn(REJECTIONS, code);
}

function forceHold(checkout: Checkout): Checkout {
  return changing(checkout, (order) => ({
    ...order,
    holdReason: 'Keyport-Scenario',
    status: order.status === 'complete' ? 'held' : order.status,
  }));
}

/** Ignores the account's payment method. */
function paidBy(customer: string): Rehearsal {
  const decorate = (checkout: Checkout): Checkout =>
    changing(
      ({ account, ...view }) => checkout({ ...view, account: { ...account, paymentMethod: 'gateway' } }),
      (order) => ({ ...order, customer }),
    );
  return { decorate, needsGateway: true };
}

function imagesOnly(checkout: Checkout): Checkout {
  return (view) => {
    const outcome = checkout(view);
    if (outcome.kind !== 'placed') return outcome;
    const { offer } = outcome.order;
    const images = { ...offer, availableText: 0, availableImage: availableQuantity(offer) };
    return checkout({ ...view, offers: [images] });
  };
}

function changing(checkout: Checkout, change: (order: PlacedOrder) => PlacedOrder): Checkout {
  return (view) => {
    const outcome = checkout(view);
    return outcome.kind !== 'placed' ? outcome : { kind: 'placed', order: change(outcome.order) };
  };
}

function computeTotal({ command, account, offers: [offer] }: CheckoutView): number {
  const { quantity, maxPriceMinor } = command.line;
  const unitPriceMinor = Math.min(offer?.priceMinor ?? maxPriceMinor, maxPriceMinor);
  const { discountBasisPoints } = account;
  return priceLine({ unitPriceMinor, quantity, discountBasisPoints }).totalPriceMinor;
}
