import { common, formatMoney } from '../texts.ts';
import { Badge } from '../ui/values.tsx';
import { percentBetween } from './prices.ts';

/** A larger change may be a typing error. */
const USUAL_PERCENT_MAX = 50;

type Prices = { readonly before: string; readonly after: string };

export function isUnusual({ before, after }: Prices): boolean {
  return Math.abs(percentBetween(before, after)) > USUAL_PERCENT_MAX;
}

export function PriceChange(prices: Prices) {
  const { before, after } = prices;
  const change = common.toChange(percentBetween(before, after));
  return (
    <>
      {formatMoney(before)} → {formatMoney(after)}{' '}
      {isUnusual(prices) ? <Badge look={['warn', 'alert']}>{change}</Badge> : change}
    </>
  );
}
