/** Bars, with a thin line for the previous period. Beside the pointer are the values of its place. */
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import UPlot, { type Options } from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { common } from '../texts.ts';

export type Bar = {
  readonly label: string;
  readonly value: number;
  /** The label and the value, exact. */
  readonly title: string;
};

export type ChartProps = {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly before?: readonly Bar[];
  readonly format: (value: number) => string;
  /** Today's chart keeps room for the remaining hours. */
  readonly slotsMin?: number;
  readonly onChoose?: (place: number) => void;
};

const HEIGHT = 220;
/** Wide enough for `€1.2M` and for a day with its year. */
const [SIDE, LABEL] = [64, 84];
const [THIN, THICK] = [1.5, 0.7];
/** Counts have no fractions. */
const STEPS = Array.from(
  { length: 30 },
  (_, place) => ([1, 2, 5][place % 3] ?? 1) * 10 ** Math.floor(place / 3),
);

export function Chart({ label, bars, before = [], format, slotsMin = 0, onChoose }: ChartProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const inner = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors are those of the scheme
  useEffect(() => {
    const root = inner.current;
    if (root === null || width === 0) return;
    const slots = Math.max(bars.length, before.length, slotsMin, 1);
    const toValues = (all: readonly Bar[]) =>
      Array.from({ length: slots }, (_, place) => all[place]?.value ?? null);
    const options = toOptions({ bars, before, format, slots, width, root });
    const places = Array.from({ length: slots }, (_, place) => place);
    const plot = new UPlot(options, [places, toValues(bars), toValues(before)], root);
    if (onChoose !== undefined) {
      plot.over.style.cursor = 'pointer';
      plot.over.addEventListener('click', () => {
        const place = plot.cursor.idx;
        if (typeof place === 'number' && place < bars.length) onChoose(place);
      });
    }
    return () => plot.destroy();
  }, [bars, before, format, slotsMin, width, scheme]);
  return (
    <div ref={ref} className="chart" role="img" aria-label={label}>
      <div ref={inner} />
    </div>
  );
}

type Shown = Required<Pick<ChartProps, 'bars' | 'before' | 'format'>> & {
  readonly slots: number;
  readonly width: number;
  readonly root: HTMLElement;
};

function toOptions({ bars, before, format, slots, width, root }: Shown): Options {
  const [accent, muted, line] = ['--accent', '--muted', '--line'].map((name) => toColor(root, name)) as [
    string,
    string,
    string,
  ];
  const axis = { stroke: muted, font: `11px ${getComputedStyle(root).fontFamily}`, ticks: { show: false } };
  const tip = document.createElement('div');
  tip.className = 'chart-tip';
  return {
    width,
    height: HEIGHT,
    scales: {
      x: { time: false, range: [-0.5, slots - 0.5] },
      y: { range: (_, __, most) => [0, toTop(most).top] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: LABEL,
        incrs: [1, 2, 3, 4, 6, 7, 14, 28, 56],
        values: (_, places) => places.map((place) => bars[place]?.label ?? ''),
      },
      {
        ...axis,
        size: SIDE,
        splits: (_, __, ___, top) => {
          const { step } = toTop(top);
          return Array.from({ length: Math.round(top / step) + 1 }, (_, place) => place * step);
        },
        grid: { stroke: line, width: 1 },
        values: (_, values) => values.map(format),
      },
    ],
    series: [
      {},
      {
        label: common.thisPeriod,
        fill: accent,
        ...(UPlot.paths.bars && { paths: UPlot.paths.bars({ size: [THICK, 64] }) }),
        points: { show: false },
      },
      {
        label: common.before,
        stroke: muted,
        width: THIN,
        points: { show: before.length === 1 },
      },
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    legend: { show: true, live: false },
    hooks: {
      init: [({ over }) => over.append(tip)],
      setCursor: [
        ({ cursor: { idx, left = -1, top = 0 } }) => {
          const [now, then] = typeof idx === 'number' && left >= 0 ? [bars[idx], before[idx]] : [];
          tip.replaceChildren(
            ...[now?.title, then && `${common.before}: ${then.title}`].flatMap((text) =>
              text === undefined ? [] : toLine(text),
            ),
          );
          // On the side with more room.
          tip.style.transform = `translate(calc(${left}px + ${left > width / 2 ? '-100% - 12px' : '12px'}), ${top}px)`;
        },
      ],
    },
  };
}

function toLine(text: string): HTMLElement {
  const line = document.createElement('div');
  line.textContent = text;
  return line;
}

const LINES_MAX = 5;

/** The top of the axis is its last label, above all bars. */
function toTop(most: number): { readonly top: number; readonly step: number } {
  const step = STEPS.find((one) => most <= one * LINES_MAX) ?? most / LINES_MAX;
  return { top: Math.max(1, Math.ceil(most / step)) * step, step };
}

/** A canvas knows no variables. */
function toColor(root: HTMLElement, name: string): string {
  root.style.color = `var(${name})`;
  const { color } = getComputedStyle(root);
  root.style.color = '';
  return color;
}
