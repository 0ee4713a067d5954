/** New people, other roles, new links. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { loadSession } from '../api/session.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import type { Invitation, Person } from './operators-page.tsx';

type Role = Person['role'];
type NewDraft = { readonly name: string; readonly email: string; readonly role: Role };
type Editable = Pick<Person, 'id' | 'name' | 'email' | 'role' | 'status'>;
type EditDraft = Omit<Editable, 'id'> & { readonly isSure: boolean };

const words = texts.operators;
const ROLES = (Object.keys(words.roles) as Role[]).map((value) => ({
  value,
  label: `${words.roles[value]}: ${words.mays[value]}`,
}));
const EMPTY: NewDraft = { name: '', email: '', role: 'viewer' };

function RoleField({ role, onChange }: { readonly role: Role; readonly onChange: (role: Role) => void }) {
  return (
    <NativeSelect
      label={words.role}
      name="role"
      value={role}
      data={ROLES}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Role)}
    />
  );
}

function EmailField(props: {
  readonly email: string;
  readonly error: string | undefined;
  readonly onChange: (email: string) => void;
}) {
  return (
    <TextInput
      label={words.email}
      name="email"
      type="email"
      value={props.email}
      error={props.error}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  );
}

export function NewOperator(props: {
  readonly onClose: () => void;
  readonly onInvited: (invitation: Invitation) => void;
}) {
  return (
    <ActionDialog<NewDraft, never>
      onClose={props.onClose}
      title={words.new}
      form="operator:new"
      initial={EMPTY}
      hasReason={false}
      fields={(draft, change, errors) => (
        <>
          <TextInput
            label={words.name}
            name="name"
            data-autofocus
            value={draft.name}
            error={errors['name']}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <EmailField email={draft.email} error={errors['email']} onChange={(email) => change({ email })} />
          <RoleField role={draft.role} onChange={(role) => change({ role })} />
        </>
      )}
      problems={problemsOf}
      showPreview={() => words.newSays}
      submit={() => words.create}
      run={({ name, email, role }, { client, idempotencyKey }) =>
        client
          .createOperator({ body: { name: name.trim(), email: email.trim(), role } }, { idempotencyKey })
          .withResponse()
      }
      onDone={({ data }) => props.onInvited(data as Invitation)}
    />
  );
}

const LINKS = {
  invite: {
    operation: 'inviteOperator',
    title: words.inviteOf,
    says: words.inviteSays,
    submit: words.invite,
  },
  reset: {
    operation: 'resetOperatorCredentials',
    title: words.resetOf,
    says: words.resetSays,
    submit: words.resetSubmit,
  },
} as const;

/** A new link; a reset also removes everything else that signs the person in. */
export function LinkOperator(props: {
  readonly action: keyof typeof LINKS;
  readonly person: Person;
  readonly onClose: () => void;
  readonly onInvited: (invitation: Invitation) => void;
}) {
  const { person, action } = props;
  const { operation, title, says, submit } = LINKS[action];
  return (
    <ActionDialog
      onClose={props.onClose}
      title={title(person.name)}
      form={`operator:${action}:${person.id}`}
      hasReason={false}
      showPreview={() => says}
      submit={() => submit}
      run={(_, { client, idempotencyKey }) =>
        client[operation]({ params: { operatorId: person.id } }, { idempotencyKey }).withResponse()
      }
      onDone={({ data }) => props.onInvited(data as Invitation)}
    />
  );
}

export function EditOperator(props: {
  readonly person: Editable;
  readonly isSelf: boolean;
  readonly onClose: () => void;
}) {
  const { person, isSelf } = props;
  const { name, email, role, status } = person;
  return (
    <ActionDialog<EditDraft, never>
      onClose={props.onClose}
      title={words.editOf(name)}
      form={`operator:${person.id}`}
      initial={{ name, email, role, status, isSure: false }}
      hasReason={false}
      fields={(draft, change, errors) => (
        <>
          <TextInput
            label={words.name}
            name="name"
            data-autofocus
            value={draft.name}
            error={errors['name']}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <EmailField
            email={draft.email}
            error={errors['email']}
            onChange={(next) => change({ email: next })}
          />
          <RoleField role={draft.role} onChange={(next) => change({ role: next })} />
          <NativeSelect
            label={words.status}
            name="status"
            error={errors['status']}
            description={isSelf ? words.self : words.disabledSays}
            value={draft.status}
            data={Object.entries(words.statuses).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) => change({ status: currentTarget.value as Person['status'] })}
          />
          {isSelf && losesRights(draft, person) ? (
            <Checkbox
              label={words.sureLabel}
              description={words.sureHint}
              name="isSure"
              checked={draft.isSure}
              error={errors['isSure']}
              onChange={({ currentTarget }) => change({ isSure: currentTarget.checked })}
            />
          ) : null}
        </>
      )}
      problems={(draft) => ({
        ...problemsOf(draft),
        isSure: isSelf && losesRights(draft, person) && !draft.isSure ? words.sureMissing : undefined,
      })}
      check={(draft) => (Object.keys(changesOf(draft, person)).length === 0 ? words.same : undefined)}
      submit={() => words.save}
      run={(draft, { client, idempotencyKey }) =>
        client
          .updateOperator(
            { params: { operatorId: person.id }, body: changesOf(draft, person) },
            { idempotencyKey },
          )
          .withResponse()
      }
      onDone={() => {
        toast(words.saved(name));
        // The name at the top of the page.
        if (isSelf) void loadSession({ isUse: true });
      }}
    />
  );
}

function problemsOf({ name, email }: Pick<EditDraft, 'name' | 'email'>) {
  return {
    name: name.trim() === '' ? words.nameMissing : undefined,
    email: email.includes('@') ? undefined : words.emailMissing,
  };
}

/** Anyone who edits operators is an admin, so any other role has fewer rights. */
function losesRights({ role, status }: EditDraft, before: Editable): boolean {
  return role !== before.role || status !== before.status;
}

/** Only these are sent, so that concurrent changes of others stay. */
function changesOf({ name, email, role, status }: EditDraft, before: Editable): Partial<Editable> {
  return {
    ...(name.trim() === before.name ? {} : { name: name.trim() }),
    ...(email.trim() === before.email ? {} : { email: email.trim() }),
    ...(role === before.role ? {} : { role }),
    ...(status === before.status ? {} : { status }),
  };
}
