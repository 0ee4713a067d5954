import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { common, formatCount, LOCALE } from '../texts.ts';
import { Tiles } from '../ui/tiles.tsx';
import { formatMoney } from '../ui/values.tsx';
import { texts } from './texts.ts';

export type Report = OperatorAnswer<'getSalesReport'>;
type Sums = Pick<Report['totals'], 'turnover' | 'refunded'>;

export function SalesTiles({ report: { totals, before, currency } }: { readonly report: Report }) {
  const money = (name: 'turnover' | 'refunded' | 'net') =>
    [Number(totals[name]), Number(before[name]), formatMoney(totals[name], currency)] as const;
  const count = (name: 'orders' | 'units') =>
    [totals[name], before[name], formatCount(totals[name])] as const;
  return (
    <Tiles
      tiles={[
        [common.turnover, ...money('turnover')],
        [common.navigation.orders, ...count('orders')],
        [common.units, ...count('units')],
        [texts.refunded, ...money('refunded')],
        [texts.refundRate, computeRate(totals), computeRate(before), percent(computeRate(totals))],
        [texts.net, ...money('net')],
      ]}
    />
  );
}

export function computeRate({ turnover, refunded }: Sums): number {
  return Number(turnover) === 0 ? 0 : Number(refunded) / Number(turnover);
}

export function percent(share: number): string {
  return share.toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
}
