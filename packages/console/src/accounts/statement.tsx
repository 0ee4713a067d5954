import type { OperatorElement } from '@keyport/sdk/admin';
import { MonthsFilter } from '../finance/months.tsx';
import type { Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { texts } from '../texts.ts';
import { Facts } from '../ui/page.tsx';
import { Money, OrderLink } from '../ui/values.tsx';
import type { Account } from './account-data.tsx';

type Line = OperatorElement<'getStatement'>;

const FILTERS = ['from', 'to'];
export const KINDS = ['deposit', 'charge', 'refund', 'adjustment', 'payout'] as const;

const COLUMNS: readonly Column<Line>[] = [
  { title: 'No.', render: ({ number }) => number, look: 'minor' },
  { title: 'Time', time: 'createdAt' },
  { title: 'Kind', render: ({ kind }) => texts.statement.kinds[kind] },
  { title: 'Order or reference', render: (line) => <About line={line} /> },
  { title: 'Amount', money: 'amount', look: 'right' },
  { title: 'Balance after', money: 'balance', look: 'right' },
];

export function Statement({ account }: { readonly account: Account }) {
  const range = useDays('createdAtFrom', 'createdAtTo', 'UTC');
  const list = useList('getStatement', {
    params: { accountId: account.id },
    filters: FILTERS,
    query: { ...range, sort: 'DESC' },
    isNumbered: true,
    everyMs: 10_000,
  });
  const { summary } = list.result.data ?? {};
  return (
    <>
      <FilterBar names={FILTERS}>
        <MonthsFilter whole="All" />
        <DownloadButton
          label="Download CSV"
          path={`/admin/v1/accounts/${account.id}/statement`}
          query={range}
          fileName={`statement-${account.id}.csv`}
        />
      </FilterBar>
      {summary === undefined ? null : (
        <div className="columns figures">
          <Facts
            facts={{
              'Opening balance': <Money amount={summary.openingBalance} />,
              'Closing balance': <Money amount={summary.closingBalance} />,
            }}
          />
          <Facts
            facts={Object.fromEntries(
              KINDS.map((kind) => [
                texts.statement.sums[kind],
                <Money key={kind} amount={summary.sums[kind]} />,
              ]),
            )}
          />
        </div>
      )}
      <List
        list={list}
        isLabelled
        label="Statement"
        columns={COLUMNS}
        icon="finance"
        none={texts.statement.empty}
      />
    </>
  );
}

function About({ line: { orderId, reference, reason } }: { readonly line: Line }) {
  if (orderId !== undefined) {
    return (
      <>
        <OrderLink id={orderId} /> {reference}
      </>
    );
  }
  const text = [reference, reason].filter((part) => part !== undefined).join(': ');
  return <span title={text}>{text}</span>;
}
