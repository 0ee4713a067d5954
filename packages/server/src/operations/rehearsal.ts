import type { Checkout } from '@keyport/core/orders/place-order';

export type Rehearsal = {
  readonly decorate: (checkout: Checkout) => Checkout;
  /** Whatever the payment method of the account. */
  readonly needsGateway?: true;
};
