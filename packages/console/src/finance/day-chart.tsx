/** One sum of each day as bars; the table below has the numbers. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { texts } from '../texts.ts';
import { formatMoney } from '../ui/values.tsx';
import { useWidth } from '../ui/width.ts';

export type Day = OperatorAnswer<'getDailyBooks'>['days'][number];
export const SUMS = ['deposits', 'charges', 'refunds', 'adjustments', 'payouts', 'prepaidBalance'] as const;

/** Until it is measured. */
const WIDTH = 640;
const HEIGHT = 180;
const FOOT = 20;
const HEAD = 16;
const LABEL_WIDTH = 70;

export function DayChart({
  days,
  sum,
}: {
  readonly days: readonly Day[];
  readonly sum: (typeof SUMS)[number];
}) {
  const bars = days.map((day) => ({ date: day.date, amount: day[sum], value: Math.abs(Number(day[sum])) }));
  const highest = bars.reduce((most, bar) => (bar.value > most.value ? bar : most), {
    date: '',
    amount: '0.00',
    value: 0,
  });
  const { element, width } = useWidth<SVGSVGElement>(WIDTH);
  const step = width / Math.max(bars.length, 1);
  const everyNth = Math.ceil((bars.length * LABEL_WIDTH) / width);
  const heightOf = (value: number) => (value / (highest.value || 1)) * (HEIGHT - FOOT - HEAD);
  return (
    <figure className="bars">
      <svg
        ref={element}
        height={HEIGHT}
        role="img"
        aria-label={texts.finance.chartLabel(texts.finance.sums[sum])}
      >
        <line className="axis" x1="0" x2={width} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} />
        <text className="tick" x="0" y="2" dominantBaseline="hanging">
          {formatMoney(highest.amount)}
        </text>
        {bars.map(({ date, amount, value }, index) => (
          <g key={date}>
            <rect
              className="bar"
              x={index * step + step * 0.15}
              width={step * 0.7}
              y={HEIGHT - FOOT - heightOf(value)}
              height={heightOf(value)}
            >
              <title>{`${date}: ${formatMoney(amount)}`}</title>
            </rect>
            {index % everyNth === 0 ? (
              <text
                className="tick"
                x={index === 0 ? 0 : index * step + step / 2}
                y={HEIGHT - 4}
                textAnchor={index === 0 ? 'start' : 'middle'}
              >
                {date.slice(5)}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
    </figure>
  );
}
