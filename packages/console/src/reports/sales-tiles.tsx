import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { common, formatCount, formatMoney, LOCALE } from '../texts.ts';
import { Tiles, toChange } from '../ui/tiles.tsx';
import { texts } from './texts.ts';

export type Report = OperatorAnswer<'getSalesReport'>;
type Sums = Pick<Report['totals'], 'turnover' | 'refunded'>;

export function SalesTiles({ report: { totals, before, currency } }: { readonly report: Report }) {
  const tile = (title: string, compute: (sums: typeof totals) => number, shown: string) => ({
    title,
    shown,
    more: toChange(compute(totals), compute(before)),
  });
  const money = (title: string, name: 'turnover' | 'refunded' | 'net') =>
    tile(title, (sums) => Number(sums[name]), formatMoney(totals[name], currency));
  const count = (title: string, name: 'orders' | 'units') =>
    tile(title, (sums) => sums[name], formatCount(totals[name]));
  return (
    <Tiles
      tiles={[
        money(common.turnover, 'turnover'),
        count(common.navigation.orders, 'orders'),
        count(common.units, 'units'),
        money(texts.refunded, 'refunded'),
        {
          title: texts.refundRate,
          shown: percent(computeRate(totals)),
          more: toPoints(computeRate(totals), computeRate(before)),
        },
        money(texts.net, 'net'),
      ]}
    />
  );
}

export function computeRate({ turnover, refunded }: Sums): number {
  return Number(turnover) === 0 ? 0 : Number(refunded) / Number(turnover);
}

/** A percentage of a rate would be misread, so rates differ by points. */
function toPoints(rate: number, before: number): string {
  const points = Math.round((rate - before) * 1000) / 10;
  return points === 0 ? common.unchanged : texts.points(points);
}

export function percent(share: number): string {
  return share.toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
}
