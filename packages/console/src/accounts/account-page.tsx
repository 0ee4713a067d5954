import { Members } from '../account-parts/members.tsx';
import { Requests } from '../account-parts/requests.tsx';
import { useMay, useSession } from '../api/session.ts';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import { Reservations } from '../reservations/reservations.tsx';
import { common, isolated } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { ThingPage } from '../ui/page.tsx';
import { UrlTabs } from '../ui/url-tabs.tsx';
import { CopyButton } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { type Account, AccountStatus, useAccount } from './account-data.tsx';
import {
  AccountStatusDialog,
  BOOKINGS,
  BookingDialog,
  EditAccountDialog,
  otherStatus,
} from './account-dialogs.tsx';
import { AccountOverview } from './account-overview.tsx';
import { AccountCheckup } from './checkup.tsx';
import { Clients } from './clients.tsx';
import { Endpoints } from './endpoints.tsx';
import { Statement } from './statement.tsx';
import { texts } from './texts.ts';

const { tabs } = texts.account;

type Parts = Parameters<typeof UrlTabs<{ readonly account: Account }>>[0]['parts'];

const PARTS = {
  overview: [tabs.overview, AccountOverview],
  statement: [tabs.statement, Statement],
  reservations: [tabs.reservations, Reservations],
  clients: [tabs.clients, Clients],
  webhooks: [tabs.webhooks, Endpoints],
  requests: [
    tabs.requests,
    ({ account }) => <Requests name="listAccountRequests" params={{ accountId: account.id }} />,
  ],
  members: [common.navigation.members, AccountMembers],
} as const satisfies Parts;
const SANDBOX_PARTS = { ...PARTS, checkup: [tabs.checkup, AccountCheckup] } as const;

const MEMBER_OPERATIONS = {
  list: 'listAccountMembers',
  create: 'createAccountMember',
  update: 'updateAccountMember',
  invite: 'inviteAccountMember',
  reset: 'resetAccountMemberCredentials',
} as const;

function AccountMembers({ account }: { readonly account: Account }) {
  const may = useMay('administer') && account.status !== 'closed';
  return <Members operations={MEMBER_OPERATIONS} params={{ accountId: account.id }} may={may} />;
}

/** These filters mean nothing in another tab. */
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
  const { mode } = useSession();
  return (
    <ThingPage
      query={query}
      missing="account"
      back={{ to: paths.accounts, label: common.navigation.accounts }}
      title={(account) => account?.name ?? common.account}
      mark={({ id, status }) => (
        <>
          <CopyButton text={id} what={texts.account.id} />
          <AccountStatus status={status} />
        </>
      )}
      actions={(account) => <AccountActions account={account} />}
    >
      {(account) => (
        <>
          <WaitingApprovals approvals={approvals} />
          <UrlTabs
            label={texts.account.sections}
            parts={mode === 'sandbox' ? SANDBOX_PARTS : PARTS}
            shared={{ account }}
            reset={OF_ONE_TAB}
          />
        </>
      )}
    </ThingPage>
  );
}

function AccountActions({ account }: { readonly account: Account }) {
  const mayBook = useMay('finance');
  const mayAdminister = useMay('administer');
  const action = (label: string, dialog: Action['dialog']): Action => ({
    label,
    dialog,
    command: `${label} (${isolated(account.name)})`,
    isPrimary: label === texts.bookings.deposit.submit,
  });
  const bookings = BOOKINGS.map((name) =>
    action(texts.bookings[name].submit, <BookingDialog name={name} account={account} />),
  );
  const edit = action(common.edit, <EditAccountDialog account={account} />);
  const change = action(
    texts.account[otherStatus(account)].submit,
    <AccountStatusDialog account={account} />,
  );
  const isClosed = account.status === 'closed';
  const actions = [
    ...(mayBook ? bookings.slice(isClosed ? BOOKINGS.indexOf('payout') : 0) : []),
    ...(mayAdminister && !isClosed ? [edit, change] : []),
  ];
  return (
    <>
      {isClosed ? <Hint span>{texts.account.closed}</Hint> : null}
      <Actions icon="accounts" actions={actions} />
    </>
  );
}
