/** The people of an account, as an operator or an owner of the account manages them. */

import { Button, Group } from '@mantine/core';
import type { Answer, Input } from '../api/queries.ts';
import { openDialog } from '../forms/closing.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import { Operate } from '../operate/operate.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { toast } from '../ui/toasts.tsx';
import { Badge, type Look, Time } from '../ui/values.tsx';
import { texts } from './texts.ts';

type Member = Answer<'listMembers'>['data'][number];
type Ended = Answer<'updateMember'>['ended'];
type Changed = Member & { readonly invitationUrl?: string; readonly ended?: Ended };

type Operations = {
  readonly list: 'listAccountMembers' | 'listMembers';
  readonly create: 'createAccountMember' | 'createMember';
  readonly update: 'updateAccountMember' | 'updateMember';
  readonly invite: 'inviteAccountMember' | 'inviteMember';
  readonly reset: 'resetAccountMemberCredentials' | 'resetMemberCredentials';
};

type Props = {
  readonly operations: Operations;
  /** The account, for operators. */
  readonly params?: Readonly<Record<string, string>>;
  readonly selfId?: string;
  readonly may: boolean;
};

const words = texts.members;

const LOOKS = {
  invited: ['info', 'clock'],
  active: ['good', 'check'],
  disabled: ['neutral', 'lock'],
} as const satisfies Record<Member['status'], Look>;

const COLUMNS = toColumns('listAccountMembers', {
  role: words.roles,
  status: ({ status }) => <Badge look={LOOKS[status]}>{words.statuses[status]}</Badge>,
  lastSeenAt: ({ lastSeenAt }) => (lastSeenAt === null ? words.never : <Time at={lastSeenAt} />),
});

export function Members(props: Props) {
  const { operations, params = {}, selfId, may } = props;
  const list = useList(operations.list, { params, isNumbered: true });
  const actions = actionsColumn<Member>((member) => {
    const { id, name, status } = member;
    const link = (action: 'invite' | 'reset') => ({
      label: words.labels[action],
      name: words[action].title(name),
      run: () => openDialog(<LinkMember {...props} member={member} action={action} />),
    });
    return [
      {
        label: common.edit,
        name: common.editOf(name),
        run: () => openDialog(<EditMember {...props} member={member} />),
      },
      // No one makes a link for themselves.
      ...(status !== 'disabled' && id !== selfId ? [link('invite'), link('reset')] : []),
    ];
  });
  const isFirst = list.rows?.length === 0;
  return (
    <>
      <Group mb={12}>
        {may ? (
          <Button variant="filled" onClick={() => openDialog(<NewMember {...props} isFirst={isFirst} />)}>
            {isFirst ? words.inviteOwner : words.inviteMember}…
          </Button>
        ) : null}
        <Hint span>{words.says}</Hint>
      </Group>
      <List
        list={list}
        isLabelled
        label={common.navigation.members}
        columns={may ? [...COLUMNS, actions] : COLUMNS}
        icon="person"
        none={words.empty}
      />
    </>
  );
}

const FIRST = { role: 'owner' };
/** The role with the fewest rights. */
const OTHERS = { role: 'accountant' };

/** An invited member is not disabled; the form changes only that. */
const toValues = (member: Member) => ({
  ...member,
  status: member.status === 'disabled' ? member.status : 'active',
});

/** The params and bodies of both audiences differ only in the account. */
function NewMember({ operations, params = {}, isFirst }: Props & { readonly isFirst: boolean }) {
  return (
    <Operate<Operations['create']>
      operation={operations.create}
      params={params as never}
      title={isFirst ? words.inviteOwner : words.inviteMember}
      says={words.newSays}
      values={isFirst ? FIRST : OTHERS}
      submit={isFirst ? words.inviteOwner : words.inviteMember}
      onDone={showLink}
    />
  );
}

type MemberProps = Props & { readonly member: Member };
type MemberParams = Input<'inviteAccountMember'>['params'];

const toParams = ({ params = {}, member }: MemberProps) =>
  ({ ...params, memberId: member.id }) as unknown as MemberParams;

function LinkMember(props: MemberProps & { readonly action: 'invite' | 'reset' }) {
  const { operations, member, action } = props;
  return (
    <Operate<Operations['invite' | 'reset']>
      operation={operations[action]}
      params={toParams(props)}
      of={member.name}
      {...words[action]}
      onDone={showLink}
    />
  );
}

function EditMember(props: MemberProps) {
  const { operations, member } = props;
  return (
    <Operate<Operations['update']>
      operation={operations.update}
      params={toParams(props)}
      title={common.editOf(member.name)}
      values={toValues(member)}
      without={member.status === 'disabled' ? ['keepIssued'] : []}
      says={words.disabledSays}
      submit={common.saveChanges}
      onDone={({ data }) => {
        toast(words.saved(member.name));
        tellEnded(data.ended);
      }}
    />
  );
}

function tellEnded(ended: Ended): void {
  if (ended !== undefined && Object.values(ended).flat().length > 0)
    toast(words.ended(ended.links.length, ended.secrets));
}

function showLink({ data: { name, email, invitationUrl = '', ended } }: { readonly data: Changed }): void {
  tellEnded(ended);
  openDialog(<SecretDialog title={words.linkFor(name, email)} values={{ [words.link]: invitationUrl }} />);
}
