import { ActionButton } from '../forms/actions.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';
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
    <Page
      title={common.navigation.accounts}
      actions={<ActionButton label={common.newAccount} permission="administer" />}
    >
      <List
        list={list}
        label={common.navigation.accounts}
        columns={COLUMNS}
        rowPath={({ id }) => paths.account(id)}
        icon="accounts"
        none={common.noAccounts}
      />
    </Page>
  );
}
