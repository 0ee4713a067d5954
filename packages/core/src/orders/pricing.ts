/** A34, A35. Amounts are EUR cents. */
import { shareHalfUp } from '../money.ts';

const BASIS_POINTS_WHOLE = 10_000;

export type LinePrice = {
  readonly sumMinor: number;
  readonly discountMinor: number;
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

/** The price less its share of the discount. The last refund is the remaining amount. */
export function priceRefund(refund: {
  readonly unitPriceMinor: number;
  readonly quantity: number;
  readonly orderSumMinor: number;
  readonly orderTotalPriceMinor: number;
  readonly alreadyRefundedMinor: number;
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
