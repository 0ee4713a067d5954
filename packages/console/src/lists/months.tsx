import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Presets } from '../ui/presets.tsx';
import { useUrl } from '../url.ts';
import { type Days, DaysFilter } from './filters.tsx';
import { texts } from './texts.ts';

const toDay = (date: Date) => date.toISOString().slice(0, 10);

/** The first and the last day of a month; 0 is this month, -1 the previous one. */
function monthRange(offset: number): { readonly from: string; readonly to: string } {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset + 1, 0));
  return { from: toDay(first), to: toDay(last > now ? now : last) };
}

/** `whole`: the name of the range used if no days are chosen; `defaults`: the days of that range. */
export function MonthsFilter(props: { readonly whole?: string; readonly defaults?: Days | undefined }) {
  const { whole = texts.months.last30, defaults } = props;
  const { search, setFilters } = useUrl();
  const { from, to } = search;
  const ranges = {
    whole: { from: undefined, to: undefined },
    thisMonth: monthRange(0),
    lastMonth: monthRange(-1),
  };
  const names = ['whole', 'thisMonth', 'lastMonth'] as const;
  return (
    <>
      <DaysFilter isUtc defaults={defaults} />
      <Hint span>{common.utcDays}</Hint>
      <Presets
        label={texts.months.presets}
        choices={{ whole, thisMonth: texts.months.thisMonth, lastMonth: texts.months.lastMonth }}
        chosen={names.find((name) => from === ranges[name].from && to === ranges[name].to)}
        onChoose={(name) => setFilters(ranges[name])}
      />
    </>
  );
}
