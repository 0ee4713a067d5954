import { common } from '../texts.ts';

export type Tile = readonly [
  title: string,
  value: number,
  earlier: number | undefined,
  shown: string,
  course?: Course,
];

type Course = {
  /** The last value covers an hour or day that has not ended. */
  readonly values: readonly number[];
  /** The number of values in the whole period. */
  readonly slots: number;
  /** The values in words. */
  readonly label: string;
};

const [WIDTH, HEIGHT] = [120, 24];

export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl className="tiles">
      {tiles.map(([title, value, earlier, shown, course]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{shown}</dd>
          <dd className="change">{toChange(value, earlier)}</dd>
          {course === undefined ? null : (
            <dd>
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
      className="spark"
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={toLine(places.slice(0, -1))} />
      <path className="unfinished" d={toLine(places.slice(-2))} />
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
  const percent = Math.round(((value - before) / before) * 100);
  return percent === 0 ? common.unchanged : common.toChange(percent);
}
