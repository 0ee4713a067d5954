import type { OperatorElement } from '@keyport/sdk/admin';
import { KINDS } from '../accounts/statement.tsx';
import type { Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { texts } from '../texts.ts';
import { Link, Money } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { MonthsFilter } from './months.tsx';

type AccountStatement = OperatorElement<'listStatements'>;

const FILTERS = ['from', 'to', 'query'];

const COLUMNS: readonly Column<AccountStatement>[] = [
  {
    title: 'Account',
    render: ({ accountId, accountName }) => (
      <Link to={paths.account(accountId)} search={{ tab: 'statement' }} rowKey={accountId}>
        {accountName}
      </Link>
    ),
  },
  { title: 'Before', money: 'openingBalance', look: 'right minor' },
  ...KINDS.map(
    (kind): Column<AccountStatement> => ({
      title: texts.statement.sums[kind],
      render: ({ sums }) => <Money amount={sums[kind]} />,
      look: kind === 'adjustment' || kind === 'payout' ? 'right minor' : 'right',
    }),
  ),
  { title: 'After', money: 'closingBalance', look: 'right' },
];

export function Statements() {
  const { from, to } = useUrl().search;
  const list = useList('listStatements', { filters: FILTERS, query: useDays('from', 'to', 'UTC') });
  return (
    <>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label="Search accounts" placeholder="Name of an account" />
        <MonthsFilter whole="All" />
        <DownloadButton
          label="Download all lines as CSV"
          path="/admin/v1/books/statements"
          query={list.query}
          fileName={`${['statements', from, to].filter((part) => part !== undefined).join('-')}.csv`}
        />
      </FilterBar>
      <List
        list={list}
        isLabelled
        label="Statements"
        columns={COLUMNS}
        rowKey={({ accountId }) => accountId}
        icon="accounts"
        none={texts.accounts.empty}
      />
    </>
  );
}
