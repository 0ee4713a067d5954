import { useMay, useSession } from '../api/session.ts';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { type Action, Actions } from '../forms/actions.tsx';
import { Reservations } from '../reservations/reservations.tsx';
import { texts } from '../texts.ts';
import { ThingPage } from '../ui/page.tsx';
import { UrlTabs } from '../ui/url-tabs.tsx';
import { CopyButton } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { type Account, AccountStatus, useAccount } from './account-data.tsx';
import { EditAccountDialog } from './account-dialogs.tsx';
import { AccountOverview } from './account-overview.tsx';
import { BOOKINGS, BookingDialog } from './booking-dialog.tsx';
import { AccountCheckup } from './checkup.tsx';
import { Clients } from './clients.tsx';
import { Endpoints } from './endpoints.tsx';
import { Requests } from './requests.tsx';
import { Statement } from './statement.tsx';

const PARTS = {
  overview: ['Overview', AccountOverview],
  statement: ['Statement', Statement],
  reservations: ['Reservations', Reservations],
  clients: ['Clients', Clients],
  webhooks: ['Webhooks', Endpoints],
  requests: ['Requests', Requests],
} as const;
const SANDBOX_PARTS = { ...PARTS, checkup: ['Check-up', AccountCheckup] } as const;

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
  const { mode } = useSession();
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
          <UrlTabs
            label="Parts of the account"
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
