/** What every account had before and after a range of days, and what moved between; all lines of all of them as a file. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { dayEnd, dayStart, FilterBar, SearchFilter } from '../ui/filters.tsx';
import { Link } from '../ui/link.tsx';
import { EmptyList } from '../ui/states.tsx';
import { Money } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import { MonthsFilter } from './months.tsx';

type AccountStatement = OperatorElement<'listStatements'>;

const FILTERS = ['from', 'to', 'query'];
const KINDS = ['deposit', 'charge', 'refund', 'adjustment', 'payout'] as const;

const COLUMNS: readonly Column<AccountStatement>[] = [
  {
    title: texts.accounts.name,
    render: ({ accountId, accountName }) => (
      <Link to={paths.account(accountId)} search={{ tab: 'statement' }} rowKey={accountId}>
        {accountName}
      </Link>
    ),
  },
  {
    title: texts.finance.opening,
    render: ({ openingBalance }) => <Money amount={openingBalance} />,
    isRight: true,
    isMinor: true,
  },
  ...KINDS.map(
    (kind): Column<AccountStatement> => ({
      title: texts.statement.sums[kind],
      render: ({ sums }) => <Money amount={sums[kind]} />,
      isRight: true,
      isMinor: kind === 'adjustment' || kind === 'payout',
    }),
  ),
  {
    title: texts.finance.closing,
    render: ({ closingBalance }) => <Money amount={closingBalance} />,
    isRight: true,
  },
];

export function Statements() {
  const { search } = useUrl();
  const { from, to, query: words, cursor } = search;
  const range = { from: dayStart(from, 'UTC'), to: dayEnd(to, 'UTC'), query: words };
  const query = { ...range, cursor, limit: 50 };
  const result = useLive(['statements', query], (client, signal) =>
    client.listStatements({ query: query as never }, { signal }),
  );
  const pager = usePager(result.data?.meta);
  return (
    <>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.finance.searchLabel} placeholder={texts.finance.search} />
        <MonthsFilter whole={texts.finance.all} />
        <DownloadButton
          label={texts.finance.downloadLines}
          path="/admin/v1/books/statements"
          query={range}
          fileName={`statements${from === undefined ? '' : `-${from}`}${to === undefined ? '' : `-${to}`}.csv`}
        />
      </FilterBar>
      <DataTable
        isLabelled
        label={texts.finance.tabs.statements}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ accountId }) => accountId}
        pager={pager}
        empty={<EmptyList icon="accounts" filters={FILTERS} pager={pager} none={texts.accounts.empty} />}
      />
    </>
  );
}
