import type { OperatorAnswer } from '@keyport/sdk/admin';
import { TextInput } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { dayEnd } from '../lists/days.ts';
import { FilterBar, SearchFilter } from '../lists/filters.tsx';
import { LOCALE, texts } from '../texts.ts';
import { Empty, Facts, Section } from '../ui/page.tsx';
import { Link, Money, Time } from '../ui/values.tsx';
import { countFilters, paths, useUrl } from '../url.ts';

type LedgerAccount = OperatorAnswer<'getTrialBalance'>['accounts'][number];

const FILTERS = ['to', 'query'];
/** More are found by their name. */
const SHOWN_MAX = 100;

const SUMS: readonly Column<LedgerAccount>[] = [
  { title: 'Debits', money: 'debits', look: 'right minor' },
  { title: 'Credits', money: 'credits', look: 'right minor' },
  { title: 'Balance', money: 'balance', look: 'right' },
];

const HOUSE_COLUMNS: readonly Column<LedgerAccount>[] = [
  { title: 'Ledger account', render: ({ kind }) => texts.finance.kinds[kind] },
  ...SUMS,
];

const RESELLER_COLUMNS: readonly Column<LedgerAccount>[] = [
  {
    title: 'Account',
    render: ({ accountId, accountName }) =>
      accountId === null ? (
        accountName
      ) : (
        <Link to={paths.account(accountId)} search={{ tab: 'statement' }} rowKey={accountId}>
          {accountName}
        </Link>
      ),
  },
  ...SUMS,
];

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
          aria-label="End of a UTC day; empty: now"
          title="End of a UTC day; empty: now"
          value={to ?? ''}
          onChange={({ currentTarget }) => setFilters({ to: currentTarget.value || undefined })}
        />
        <span className="hint">End of a UTC day; empty: now</span>
        <SearchFilter name="query" label="Search accounts" placeholder="Name of an account" />
      </FilterBar>
      {totals === undefined || at === undefined ? null : (
        <div className="columns figures">
          <Facts facts={{ 'Books as of': <Time at={at} /> }} />
          <Facts facts={{ 'All accounts add up to': <Money amount={totals.balance} /> }} />
        </div>
      )}
      <Section title="The house">
        <DataTable
          isLabelled
          label="The house"
          columns={HOUSE_COLUMNS}
          query={result}
          rows={accounts?.filter(({ accountId }) => accountId === null)}
          rowKey={({ kind }) => kind}
          empty={<Empty icon="finance">{texts.statement.empty}</Empty>}
        />
      </Section>
      <Section title="Resellers">
        <DataTable
          isLabelled
          label="Resellers"
          columns={RESELLER_COLUMNS}
          query={result}
          rows={resellers?.slice(0, SHOWN_MAX)}
          rowKey={({ kind, accountId }) => accountId ?? kind}
          empty={
            <Empty icon="accounts">
              {words === '' ? texts.accounts.empty : texts.table.noMatch(countFilters(search, ['query']))}
            </Empty>
          }
        />
        {(resellers?.length ?? 0) > SHOWN_MAX ? (
          <p className="hint more">
            {SHOWN_MAX} of {(resellers?.length ?? 0).toLocaleString(LOCALE)} accounts. Search for the others.
          </p>
        ) : null}
      </Section>
    </>
  );
}
