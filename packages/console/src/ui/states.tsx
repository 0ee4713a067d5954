import { KeyportConnectionError, KeyportError } from '@keyport/sdk/admin';
import { Alert, Button, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { isMissing } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { Icon, type IconName } from './icons.tsx';
import { CopyButton } from './values.tsx';

/** Not at once: what comes quickly needs no skeleton. */
const SKELETON_AFTER_MS = 150;

export function Loading({ rows = 8, height = 20 }: { readonly rows?: number; readonly height?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return <div className="loading" />;
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={height} mb={16} />
      ))}
    </div>
  );
}

export function Empty(props: {
  readonly icon: IconName;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  const { icon, children, action } = props;
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <p>{children}</p>
      {action}
    </div>
  );
}

/** The loaded data, or why it is missing. `missing`: the name of a thing that may not exist. */
export function Loaded<T>(props: {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  readonly missing?: string;
  readonly rows?: number;
  readonly children: (data: NonNullable<T>) => ReactNode;
}) {
  const { query, missing, rows = 8, children } = props;
  const { data, error } = query;
  if (data !== undefined && data !== null) return children(data);
  if (missing !== undefined && (data === null || isMissing(error)))
    return <Empty icon="search">There is no {missing} with this id. Check the link.</Empty>;
  return error === null ? <Loading rows={rows} /> : <Failure error={error} retry={query.refetch} />;
}

export function Warning(props: {
  readonly icon: IconName;
  readonly role?: 'alert';
  readonly children: string;
}) {
  const { icon, ...shown } = props;
  return <Alert className="held-reason" icon={<Icon name={icon} />} {...shown} />;
}

export function messageOf(error: unknown): string {
  if (error instanceof KeyportError) return error.message;
  return error instanceof KeyportConnectionError
    ? 'The service cannot be reached. Nothing was changed.'
    : 'This could not be loaded.';
}

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) {
  return (
    <Alert
      className="failure"
      role="alert"
      icon={<Icon name="alert" size={20} />}
      title="This could not be loaded."
    >
      <p>{messageOf(error)}</p>
      <TraceId error={error} />
      {retry === undefined ? null : <Button onClick={() => void retry()}>Retry</Button>}
    </Alert>
  );
}

/** Work that a button starts. */
export function useWork() {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (work: () => Promise<unknown>) => {
    setRunning(true);
    setError(undefined);
    await work().catch(setError);
    setRunning(false);
  };
  return { isRunning, error, run };
}

export function InlineFailure({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  return (
    <span className="problem" role="alert">
      {messageOf(error)}
    </span>
  );
}

export function TraceId({ error }: { readonly error: unknown }) {
  if (!(error instanceof KeyportError) || error.traceId === undefined) return null;
  return (
    <p className="trace">
      {texts.states.trace} <code>{error.traceId}</code>{' '}
      <CopyButton text={error.traceId} what={texts.states.trace} />
    </p>
  );
}
