/** Reads: one cache, and polling that stops in hidden tabs and slows down while the service is away. */
import { KeyportError } from '@keyport/sdk/admin';
import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { admin, backgroundAdmin } from './admin.ts';

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

/**
 * Reads with `load`, again every `everyMs` if that is given. After the first time the page reads by itself, and `load` gets the
 * client whose requests do not keep the session alive.
 */
export function useLive<T>(
  key: readonly unknown[],
  load: (client: typeof admin, signal: AbortSignal) => Promise<T>,
  options: {
    /** Undefined, or an answer that makes it so: no more. */
    readonly everyMs?: number | undefined | ((data: T | undefined) => number | undefined);
    readonly enabled?: boolean;
  } = {},
): UseQueryResult<T> & { readonly failedRounds: number } {
  const keyText = JSON.stringify(key);
  const askedBy = useRef<string>(undefined);
  const { everyMs, enabled = true } = options;
  const result = useQuery({
    queryKey: key,
    enabled,
    queryFn: async ({ signal }) => {
      const isFirst = askedBy.current !== keyText;
      askedBy.current = keyText;
      return await load(isFirst ? admin : backgroundAdmin, signal);
    },
    refetchInterval: (query) => {
      const ms = typeof everyMs === 'function' ? everyMs(query.state.data) : everyMs;
      if (ms === undefined) return false;
      const failures = query.state.error === null ? 0 : query.state.errorUpdateCount;
      return failures < 2 ? ms : Math.min(ms * 2 ** Math.min(failures, 6), SLOWEST_MS);
    },
  });
  return { ...result, failedRounds: result.error === null ? 0 : result.errorUpdateCount };
}

export function isMissing(error: unknown): boolean {
  return error instanceof KeyportError && error.status === 404;
}
