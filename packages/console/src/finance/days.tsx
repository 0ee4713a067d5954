import type { OperatorAnswer } from '@keyport/sdk/admin';
import { NativeSelect } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { toColumns } from '../lists/columns.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar } from '../lists/filters.tsx';
import { common } from '../texts.ts';
import { BarChart } from '../ui/bar-chart.tsx';
import { Empty } from '../ui/page.tsx';
import { formatDay, formatMoney, formatRoundMoney } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { MonthsFilter } from './months.tsx';
import { texts } from './texts.ts';

type Day = OperatorAnswer<'getDailyBooks'>['days'][number];

const SUMS = ['deposits', 'charges', 'refunds', 'adjustments', 'payouts', 'prepaidBalance'] as const;

const COLUMNS = toColumns<'getDailyBooks', Day>('getDailyBooks', {
  date: ({ date }) => <time dateTime={date}>{formatDay(date, { year: 'numeric' })}</time>,
});

export function Days() {
  const { search, look } = useUrl();
  const { from, to } = search;
  const shown = SUMS.find((sum) => sum === search['show']) ?? 'charges';
  const query = { from, to };
  const result = useRead('getDailyBooks', { query });
  const days = result.data?.days;
  return (
    <>
      <FilterBar names={['from', 'to']}>
        <MonthsFilter defaults={result.data} />
        <DownloadButton
          label={common.downloadCsv}
          path="/admin/v1/books/daily"
          query={query}
          fileName={`books-${result.data?.from ?? ''}-${result.data?.to ?? ''}.csv`}
        />
      </FilterBar>
      {days === undefined ? null : (
        <>
          <NativeSelect
            className="chart-choice"
            size="xs"
            aria-label={texts.chart}
            value={shown}
            data={SUMS.map((value) => ({ value, label: texts.sums[value] }))}
            onChange={({ currentTarget }) => look({ show: currentTarget.value })}
          />
          <figure className="bars">
            <BarChart
              label={texts.chartLabel(texts.sums[shown])}
              bars={days.map(({ date, [shown]: amount }) => ({
                label: formatDay(date),
                value: Math.abs(Number(amount)),
                title: `${formatDay(date, { year: 'numeric' })}: ${formatMoney(amount)}`,
              }))}
              format={formatRoundMoney}
            />
          </figure>
        </>
      )}
      <DataTable
        isLabelled
        label={texts.tabs.days}
        columns={COLUMNS}
        query={result}
        rows={days?.toReversed()}
        rowKey={({ date }) => date}
        empty={<Empty icon="finance">{texts.noDays}</Empty>}
      />
    </>
  );
}
