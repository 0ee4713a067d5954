/** Bars, with the values of an earlier period as dashed lines. */
import { Paper } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type FocusEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { common } from '../texts.ts';

export type Bar = { readonly label: string; readonly value: number; readonly title: string };

const WIDTH = 640;
const HEIGHT = 200;
const FOOT = 20;
const HEAD = 10;
const SIDE = 64;
/** Half the width of the longest label, so that no label is cut off at the sides. */
const TICK_HALF = 30;

export function BarChart(props: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly before?: readonly Bar[];
  readonly format: (value: number) => string;
  /** Today's chart keeps room for the remaining hours. */
  readonly slotsMin?: number;
  /** Wraps the content in a link for the bar at this place. */
  readonly link?: (place: number, content: ReactNode) => ReactNode;
}) {
  const { label, bars, before = [], format, slotsMin = 0, link } = props;
  const { ref, width: measured } = useElementSize<HTMLDivElement>();
  const [active, setActive] = useState<number>();
  const width = Math.round(measured) || WIDTH;
  const slots = Math.max(bars.length, before.length, slotsMin, 1);
  const step = (width - SIDE) / slots;
  const ticks = ticksTo(Math.max(0, ...[...bars, ...before].map(({ value }) => value)));
  const toTop = (value: number) => HEIGHT - FOOT - (value / (ticks.at(-1) || 1)) * (HEIGHT - FOOT - HEAD);
  const toLeft = (place: number) => SIDE + place * step;
  const everyNth = Math.ceil((slots * 2 * TICK_HALF) / (width - SIDE));
  const tickAt = (place: number) =>
    Math.min(Math.max(toLeft(place) + step / 2, TICK_HALF), width - TICK_HALF);
  const shown = active === undefined ? undefined : bars[active];
  const earlier = active === undefined ? undefined : before[active];
  const showAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) =>
    setActive(Math.floor((clientX - currentTarget.getBoundingClientRect().left - SIDE) / step));
  const showFocused = ({ target }: FocusEvent<HTMLElement>) =>
    setActive(Number(target.querySelector('[data-place]')?.getAttribute('data-place') ?? -1));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only repeats the accessible name of a bar
    <div
      ref={ref}
      className="chart"
      onPointerMove={showAt}
      onPointerLeave={() => setActive(undefined)}
      onFocus={showFocused}
      onBlur={() => setActive(undefined)}
    >
      <svg
        width="100%"
        display="block"
        height={HEIGHT}
        role={link === undefined ? 'img' : 'group'}
        aria-label={label}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              className="axis"
              stroke="var(--line)"
              x1={SIDE}
              x2={width}
              y1={toTop(tick)}
              y2={toTop(tick)}
            />
            <text
              fill="var(--muted)"
              fontSize={11}
              x={SIDE - 6}
              y={toTop(tick)}
              textAnchor="end"
              dominantBaseline="middle"
            >
              {format(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ label: name, value }, place) => {
          const bar = (
            <>
              <rect
                className="hit"
                data-place={place}
                x={toLeft(place)}
                width={step}
                y={HEAD}
                height={HEIGHT - FOOT - HEAD}
              />
              <rect
                className="bar"
                fill="var(--accent)"
                x={toLeft(place) + step * 0.15}
                width={step * 0.7}
                y={toTop(value)}
                height={HEIGHT - FOOT - toTop(value)}
              />
            </>
          );
          return <g key={name}>{link === undefined ? bar : link(place, bar)}</g>;
        })}
        {bars.map(({ label: name }, place) =>
          place % everyNth === 0 ? (
            <text
              key={name}
              fill="var(--muted)"
              fontSize={11}
              x={tickAt(place)}
              y={HEIGHT - 4}
              textAnchor="middle"
            >
              {name}
            </text>
          ) : null,
        )}
        {before.map(({ label: name, value }, place) =>
          value === 0 ? null : (
            <line
              key={name}
              className="before"
              stroke="var(--mantine-color-text)"
              strokeWidth={1.5}
              strokeDasharray="3 2"
              x1={toLeft(place) + step * 0.08}
              x2={toLeft(place) + step * 0.92}
              y1={toTop(value)}
              y2={toTop(value)}
            />
          ),
        )}
      </svg>
      {shown === undefined ? null : (
        <Paper
          withBorder
          shadow="md"
          pos="absolute"
          top={0}
          px={10}
          py={6}
          fz={12}
          display="grid"
          {...((active ?? 0) < slots / 2 ? { right: 0 } : { left: 64 })}
          style={{ pointerEvents: 'none' }}
          aria-hidden="true"
        >
          <strong>{shown.title}</strong>
          {earlier === undefined ? null : <span>{`${common.before}: ${earlier.title}`}</span>}
        </Paper>
      )}
    </div>
  );
}

/** Ticks from 0 to a round number that covers the highest value, in at most four steps. */
function ticksTo(most: number): readonly number[] {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (STEPS.find((one) => one * power >= rough) ?? 10) * power);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, place) => place * step);
}

const STEPS = [1, 2, 5, 10] as const;
