/** How a person signs in: the password, and passkeys. */
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { Button, Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { createPasskey } from '../api/passkeys.ts';
import { queryClient } from '../api/queries.ts';
import { loadSession, prove, type Session, sendSession, useSession } from '../api/session.ts';
import { useSignInMethods } from '../api/sign-in-methods.ts';
import { formErrors } from '../forms/form-errors.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Failure, Section, useWork } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Isolated, Time } from '../ui/values.tsx';
import { toMessage } from '../ui/wording.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

type Passkey = {
  readonly id: string;
  readonly name?: string | null;
  readonly createdAt: string;
  readonly lastUsedAt?: string | null;
};

export function SignInWays() {
  return (
    <>
      <Section title={common.password}>
        <PasswordForm />
      </Section>
      <Section title={texts.profile.passkeys}>
        <Passkeys />
      </Section>
    </>
  );
}

/** The first screen after a link: a person without password and passkey could not come back. */
export function FirstWays({ onLater }: { readonly onLater: () => void }) {
  const isWithout = useSignInMethods()?.password === false;
  useEffect(() => {
    if (isWithout) onLater();
  }, [isWithout, onLater]);
  return (
    <>
      <h1>{texts.profile.firstTitle}</h1>
      <p>{texts.profile.firstSays}</p>
      <SignInWays />
      <Button variant="subtle" size="sm" fullWidth onClick={onLater}>
        {texts.profile.later}
      </Button>
    </>
  );
}

/** The contract has the same limits. */
const isLongEnough = ({ length }: string) => length >= 12 && length <= 200;

function PasswordForm() {
  const { needsCurrentPassword, hasPassword, passkeys } = useSession<Session>();
  const [removePasskeys, setRemovePasskeys] = useState(false);
  const [currentPassword, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { isRunning, error, run } = useWork();
  const { fields } = formErrors(error, (name) => name === 'password' || name === 'currentPassword');
  const set = async () => {
    if (!(hasPassword || (await prove()))) throw new NotProven();
    await sendSession('PUT', 'profile/password', {
      password,
      ...(needsCurrentPassword ? { currentPassword } : {}),
      ...(removePasskeys ? { removePasskeys } : {}),
    });
    setCurrent('');
    setPassword('');
    setChecked(false);
    setRemovePasskeys(false);
    toast(texts.profile.passwordSet);
    void queryClient.invalidateQueries({ queryKey: PASSKEYS });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isLongEnough(password)) return;
    // Reloads after a failure too, because the current password may be required now.
    void run(() => set().finally(() => loadSession({ isUse: true }).catch(() => {})));
  };
  return (
    <Stack component="form" onSubmit={submit}>
      {error === undefined || Object.keys(fields).length > 0 ? null : (
        <Text c="var(--bad)" role="alert">
          {explain(error)}
        </Text>
      )}
      {needsCurrentPassword ? (
        <PasswordInput
          label={texts.profile.currentPassword}
          autoComplete="current-password"
          error={fields['currentPassword']}
          value={currentPassword}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
        />
      ) : null}
      <PasswordInput
        label={texts.profile.newPassword}
        description={texts.profile.passwordHint}
        autoComplete="new-password"
        required
        withAsterisk={false}
        error={isChecked && !isLongEnough(password) ? texts.profile.passwordWrong : fields['password']}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {passkeys > 0 ? (
        <Checkbox
          label={texts.profile.removePasskeys}
          checked={removePasskeys}
          onChange={({ currentTarget }) => setRemovePasskeys(currentTarget.checked)}
        />
      ) : null}
      {hasPassword ? <Hint>{texts.profile.endsSessions}</Hint> : null}
      <Group justify="flex-end">
        <Button variant="filled" size="sm" type="submit" loading={isRunning}>
          {texts.profile.setPassword}
        </Button>
      </Group>
    </Stack>
  );
}

const PASSKEYS = ['passkeys'];

class NotProven extends Error {}

function explain(error: unknown): string {
  return error instanceof NotProven ? texts.profile.notProven : toMessage(error);
}

function Passkeys() {
  const { data, error, refetch } = useQuery({
    queryKey: PASSKEYS,
    queryFn: () => sendSession<readonly Passkey[]>('GET', 'profile/passkeys'),
  });
  const [problem, setProblem] = useState<string>();
  const act = (work: () => Promise<unknown>, explain: (error: unknown) => string) => async () => {
    setProblem(undefined);
    await work().catch((thrown: unknown) => setProblem(explain(thrown)));
    await refetch();
    await loadSession({ isUse: true });
  };
  const add = act(
    async () => {
      if (!(await prove())) throw new NotProven();
      const options = await sendSession<PublicKeyCredentialCreationOptionsJSON>(
        'POST',
        'profile/passkeys/options',
        {},
      );
      await sendSession('POST', 'profile/passkeys', await createPasskey(options));
    },
    (thrown) =>
      thrown instanceof KeyportError || thrown instanceof NotProven
        ? explain(thrown)
        : texts.profile.passkeyStopped,
  );
  if (error !== null && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <>
      {problem === undefined ? null : (
        <Text c="var(--bad)" role="alert">
          {problem}
        </Text>
      )}
      <ul className="rows">
        {(data ?? []).map(({ id, name, createdAt }) => (
          <li key={id}>
            <span className="grow">
              <Isolated>{name ?? texts.profile.passkey}</Isolated> · <Time at={createdAt} />
            </span>
            <Button
              size="compact-xs"
              onClick={act(() => sendSession('DELETE', `profile/passkeys/${id}`), toMessage)}
            >
              {texts.profile.remove}
            </Button>
          </li>
        ))}
      </ul>
      {'PublicKeyCredential' in window ? (
        <Button onClick={add}>{texts.profile.addPasskey}</Button>
      ) : (
        <Hint>{texts.profile.noPasskeys}</Hint>
      )}
    </>
  );
}
