import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Box } from '@mantine/core';
import { toColumns } from '../lists/columns.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { MonthsFilter } from '../lists/months.tsx';
import type { Search } from '../places.tsx';
import { common, isolated } from '../texts.ts';
import { Facts } from '../ui/page.tsx';
import { Isolated, Money, OrderLink } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import type { Account } from './account-data.tsx';
import { texts } from './texts.ts';

type Line = OperatorElement<'getStatement'>;

const FILTERS = ['from', 'to'];
const KINDS = ['deposit', 'charge', 'refund', 'adjustment', 'payout'] as const;

const COLUMNS = toColumns('getStatement', {
  kind: texts.statement.kinds,
  orderId: (line) => <About line={line} />,
});

export function Statement({ account }: { readonly account: Account }) {
  const range = useDays('createdAtFrom', 'createdAtTo', 'UTC');
  const list = useList('getStatement', {
    params: { accountId: account.id },
    filters: FILTERS,
    query: { ...range, sort: 'DESC' },
    isNumbered: true,
    everyMs: 10_000,
  });
  const { search } = useUrl();
  const { summary } = list.result.data ?? {};
  return (
    <>
      <FilterBar names={FILTERS}>
        <MonthsFilter whole={common.all} />
        <DownloadButton
          label={common.downloadCsv}
          path={`/admin/v1/accounts/${account.id}/statement`}
          query={range}
          fileName={toFileName(account, search)}
        />
      </FilterBar>
      {summary === undefined ? null : (
        <Box maw={320} mb={16}>
          <Facts
            isSum
            facts={[
              [texts.statement.opening, <Money key="opening" amount={summary.openingBalance} />],
              ...KINDS.map(
                (kind) =>
                  [common.bookingSums[kind], <Money key={kind} amount={summary.sums[kind]} />] as const,
              ),
              [texts.statement.closing, <Money key="closing" amount={summary.closingBalance} />],
            ]}
          />
        </Box>
      )}
      <List
        list={list}
        isLabelled
        label={texts.statement.title}
        columns={COLUMNS}
        icon="finance"
        none={common.noBookings}
      />
    </>
  );
}

function toFileName({ name }: Account, { from, to = new Date().toISOString().slice(0, 10) }: Search): string {
  const range = from === undefined ? `until-${to}` : `${from}-${to}`;
  return `statement-${name.replace(/[^\p{L}\p{N}]+/gu, '-')}-${range}.csv`;
}

function About({ line: { orderId, reference, reason } }: { readonly line: Line }) {
  if (orderId !== undefined) {
    return (
      <>
        <OrderLink id={orderId} /> <Isolated>{reference}</Isolated>
      </>
    );
  }
  const text = [reference, reason].flatMap((part) => (part === undefined ? [] : [isolated(part)])).join(': ');
  return <span title={text}>{text}</span>;
}
