import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { loadSession } from '../api/session.ts';
import type { BodyDraft } from '../forms/body-form.ts';
import { openDialog } from '../forms/closing.tsx';
import { SecretDialog } from '../forms/secret-dialog.tsx';
import { Operate } from '../operate/operate.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { texts } from './texts.ts';

export type Person = OperatorElement<'listOperators'>;
type Invitation = Pick<Person, 'name' | 'email'> & {
  readonly invitationUrl: string;
  readonly mailed: boolean;
  readonly ended?: Ended;
};

type Editable = Pick<Person, 'id' | 'name' | 'email' | 'role' | 'status'>;

const words = texts.operators;

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
    <Operate
      operation="createOperator"
      title={common.inviteOperator}
      says={words.newSays}
      submit={words.create}
      onDone={showLink}
    />
  );
}

/** Creates a link; a reset also removes all of the operator's other credentials. */
export function LinkOperator(props: { readonly action: 'invite' | 'reset'; readonly person: Person }) {
  const { person, action } = props;
  return (
    <Operate
      operation={action === 'invite' ? 'inviteOperator' : 'resetOperatorCredentials'}
      params={{ operatorId: person.id }}
      of={person.name}
      {...words[action]}
      onDone={showLink}
    />
  );
}

export function EditOperator({ person, isSelf }: { readonly person: Editable; readonly isSelf: boolean }) {
  const [isSure, setSure] = useState(false);
  // Anyone who edits operators is an admin, so any other role has fewer rights.
  const losesRights = ({ role, status }: BodyDraft) =>
    isSelf && (role !== person.role || status !== person.status);
  return (
    <Operate
      operation="updateOperator"
      params={{ operatorId: person.id }}
      title={common.editOf(person.name)}
      values={person}
      without={person.status === 'disabled' ? ['keepIssued'] : []}
      says={isSelf ? words.self : words.disabledSays}
      problems={(draft) => ({ isSure: losesRights(draft) && !isSure ? words.sureMissing : undefined })}
      more={({ draft, errors }) =>
        losesRights(draft) ? (
          <Checkbox
            label={words.sureLabel}
            description={words.sureHint}
            name="isSure"
            checked={isSure}
            error={errors['isSure']}
            onChange={({ currentTarget }) => setSure(currentTarget.checked)}
          />
        ) : null
      }
      submit={common.saveChanges}
      onDone={({ data }) => {
        toast(words.saved(person.name));
        tellEnded(data.ended);
        // Updates the name at the top of the page.
        if (isSelf) void loadSession({ isUse: true });
      }}
    />
  );
}
