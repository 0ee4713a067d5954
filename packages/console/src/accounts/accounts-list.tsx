import { ActionButton } from '../forms/actions.tsx';
import { toColumns } from '../lists/columns.tsx';
import { ListPage, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { paths } from '../url.ts';
import { AccountStatus } from './account-data.tsx';
import { texts } from './texts.ts';

const COLUMNS = toColumns('listAccounts', {
  status: ({ status }) => <AccountStatus status={status} />,
  paymentMethod: ({ paymentMethod }) => texts.accounts.paymentMethods[paymentMethod ?? 'none'],
});

export function AccountsList() {
  const list = useList('listAccounts', { isFiltered: true, sortedBy: '-createdAt' });
  return (
    <ListPage
      title={common.navigation.accounts}
      actions={<ActionButton label={common.newAccount} permission="administer" />}
      list={list}
      columns={COLUMNS}
      rowPath={({ id }) => paths.account(id)}
      icon="accounts"
      none={common.noAccounts}
    />
  );
}
