import { useMay } from '../api/session.ts';
import { type Action, Actions } from '../forms/actions.tsx';
import { texts } from '../texts.ts';
import type { Account } from './account-data.ts';
import { EditAccountDialog } from './account-dialogs.tsx';
import { BOOKINGS, BookingDialog } from './booking-dialog.tsx';

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
