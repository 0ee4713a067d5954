import type { ReactNode } from 'react';
import type { Search } from '../places.tsx';
import { common } from '../texts.ts';
import { Link } from './values.tsx';

export type Tile = {
  readonly title: string;
  readonly shown: ReactNode;
  /** The text below: the change, or a link. */
  readonly more: ReactNode;
  /** The tile opens the things that it counts. */
  readonly target?: { readonly to: string; readonly search?: Search };
  readonly course?: Course;
};

type Course = {
  /** The last value covers an hour or day that has not ended. */
  readonly values: readonly number[];
  /** The number of values in the whole period. */
  readonly slots: number;
  /** The values in words. */
  readonly label: string;
};

/** From here on, a multiple is easier to read than a percentage. */
const MULTIPLE_FROM = 10;

const [WIDTH, HEIGHT] = [120, 24];

/** `areAlike`: a tile is as wide in a row of few as in a row of many. */
export function Tiles(props: { readonly tiles: readonly Tile[]; readonly areAlike?: boolean }) {
  const columns = props.areAlike === true ? 'repeat(auto-fill, minmax(170px, 1fr))' : undefined;
  return (
    <dl className="tiles" style={{ gridTemplateColumns: columns }}>
      {props.tiles.map(({ title, shown, more, target, course }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{target === undefined ? shown : <Link {...target}>{shown}</Link>}</dd>
          <dd className="change">{more}</dd>
          {course === undefined ? null : (
            <dd style={{ marginTop: 'auto', lineHeight: 0 }}>
              <Spark {...course} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Spark({ values, slots, label }: Course) {
  const most = Math.max(...values) || 1;
  const places = values.map(
    (value, place) =>
      `${(place * WIDTH) / Math.max(slots - 1, 1)},${HEIGHT - 1 - (value / most) * (HEIGHT - 2)}`,
  );
  return (
    <svg
      fill="none"
      stroke="var(--accent)"
      strokeWidth={1.5}
      width="100%"
      style={{ marginTop: 6 }}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path vectorEffect="non-scaling-stroke" d={toLine(places.slice(0, -1))} />
      <path
        vectorEffect="non-scaling-stroke"
        stroke="var(--muted)"
        strokeDasharray="2 3"
        d={toLine(places.slice(-2))}
      />
    </svg>
  );
}

/** In the first hour of a day no hour is finished. */
function toLine(places: readonly string[]): string {
  return places.length === 0 ? '' : `M${places.join('L')}`;
}

export function toChange(value: number, before: number | undefined): string {
  if (before === undefined || Number.isNaN(before)) return ' ';
  if (before === 0) return value === 0 ? common.unchanged : common.noneBefore;
  if (value >= MULTIPLE_FROM * before) return common.times(Math.round(value / before));
  const percent = Math.round(((value - before) / before) * 100);
  return percent === 0 ? common.unchanged : common.toChange(percent);
}
