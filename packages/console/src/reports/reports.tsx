/**
 * Sales by day, product, seller, account or region, with the previous period. Rows link to orders.
 */

import { Box, Group, Text } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { useRead } from '../api/queries.ts';
import { findAccounts, findProducts, findSellers } from '../catalogue/choices.ts';
import type { Find } from '../forms/search-select.tsx';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar, TextFilter } from '../lists/filters.tsx';
import { MonthsFilter } from '../lists/months.tsx';
import type { Search } from '../places.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { common, formatCount, formatMoney } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Presets } from '../ui/presets.tsx';
import { toChange } from '../ui/tiles.tsx';
import { formatDay, formatRoundMoney, Link, Money } from '../ui/values.tsx';
import { paths, useGo, useUrl } from '../url.ts';
import { computeRate, percent, type Report, SalesTiles } from './sales-tiles.tsx';
import { texts } from './texts.ts';

const LazyChart = lazyPart(async () => (await import('../ui/chart.tsx')).Chart);

type Row = Report['rows'][number];
type Dimension = Exclude<Report['by'], 'day'>;

const BY = ['day', 'product', 'seller', 'account', 'region'] as const;
/** The filters of the orders page. */
const ORDERS_FILTERS = {
  account: 'accountId',
  product: 'productId',
  seller: 'sellerId',
  region: 'region',
} as const;
const FIND: Partial<Record<Dimension, Find>> = {
  account: findAccounts,
  product: findProducts,
  seller: findSellers,
};

const dayWithYear = (day: string) => formatDay(day, { year: 'numeric' });

export function Reports() {
  const { search, setFilters } = useUrl();
  const { from, to, id } = search;
  const dimension = BY.find((one): one is Dimension => one !== 'day' && one === search['dimension']);
  const by = dimension === undefined ? (BY.find((one) => one === search['by']) ?? 'day') : 'day';
  const query = { by, from, to, dimension, id: dimension && id };
  const result = useRead('getSalesReport', { query });
  const report = result.data;
  const download = (
    <DownloadButton
      label={common.downloadCsv}
      path="/admin/v1/reports/sales"
      query={query}
      fileName={`sales-by-${by}-${report?.from ?? ''}-${report?.to ?? ''}.csv`}
    />
  );
  return (
    <Page title={common.navigation.reports} actions={download}>
      <FilterBar names={['from', 'to', 'dimension', 'id']}>
        <MonthsFilter defaults={report} />
        {dimension === undefined || id === undefined ? (
          <Presets
            label={texts.by}
            choices={texts.dimensions}
            chosen={by}
            onChoose={(next) => void setFilters({ by: next === 'day' ? undefined : next })}
          />
        ) : (
          <TextFilter
            names={['id', 'dimension']}
            label={texts.dimensions[dimension]}
            {...(FIND[dimension] === undefined ? { value: id } : { find: FIND[dimension] })}
          />
        )}
      </FilterBar>
      {report === undefined ? null : (
        <>
          <SalesTiles report={report} />
          <Hint mb={8}>{texts.compared(dayWithYear(report.beforeFrom), dayWithYear(report.beforeTo))}</Hint>
          {report.by === 'day' ? <Chart report={report} subject={{ dimension, id }} /> : null}
        </>
      )}
      <DataTable
        isLabelled
        label={common.navigation.reports}
        columns={report === undefined ? [] : toColumns(report, { dimension, id })}
        query={result}
        rows={report?.by === 'day' ? report.rows.toReversed() : report?.rows}
        rowKey={({ key }) => key}
        empty={<Empty icon="reports">{common.noSales}</Empty>}
      />
      {report !== undefined && report.omitted > 0 ? <Hint>{texts.omitted(report.omitted)}</Hint> : null}
    </Page>
  );
}

/** The subject of the report; undefined if it covers everything. */
type Subject = { readonly dimension: Dimension | undefined; readonly id: string | undefined };

const FIGURES = {
  turnover: common.turnover,
  orders: common.navigation.orders,
  units: common.units,
  refunded: texts.refunded,
  net: texts.net,
} as const;
type Figure = keyof typeof FIGURES;

/** The first day of the bar that has this day. Weeks begin on Monday. */
const STEPS = {
  day: (day: string) => day,
  week: (day: string) => {
    const date = new Date(day);
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    return date.toISOString().slice(0, 10);
  },
  month: (day: string) => `${day.slice(0, 7)}-01`,
} as const;
type Step = keyof typeof STEPS;

function Chart({ report, subject }: { readonly report: Report; readonly subject: Subject }) {
  const { search, setFilters } = useUrl();
  const go = useGo();
  const figure = (Object.keys(FIGURES) as Figure[]).find((name) => name === search['figure']) ?? 'turnover';
  const step = (Object.keys(STEPS) as Step[]).find((name) => name === search['step']) ?? 'day';
  const [bars, before] = useMemo(() => {
    const steps = [...Map.groupBy(report.rows, ({ key }) => STEPS[step](key)).values()];
    const now = steps.map((rows) => toBar(rows, step, figure, (row) => row));
    // The days of the previous period are others.
    const then = steps.map((rows) => toBar(rows, step, figure, (row) => row.before));
    return [now, then.map((bar) => ({ ...bar, title: bar.shown }))] as const;
  }, [report.rows, step, figure]);
  return (
    <figure>
      <Group justify="space-between" mb={8}>
        <Presets
          label={texts.figure}
          choices={FIGURES}
          chosen={figure}
          onChoose={(next) => setFilters({ figure: next === 'turnover' ? undefined : next })}
        />
        <Presets
          label={texts.step}
          choices={texts.steps}
          chosen={step}
          onChoose={(next) => setFilters({ step: next === 'day' ? undefined : next })}
        />
      </Group>
      <Suspense fallback={<div className="chart" />}>
        <LazyChart
          label={texts.chart(FIGURES[figure])}
          bars={bars}
          before={before}
          format={isCount(figure) ? formatCount : formatRoundMoney}
          onChoose={(place) => {
            const { first, last } = bars[place] ?? {};
            if (first !== undefined && last !== undefined)
              go(paths.orders, toOrders({ by: 'day', from: first, to: last }, undefined, subject));
          }}
        />
      </Suspense>
    </figure>
  );
}

const isCount = (figure: Figure) => figure === 'orders' || figure === 'units';

function toBar(rows: readonly Row[], step: Step, figure: Figure, pick: (row: Row) => Row | Row['before']) {
  const [first = '', last = ''] = [rows[0]?.key, rows.at(-1)?.key];
  const value = rows.reduce((sum, row) => sum + Number(pick(row)[figure]), 0);
  const label =
    step === 'month'
      ? formatDay(first, { day: undefined, year: 'numeric' })
      : formatDay(first, isThisYear(first) ? {} : { year: 'numeric' });
  const name = first === last ? dayWithYear(first) : `${dayWithYear(first)} – ${dayWithYear(last)}`;
  const shown = isCount(figure) ? formatCount(value) : formatMoney(value.toFixed(2));
  return { label, value, first, last, shown, title: `${name}: ${shown}` };
}

const isThisYear = (day: string) => day.startsWith(String(new Date().getUTCFullYear()));

function toColumns(report: Report, subject: Subject): readonly Column<Row>[] {
  const { by, from, to, totals } = report;
  const most = Math.max(
    0,
    ...report.rows.map(({ turnover }) => Number(turnover)),
    Number(totals.turnover) / 1000,
  );
  return [
    {
      title: texts.dimensions[by],
      ...(by === 'product' && { look: 'wide' }),
      render: ({ key, name }) =>
        by === 'day' ? (
          <Link to={paths.orders} search={toOrders(report, { key }, subject)} rowKey={key}>
            {dayWithYear(key)}
          </Link>
        ) : key === '' ? (
          texts.noRegion
        ) : (
          <Link to={paths.reports} search={{ dimension: by, id: key, from, to }} rowKey={key}>
            {name ?? key}
          </Link>
        ),
    },
    {
      title: common.turnover,
      render: ({ turnover }) => (
        <Group component="span" className="with-share" display="inline-flex" gap={10} wrap="nowrap">
          <Box component="span" className="share" w={80} aria-hidden="true">
            <span style={{ width: `${(Number(turnover) / (most || 1)) * 100}%` }} />
          </Box>
          <Text span inherit miw={84}>
            <Money amount={turnover} />
          </Text>
        </Group>
      ),
      look: 'right',
    },
    {
      title: common.change,
      // A day without sales, as before, says nothing.
      render: ({ turnover, before }) =>
        Number(turnover) === 0 && Number(before.turnover) === 0
          ? null
          : toChange(Number(turnover), Number(before.turnover)),
      look: 'right minor',
    },
    {
      title: common.navigation.orders,
      render: (row) =>
        by === 'day' || row.key === '' ? (
          formatCount(row.orders)
        ) : (
          <Link
            to={paths.orders}
            search={toOrders(report, row, subject)}
            label={texts.toOrders(row.name ?? row.key, formatCount(row.orders))}
          >
            {formatCount(row.orders)}
          </Link>
        ),
      look: 'right',
    },
    { title: common.units, render: ({ units }) => formatCount(units), look: 'right minor' },
    { title: texts.refunded, money: 'refunded', look: 'right minor' },
    { title: texts.refundRate, render: (row) => percent(computeRate(row)), look: 'right minor' },
    { title: texts.net, money: 'net', look: 'right' },
  ];
}

/** The filters of the orders behind a row, or of the whole report. */
function toOrders(
  { by, from, to }: Pick<Report, 'by' | 'from' | 'to'>,
  row: Pick<Row, 'key'> | undefined,
  { dimension, id }: Subject,
): Search {
  const own =
    row === undefined
      ? { from, to }
      : by === 'day'
        ? { from: row.key, to: row.key }
        : { from, to, [ORDERS_FILTERS[by]]: row.key };
  return {
    ...own,
    days: 'utc',
    imported: 'false',
    ...(dimension === undefined ? {} : { [ORDERS_FILTERS[dimension]]: id }),
  };
}
