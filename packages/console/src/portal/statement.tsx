import { Box } from '@mantine/core';
import type { Element } from '../api/queries.ts';
import { toColumns } from '../lists/columns.tsx';
import { dayStart } from '../lists/days.ts';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { MonthsFilter } from '../lists/months.tsx';
import { common } from '../texts.ts';
import { Facts, Page } from '../ui/page.tsx';
import { Isolated, Link, Money, OrderId } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { texts } from './texts.ts';

const FILTERS = ['from', 'to'];
const words = texts.statement;

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

const COLUMNS = toColumns('getOwnStatement', {
  kind: words.kinds,
  orderId: ({ orderId, reference }: Element<'getOwnStatement'>) => (
    <>
      {orderId === undefined ? null : (
        <Link to={paths.order(orderId)}>
          <OrderId id={orderId} />
        </Link>
      )}{' '}
      <Isolated>{reference}</Isolated>
    </>
  ),
});

export function Statement() {
  const { search } = useUrl();
  const chosen = useDays('from', 'to', 'UTC');
  const defaults = { from: toDay(Date.now() - 29 * 86_400_000), to: toDay(Date.now()) };
  const isChosen = search['from'] !== undefined || search['to'] !== undefined;
  const range = isChosen ? chosen : { from: dayStart(defaults.from, 'UTC') };
  const list = useList('getOwnStatement', { filters: FILTERS, query: range, limit: 100, everyMs: 10_000 });
  const { meta } = list.result.data ?? {};
  const { from = defaults.from, to = defaults.to } = search;
  return (
    <Page
      title={common.navigation.statement}
      actions={
        <DownloadButton
          label={common.downloadCsv}
          path="/export/v1/account/statement"
          query={{ from: range['from'], to: isChosen ? chosen['to'] : undefined }}
          fileName={`statement-${from}-${to}.csv`}
        />
      }
    >
      {meta === undefined ? null : (
        <Box maw={360} mb={16}>
          <Facts
            facts={{
              [words.opening]: <Money amount={meta.opening} />,
              [words.closing]: (
                <strong>
                  <Money amount={meta.closing} />
                </strong>
              ),
            }}
          />
        </Box>
      )}
      <FilterBar names={FILTERS}>
        <MonthsFilter whole={words.last30} defaults={defaults} />
      </FilterBar>
      <List
        list={list}
        isLabelled
        label={common.navigation.statement}
        columns={COLUMNS}
        icon="finance"
        none={words.empty}
      />
    </Page>
  );
}
