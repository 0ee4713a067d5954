/** Figures of a period, each with its change since the period before. */
import { texts } from '../texts.ts';

export type Tile = readonly [title: string, value: number, earlier: number | undefined, shown: string];

export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl className="tiles">
      {tiles.map(([title, value, earlier, shown]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{shown}</dd>
          <dd className="change">{changeOf(value, earlier)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function changeOf(value: number, before: number | undefined): string {
  if (before === undefined || Number.isNaN(before)) return ' ';
  if (before === 0) return value === 0 ? texts.common.unchanged : texts.home.noneBefore;
  const percent = Math.round(((value - before) / before) * 100);
  return percent === 0 ? texts.common.unchanged : texts.home.change(percent);
}
