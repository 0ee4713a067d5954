import { useMay, useSession } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { useDialog } from '../forms/closing.tsx';
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
  LINKS,
  LinkOperator,
  NewOperator,
  type Person,
} from './operator-dialogs.tsx';
import { SystemShell } from './system-page.tsx';

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
  const { dialog, open } = useDialog();
  const list = useList('listOperators', { isNumbered: true });
  const showLink = (invited: Invitation) => {
    const { name, email, mailed, invitationUrl } = invited;
    open(
      <SecretDialog
        title={`Send this link to ${name}, ${email}`}
        values={{ 'Sign-in link': invitationUrl }}
      />,
    );
    if (mailed) toast(`The link is also mailed to ${email}.`);
  };
  const actions = actionsColumn<Person>((person) => {
    const { name, id, status } = person;
    const edit = () => open(<EditOperator person={person} isSelf={id === self.id} />);
    const link = (action: 'invite' | 'reset') => () =>
      open(<LinkOperator person={person} action={action} onInvited={showLink} />);
    return [
      { label: 'Edit', name: `Edit ${name}`, run: edit },
      ...(status === 'active'
        ? [{ label: 'New link', name: LINKS.invite.titleOf(name), run: link('invite') }]
        : []),
      // It would end the session that shows the new link: one's own credentials are changed in the profile.
      ...(status === 'active' && id !== self.id
        ? [{ label: 'Reset', name: LINKS.reset.titleOf(name), run: link('reset') }]
        : []),
    ];
  });
  return (
    <SystemShell
      actions={
        may ? (
          <Actions
            icon="person"
            actions={[
              { label: 'New operator', isPrimary: true, dialog: <NewOperator onInvited={showLink} /> },
            ]}
          />
        ) : null
      }
    >
      <List
        list={list}
        label={texts.system.tabs.operators}
        columns={may ? [...COLUMNS, actions] : COLUMNS}
        icon="person"
        none=""
      />
      {dialog}
    </SystemShell>
  );
}
