/** What a screen shows instead of data: loading, nothing, an error. Each says what comes next. */

import { KeyportConnectionError, KeyportError } from '@keyport/sdk/admin';
import { Alert, Button, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { countFilters, type Pager, useUrl } from '../url.ts';
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
    <div className="loading" role="status" aria-label={texts.states.loading}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={height} mb={16} />
      ))}
    </div>
  );
}

export function Empty({
  icon,
  children,
  action,
}: {
  readonly icon: IconName;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Of a list whose page may be empty although older rows match. `none`: without a filter. */
export function EmptyList(props: {
  readonly icon: IconName;
  /** Their names. */
  readonly filters: readonly string[];
  readonly pager: Pager;
  readonly none: string;
}) {
  const { icon, filters, pager, none } = props;
  const { search } = useUrl();
  const count = countFilters(search, filters);
  return (
    <Empty icon={icon}>
      {pager.older !== undefined ? texts.table.goOn : count === 0 ? none : texts.table.noMatch(count)}
    </Empty>
  );
}

/** What the service said, or that it said nothing. */
export function messageOf(error: unknown): string {
  if (error instanceof KeyportError) return error.message;
  return error instanceof KeyportConnectionError ? texts.states.offline : texts.states.failed;
}

export function Failure({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}) {
  return (
    <Alert
      className="failure"
      role="alert"
      icon={<Icon name="alert" size={20} />}
      title={texts.states.failed}
    >
      <p>{messageOf(error)}</p>
      <TraceId error={error} />
      {retry === undefined ? null : (
        <Button size="xs" variant="default" onClick={retry}>
          {texts.states.retry}
        </Button>
      )}
    </Alert>
  );
}

/** Beside the button that was pressed. */
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
