import type { OperatorElement } from '@keyport/sdk/admin';
import { Checkbox, TextInput } from '@mantine/core';
import { admin } from '../api/queries.ts';
import { loadSession } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { openDialog } from '../forms/closing.tsx';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { texts } from './texts.ts';

export type Person = OperatorElement<'listOperators'>;
type Invitation = Pick<Person, 'name' | 'email'> & {
  readonly invitationUrl: string;
  readonly mailed: boolean;
  readonly ended?: Ended;
};

type Role = Person['role'];
type NewDraft = { readonly name: string; readonly email: string; readonly role: Role };
type Editable = Pick<Person, 'id' | 'name' | 'email' | 'role' | 'status'>;
type EditDraft = Omit<Editable, 'id'> & { readonly isSure: boolean; readonly keepsIssued: boolean };

const words = texts.operators;
const ROLES = Object.fromEntries(
  Object.entries(common.roles).map(([role, name], index) => [
    role,
    `${name}: ${Object.values(words.mays)[index]}`,
  ]),
);
const EDITED = ['name', 'email', 'role', 'status'] as const;
const EMPTY: NewDraft = { name: '', email: '', role: 'viewer' };

function PersonFields({ bind }: Pick<Fields<NewDraft>, 'bind'>) {
  return (
    <>
      <TextInput label={common.name} data-autofocus {...bind('name')} />
      <TextInput label={common.email} type="email" {...bind('email')} />
      <SelectField label={common.role} choices={ROLES} {...bind('role')} />
    </>
  );
}

/** The links, secrets and clients that ended with the operator's credentials. */
type Ended = Readonly<Record<'links' | 'secrets' | 'clients', readonly string[]>>;

function tellEnded(ended: Ended | undefined): void {
  if (ended !== undefined && Object.values(ended).flat().length > 0) toast(words.ended(ended));
}

function showLink({ data }: { readonly data: Invitation }): void {
  const { name, email, mailed, invitationUrl, ended } = data;
  tellEnded(ended);
  openDialog(<SecretDialog title={words.linkFor(name, email)} values={{ [words.link]: invitationUrl }} />);
  if (mailed) toast(words.mailedTo(email));
}

export function NewOperator() {
  return (
    <ActionDialog
      title={common.inviteOperator}
      form="operator:new"
      initial={EMPTY}
      fields={({ bind }) => <PersonFields bind={bind} />}
      problems={findProblems}
      showPreview={() => words.newSays}
      submit={words.create}
      run={({ name, email, role }, options) =>
        admin.createOperator({ body: { name: name.trim(), email: email.trim(), role } }, options)
      }
      onDone={showLink}
    />
  );
}

export const LINKS = {
  invite: {
    operation: 'inviteOperator',
    toTitle: words.inviteOf,
    says: words.inviteSays,
    submit: words.invite,
  },
  reset: {
    operation: 'resetOperatorCredentials',
    toTitle: words.resetOf,
    says: words.resetSays,
    submit: words.resetSubmit,
  },
} as const;

/** Creates a link; a reset also removes all of the operator's other credentials. */
export function LinkOperator(props: { readonly action: keyof typeof LINKS; readonly person: Person }) {
  const { person, action } = props;
  const { operation, toTitle, says, submit } = LINKS[action];
  return (
    <ActionDialog
      title={toTitle(person.name)}
      form={`operator:${action}:${person.id}`}
      showPreview={() => says}
      submit={submit}
      run={(_, options) => admin.call(operation, { params: { operatorId: person.id } }, options)}
      onDone={showLink}
    />
  );
}

export function EditOperator(props: { readonly person: Editable; readonly isSelf: boolean }) {
  const { person, isSelf } = props;
  const { name, email, role, status } = person;
  const initial: EditDraft = { name, email, role, status, isSure: false, keepsIssued: false };
  return (
    <ActionDialog
      title={words.editOf(name)}
      form={`operator:${person.id}`}
      initial={initial}
      fields={({ draft, change, errors, bind }) => (
        <>
          <PersonFields bind={bind} />
          <SelectField
            label={common.status}
            description={isSelf ? words.self : words.disabledSays}
            choices={words.statuses}
            {...bind('status')}
          />
          {draft.status === 'disabled' && status === 'active' ? (
            <Checkbox
              label={words.keepIssued}
              description={words.keepIssuedHint}
              checked={draft.keepsIssued}
              onChange={({ currentTarget }) => change({ keepsIssued: currentTarget.checked })}
            />
          ) : null}
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
        ...findProblems(draft),
        isSure: isSelf && losesRights(draft, person) && !draft.isSure ? words.sureMissing : undefined,
      })}
      check={(draft) =>
        Object.keys(toChanges(draft, person)).length === 0 ? common.nothingWasChangedYet : undefined
      }
      submit={common.saveChanges}
      run={(draft, options) =>
        admin.updateOperator({ params: { operatorId: person.id }, body: toChanges(draft, person) }, options)
      }
      onDone={({ data }) => {
        toast(words.saved(name));
        tellEnded(data.ended);
        // Updates the name at the top of the page.
        if (isSelf) void loadSession({ isUse: true });
      }}
    />
  );
}

function findProblems({ name, email }: Pick<EditDraft, 'name' | 'email'>) {
  return {
    name: name.trim() === '' ? common.enterAName : undefined,
    email: email.includes('@') ? undefined : words.emailMissing,
  };
}

/** Anyone who edits operators is an admin, so any other role has fewer rights. */
function losesRights({ role, status }: EditDraft, before: Editable): boolean {
  return role !== before.role || status !== before.status;
}

/** Only changed members are sent, so that concurrent changes by others are kept. */
function toChanges(draft: EditDraft, before: Editable): Partial<Editable> & { keepIssued?: boolean } {
  const changed = EDITED.filter((name) => draft[name].trim() !== before[name]);
  const changes = Object.fromEntries(changed.map((name) => [name, draft[name].trim()]));
  return { ...changes, ...(changes['status'] === 'disabled' && draft.keepsIssued && { keepIssued: true }) };
}
