/** The actions of an account. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import { useCommands } from '../ui/commands.ts';
import type { Account } from './account-data.ts';
import { EditAccountDialog } from './account-dialogs.tsx';
import { BOOKINGS, BookingDialog, type BookingName } from './booking-dialog.tsx';

export function AccountActions({ account }: { readonly account: Account }) {
  const mayBook = useMay('finance');
  const mayAdminister = useMay('administer');
  const [open, setOpen] = useState<BookingName | 'edit'>();
  const close = () => setOpen(undefined);
  const isClosed = account.status === 'closed';
  const names = [...(mayBook ? BOOKINGS : []), ...(mayAdminister ? (['edit'] as const) : [])];
  const labelOf = (name: BookingName | 'edit') =>
    name === 'edit' ? texts.common.edit : texts.bookings[name].name;
  useCommands(() =>
    isClosed
      ? []
      : names.map((name) => ({
          label: `${labelOf(name)} (${account.name})`,
          icon: 'accounts',
          run: () => setOpen(name),
        })),
  );
  const button = (name: BookingName | 'edit') => (
    <Button
      key={name}
      size="xs"
      variant={name === 'deposit' ? 'filled' : 'default'}
      aria-disabled={isClosed}
      data-unavailable={isClosed}
      title={isClosed ? texts.account.closed : undefined}
      onClick={() => (isClosed ? undefined : setOpen(name))}
    >
      {labelOf(name)}…
    </Button>
  );
  return (
    <>
      {names.map(button)}
      {open === undefined ? null : open === 'edit' ? (
        <EditAccountDialog account={account} onClose={close} />
      ) : (
        <BookingDialog name={open} account={account} onClose={close} />
      )}
    </>
  );
}
