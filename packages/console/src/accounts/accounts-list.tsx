import { ActionButton } from '../forms/actions.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, SearchFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { paths } from '../url.ts';
import { type Account, AccountStatus } from './account-data.tsx';
import { texts } from './texts.ts';

const FILTERS = ['query', 'status'];

const COLUMNS: readonly Column<Account>[] = [
  { title: common.account, render: ({ name }) => name, sort: 'name' },
  { title: common.status, render: ({ status }) => <AccountStatus status={status} /> },
  {
    title: texts.accounts.paymentMethod,
    render: ({ paymentMethod }) => texts.accounts.paymentMethods[paymentMethod ?? 'none'],
    look: 'minor',
  },
  {
    title: common.discount,
    render: ({ discountPercent }) => texts.accounts.percent(discountPercent),
    look: 'right minor',
  },
  { title: common.balance, money: 'balance', look: 'right' },
  { title: common.created, time: 'createdAt', look: 'right', sort: 'createdAt' },
];

export function AccountsList() {
  const list = useList('listAccounts', { filters: FILTERS, sortedBy: '-createdAt' });
  return (
    <Page
      title={common.navigation.accounts}
      actions={<ActionButton label={common.newAccount} permission="administer" />}
    >
      <List
        list={list}
        filters={
          <>
            <SearchFilter name="query" label={common.searchAccounts} placeholder={texts.accounts.search} />
            <ChoiceFilter name="status" label={common.status} choices={texts.accounts.statuses} />
          </>
        }
        label={common.navigation.accounts}
        columns={COLUMNS}
        rowPath={({ id }) => paths.account(id)}
        icon="accounts"
        none={common.noAccounts}
      />
    </Page>
  );
}
