import type { OperatorAnswer } from '@keyport/sdk/admin';
import { LOCALE, texts } from '../texts.ts';
import { Tiles } from '../ui/tiles.tsx';
import { formatMoney } from '../ui/values.tsx';

export type Report = OperatorAnswer<'getSalesReport'>;
type Sums = Pick<Report['totals'], 'turnover' | 'refunded'>;

const words = texts.reports;

export function SalesTiles({ report: { totals, before, currency } }: { readonly report: Report }) {
  const money = (name: 'turnover' | 'refunded' | 'net') =>
    [Number(totals[name]), Number(before[name]), formatMoney(totals[name], currency)] as const;
  const count = (name: 'orders' | 'units') =>
    [totals[name], before[name], totals[name].toLocaleString(LOCALE)] as const;
  return (
    <Tiles
      tiles={[
        [texts.common.turnover, ...money('turnover')],
        [texts.navigation.orders, ...count('orders')],
        [texts.common.units, ...count('units')],
        [words.refunded, ...money('refunded')],
        [words.refundRate, rateOf(totals), rateOf(before), percent(rateOf(totals))],
        [words.net, ...money('net')],
      ]}
    />
  );
}

export function rateOf({ turnover, refunded }: Sums): number {
  return Number(turnover) === 0 ? 0 : Number(refunded) / Number(turnover);
}

export function percent(share: number): string {
  return share.toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
}
