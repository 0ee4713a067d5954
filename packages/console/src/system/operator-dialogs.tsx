import type { OperatorElement } from '@keyport/sdk/admin';
import { Checkbox, TextInput } from '@mantine/core';
import { admin } from '../api/queries.ts';
import { loadSession } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';

export type Person = OperatorElement<'listOperators'>;
export type Invitation = Pick<Person, 'name' | 'email'> & {
  readonly invitationUrl: string;
  readonly mailed: boolean;
};

type Role = Person['role'];
type NewDraft = { readonly name: string; readonly email: string; readonly role: Role };
type Editable = Pick<Person, 'id' | 'name' | 'email' | 'role' | 'status'>;
type EditDraft = Omit<Editable, 'id'> & { readonly isSure: boolean };

const words = texts.operators;
const ROLES = Object.fromEntries(
  Object.entries(words.roles).map(([role, name], index) => [
    role,
    `${name}: ${Object.values(words.mays)[index]}`,
  ]),
);
const EDITED = ['name', 'email', 'role', 'status'] as const;
const EMPTY: NewDraft = { name: '', email: '', role: 'viewer' };

function PersonFields({ bind }: Pick<Fields<NewDraft>, 'bind'>) {
  return (
    <>
      <TextInput label="Name" data-autofocus {...bind('name')} />
      <TextInput label="Email" type="email" {...bind('email')} />
      <SelectField label="Role" choices={ROLES} {...bind('role')} />
    </>
  );
}

export function NewOperator(props: { readonly onInvited: (invitation: Invitation) => void }) {
  return (
    <ActionDialog
      title="New operator"
      form="operator:new"
      initial={EMPTY}
      fields={({ bind }) => <PersonFields bind={bind} />}
      problems={problemsOf}
      showPreview={() => 'You get a link that signs in once, within 48 hours. Send it to this person.'}
      submit="Create operator"
      run={({ name, email, role }, options) =>
        admin.createOperator({ body: { name: name.trim(), email: email.trim(), role } }, options)
      }
      onDone={({ data }) => props.onInvited(data)}
    />
  );
}

export const LINKS = {
  invite: {
    operation: 'inviteOperator',
    titleOf: (name: string) => `New link for ${name}`,
    says: 'It signs in once, within 48 hours. Earlier links stop working.',
    submit: 'New link',
  },
  reset: {
    operation: 'resetOperatorCredentials',
    titleOf: (name: string) => `Reset credentials of ${name}`,
    says: 'For a leaked password, passkey or session: all sessions end, and password, passkeys and the single sign-on link are removed. You get a new link that signs in once, within 48 hours.',
    submit: 'Reset credentials',
  },
} as const;

/** A new link; a reset also removes everything else that signs the operator in. */
export function LinkOperator(props: {
  readonly action: keyof typeof LINKS;
  readonly person: Person;
  readonly onInvited: (invitation: Invitation) => void;
}) {
  const { person, action } = props;
  const { operation, titleOf, says, submit } = LINKS[action];
  return (
    <ActionDialog
      title={titleOf(person.name)}
      form={`operator:${action}:${person.id}`}
      showPreview={() => says}
      submit={submit}
      run={(_, options) => admin.call(operation, { params: { operatorId: person.id } }, options)}
      onDone={({ data }) => props.onInvited(data)}
    />
  );
}

export function EditOperator(props: { readonly person: Editable; readonly isSelf: boolean }) {
  const { person, isSelf } = props;
  const { name, email, role, status } = person;
  const initial: EditDraft = { name, email, role, status, isSure: false };
  return (
    <ActionDialog
      title={`Edit ${name}`}
      form={`operator:${person.id}`}
      initial={initial}
      fields={({ draft, change, errors, bind }) => (
        <>
          <PersonFields bind={bind} />
          <SelectField
            label="Status"
            description={
              isSelf
                ? 'This is you: a disabled operator is signed out immediately and loses all credentials.'
                : 'A disabled operator is signed out immediately and loses all credentials.'
            }
            choices={words.statuses}
            {...bind('status')}
          />
          {isSelf && losesRights(draft, person) ? (
            <Checkbox
              label="I give up my own rights"
              description="Only another admin can restore them."
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
        isSure:
          isSelf && losesRights(draft, person) && !draft.isSure
            ? 'Confirm that you give up your own rights.'
            : undefined,
      })}
      check={(draft) =>
        Object.keys(changesOf(draft, person)).length === 0 ? 'Nothing was changed yet.' : undefined
      }
      submit="Save changes"
      run={(draft, options) =>
        admin.updateOperator({ params: { operatorId: person.id }, body: changesOf(draft, person) }, options)
      }
      onDone={() => {
        toast(`${name} changed`);
        // The name at the top of the page.
        if (isSelf) void loadSession({ isUse: true });
      }}
    />
  );
}

function problemsOf({ name, email }: Pick<EditDraft, 'name' | 'email'>) {
  return {
    name: name.trim() === '' ? 'Enter a name.' : undefined,
    email: email.includes('@') ? undefined : 'Enter an email address.',
  };
}

/** Anyone who edits operators is an admin, so any other role has fewer rights. */
function losesRights({ role, status }: EditDraft, before: Editable): boolean {
  return role !== before.role || status !== before.status;
}

/** Only these are sent, so that concurrent changes of others stay. */
function changesOf(draft: EditDraft, before: Editable): Partial<Editable> {
  const changed = EDITED.filter((name) => draft[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, draft[name].trim()]));
}
