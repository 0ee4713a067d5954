/** The people who operate the service: their roles, and links that let them in. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { actionsColumn } from '../ui/row-actions.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { Badge, Time } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import { EditOperator, LinkOperator, NewOperator } from './operator-dialogs.tsx';
import { SystemShell } from './system-tabs.tsx';

export type Person = OperatorElement<'listOperators'>;
export type Invitation = Pick<Person, 'name' | 'email'> & { readonly invitationUrl: string };
type RowAction = 'edit' | 'invite' | 'reset';
type Open = 'new' | { readonly action: RowAction; readonly person: Person };

const words = texts.operators;

const COLUMNS: readonly Column<Person>[] = [
  { title: words.name, render: ({ name }) => name },
  { title: words.email, render: ({ email }) => email, isMinor: true },
  { title: words.role, render: ({ role }) => words.roles[role] },
  {
    title: words.status,
    render: ({ status }) => (
      <Badge tone={status === 'active' ? 'good' : 'neutral'} icon={status === 'active' ? 'check' : 'lock'}>
        {words.statuses[status]}
      </Badge>
    ),
  },
  {
    title: words.lastSeen,
    render: ({ lastSeenAt }) => (lastSeenAt === null ? words.never : <Time at={lastSeenAt} />),
    isMinor: true,
  },
];

export function OperatorsPage() {
  const { search } = useUrl();
  const may = useMay('administer');
  const { operator: self } = useSession();
  const [open, setOpen] = useState<Open>();
  const [invitation, setInvitation] = useState<Invitation>();
  const query = { page: search['page'] === undefined ? undefined : Number(search['page']), itemsPerPage: 50 };
  const result = useLive(['operators', query], (client, signal) =>
    client.listOperators({ query: query as never }, { signal }),
  );
  const close = () => setOpen(undefined);
  const act = (action: RowAction, person: Person) => setOpen({ action, person });
  return (
    <SystemShell
      actions={
        may ? (
          <Button size="xs" onClick={() => setOpen('new')}>
            {words.new}…
          </Button>
        ) : null
      }
    >
      <DataTable
        label={texts.system.tabs.operators}
        columns={may ? [...COLUMNS, actionsOf(act, self.id)] : COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        pager={usePager(result.data?.meta)}
        empty={null}
      />
      {open === 'new' ? <NewOperator onClose={close} onInvited={setInvitation} /> : null}
      {typeof open === 'object' && open.action === 'edit' ? (
        <EditOperator person={open.person} isSelf={open.person.id === self.id} onClose={close} />
      ) : null}
      {typeof open === 'object' && open.action !== 'edit' ? (
        <LinkOperator {...open} action={open.action} onClose={close} onInvited={setInvitation} />
      ) : null}
      {invitation === undefined ? null : (
        <SecretDialog
          title={words.linkFor(invitation.name, invitation.email)}
          values={[[words.link, invitation.invitationUrl]]}
          onClose={() => setInvitation(undefined)}
        />
      )}
    </SystemShell>
  );
}

function actionsOf(act: (action: RowAction, person: Person) => void, selfId: string) {
  return actionsColumn<Person>((person) => [
    { label: words.edit, name: words.editOf(person.name), run: () => act('edit', person) },
    ...(person.status === 'active'
      ? [{ label: words.invite, name: words.inviteOf(person.name), run: () => act('invite', person) }]
      : []),
    // It would end the session that shows the new link: one's own credentials are changed in the profile.
    ...(person.status === 'active' && person.id !== selfId
      ? [{ label: words.reset, name: words.resetOf(person.name), run: () => act('reset', person) }]
      : []),
  ]);
}
