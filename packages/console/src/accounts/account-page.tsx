import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { useMay, useSession } from '../api/session.ts';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import { Reservations } from '../reservations/reservations.tsx';
import { texts } from '../texts.ts';
import { ThingPage } from '../ui/page.tsx';
import { CopyButton } from '../ui/values.tsx';
import { paths, usePathId, useUrl } from '../url.ts';
import { type Account, AccountStatus, useAccount } from './account-data.tsx';
import { EditAccountDialog } from './account-dialogs.tsx';
import { AccountOverview } from './account-overview.tsx';
import { BOOKINGS, BookingDialog } from './booking-dialog.tsx';
import { AccountCheckup } from './checkup.tsx';
import { Clients } from './clients.tsx';
import { Endpoints } from './endpoints.tsx';
import { Requests } from './requests.tsx';
import { Statement } from './statement.tsx';

type TabName = keyof typeof texts.account.tabs;

const TABS: Readonly<Record<TabName, ComponentType<{ readonly account: Account }>>> = {
  overview: AccountOverview,
  statement: Statement,
  reservations: Reservations,
  clients: Clients,
  webhooks: Endpoints,
  requests: Requests,
  checkup: AccountCheckup,
};

/** Filters of one tab mean nothing in another. */
const OF_ONE_TAB = {
  from: undefined,
  to: undefined,
  endpoint: undefined,
  status: undefined,
  code: undefined,
  traceId: undefined,
  peek: undefined,
};

export function AccountPage() {
  const accountId = usePathId();
  return <AccountView key={accountId} accountId={accountId} />;
}

function AccountView({ accountId }: { readonly accountId: string }) {
  const query = useAccount(accountId);
  const approvals = useWaitingApprovals({ accountId });
  const { search, setFilters } = useUrl();
  const { mode } = useSession();
  const tabs = (Object.keys(TABS) as TabName[]).filter((name) => name !== 'checkup' || mode === 'sandbox');
  const tab = tabs.find((name) => name === search['tab']) ?? 'overview';
  const Shown = TABS[tab];
  const open = (next: string | null) =>
    setFilters({ ...OF_ONE_TAB, tab: next === 'overview' || next === null ? undefined : next });
  return (
    <ThingPage
      query={query}
      missing="account"
      back={{ to: paths.accounts, label: 'Accounts' }}
      title={(account) => account?.name ?? 'Account'}
      mark={({ id, status }) => (
        <>
          <CopyButton text={id} what="Account id" />
          <AccountStatus status={status} />
        </>
      )}
      actions={(account) => <AccountActions account={account} />}
    >
      {(account) => (
        <>
          <WaitingApprovals approvals={approvals} />
          <Tabs value={tab} onChange={open} keepMounted={false}>
            <Tabs.List aria-label="Parts of the account">
              {tabs.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {texts.account.tabs[name]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={tab} className="tab-panel">
              <Shown account={account} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </ThingPage>
  );
}

export function AccountActions({ account }: { readonly account: Account }) {
  const mayBook = useMay('finance');
  const mayAdminister = useMay('administer');
  const whyNot = account.status === 'closed' ? 'This account is closed, which is final.' : undefined;
  const action = (label: string, dialog: Action['dialog']): Action => ({
    label,
    dialog,
    whyNot,
    command: `${label} (${account.name})`,
    isPrimary: label === texts.bookings.deposit.name,
  });
  const bookings = BOOKINGS.map((name) =>
    action(texts.bookings[name].name, <BookingDialog name={name} account={account} />),
  );
  const edit = action('Edit', <EditAccountDialog account={account} />);
  const actions = [...(mayBook ? bookings : []), ...(mayAdminister ? [edit] : [])];
  return <Actions icon="accounts" actions={actions} />;
}
