import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { queryClient } from '../api/queries.ts';
import {
  currentSession,
  type Session,
  sendSession,
  sessionBegun,
  signedIn,
  toPerson,
  useSessionState,
} from '../api/session.ts';
import { forgetDrafts } from '../forms/drafts.ts';
import { forgetPlaces, Screens } from '../places.tsx';
import { BusyBar } from '../ui/busy.tsx';
import { Failure, Loading } from '../ui/page.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { toMessage } from '../ui/wording.ts';
import { paths, useGo } from '../url.ts';
import { lazyPart } from './lazy.ts';
import { goBack } from './return.tsx';
import { texts } from './texts.ts';

const SignInPage = lazyPart(async () => (await import('./sign-in.tsx')).SignInPage);
const LinkPage = lazyPart(async () => (await import('./sign-in.tsx')).LinkPage);
const SignInAgain = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInAgain);

type Props = { readonly Frame: ComponentType<{ readonly children: ReactNode }> };

export function Shell({ Frame }: Props) {
  return (
    <>
      <BusyBar />
      <Shown Frame={Frame} />
    </>
  );
}

function Shown({ Frame }: Props) {
  const state = useSessionState();
  const { error, failure, retry, signInByLink } = useBeginning();
  const [isOther, setOther] = useState(0);
  const go = useGo();
  const onSignedIn = (session: Session) => {
    if (signedIn(session).isOther) {
      forgetDrafts();
      forgetPlaces();
      queryClient.clear();
      // The open page belonged to another person.
      setOther((count) => count + 1);
      go(paths.home);
    } else void queryClient.invalidateQueries();
  };
  if (signInByLink !== undefined) {
    return (
      <main className="alone">
        <Suspense>
          <LinkPage onSignIn={signInByLink} />
        </Suspense>
      </main>
    );
  }
  if (state.status === 'unknown') {
    return (
      <main className="alone">
        {error === undefined ? <Loading rows={3} /> : <Failure error={error} retry={retry} />}
      </main>
    );
  }
  if (!('session' in state)) {
    return (
      <main className="alone">
        <Suspense>
          <SignInPage onSignedIn={onSignedIn} failure={failure} />
        </Suspense>
      </main>
    );
  }
  const { session } = state;
  const isProving = state.status === 'proving';
  return (
    <>
      <Frame key={isOther}>
        <Screens />
      </Frame>
      {state.status === 'expired' || isProving ? (
        <Suspense>
          <SignInAgain isProving={isProving} onSignedIn={onSignedIn} email={toPerson(session).email} />
        </Suspense>
      ) : null}
      <Toasts />
    </>
  );
}

/** A one-time link has its token after the #, which no server receives. It is removed from the URL before use. */
function takeLinkToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return undefined;
  history.replaceState(history.state, '', location.pathname);
  return token;
}

function takeOidcError(): string | undefined {
  const failure = new URLSearchParams(location.hash.slice(1)).get('error');
  if (failure === null) return undefined;
  history.replaceState(history.state, '', location.pathname);
  const { oidcErrors } = texts.signIn;
  return new Map(Object.entries(oidcErrors)).get(failure) ?? oidcErrors.failed;
}

function useBeginning() {
  const [error, setError] = useState<unknown>();
  const [failure, setFailure] = useState<string>();
  const [link, setLink] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const begin = async () => {
    await sessionBegun();
    if (currentSession() !== undefined) goBack();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, and again for every retry
  useEffect(() => {
    const token = takeLinkToken();
    const oidcError = takeOidcError();
    setFailure(oidcError);
    setError(undefined);
    setLink(token);
    if (token === undefined) begin().catch(setError);
  }, [attempt]);
  useEffect(() => {
    // Opening a link in a tab that shows the sign-in page does not load the page again.
    const restart = () => {
      if (location.hash.startsWith('#token=')) setAttempt((count) => count + 1);
    };
    addEventListener('hashchange', restart);
    return () => removeEventListener('hashchange', restart);
  }, []);
  /** The link needs a click, because mail scanners and previews open it too. */
  const signInByLink = async () => {
    const session = await sendSession<Session>('POST', 'session/link', { token: link }).catch(
      (thrown: unknown) =>
        setFailure(thrown instanceof KeyportError ? texts.signIn.linkUsed : toMessage(thrown)),
    );
    if (session) signedIn(session);
    else await begin().catch(setError);
    setLink(undefined);
  };
  return {
    error,
    failure,
    retry: () => setAttempt(attempt + 1),
    ...(link !== undefined && { signInByLink }),
  };
}
