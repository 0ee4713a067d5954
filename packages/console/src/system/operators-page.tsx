import { useState } from 'react';
import { useMay, useSession } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import type { Column } from '../lists/data-table.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { Badge, Time } from '../ui/values.tsx';
import {
  EditOperator,
  type Invitation,
  LinkOperator,
  NewOperator,
  type Person,
} from './operator-dialogs.tsx';
import { SystemShell } from './system-page.tsx';

type RowAction = 'edit' | 'invite' | 'reset';
type Open = { readonly action: RowAction; readonly person: Person };

const words = texts.operators;

const COLUMNS: readonly Column<Person>[] = [
  { title: 'Name', render: ({ name }) => name },
  { title: 'Email', render: ({ email }) => email, look: 'minor' },
  { title: 'Role', render: ({ role }) => words.roles[role] },
  {
    title: 'Status',
    render: ({ status }) => (
      <Badge look={status === 'active' ? ['good', 'check'] : ['neutral', 'lock']}>
        {words.statuses[status]}
      </Badge>
    ),
  },
  {
    title: 'Last seen',
    render: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never signed in' : <Time at={lastSeenAt} />),
    look: 'minor',
  },
];

export function OperatorsPage() {
  const may = useMay('administer');
  const { operator: self } = useSession();
  const [open, setOpen] = useState<Open>();
  const [invitation, setInvitation] = useState<Invitation>();
  const list = useList('listOperators', { isNumbered: true });
  const close = () => setOpen(undefined);
  const showLink = (invited: Invitation) => {
    setInvitation(invited);
    if (invited.mailed) toast(`The link is also mailed to ${invited.email}.`);
  };
  const act = (action: RowAction, person: Person) => setOpen({ action, person });
  return (
    <SystemShell
      actions={
        may ? (
          <Actions
            icon="person"
            actions={[
              {
                label: 'New operator',
                isPrimary: true,
                dialog: (onClose) => <NewOperator onClose={onClose} onInvited={showLink} />,
              },
            ]}
          />
        ) : null
      }
    >
      <List
        list={list}
        label={texts.system.tabs.operators}
        columns={may ? [...COLUMNS, actionsOf(act, self.id)] : COLUMNS}
        icon="person"
        none=""
      />
      {open?.action === 'edit' ? (
        <EditOperator person={open.person} isSelf={open.person.id === self.id} onClose={close} />
      ) : null}
      {open === undefined || open.action === 'edit' ? null : (
        <LinkOperator person={open.person} action={open.action} onClose={close} onInvited={showLink} />
      )}
      {invitation === undefined ? null : (
        <SecretDialog
          title={`Send this link to ${invitation.name}, ${invitation.email}`}
          values={{ 'Sign-in link': invitation.invitationUrl }}
          onClose={() => setInvitation(undefined)}
        />
      )}
    </SystemShell>
  );
}

function actionsOf(act: (action: RowAction, person: Person) => void, selfId: string) {
  return actionsColumn<Person>((person) => [
    { label: 'Edit', name: words.editOf(person.name), run: () => act('edit', person) },
    ...(person.status === 'active'
      ? [{ label: 'New link', name: words.inviteOf(person.name), run: () => act('invite', person) }]
      : []),
    // It would end the session that shows the new link: one's own credentials are changed in the profile.
    ...(person.status === 'active' && person.id !== selfId
      ? [{ label: 'Reset', name: words.resetOf(person.name), run: () => act('reset', person) }]
      : []),
  ]);
}
