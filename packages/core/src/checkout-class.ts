/** How a product may be sold through this interface. All but `standard` are rejected (spec: product-excluded). */
export const CHECKOUT_CLASSES = [
  'standard',
  'in-game-top-up',
  'balance-top-up',
  'game-account',
  'esim',
  'subscription',
] as const;
export type CheckoutClass = (typeof CHECKOUT_CLASSES)[number];
