import { KeyportConnectionError, KeyportError } from '@keyport/sdk-source/requests/errors';
import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { askPasskey } from '../api/passkeys.ts';
import { IS_PORTAL, SERVICE_URL } from '../api/place.ts';
import { type Session, sendSession, toPerson } from '../api/session.ts';
import { useSignInMethods } from '../api/sign-in-methods.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Brand, Icon } from '../ui/icons.tsx';
import { toMessage } from '../ui/wording.ts';
import { rememberPlace } from './return.tsx';
import { texts } from './texts.ts';
import '../mantine-more.css';

type Props = {
  readonly onSignedIn: (session: Session) => void;
  /** Why a link or single sign-on has failed. */
  readonly failure?: string | undefined;
  readonly email?: string;
};

export function SignInPage(props: Props) {
  return (
    <>
      <Brand mode={useSignInMethods()?.mode} />
      <Hint>{SERVICE_URL.replace(/^https?:\/\//, '')}</Hint>
      <h1>{texts.signIn.title}</h1>
      <SignIn {...props} />
    </>
  );
}

/** Someone is signed in, who did not get there by the link. */
export type Spent = { readonly session: Session; readonly goOn: () => void };

export function LinkPage(props: {
  readonly onSignIn: () => Promise<void>;
  readonly spent: Spent | undefined;
}) {
  const { spent } = props;
  const [isBusy, setBusy] = useState(false);
  const signIn = () => {
    setBusy(true);
    void props.onSignIn().finally(() => setBusy(false));
  };
  return (
    <>
      <Brand mode={useSignInMethods()?.mode} />
      <Hint>{SERVICE_URL.replace(/^https?:\/\//, '')}</Hint>
      <h1>{texts.signIn.title}</h1>
      {spent === undefined ? (
        <>
          <p>{texts.signIn.linkSays}</p>
          <Button variant="filled" size="sm" fullWidth loading={isBusy} onClick={signIn}>
            {texts.signIn.useLink}
          </Button>
        </>
      ) : (
        <StaySignedIn {...spent} />
      )}
    </>
  );
}

function StaySignedIn({ session, goOn }: Spent) {
  const { name, email } = toPerson(session);
  return (
    <Stack>
      <Alert color="bad" role="alert">
        {texts.signIn.linkUsedAs(name, email)}
      </Alert>
      <Button size="sm" fullWidth onClick={goOn}>
        {texts.signIn.goOnAs(name)}
      </Button>
    </Stack>
  );
}

export function SignIn(props: Props) {
  const { onSignedIn, failure } = props;
  const [email, setEmail] = useState(props.email ?? '');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const shown = problem ?? failure;
  const methods = useSignInMethods();
  const attempt = async (send: () => Promise<Session>, explain: (error: unknown) => string) => {
    setBusy(true);
    setProblem(undefined);
    await send().then(onSignedIn, (error: unknown) => setProblem(explain(error)));
    setBusy(false);
  };
  const withPassword = (event: FormEvent) => {
    event.preventDefault();
    void attempt(
      () => sendSession<Session>('POST', 'session/password', { email, password }),
      explainPassword,
    );
  };
  return (
    <Stack>
      {shown === undefined ? null : (
        <Alert color="bad" role="alert">
          {shown}
        </Alert>
      )}
      <form onSubmit={withPassword} hidden={methods?.password === false}>
        <Stack>
          <TextInput
            type="email"
            autoComplete="username webauthn"
            label={common.email}
            value={email}
            required
            withAsterisk={false}
            data-autofocus={props.email === undefined || undefined}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <PasswordInput
            autoComplete="current-password"
            data-autofocus={props.email !== undefined || undefined}
            label={common.password}
            value={password}
            required
            withAsterisk={false}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button variant="filled" size="sm" type="submit" fullWidth loading={isBusy}>
            {texts.signIn.title}
          </Button>
        </Stack>
      </form>
      {methods?.password && (methods.passkey || methods.oidc) ? <Divider label={texts.signIn.or} /> : null}
      {methods?.passkey && 'PublicKeyCredential' in window ? (
        <Button
          size="sm"
          fullWidth
          leftSection={<Icon name="key" />}
          disabled={isBusy}
          onClick={() => void attempt(signInWithPasskey, explainPasskey)}
        >
          {texts.signIn.passkey}
        </Button>
      ) : null}
      {methods?.oidc ? (
        <Button
          size="sm"
          fullWidth
          component="a"
          href={`${SERVICE_URL}/console/session/oidc`}
          onClick={rememberPlace}
        >
          {texts.signIn.oidc(methods.oidc.name)}
        </Button>
      ) : null}
      <Hint>{texts.signIn.noPassword(IS_PORTAL)}</Hint>
    </Stack>
  );
}

async function signInWithPasskey(): Promise<Session> {
  const options = await sendSession<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    'session/passkey/options',
    {},
  );
  return sendSession<Session>('POST', 'session/passkey', await askPasskey(options));
}

/** The browser gives no reason if it returns no passkey. */
function explainPasskey(error: unknown): string {
  if (error instanceof KeyportError && error.status === 429) return explainWait(error);
  const isAnswered = error instanceof KeyportError || error instanceof KeyportConnectionError;
  return isAnswered ? toMessage(error) : texts.signIn.passkeyStopped;
}

function explainPassword(error: unknown): string {
  return error instanceof KeyportError && error.status === 429 ? explainWait(error) : toMessage(error);
}

function explainWait({ response }: KeyportError): string {
  return texts.signIn.tooMany(Number(response?.headers.get('retry-after') ?? 60));
}
