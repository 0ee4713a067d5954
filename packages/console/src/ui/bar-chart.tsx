/** Bars, with the values of an earlier period as dashed lines. Drawn here: a chart library weighs more than the rest of the page. */
import { useElementSize } from '@mantine/hooks';

export type Bar = { readonly label: string; readonly value: number; readonly title: string };

/** Until it is measured. */
const WIDTH = 640;
const HEIGHT = 180;
const FOOT = 20;
const HEAD = 14;
/** Half of the longest label, which must not stand out at the sides. */
const TICK_HALF = 30;

export function BarChart(props: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly before?: readonly Bar[];
  /** The highest value. */
  readonly most: number;
  readonly top: string;
  /** A day keeps the width of its hours to come. */
  readonly slotsMin?: number;
}) {
  const { label, bars, before = [], most, top, slotsMin = 0 } = props;
  const { ref, width: measured } = useElementSize<HTMLDivElement>();
  const width = Math.round(measured) || WIDTH;
  const slots = Math.max(bars.length, before.length, slotsMin, 1);
  const step = width / slots;
  const heightOf = (value: number) => (value / (most || 1)) * (HEIGHT - FOOT - HEAD);
  const topOf = (value: number) => HEIGHT - FOOT - heightOf(value);
  const everyNth = Math.ceil((slots * 2 * TICK_HALF) / width);
  const tickAt = (index: number) => Math.min(Math.max(index * step + step / 2, TICK_HALF), width - TICK_HALF);
  return (
    <div ref={ref}>
      <svg height={HEIGHT} role="img" aria-label={label}>
        <line className="axis" x1="0" x2={width} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} />
        <text className="tick" x="0" y="2" dominantBaseline="hanging">
          {top}
        </text>
        {bars.map(({ label: name, value, title }, index) => (
          <g key={name}>
            <rect
              className="bar"
              x={index * step + step * 0.15}
              width={step * 0.7}
              y={topOf(value)}
              height={heightOf(value)}
            >
              <title>{title}</title>
            </rect>
            {index % everyNth === 0 ? (
              <text className="tick" x={tickAt(index)} y={HEIGHT - 4} textAnchor="middle">
                {name}
              </text>
            ) : null}
          </g>
        ))}
        {before.map(({ label: name, value }, index) =>
          value === 0 ? null : (
            <line
              key={name}
              className="before"
              x1={index * step + step * 0.08}
              x2={index * step + step * 0.92}
              y1={topOf(value)}
              y2={topOf(value)}
            />
          ),
        )}
      </svg>
    </div>
  );
}
