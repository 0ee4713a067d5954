import { useMay } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../lists/filters.tsx';
import { List, useList } from '../lists/list.tsx';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { paths } from '../url.ts';
import { type Account, AccountStatus } from './account-data.tsx';
import { NewAccountDialog } from './account-dialogs.tsx';

const FILTERS = ['query', 'status'];

const COLUMNS: readonly Column<Account>[] = [
  { title: 'Account', render: ({ name }) => name, sort: 'name' },
  { title: 'Status', render: ({ status }) => <AccountStatus status={status} /> },
  {
    title: 'Pays by',
    render: ({ paymentMethod }) => texts.accounts.paymentMethods[paymentMethod ?? 'none'],
    look: 'minor',
  },
  {
    title: 'Discount',
    render: ({ discountPercent }) => texts.accounts.percent(discountPercent),
    look: 'right minor',
  },
  { title: 'Balance', money: 'balance', look: 'right' },
  { title: 'Created', time: 'createdAt', look: 'right', sort: 'createdAt' },
];

const CREATE = { label: 'New account', isPrimary: true, dialog: <NewAccountDialog /> };

export function AccountsList() {
  const may = useMay('administer');
  const list = useList('listAccounts', { filters: FILTERS, sortedBy: '-createdAt' });
  return (
    <Page title="Accounts" actions={may ? <Actions icon="accounts" actions={[CREATE]} /> : null}>
      <FilterBar names={FILTERS}>
        <SearchFilter name="query" label="Search accounts" placeholder="Name, gateway customer or id" />
        <ChoiceFilter name="status" label="Status" choices={texts.accounts.statuses} />
      </FilterBar>
      <List
        list={list}
        label="Accounts"
        columns={COLUMNS}
        rowPath={({ id }) => paths.account(id)}
        icon="accounts"
        none={texts.accounts.empty}
      />
    </Page>
  );
}
