/**
 * The two halves of a write: its dry run, which follows the entries in the form, and the write itself. The
 * write takes effect only in the state that the preview showed, and only once, however often it is sent.
 */
import type { Answered, Call, CallOptions } from '@keyport/sdk-source/admin';
import { KeyportConnectionError, KeyportError } from '@keyport/sdk-source/requests/errors';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { queryClient } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { toastError } from '../ui/toasts.tsx';
import type { Attempt, Unsettled } from './drafts.ts';
import { useStopping } from './stopping.ts';

export type WithReason = { readonly reason: string };

export type Write<Draft, Preview, Result> = {
  /** A dry run; absent if there is nothing to preview. */
  readonly preview?: (
    draft: Draft & WithReason,
  ) => Promise<{ readonly preview: Preview; readonly etag: string }>;
  readonly run: (
    draft: Draft & WithReason,
    options: CallOptions & { readonly idempotencyKey: string },
    /** For a bulk action: starts nothing more once it is aborted. */
    stop: AbortSignal,
  ) => Call<Result> | Promise<Answered<Result>>;
  readonly onDone: (result: {
    readonly data: Result;
    /** True after 202: another operator must approve the write first. */
    readonly isWaiting: boolean;
    readonly preview: Preview | undefined;
  }) => void;
};

export type Shown<Preview> = {
  readonly data: Preview | undefined;
  readonly etag: string | undefined;
  readonly error: unknown;
};

/** Until there is a reason, the dry run uses this one. */
const REASON_OF_PREVIEW = 'preview';
const PREVIEW_PAUSE_MS = 200;
/** By then, what was read again is drawn, on a slow machine too. */
const DRAWN_MS = 1000;

export function usePreview<Draft extends object, Preview>(
  form: string,
  draft: Draft & WithReason,
  load: Write<Draft, Preview, never>['preview'],
  isComplete: (draft: Draft) => boolean,
): { preview: Shown<Preview> | undefined; isStale: boolean; reload: () => void } {
  const text = JSON.stringify({ ...draft, reason: REASON_OF_PREVIEW });
  const [settled] = useDebouncedValue(text, PREVIEW_PAUSE_MS);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['preview', form, settled],
    enabled: load !== undefined && isComplete(JSON.parse(settled)),
    gcTime: 0,
    staleTime: 'static',
    refetchOnWindowFocus: false,
    queryFn: () => load?.(JSON.parse(settled)) ?? null,
  });
  const isStale = load !== undefined && (isFetching || isPlaceholderData || settled !== text);
  const reload = () => void refetch();
  if (error !== null) return { preview: { data: undefined, etag: undefined, error }, isStale, reload };
  const preview = data && { data: data.preview, etag: data.etag || undefined, error: undefined };
  return { preview: preview ?? undefined, isStale, reload };
}

export function useSending<Draft extends object, Preview, Result>(
  { run, onDone }: Write<Draft, Preview, Result>,
  draft: Draft & WithReason,
  preview: Shown<Preview> | undefined,
  form: Readonly<Record<'clear' | 'reload' | 'close', () => void>> & {
    readonly unsettled: Unsettled<Draft & WithReason>;
    /** The work has many requests, and each has its key. */
    readonly isBulk: boolean;
  },
) {
  const { clear, reload, close, unsettled, isBulk } = form;
  const stopping = useStopping();
  const key = useRef(unsettled.get()?.key ?? newUuid());
  /** The write that is sent again. Until it is settled, other entries would be another write. */
  const [attempt, setAttempt] = useState<Attempt<Draft & WithReason> | undefined>(unsettled.get);
  /** The first sending's, because this very write may have changed what is on the page since. */
  const sendFirst = useRef(run);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const sentDraft = useRef<object>(draft);
  /** A page on which someone else did the same has no form any more, which would have shown the error. */
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const settle = () => {
    key.current = newUuid();
    unsettled.set(undefined);
    setAttempt(undefined);
    setError(undefined);
  };
  const send = async () => {
    setSending(true);
    setError(undefined);
    if (attempt === undefined) sendFirst.current = run;
    const sent = attempt ?? { key: key.current, draft, etag: preview?.etag, preview: preview?.data };
    sentDraft.current = sent.draft;
    // Before it is sent: the page may be gone before the response.
    if (!isBulk) unsettled.set(sent);
    try {
      const options = { idempotencyKey: sent.key, ifMatch: sent.etag };
      const { data, response } = await stopping.run((stop) => {
        const call = sendFirst.current({ ...sent.draft, reason: sent.draft.reason.trim() }, options, stop);
        return 'withResponse' in call ? call.withResponse() : call;
      });
      settle();
      clear();
      // The dialog closes before anything is reloaded: the preview of a finished write would fail.
      flushSync(close);
      void queryClient.invalidateQueries();
      onDone({ data, isWaiting: response.status === 202, preview: sent.preview as Preview | undefined });
    } catch (thrown) {
      if (!isUnknownOutcome(thrown)) settle();
      else {
        // After the next sign-in the entries may still be changed: this request was rejected.
        if (!isSessionOver(thrown)) setAttempt(sent);
      }
      setError(thrown);
      if (thrown instanceof KeyportError && thrown.status === 412) reload();
      // Someone else was first: the page behind the form shows what they did.
      if (thrown instanceof KeyportError && !isUnknownOutcome(thrown))
        void queryClient
          .invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'preview' })
          .then(() => setTimeout(() => (isOpen.current ? undefined : toastError(thrown)), DRAWN_MS));
    } finally {
      setSending(false);
    }
  };
  /** An error about a field disappears when the field changes. */
  const stillSent = (now: object, fields: Readonly<Record<string, string>>) => {
    const [before, after] = [new Map(Object.entries(sentDraft.current)), new Map(Object.entries(now))];
    return Object.fromEntries(
      Object.entries(fields).filter(([name]) => before.get(name) === after.get(name)),
    );
  };
  return { send, isSending, error, stillSent, stopping, isUnsettled: attempt !== undefined, settle };
}

/**
 * Includes 401: if the session ended before the write, the write is sent again unchanged. So is a write that the
 * service is still carrying out.
 */
export function isUnknownOutcome(error: unknown): boolean {
  if (error instanceof KeyportError)
    return error.status >= 500 || isSessionOver(error) || error.is('idempotency-key-processing');
  return error instanceof KeyportConnectionError;
}

function isSessionOver(error: unknown): boolean {
  return error instanceof KeyportError && error.status === 401;
}
