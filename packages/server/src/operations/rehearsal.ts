import type { Checkout } from '@keyport/core/orders/place-order';

export type Rehearsal = {
  readonly decorate: (checkout: Checkout) => Checkout;
  /** The payment provider charges it, whatever the payment method of the account. */
  readonly needsGateway?: true;
};
