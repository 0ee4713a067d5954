/** What can be done to an account. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { texts } from '../texts.ts';
import type { Account } from './account-data.ts';
import { EditAccountDialog } from './account-dialogs.tsx';

export function AccountActions({ account }: { readonly account: Account }) {
  const mayAdminister = useMay('administer');
  const [open, setOpen] = useState<'edit'>();
  const isClosed = account.status === 'closed';
  if (!mayAdminister) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-disabled={isClosed}
        data-disabled={isClosed}
        title={isClosed ? texts.account.closed : undefined}
        onClick={() => (isClosed ? undefined : setOpen('edit'))}
      >
        {texts.account.edit} …
      </Button>
      {open === undefined ? null : <EditAccountDialog account={account} onClose={() => setOpen(undefined)} />}
    </>
  );
}
