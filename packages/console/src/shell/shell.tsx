import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { queryClient } from '../api/queries.ts';
import {
  currentSession,
  hasWayIn,
  type Session,
  sendSession,
  sessionBegun,
  signedIn,
  useSessionState,
} from '../api/session.ts';
import { forgetDrafts } from '../forms/forget-drafts.ts';
import { forgetPlaces, Screens } from '../places.tsx';
import { BusyBar } from '../ui/busy.tsx';
import { Failure, Loading } from '../ui/page.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { toMessage } from '../ui/wording.ts';
import { paths, useGo } from '../url.ts';
import { lazyPart } from './lazy.ts';
import { goBack } from './return.tsx';
import type { Spent } from './sign-in.tsx';
import { texts } from './texts.ts';

const SignInPage = lazyPart(async () => (await import('./sign-in.tsx')).SignInPage);
const LinkPage = lazyPart(async () => (await import('./sign-in.tsx')).LinkPage);
const FirstWays = lazyPart(async () => (await import('../profile/sign-in-ways.tsx')).FirstWays);
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
  const { error, failure, retry, signInByLink, spent } = useBeginning(onSignedIn);
  const [isNew, setNew] = useState(false);
  const endNew = useCallback(() => setNew(false), []);
  if (signInByLink !== undefined) {
    return (
      <main className="alone">
        <Suspense>
          <LinkPage onSignIn={() => signInByLink().then(setNew)} spent={spent} />
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
  if (isNew && state.status === 'signed-in' && !hasWayIn(session)) {
    return (
      <main className="alone">
        <Suspense>
          <FirstWays onLater={endNew} />
        </Suspense>
      </main>
    );
  }
  const isProving = state.status === 'proving';
  return (
    <>
      <Frame key={isOther}>
        <Screens />
      </Frame>
      {state.status === 'expired' || isProving ? (
        <Suspense>
          <SignInAgain isProving={isProving} onSignedIn={onSignedIn} session={session} />
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

function useBeginning(onSignedIn: (session: Session) => void) {
  const [error, setError] = useState<unknown>();
  const [failure, setFailure] = useState<string>();
  const [link, setLink] = useState<string>();
  const [spent, setSpent] = useState<Spent>();
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
    setSpent(undefined);
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
  /** The link needs a click, because mail scanners and previews open it too. Returns true if it signed someone in. */
  const signInByLink = async () => {
    // The page preloaded the session: unless that response is used up, a later read would get it.
    await sessionBegun().catch(() => {});
    const session = await sendSession<Session>('POST', 'session/link', { token: link }).catch(
      (thrown: unknown) =>
        setFailure(thrown instanceof KeyportError ? texts.signIn.linkUsed : toMessage(thrown)),
    );
    if (session) onSignedIn(session);
    else await begin().catch(setError);
    const other = session ? undefined : currentSession();
    if (other === undefined) setLink(undefined);
    else setSpent({ session: other, goOn: () => setLink(undefined) });
    return session !== undefined;
  };
  return {
    error,
    failure,
    retry: () => setAttempt(attempt + 1),
    spent,
    ...(link !== undefined && { signInByLink }),
  };
}
