import { useMay, useSession } from '../api/session.ts';
import { ActionButton } from '../forms/actions.tsx';
import { openDialog } from '../forms/closing.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { common } from '../texts.ts';
import { Badge, Time } from '../ui/values.tsx';
import { EditOperator, LinkOperator, type Person } from './operator-dialogs.tsx';
import { SystemShell } from './system-page.tsx';
import { texts } from './texts.ts';

const words = texts.operators;

const COLUMNS = toColumns('listOperators', {
  role: common.roles,
  status: ({ status, lastSeenAt, unsentLink }) => (
    <>
      {status === 'active' && lastSeenAt === null ? (
        <Badge look={['info', 'clock']}>{words.invited}</Badge>
      ) : (
        <Badge look={status === 'active' ? ['good', 'check'] : ['neutral', 'lock']}>
          {words.statuses[status]}
        </Badge>
      )}
      {unsentLink === undefined ? null : (
        <Badge look={unsentLink.error === undefined ? ['info', 'clock'] : ['warn', 'alert']}>
          {words.unsentLink(unsentLink.error)}
        </Badge>
      )}
    </>
  ),
  lastSeenAt: ({ lastSeenAt }) => (lastSeenAt === null ? words.never : <Time at={lastSeenAt} />),
});

export function OperatorsPage() {
  const may = useMay('administer');
  const { operator: self } = useSession();
  const list = useList('listOperators', { isNumbered: true });
  const actions = actionsColumn<Person>((person) => {
    const { name, id, status } = person;
    const edit = () => openDialog(<EditOperator person={person} isSelf={id === self.id} />);
    const link = (action: 'invite' | 'reset') => ({
      label: words.labels[action],
      name: words[action].title(name),
      run: () => openDialog(<LinkOperator person={person} action={action} />),
    });
    return [
      { label: common.edit, name: common.editOf(name), run: edit },
      // No one makes a link for themselves.
      ...(status === 'active' && id !== self.id ? [link('invite'), link('reset')] : []),
    ];
  });
  return (
    <SystemShell actions={<ActionButton label={common.inviteOperator} permission="administer" />}>
      <List
        list={list}
        label={texts.system.tabs.operators}
        columns={may ? [...COLUMNS, actions] : COLUMNS}
        icon="person"
        none=""
      />
    </SystemShell>
  );
}
