import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Box, TextInput } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { toColumns } from '../lists/columns.tsx';
import { DataTable } from '../lists/data-table.tsx';
import { dayEnd } from '../lists/days.ts';
import { DownloadButton } from '../lists/download-button.tsx';
import { FilterBar, SearchFilter } from '../lists/filters.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Empty, Section } from '../ui/page.tsx';
import { Link, Money, Time } from '../ui/values.tsx';
import { countFilters, paths, useUrl } from '../url.ts';
import { texts } from './texts.ts';

type LedgerAccount = OperatorAnswer<'getTrialBalance'>['accounts'][number];

const FILTERS = ['to', 'query'];
/** Operators find the others by searching for the name. */
const SHOWN_MAX = 100;

const SUMS = ['debits', 'credits', 'balance'] as const;

const columns = (first: 'kind' | 'accountName') =>
  toColumns<'getTrialBalance', LedgerAccount>(
    'getTrialBalance',
    {
      kind: texts.kinds,
      accountName: ({ accountId, accountName }) =>
        accountId === null ? (
          accountName
        ) : (
          <Link to={paths.account(accountId)} search={{ tab: 'statement' }} rowKey={accountId}>
            {accountName}
          </Link>
        ),
    },
    [first, ...SUMS],
  );

export function Books() {
  const { search, setFilters } = useUrl();
  const { to, query: words = '' } = search;
  const result = useRead('getTrialBalance', { query: { at: dayEnd(to, 'UTC') } });
  const { at, accounts, totals } = result.data ?? {};
  const resellers = accounts?.filter(
    ({ accountName }) => accountName?.toLowerCase().includes(words.toLowerCase()) === true,
  );
  return (
    <>
      <FilterBar names={FILTERS}>
        <TextInput
          size="sm"
          type="date"
          aria-label={texts.toEnd}
          title={texts.toEnd}
          value={to ?? ''}
          onChange={({ currentTarget }) => setFilters({ to: currentTarget.value || undefined })}
        />
        <Hint span>{texts.toEnd}</Hint>
        <SearchFilter name="query" label={common.searchAccounts} placeholder={texts.search} />
        <DownloadButton label={texts.downloadDays} path="/admin/v1/books/daily" fileName="books.csv" />
      </FilterBar>
      {totals === undefined || at === undefined ? null : (
        <Hint mb={16}>
          {texts.at} <Time at={at} />. {texts.addsUp} <Money amount={totals.balance} />.
        </Hint>
      )}
      <Box className="even">
        <Section title={texts.house}>
          <DataTable
            isLabelled
            label={texts.house}
            columns={columns('kind')}
            query={result}
            rows={accounts?.filter(({ accountId }) => accountId === null)}
            rowKey={({ kind }) => kind}
            empty={<Empty icon="finance">{common.noBookings}</Empty>}
          />
        </Section>
        <Section title={texts.resellers}>
          <DataTable
            isLabelled
            label={texts.resellers}
            columns={columns('accountName')}
            query={result}
            rows={resellers?.slice(0, SHOWN_MAX)}
            rowKey={({ kind, accountId }) => accountId ?? kind}
            empty={
              <Empty icon="accounts">
                {words === '' ? common.noAccounts : common.noMatch(countFilters(search, ['query']))}
              </Empty>
            }
          />
          {(resellers?.length ?? 0) > SHOWN_MAX ? (
            <Hint mt={8}>{texts.more(resellers?.length ?? 0, SHOWN_MAX)}</Hint>
          ) : null}
        </Section>
      </Box>
    </>
  );
}
