import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Button, Group } from '@mantine/core';
import { Suspense, useMemo, useState } from 'react';
import { dayIn } from '../lists/days.ts';
import { lazyPart } from '../shell/lazy.ts';
import { common, formatCount, formatMoney } from '../texts.ts';
import type { Bar } from '../ui/chart.tsx';
import { formatClock, formatDay, formatRoundMoney } from '../ui/values.tsx';
import { texts } from './texts.ts';

type Summary = OperatorAnswer<'getSummary'>;
const Chart = lazyPart(async () => (await import('../ui/chart.tsx')).Chart);

export const FIGURES = {
  orders: common.navigation.orders,
  turnover: common.turnover,
  units: common.units,
  refunds: texts.home.refunds,
  rejections: common.rejectedOrders,
} as const;
export type Figure = keyof typeof FIGURES;

/** A period and the previous one. */
export type Compared = {
  readonly now: Summary;
  readonly then: Summary | undefined;
  readonly zone: string;
  readonly isByHour: boolean;
};

type Props = Compared & {
  readonly figure: Figure;
  /** Opens what a bar counts. */
  readonly onChoose: (day: string) => void;
};

export function Bars({ now, then, zone, isByHour, figure, onChoose }: Props) {
  const [isTable, setTable] = useState(false);
  const bars = useMemo(() => group(now, zone, isByHour, figure), [now, zone, isByHour, figure]);
  const before = useMemo(
    () => (then === undefined ? [] : group(then, zone, isByHour, figure)),
    [then, zone, isByHour, figure],
  );
  return (
    <figure>
      {isTable ? (
        <Table figure={figure} bars={bars} before={before} />
      ) : (
        <Suspense fallback={<div className="chart" />}>
          <Chart
            label={texts.home.chartLabel(FIGURES[figure])}
            bars={bars}
            before={before}
            format={isMoney(figure) ? formatRoundMoney : formatCount}
            slotsMin={isByHour ? 24 : 0}
            onChoose={(place) => onChoose(bars[place]?.day ?? '')}
          />
        </Suspense>
      )}
      <Group component="figcaption" justify="space-between">
        <span>{now.bucket === 'day' ? common.utcDays : zone}</span>
        <Button variant="subtle" size="compact-xs" onClick={() => setTable(!isTable)}>
          {isTable ? texts.home.asChart : texts.home.asTable}
        </Button>
      </Group>
    </figure>
  );
}

type DayBar = Bar & { readonly day: string };

/** Returns hourly figures, or sums them by day in the zone. */
export function group(summary: Summary, zone: string, isByHour: boolean, of: Figure): DayBar[] {
  const values = new Map<string, { readonly day: string; value: number }>();
  for (const { from, [of]: value } of summary.buckets) {
    const at = new Date(from);
    const day = dayIn(zone, at);
    const label = isByHour ? formatClock(at.getTime(), zone) : formatDay(day);
    const before = values.get(label)?.value ?? 0;
    values.set(label, { day, value: before + Number(value) });
  }
  return Array.from(values, ([label, { day, value }]) => ({
    label,
    value,
    day,
    title: `${label}: ${format(of, value, summary.currency)}`,
  }));
}

export const isMoney = (figure: Figure) => figure === 'turnover' || figure === 'refunds';

/** Sums of cents are exact up to 2^53; their binary fraction is not. */
function format(figure: Figure, value: number, currency: string): string {
  return isMoney(figure) ? formatMoney(value.toFixed(2), currency) : formatCount(value);
}

type TableProps = {
  readonly figure: Figure;
  readonly bars: readonly Bar[];
  readonly before: readonly Bar[];
};

function Table({ figure, bars, before }: TableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{common.time}</th>
          <th scope="col" className="right">
            {FIGURES[figure]}
          </th>
          <th scope="col" className="right">
            {common.before}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, value }, index) => (
          <tr key={label}>
            <td>{label}</td>
            <td className="right">{formatCount(value)}</td>
            <td className="right">{formatCount(before[index]?.value ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
