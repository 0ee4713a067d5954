/** Orders accept only `standard` (R11). */
export const CHECKOUT_CLASSES = [
  'standard',
  'in-game-top-up',
  'balance-top-up',
  'game-account',
  'esim',
  'subscription',
] as const;
export type CheckoutClass = (typeof CHECKOUT_CLASSES)[number];
