/** Orders over time as bars, or as a table. Drawn here: a chart library weighs more than the rest of the page. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { LOCALE, texts } from '../texts.ts';
import { useWidth } from '../ui/width.ts';
import { dayIn } from './periods.ts';

type Summary = OperatorAnswer<'getSummary'>;
type Bar = { readonly label: string; readonly count: number };

/** Until it is measured. */
const WIDTH = 640;
const HEIGHT = 180;
const FOOT = 20;
/** Half of the longest label, which must not stand out at the sides. */
const TICK_HALF = 30;

export function Bars(props: {
  readonly now: Summary;
  readonly then: Summary | undefined;
  readonly zone: string;
  readonly isByHour: boolean;
}) {
  const { now, then, zone, isByHour } = props;
  const [isTable, setTable] = useState(false);
  const bars = group(now, zone, isByHour);
  const before = then === undefined ? [] : group(then, zone, isByHour);
  const name = now.bucket === 'day' ? texts.common.utcDays : zone;
  return (
    <figure className="bars">
      {isTable ? (
        <Table bars={bars} before={before} />
      ) : (
        <Chart bars={bars} before={before} slotsMin={isByHour ? 24 : 0} />
      )}
      <figcaption>
        <span>{texts.home.legend(name)}</span>
        <Button variant="subtle" size="compact-xs" onClick={() => setTable(!isTable)}>
          {isTable ? texts.home.asChart : texts.home.asTable}
        </Button>
      </figcaption>
    </figure>
  );
}

/** Hours as they come, or added up to days of the zone. */
function group({ buckets, bucket }: Summary, zone: string, isByHour: boolean): Bar[] {
  const dayZone = bucket === 'day' ? 'UTC' : zone;
  const hour = new Intl.DateTimeFormat(LOCALE, { timeZone: zone, hour: '2-digit', minute: '2-digit' });
  const counts = new Map<string, number>();
  for (const { from, orders } of buckets) {
    const at = new Date(from);
    const label = isByHour ? hour.format(at) : dayIn(dayZone, at);
    counts.set(label, (counts.get(label) ?? 0) + orders);
  }
  return [...counts].map(([label, count]) => ({ label: isByHour ? label : shortDay(label), count }));
}

function shortDay(day: string): string {
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone: 'UTC', day: 'numeric', month: 'short' });
  return format.format(new Date(`${day}T00:00:00Z`));
}

function Chart(props: {
  readonly bars: readonly Bar[];
  readonly before: readonly Bar[];
  /** A day keeps the width of its hours to come. */
  readonly slotsMin: number;
}) {
  const { bars, before, slotsMin } = props;
  const { element, width } = useWidth<SVGSVGElement>(WIDTH);
  const most = Math.max(1, ...bars.map(({ count }) => count), ...before.map(({ count }) => count));
  const slots = Math.max(bars.length, before.length, slotsMin, 1);
  const step = width / slots;
  const heightOf = (count: number) => (count / most) * (HEIGHT - FOOT - 12);
  const top = (count: number) => HEIGHT - FOOT - heightOf(count);
  const everyNth = Math.ceil((slots * 2 * TICK_HALF) / width);
  const tickAt = (index: number) => Math.min(Math.max(index * step + step / 2, TICK_HALF), width - TICK_HALF);
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  return (
    <svg ref={element} height={HEIGHT} role="img" aria-label={texts.home.chartLabel(total)}>
      <line className="axis" x1="0" x2={width} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} />
      <text className="tick" x="0" y="2" dominantBaseline="hanging">
        {most.toLocaleString(LOCALE)}
      </text>
      {bars.map(({ label, count }, index) => (
        <g key={label}>
          <rect
            className="bar"
            x={index * step + step * 0.15}
            width={step * 0.7}
            y={top(count)}
            height={heightOf(count)}
          >
            <title>{`${label}: ${count}`}</title>
          </rect>
          {index % everyNth === 0 ? (
            <text className="tick" x={tickAt(index)} y={HEIGHT - 4} textAnchor="middle">
              {label}
            </text>
          ) : null}
        </g>
      ))}
      {before.map(({ label, count }, index) =>
        count === 0 ? null : (
          <line
            key={label}
            className="before"
            x1={index * step + step * 0.08}
            x2={index * step + step * 0.92}
            y1={top(count)}
            y2={top(count)}
          />
        ),
      )}
    </svg>
  );
}

function Table({ bars, before }: { readonly bars: readonly Bar[]; readonly before: readonly Bar[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{texts.common.time}</th>
          <th scope="col" className="right">
            {texts.navigation.orders}
          </th>
          <th scope="col" className="right">
            {texts.common.before}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, count }, index) => (
          <tr key={label}>
            <td>{label}</td>
            <td className="right">{count.toLocaleString(LOCALE)}</td>
            <td className="right">{before[index]?.count.toLocaleString(LOCALE) ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
