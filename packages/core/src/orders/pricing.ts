/** The price of a line: units times price, less the account's discount (A34, A35). Amounts are EUR cents. */
import { shareHalfUp } from '../money.ts';

/** 100 % in basis points. */
const BASIS_POINTS_WHOLE = 10_000;

export type LinePrice = {
  /** Units times unit price. */
  readonly sumMinor: number;
  /** Discount rate applied to the sum, rounded half-up to the cent. */
  readonly discountMinor: number;
  /** Sum less discount, which is charged. */
  readonly totalPriceMinor: number;
};

export function priceLine(line: {
  readonly unitPriceMinor: number;
  readonly quantity: number;
  readonly discountBasisPoints: number;
}): LinePrice {
  const sumMinor = line.unitPriceMinor * line.quantity;
  const discountMinor = shareHalfUp(sumMinor, line.discountBasisPoints, BASIS_POINTS_WHOLE);
  return { sumMinor, discountMinor, totalPriceMinor: sumMinor - discountMinor };
}

/**
 * The amount of a refund of `quantity` units of one line: their price less their share of the discount, the amount
 * rounded half-up. The last refund of an order takes the remaining amount, so that refunds add up to `totalPriceMinor`.
 */
export function priceRefund(refund: {
  readonly unitPriceMinor: number;
  readonly quantity: number;
  /** Sum of all lines of the order before the discount. */
  readonly orderSumMinor: number;
  readonly orderTotalPriceMinor: number;
  readonly alreadyRefundedMinor: number;
  /** True if this refund completes the order's refunds. */
  readonly isLast: boolean;
}): number {
  const leftMinor = refund.orderTotalPriceMinor - refund.alreadyRefundedMinor;
  if (refund.isLast) return leftMinor;
  if (refund.orderSumMinor === 0) return 0;
  const sumMinor = refund.unitPriceMinor * refund.quantity;
  const shareMinor = shareHalfUp(sumMinor, refund.orderTotalPriceMinor, refund.orderSumMinor);
  // Repeated rounding up must never refund more than was paid.
  return Math.min(shareMinor, leftMinor);
}
