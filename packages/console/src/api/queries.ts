/**
 * Requests share one cache. Polling stops in hidden tabs and slows down while the service is unavailable.
 */
import type { OperatorOperations } from '@keyport/sdk-source/admin';
import type { ResellerOperations } from '@keyport/sdk-source/generated/reseller-operations';
import type { AnswerOf, ElementOf, InputOf, ListOf, OperationsClient } from '@keyport/sdk-source/operations';
import type { KeyportOptions } from '@keyport/sdk-source/options';
import { Call } from '@keyport/sdk-source/requests/call';
import { KeyportConnectionError, KeyportError } from '@keyport/sdk-source/requests/errors';
import { hashKey, keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useRef, useSyncExternalStore } from 'react';
import { busy } from '../ui/busy.tsx';
import { SERVICE_URL } from './place.ts';
import { BACKGROUND, csrfHeaders, sendAgain, sessionEnded, useSessionState } from './session.ts';

/** The operations of both audiences. The app's client has those of one. */
type Operations = OperatorOperations & ResellerOperations;
export type OperationName = keyof Operations;
export type Input<Name extends OperationName> = InputOf<Operations, Name>;
export type Answer<Name extends OperationName> = AnswerOf<Operations, Name>;
export type ListName = ListOf<Operations>;
export type Element<Name extends ListName> = ElementOf<Operations, Name>;
export type Client = OperationsClient<Operations>;

const TIMEOUT_MS = 20_000;

type Create<Own> = (options: KeyportOptions) => Own;

function clientWith<All, Own extends OperationsClient<All>>(
  create: Create<Own & OperationsClient<All>>,
  headers: Readonly<Record<string, string>>,
  maxRetries: number,
): Own {
  const client = create({
    baseUrl: SERVICE_URL,
    timeoutMs: TIMEOUT_MS,
    maxRetries,
    accessToken: () => 'session',
    fetch: async (input, init) => {
      const sent = new Headers(init?.headers);
      sent.delete('authorization');
      const own = init?.method === 'GET' ? headers : { ...headers, ...csrfHeaders() };
      for (const [name, value] of Object.entries(own)) sent.set(name, value);
      const sending = fetch(input, { ...init, headers: sent });
      const response = await (headers === BACKGROUND ? sending : busy(sending));
      if (response.status === 401) sessionEnded();
      return response;
    },
  });
  const call = client.call.bind(client);
  client.call = (name, input, options) =>
    new Call(sendAgain(() => call(name, input, options).withResponse()));
  return client;
}

let clients: { readonly own: Client; readonly background: Client } | undefined;

/** Creates the app's client, which the shared parts use too. */
export function startClients<All, Own extends OperationsClient<All>>(
  create: Create<Own & OperationsClient<All>>,
): Own {
  const own = clientWith<All, Own>(create, {}, 2);
  // For polling, which needs no retries: the next poll is the retry.
  const background = clientWith<All, Own>(create, BACKGROUND, 0);
  clients = { own, background } as unknown as NonNullable<typeof clients>;
  return own;
}

function clientsOfApp(): NonNullable<typeof clients> {
  if (clients === undefined) throw new Error('the app has no client');
  return clients;
}

export const appClient = () => clientsOfApp().own;

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client retries; a second layer would multiply its retries.
    queries: {
      // Offline is an error to show, not a reason to wait silently.
      networkMode: 'always',
      retry: false,
      staleTime: 5000,
      refetchOnWindowFocus: true,
      placeholderData: keepPreviousData,
    },
  },
});

const SLOWEST_MS = 60_000;
/** A single failure may be a node restarting behind the load balancer. */
const FAILURES_SHOWN = 2;

const failures = new Map<string, number>();

type LiveOptions<T> = {
  /** Undefined if the read is not repeated. */
  readonly everyMs?: number | undefined | ((data: T | undefined) => number | undefined);
  readonly enabled?: boolean;
};

/** Calls a read operation, and repeats the call when `version` changes. */
export function useRead<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { version, ...options }: LiveOptions<Answer<Name>> & { readonly version?: unknown } = {},
): UseQueryResult<Answer<Name>> {
  return useLive([name, input, version], (client, signal) => client.call(name, input, { signal }), options);
}

/**
 * Reads with `load`, and repeats every `everyMs` if given. Repeats do not keep the session alive. While the
 * service is unavailable, the last data stays without an error: the frame shows its age.
 */
export function useLive<T>(
  key: readonly unknown[],
  load: (client: Client, signal: AbortSignal) => PromiseLike<T>,
  options: LiveOptions<T> = {},
): UseQueryResult<T> {
  const hash = hashKey(key);
  const askedBy = useRef<string>(undefined);
  const { everyMs } = options;
  // Behind the sign-in dialog every request would be rejected.
  const isSignedOut = useSessionState().status === 'expired';
  const enabled = options.enabled !== false && !isSignedOut;
  const computeInterval = (data: T | undefined) => (typeof everyMs === 'function' ? everyMs(data) : everyMs);
  const query = {
    queryKey: key,
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const isFirst = askedBy.current !== hash;
      askedBy.current = hash;
      try {
        const data = await load(clientsOfApp()[isFirst ? 'own' : 'background'], signal);
        failures.delete(hash);
        return data;
      } catch (error) {
        if (isAway(error) && !signal.aborted) failures.set(hash, (failures.get(hash) ?? 0) + 1);
        throw error;
      }
    },
  };
  // Sends the request before the component renders, not afterwards.
  if (enabled && queryClient.getQueryCache().get(hash) === undefined) void queryClient.prefetchQuery(query);
  const result = useQuery({
    ...query,
    enabled,
    refetchInterval: ({ state: { data } }) => {
      if (!enabled) return false;
      const ms = computeInterval(data);
      if (ms === undefined) return false;
      const failed = failures.get(hash) ?? 0;
      return failed < FAILURES_SHOWN ? ms : Math.min(ms * 2 ** (failed - 1), SLOWEST_MS);
    },
  });
  const { data, error } = result;
  const isKept = data !== undefined && computeInterval(data) !== undefined && isAway(error);
  return (isKept ? { ...result, error: null } : result) as UseQueryResult<T>;
}

/** While the service is unavailable: when the oldest data on the page was read, in epoch milliseconds. */
export function useNotCurrentSince(): number | undefined {
  return useSyncExternalStore(
    (listener) => queryClient.getQueryCache().subscribe(listener),
    () => {
      const times = queryClient
        .getQueryCache()
        .findAll({ type: 'active' })
        .filter(({ queryHash, state: { dataUpdatedAt } }) => {
          return dataUpdatedAt > 0 && (failures.get(queryHash) ?? 0) >= FAILURES_SHOWN;
        })
        .map(({ state }) => state.dataUpdatedAt);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  );
}

/** True if the service does not respond or cannot serve the request at the moment. */
function isAway(error: unknown): boolean {
  if (error instanceof KeyportConnectionError) return true;
  return error instanceof KeyportError && (error.status >= 500 || error.status === 429);
}

export function isMissing(error: unknown): boolean {
  return error instanceof KeyportError && error.status === 404;
}

const AT_ONCE = 4;

export async function fourAtOnce<In, Out>(
  all: readonly In[],
  work: (one: In) => Promise<Out>,
  onDone: (count: number) => void = () => {},
  signal?: AbortSignal,
): Promise<Out[]> {
  onDone(0);
  const results: Out[] = [];
  const left = [...all.entries()];
  const run = async () => {
    for (let next = left.shift(); next !== undefined && !signal?.aborted; next = left.shift()) {
      results[next[0]] = await work(next[1]);
      onDone(all.length - left.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return results;
}
