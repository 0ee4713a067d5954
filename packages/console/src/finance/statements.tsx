import type { OperatorElement } from '@keyport/sdk/admin';
import { KINDS } from '../accounts/statement.tsx';
import type { Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Link, Money } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { MonthsFilter } from './months.tsx';
import { texts } from './texts.ts';

type AccountStatement = OperatorElement<'listStatements'>;

const FILTERS = ['from', 'to', 'query'];

const COLUMNS: readonly Column<AccountStatement>[] = [
  {
    title: common.account,
    render: ({ accountId, accountName }) => (
      <Link to={paths.account(accountId)} search={{ tab: 'statement' }} rowKey={accountId}>
        {accountName}
      </Link>
    ),
  },
  { title: common.before, money: 'openingBalance', look: 'right minor' },
  ...KINDS.map(
    (kind): Column<AccountStatement> => ({
      title: common.bookingSums[kind],
      render: ({ sums }) => <Money amount={sums[kind]} />,
      look: kind === 'adjustment' || kind === 'payout' ? 'right minor' : 'right',
    }),
  ),
  { title: texts.closing, money: 'closingBalance', look: 'right' },
];

export function Statements() {
  const { from, to } = useUrl().search;
  const list = useList('listStatements', { filters: FILTERS, query: useDays('from', 'to', 'UTC') });
  return (
    <>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={common.searchAccounts} placeholder={texts.search} />
        <MonthsFilter whole={common.all} />
        <DownloadButton
          label={texts.downloadLines}
          path="/admin/v1/books/statements"
          query={list.query}
          fileName={`${['statements', from, to].filter((part) => part !== undefined).join('-')}.csv`}
        />
      </FilterBar>
      <List
        list={list}
        isLabelled
        label={texts.tabs.statements}
        columns={COLUMNS}
        rowKey={({ accountId }) => accountId}
        icon="accounts"
        none={common.noAccounts}
      />
    </>
  );
}
