/** All accounts of resellers. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyList } from '../ui/states.tsx';
import { Money, Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import type { Account } from './account-data.ts';
import { NewAccountDialog } from './account-dialogs.tsx';
import { AccountStatus } from './account-status.tsx';

const FILTERS = ['query', 'status', 'sort'];

const COLUMNS: readonly Column<Account>[] = [
  { title: texts.accounts.name, render: ({ name }) => name },
  { title: texts.accounts.status, render: ({ status }) => <AccountStatus status={status} /> },
  {
    title: texts.accounts.paymentMethod,
    render: ({ paymentMethod }) => texts.accounts.paymentMethods[paymentMethod ?? 'none'],
    isMinor: true,
  },
  {
    title: texts.accounts.discount,
    render: ({ discountPercent }) => texts.accounts.percent(discountPercent),
    isRight: true,
    isMinor: true,
  },
  { title: texts.accounts.balance, render: ({ balance }) => <Money amount={balance} />, isRight: true },
  { title: texts.accounts.created, render: ({ createdAt }) => <Time at={createdAt} />, isRight: true },
];

export function AccountsList() {
  const { search } = useUrl();
  const may = useMay('administer');
  const [isNew, setNew] = useState(false);
  const { query: words, status, sort, cursor } = search;
  const query = { query: words, status, sort: sort ?? '-createdAt', cursor, limit: 50 };
  const result = useLive(['accounts', query], (client, signal) =>
    client.listAccounts({ query: query as never }, { signal }),
  );
  const pager = usePager(result.data?.meta);
  return (
    <Page
      title={texts.accounts.title}
      actions={
        may ? (
          <Button size="xs" onClick={() => setNew(true)}>
            {texts.accounts.new}…
          </Button>
        ) : null
      }
    >
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label={texts.accounts.searchLabel} placeholder={texts.accounts.search} />
        <ChoiceFilter name="status" label={texts.accounts.status} choices={texts.accounts.statuses} />
        <ChoiceFilter name="sort" label={texts.accounts.order} choices={texts.accounts.orders} isRequired />
      </FilterBar>
      <DataTable
        label={texts.accounts.title}
        columns={COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        rowPath={({ id }) => paths.account(id)}
        pager={pager}
        empty={
          <EmptyList
            icon="accounts"
            filters={['query', 'status']}
            pager={pager}
            none={texts.accounts.empty}
          />
        }
      />
      {isNew ? <NewAccountDialog onClose={() => setNew(false)} /> : null}
    </Page>
  );
}
