import { useMay, useSession } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { useDialog } from '../forms/closing.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import type { Column } from '../lists/data-table.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { common } from '../texts.ts';
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
import { texts } from './texts.ts';

const words = texts.operators;

const COLUMNS: readonly Column<Person>[] = [
  { title: common.name, render: ({ name }) => name },
  { title: common.email, render: ({ email }) => email, look: 'minor' },
  { title: common.role, render: ({ role }) => common.roles[role] },
  {
    title: common.status,
    render: ({ status }) => (
      <Badge look={status === 'active' ? ['good', 'check'] : ['neutral', 'lock']}>
        {words.statuses[status]}
      </Badge>
    ),
  },
  {
    title: texts.system.lastSeen,
    render: ({ lastSeenAt }) => (lastSeenAt === null ? words.never : <Time at={lastSeenAt} />),
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
    open(<SecretDialog title={words.linkFor(name, email)} values={{ [words.link]: invitationUrl }} />);
    if (mailed) toast(words.mailedTo(email));
  };
  const actions = actionsColumn<Person>((person) => {
    const { name, id, status } = person;
    const edit = () => open(<EditOperator person={person} isSelf={id === self.id} />);
    const link = (action: 'invite' | 'reset') => () =>
      open(<LinkOperator person={person} action={action} onInvited={showLink} />);
    return [
      { label: common.edit, name: words.editOf(name), run: edit },
      ...(status === 'active'
        ? [{ label: words.invite, name: LINKS.invite.titleOf(name), run: link('invite') }]
        : []),
      // A reset of one's own credentials would end the session that shows the new link.
      ...(status === 'active' && id !== self.id
        ? [{ label: words.reset, name: LINKS.reset.titleOf(name), run: link('reset') }]
        : []),
    ];
  });
  return (
    <SystemShell
      actions={
        may ? (
          <Actions
            icon="person"
            actions={[{ label: words.new, isPrimary: true, dialog: <NewOperator onInvited={showLink} /> }]}
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
