/**
 * The session of an operator, or of a reseller's member: its state, and the requests that begin and end it. The
 * CSRF token stays in memory.
 */
import type { PortalSession } from '@keyport/contract/accounts/members';
import type { ConsoleSession } from '@keyport/contract/operators/people';
import type { MemberPermission, Permission } from '@keyport/contract/roles';
import { KeyportConnectionError, KeyportError } from '@keyport/sdk-source/requests/errors';
import { busy } from '../ui/busy.tsx';
import { createStore } from '../ui/store.ts';
import { APP, SERVICE_URL } from './place.ts';

export type Session = ConsoleSession | PortalSession;

/** False if only another link would sign this person in again. */
export const hasWayIn = ({ hasPassword, passkeys }: Session) => hasPassword || passkeys > 0;

export const toPerson = (session: Session) => ('operator' in session ? session.operator : session.member);

/**
 * `expired`: the session ended under an open page, which stays unchanged until the next sign-in. `proving`:
 * the session continues, but the current change needs a new sign-in.
 */
type State =
  | { readonly status: 'unknown' | 'signed-out' }
  | { readonly status: 'signed-in' | 'expired' | 'proving'; readonly session: Session };

/** Automatic requests of the page do not count as use of the session. */
export const BACKGROUND = { 'keyport-background': '1' };

const store = createStore<State>({ status: 'unknown' });

export const useSessionState = store.use;

export function useSession<Own extends Session = ConsoleSession>(): Own {
  const current = useSessionState();
  if (!('session' in current)) throw new Error('there is no session');
  return current.session as Own;
}

export function useMay(permission: Permission | MemberPermission): boolean {
  return useSession<Session>().permissions.some((one) => one === permission);
}

export function currentSession(): Session | undefined {
  const state = store.get();
  return 'session' in state ? state.session : undefined;
}

/** Called when any request is rejected because the session has ended. */
export function sessionEnded(): void {
  const state = store.get();
  if (state.status === 'signed-in') store.set({ status: 'expired', session: state.session });
  else if (state.status === 'unknown') store.set({ status: 'signed-out' });
}

export async function sendSession<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const response = await request(`${APP}/${path}`, () => ({
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : csrfHeaders()),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }));
  if (response.status === 204) return undefined as T;
  const answer = await response.json().catch(() => ({}));
  return answer.data;
}

/** Loads the session, if there is one. Rejects if the service cannot be reached. */
export async function loadSession({ isUse }: { readonly isUse: boolean }): Promise<void> {
  const headers = isUse ? {} : BACKGROUND;
  try {
    const session = await sendSession<Session>('GET', 'session', undefined, headers);
    // Another person has signed in, in another tab, who must not see the data on this page.
    if (isOtherPerson(session)) return location.reload();
    store.set({ status: store.get().status === 'proving' ? 'proving' : 'signed-in', session });
  } catch (error) {
    if (!(error instanceof KeyportError) || error.status !== 401) throw error;
    sessionEnded();
  }
}

/** Undefined once it has been returned. */
let beginning: Promise<void> | undefined;

/** Call it before the page is drawn. */
export function beginSession(): void {
  beginning = loadSession({ isUse: true });
  // The caller of sessionBegun handles the error.
  beginning.catch(() => {});
}

export function sessionBegun(): Promise<void> {
  const begun = beginning ?? loadSession({ isUse: true });
  beginning = undefined;
  return begun;
}

function isOtherPerson(session: Session): boolean {
  const before = currentSession();
  return before !== undefined && toPerson(before).id !== toPerson(session).id;
}

/** `isOther` is true if a different person has signed in, who must not see the data on the page. */
export function signedIn(session: Session): { readonly isOther: boolean } {
  const isOther = isOtherPerson(session);
  store.set({ status: 'signed-in', session });
  endProof(!isOther);
  return { isOther };
}

let endProof: (isProven: boolean) => void = () => {};

/** Requests a new sign-in if the service requires it. Returns false if the person did not sign in. */
export async function prove(): Promise<boolean> {
  await loadSession({ isUse: true });
  const state = store.get();
  if (state.status !== 'signed-in') return false;
  const { session } = state;
  if (!session.needsProof) return true;
  return new Promise((resolve) => {
    endProof = resolve;
    store.set({ status: 'proving', session });
  });
}

export function cancelProof(): void {
  const state = store.get();
  if (state.status === 'proving') store.set({ status: 'signed-in', session: state.session });
  endProof(false);
}

/** `forget` drops the page's data before the sign-in page loads anything. */
export async function signOut(everywhere: boolean, forget: () => void): Promise<void> {
  await sendSession('DELETE', everywhere ? 'sessions' : 'session').catch((error: unknown) => {
    // The session has already ended.
    if (!(error instanceof KeyportError) || error.status !== 401) throw error;
  });
  forget();
  store.set({ status: 'signed-out' });
}

export function csrfHeaders(): Readonly<Record<string, string>> {
  const token = currentSession()?.csrfToken;
  return token === undefined ? {} : { 'x-csrf-token': token };
}

/**
 * Sends a request, and once more after each obstacle that can be removed: the session has a new CSRF token, because
 * its owner signed in again in another tab, or the service requires a new sign-in (with `mayProve`).
 */
export async function sendAgain<T>(send: () => Promise<T>, { mayProve = true } = {}): Promise<T> {
  const removed = new Set<unknown>();
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const reason = error instanceof KeyportError && error.is('forbidden') ? error.data?.reason : undefined;
      if (removed.has(reason)) throw error;
      removed.add(reason);
      if (reason === 'csrf-token') await loadSession({ isUse: true });
      else if (reason !== 'sign-in-too-old' || !mayProve || !(await prove())) throw error;
    }
  }
}

/** Throws KeyportError for every response except a success. */
export function request(path: string, toInit: () => RequestInit): Promise<Response> {
  return sendAgain(
    async () => {
      const response = await busy(fetch(SERVICE_URL + path, toInit())).catch((cause: unknown) => {
        throw new KeyportConnectionError('The service did not respond.', { cause });
      });
      if (response.ok) return response;
      const { error = {}, traceId } = await response.json().catch(() => ({}));
      const { code = 'internal-server-error', message = response.statusText, errors, data } = error;
      throw new KeyportError({ status: response.status, code, message, errors, traceId, data, response });
    },
    { mayProve: false },
  );
}
