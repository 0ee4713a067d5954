import { toColumns } from '../lists/columns.tsx';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useDays, useList } from '../lists/list.tsx';
import { MonthsFilter } from '../lists/months.tsx';
import { common } from '../texts.ts';
import { Link } from '../ui/values.tsx';
import { paths, useUrl } from '../url.ts';
import { texts } from './texts.ts';

const FILTERS = ['from', 'to', 'query'];

const COLUMNS = toColumns('listStatements', {
  accountName: ({ accountId, accountName }) => (
    <Link to={paths.account(accountId)} search={{ tab: 'statement' }} rowKey={accountId}>
      {accountName}
    </Link>
  ),
});

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
