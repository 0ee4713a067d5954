import { Button } from '@mantine/core';
import { type Days, DaysFilter } from '../lists/filters.tsx';
import { common } from '../texts.ts';
import { useUrl } from '../url.ts';
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
  const { whole = texts.last30, defaults } = props;
  const { search, setFilters } = useUrl();
  const presets = [
    [whole, { from: undefined, to: undefined }],
    [texts.thisMonth, monthRange(0)],
    [texts.lastMonth, monthRange(-1)],
  ] as const;
  return (
    <>
      <DaysFilter isUtc defaults={defaults} />
      <span className="hint">{common.utcDays}</span>
      <fieldset className="presets" aria-label={texts.presets}>
        {presets.map(([label, range]) => (
          <Button
            key={label}
            aria-pressed={search['from'] === range.from && search['to'] === range.to}
            onClick={() => setFilters(range)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
    </>
  );
}
