/** One account: what it may and has, its statement, its programs and where its events go. */
import { Tabs } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isMissing } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { CopyButton } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { AccountActions } from './account-actions.tsx';
import { type Account, useAccount } from './account-data.ts';
import { AccountOverview } from './account-overview.tsx';
import { AccountStatus } from './account-status.tsx';
import { AccountCheckup } from './checkup.tsx';
import { Clients } from './clients.tsx';
import { Endpoints } from './endpoints.tsx';
import { Statement } from './statement.tsx';

const TABS: Readonly<Record<string, ComponentType<{ readonly account: Account }>>> = {
  overview: AccountOverview,
  statement: Statement,
  clients: Clients,
  webhooks: Endpoints,
  checkup: AccountCheckup,
};
type TabName = keyof typeof texts.account.tabs;

/** Filters of one tab mean nothing in another. */
const OF_ONE_TAB = { from: undefined, to: undefined, endpoint: undefined, status: undefined };

export function AccountPage() {
  const { accountId = '' }: { accountId?: string } = useParams({ strict: false });
  return <AccountView key={accountId} accountId={accountId} />;
}

function AccountView({ accountId }: { readonly accountId: string }) {
  const { data: account, error, refetch } = useAccount(accountId);
  const approvals = useWaitingApprovals({ accountId });
  const { search, setFilters } = useUrl();
  const { mode } = useSession();
  const tabs = Object.keys(TABS).filter((name) => name !== 'checkup' || mode === 'sandbox');
  const tab = search['tab'] ?? 'overview';
  const Shown = TABS[tab] ?? AccountOverview;
  return (
    <Page
      title={account?.name ?? texts.account.title}
      back={{ to: paths.accounts, label: texts.accounts.title }}
      heading={
        account === undefined ? undefined : (
          <>
            {account.name} <CopyButton text={account.id} what={texts.account.id} />
            <AccountStatus status={account.status} />
          </>
        )
      }
      actions={account === undefined ? null : <AccountActions account={account} />}
    >
      <WaitingApprovals approvals={account && approvals} />
      {account === undefined ? (
        error === null ? (
          <Loading />
        ) : isMissing(error) ? (
          <Empty icon="search">{texts.states.notFound('account')}</Empty>
        ) : (
          <Failure error={error} retry={() => void refetch()} />
        )
      ) : (
        <Tabs
          value={tab in TABS ? tab : 'overview'}
          onChange={(next) =>
            setFilters({ ...OF_ONE_TAB, tab: next === 'overview' ? undefined : (next ?? undefined) })
          }
          keepMounted={false}
        >
          <Tabs.List aria-label={texts.account.sections}>
            {tabs.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {texts.account.tabs[name as TabName]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab in TABS ? tab : 'overview'} className="tab-panel">
            <Shown account={account} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
