import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { dayIn } from '../lists/days.ts';
import { common, formatCount, LOCALE } from '../texts.ts';
import { type Bar, BarChart } from '../ui/bar-chart.tsx';
import { formatDay } from '../ui/values.tsx';
import { texts } from './texts.ts';

type Summary = OperatorAnswer<'getSummary'>;
export type Figure = 'orders' | 'turnover' | 'units' | 'refunds' | 'rejections';

/** A period and the previous one. */
export type Compared = {
  readonly now: Summary;
  readonly then: Summary | undefined;
  readonly zone: string;
  readonly isByHour: boolean;
};

export function Bars({ now, then, zone, isByHour }: Compared) {
  const [isTable, setTable] = useState(false);
  const bars = group(now, zone, isByHour, 'orders');
  const before = then === undefined ? [] : group(then, zone, isByHour, 'orders');
  const name = now.bucket === 'day' ? common.utcDays : zone;
  return (
    <figure>
      {isTable ? (
        <Table bars={bars} before={before} />
      ) : (
        <BarChart
          label={texts.home.chartLabel(bars.reduce((sum, { value }) => sum + value, 0))}
          bars={bars}
          before={before}
          format={(value) => formatCount(value)}
          slotsMin={isByHour ? 24 : 0}
        />
      )}
      <Group component="figcaption" justify="space-between">
        <span>{texts.home.legend(name)}</span>
        <Button variant="subtle" size="compact-xs" onClick={() => setTable(!isTable)}>
          {isTable ? texts.home.asChart : texts.home.asTable}
        </Button>
      </Group>
    </figure>
  );
}

/** Returns hourly figures, or sums them by day in the zone. */
export function group({ buckets }: Summary, zone: string, isByHour: boolean, of: Figure): Bar[] {
  const hour = new Intl.DateTimeFormat(LOCALE, {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const counts = new Map<string, number>();
  for (const { from, [of]: value } of buckets) {
    const at = new Date(from);
    const label = isByHour ? hour.format(at) : dayIn(zone, at);
    counts.set(label, (counts.get(label) ?? 0) + Number(value));
  }
  return [...counts].map(([name, value]) => {
    const label = isByHour ? name : formatDay(name);
    return { label, value, title: `${label}: ${formatCount(value)}` };
  });
}

function Table({ bars, before }: { readonly bars: readonly Bar[]; readonly before: readonly Bar[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{common.time}</th>
          <th scope="col" className="right">
            {common.navigation.orders}
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
            <td className="right">{before[index]?.value.toLocaleString(LOCALE) ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
