import { admin } from '../api/admin.ts';
import { Operate } from '../operate/operate.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { Link } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import type { Account } from './account-data.tsx';
import { texts } from './texts.ts';

/** The defaults of the service. */
const NEW = {
  paymentMethod: 'balance',
  discountPercent: '0.00',
  limits: { reservedUnitsMax: 50 },
  returnWindowHours: 0,
  claimWindowHours: 720,
};

export function NewAccountDialog() {
  const go = useGo();
  return (
    <Operate
      operation="createAccount"
      title={common.newAccount}
      values={NEW}
      submit={texts.accounts.create}
      onDone={({ data: { id, name } }) => {
        go(paths.account(id), { tab: 'clients' });
        toast(texts.accounts.createdAs(name));
      }}
    />
  );
}

export function EditAccountDialog({ account }: { readonly account: Account }) {
  return (
    <Operate
      operation="updateAccount"
      params={{ accountId: account.id }}
      title={common.editOf(account.name)}
      values={account}
      reread={() => admin.getAccount({ params: { accountId: account.id } })}
      submit={common.saveChanges}
      done={texts.account.saved}
    />
  );
}

/** Suspends the account, or activates it again. */
export function AccountStatusDialog({ account }: { readonly account: Account }) {
  const status = otherStatus(account);
  return (
    <Operate
      operation="updateAccount"
      params={{ accountId: account.id }}
      body={{ status }}
      of={account.name}
      isDangerous={status === 'suspended'}
      {...texts.account[status]}
    />
  );
}

export function otherStatus({ status }: Account): 'active' | 'suspended' {
  return status === 'active' ? 'suspended' : 'active';
}

export const BOOKINGS = ['deposit', 'adjustment', 'payout'] as const;

const OPERATIONS = {
  deposit: 'createDeposit',
  adjustment: 'createAdjustment',
  payout: 'createPayout',
} as const;

const DEPOSIT_TYPED_ABOVE = 10_000;

/** Deposits are frequent: only one that is probably a slip is typed again. */
function typedDeposit(preview: { readonly amount: string } | undefined): string | undefined {
  return preview !== undefined && Number(preview.amount) > DEPOSIT_TYPED_ABOVE ? preview.amount : undefined;
}

export function BookingDialog(props: {
  readonly name: (typeof BOOKINGS)[number];
  readonly account: Account;
}) {
  const { name, account } = props;
  const { done, ...words } = texts.bookings[name];
  return (
    <Operate
      operation={OPERATIONS[name]}
      params={{ accountId: account.id }}
      of={account.name}
      account={account.name}
      isDangerous={name === 'payout'}
      hasEffect={({ amount, bookings }) => bookings.length > 0 || Number(amount) !== 0}
      {...(name === 'deposit' && { typed: typedDeposit })}
      {...words}
      done={(_, amount) => (
        <Link to={paths.account(account.id)} search={{ tab: 'statement' }}>
          {done(amount)}
        </Link>
      )}
    />
  );
}
