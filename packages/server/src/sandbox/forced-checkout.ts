/**
 * The rehearsal of an order by a scenario. The order takes the ordinary path of placement, which rejects,
 * holds or pays it accordingly; facts are those of the real order where they fit the code. A332, A334.
 */
import type { ErrorCode } from '@keyport/contract/errors';
import type { OrderFate } from '@keyport/contract/sandbox/scenarios';
import type { CheckoutView, PlaceOrderRejection, Rehearsal } from '@keyport/core/place-order';
import { priceLine } from '@keyport/core/pricing';
import { DECLINING_CUSTOMER, WAITING_CUSTOMER } from './rehearsed-gateway.ts';

type Reject = (view: CheckoutView) => PlaceOrderRejection;

const REJECTIONS: Readonly<Record<PlaceOrderRejection['code'], Reject>> = {
  'cart-validation-error': (view) => {
    const valueMinor = totalOf(view);
    return {
      code: 'cart-validation-error',
      reason: 'order-value-max',
      limitMinor: Math.max(0, valueMinor - 1),
      valueMinor,
    };
  },
  'product-excluded': ({ line, product }) => ({
    code: 'product-excluded',
    productId: product?.id ?? (line.kind === 'auto' ? line.productId : UNKNOWN_PRODUCT_ID),
    checkoutClass: 'subscription',
  }),
  'offer-not-available': ({ line: { kind, quantity, maxPriceMinor }, offers: [offer] }) => ({
    code: 'offer-not-available',
    kind,
    quantity,
    maxPriceMinor,
    availableQuantity: quantity - 1,
    minPriceMinor: quantity === 1 ? undefined : (offer?.priceMinor ?? maxPriceMinor),
  }),
  'max-price-exceeded': ({ line: { maxPriceMinor }, offers: [offer] }) => ({
    code: 'max-price-exceeded',
    maxPriceMinor,
    offerPriceMinor: Math.max(offer?.priceMinor ?? 0, maxPriceMinor + 1),
  }),
  'payment-not-configured': () => ({ code: 'payment-not-configured' }),
  'insufficient-funds': (view) => {
    const requiredMinor = totalOf(view);
    return {
      code: 'insufficient-funds',
      requiredMinor,
      availableMinor: Math.max(0, Math.min(view.account.balanceMinor, requiredMinor - 1)),
    };
  },
};

/** No one sells it. */
const UNKNOWN_PRODUCT_ID = '10000000000000';

const FATES: Readonly<Record<OrderFate, Rehearsal>> = {
  held: { holdReason: 'Keyport-Scenario' },
  'pending-payment': { customer: WAITING_CUSTOMER },
  'image-keys': { hasImagesOnly: true },
};

export function rehearsalOfFate(fate: OrderFate): Rehearsal {
  return FATES[fate];
}

/** Undefined for a code that checkout never returns. */
export function rehearsalOfCode(code: ErrorCode): Rehearsal | undefined {
  if (code === 'payment-went-wrong') return { customer: DECLINING_CUSTOMER };
  if (code === 'order-not-paid') return { customer: WAITING_CUSTOMER };
  return isRejection(code) ? { reject: REJECTIONS[code] } : undefined;
}

function isRejection(code: ErrorCode): code is PlaceOrderRejection['code'] {
  return Object.hasOwn(REJECTIONS, code);
}

/** At the price of the first offer, or at maxPrice. */
function totalOf({ line: { quantity, maxPriceMinor }, account, offers: [offer] }: CheckoutView): number {
  const unitPriceMinor = Math.min(offer?.priceMinor ?? maxPriceMinor, maxPriceMinor);
  const { discountBasisPoints } = account;
  return priceLine({ unitPriceMinor, quantity, discountBasisPoints }).totalPriceMinor;
}
